"""What of this machine a desk may see: the standard library, NumPy and shared libraries."""

import os
import sys
import sysconfig
from pathlib import Path

HIDDEN = (
    "site-packages",
    "dist-packages",
    "test",
    "idlelib",
    "ensurepip",
    "lib2to3",
)  # in the standard library


def standard_library() -> list[Path]:
    """The folders of the standard library: its modules and its compiled ones."""
    folders = [Path(os.__file__).parent, Path(sysconfig.get_config_var("DESTSHARED") or os.__file__)]
    folders.append(Path(os.__file__).parent / "lib-dynload")
    return _distinct(folders)


def numpy(packages: str) -> list[Path]:
    """NumPy and the libraries that come with it, in the folder of packages; nothing else of that folder."""
    return _distinct([Path(packages, "numpy"), Path(packages, "numpy.libs")])


def libraries() -> list[Path]:
    """Folders of shared libraries."""
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    folders = [Path("/lib64"), Path("/usr/lib64")]
    folders += [Path(root, multiarch) for root in ("/lib", "/usr/lib")] if multiarch else []
    folders.append(Path(sys.base_prefix, "lib") if _is_private(Path(sys.base_prefix)) else Path("/lib64"))
    return _distinct(folders)


def _is_private(prefix: Path) -> bool:
    """Whether this Python keeps its own libpython below its prefix, and not among the system's libraries."""
    return prefix not in (Path("/usr"), Path("/"), Path("/usr/local")) and any(prefix.glob("lib/lib*.so*"))


def readable(packages: str) -> tuple[list[Path], list[Path]]:
    """(files and folders that may be read, folders whose names alone may be listed)."""
    whole = numpy(packages)
    for folder in standard_library():
        whole += [child for child in folder.iterdir() if child.name not in HIDDEN]
    for folder in libraries():
        children = list(folder.iterdir())
        mixed = any(child.name.startswith("python") for child in children)
        whole += [child for child in children if not child.is_dir()] if mixed else [folder]
    return whole, standard_library()


def _distinct(folders: list[Path]) -> list[Path]:
    return list(dict.fromkeys(folder.resolve() for folder in folders if _is_there(folder)))


def _is_there(folder: Path) -> bool:
    """Not so in a closed folder either: a Python that was moved still names where it was built."""
    return os.access(folder, os.R_OK | os.X_OK) and folder.is_dir()
