"""The outer wall, by the program bubblewrap: a zygote without network, other processes or other files."""

import os
import shutil
import sys
from pathlib import Path

from . import folders

SHARED = ("/etc/ld.so.cache", "/etc/alternatives")  # how shared libraries are found


def command(packages: str, program: list[str], environment: dict[str, str]) -> list[str] | None:
    """The command that runs `program` inside, or None where bubblewrap is not installed."""
    bwrap = shutil.which("bwrap")
    return (
        [bwrap, *_namespaces(), *_view(packages), *_variables(environment), "--", *program] if bwrap else None
    )


def _namespaces() -> list[str]:
    kinds = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    if os.geteuid():
        return [*kinds, "--unshare-user", "--new-session", "--cap-drop", "ALL"]
    # As root no user namespace is needed, and the zygote can become nobody in earnest.
    return [
        *kinds,
        "--new-session",
        "--cap-drop",
        "ALL",
        "--cap-add",
        "CAP_SETUID",
        "--cap-add",
        "CAP_SETGID",
    ]


def _view(packages: str) -> list[str]:
    """The files that are there, all read-only; of folders of packages, NumPy alone."""
    library, standard = folders.libraries(), folders.standard_library()
    masked = [child for folder in library for child in folder.glob("python*") if child.is_dir()]
    hidden = [folder / name for folder in standard for name in folders.HIDDEN if (folder / name).is_dir()]
    own = [Path(__file__).resolve().parent, Path(os.path.realpath(sys.executable))]
    shared = [Path(path) for path in SHARED if Path(path).exists()]
    parents = {parent for path in (*library, *standard, *own, Path("/dev/null")) for parent in path.parents}
    parents |= {parent for path in folders.numpy(packages) for parent in path.parents}
    return [
        *(word for path in sorted(parents)[1:] for word in ("--perms", "0755", "--dir", str(path))),
        *_each("--ro-bind", library),
        *_each("--tmpfs", masked),
        *(word for link in ("/lib", "/lib64") for word in _link(Path(link))),
        *_each("--ro-bind", standard),
        *_each("--tmpfs", hidden),
        *_each("--ro-bind", [*folders.numpy(packages), *own, *shared]),
        *("--proc", "/proc", "--dev-bind", os.devnull, os.devnull, "--chdir", "/"),
        *_each("--remount-ro", [*masked, *hidden, Path("/")]),
    ]


def _each(option: str, paths: list[Path]) -> list[str]:
    twice = option == "--ro-bind"  # from where, to where
    return [
        word for path in paths for word in ([option, str(path), str(path)] if twice else [option, str(path)])
    ]


def _link(path: Path) -> list[str]:
    """/lib and its like, where they are links into /usr."""
    return ["--symlink", str(path.readlink()), str(path)] if path.is_symlink() else []


def _variables(environment: dict[str, str]) -> list[str]:
    return [
        "--clearenv",
        *(word for name, value in environment.items() for word in ("--setenv", name, value)),
    ]
