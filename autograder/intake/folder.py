"""Opens what a student handed in: regular files alone, never through a link, below size limits, each once.

Knows names and bytes. Knows nothing of notebooks.
"""

import errno
import itertools
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.intake import reasons
from autograder.model import Sentence

MAX_FILE = 64 << 20  # bytes; a notebook with plots has a few MB
MAX_ALL = 128 << 20  # bytes of all candidates together
MAX_CANDIDATES = 40
MAX_ENTRIES = 2000  # names looked at in one folder
MAX_NAMES = 5000  # and in all
MAX_FOLDERS = 10  # looked into in one folder
MAX_DEPTH = 3  # a folder in a folder in the folder

DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # NONBLOCK: a pipe must not hold us
ENDINGS = re.compile(r"\.(ipynb|py)(?:\.(?:txt|json))?$", re.IGNORECASE)
# What systems and people append to a copy: "name (1)", "name-1", "name-Copy1", "name 副本", "name的副本".
# Nothing that has matched is tried another way (++), else a name of forty digits would take for ever.
COPY = re.compile(
    r"(?:[ _-]*+(?:\(\d++\)|（\d++）|copy ?\d*+|final|\d++|的?+副本 ?\d*+|拷贝 ?\d*+|最终版?+))++$",
    re.IGNORECASE,
)
NOT_STUDENTS = {"selfcheck", "__pycache__", "__macosx"}  # folders beside the work; hidden ones too
RELEASED = re.compile(
    r"timestamp\.txt(?:\.unreadable)?$|submission_secret\.txt$|handout\.\w+\.md$|.*\.(?:svg|png)$"
    r"|\.selfcheck\.json$",  # where the self-check keeps a student's progress
    re.IGNORECASE,
)
KINDS = (
    (stat.S_ISLNK, "a link", "链接"),
    (stat.S_ISDIR, "a folder", "文件夹"),
    (stat.S_ISFIFO, "a pipe", "管道"),
    (stat.S_ISSOCK, "a socket", "套接字"),
    (lambda mode: True, "a device", "设备"),
)


@dataclass(frozen=True)
class File:
    """A file that may be the submission: its bytes, or why there are none. A low rank is likely."""

    name: str
    rank: int = 0
    data: bytes = b""
    problem: Sentence | None = None


@dataclass(frozen=True)
class Folder:
    """What a folder holds: the candidates, likeliest first, and all other names but released ones."""

    files: tuple[File, ...] = ()
    others: tuple[str, ...] = ()


def read_file(path: Path) -> File | None:
    """One file that a person named, if it is there. Its folder is theirs; the file may be anybody's."""
    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        return File(path.name, problem=_trouble(error))
    try:
        if not _is_there(folder, path.name):
            return None
        return _read(folder, path.name, path.name, 0, MAX_FILE, linked=True)
    finally:
        os.close(folder)


def _is_there(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except (FileNotFoundError, ValueError):
        return False
    except OSError:
        pass  # what is wrong is said when it is opened
    return True


def read_folder(path: Path, exercise: str, *, follow_parent: bool = True) -> Folder:
    """What a student's folder holds. No link is followed in it, to it, or, if so told, to its parent."""
    whole = path.absolute()
    start, below = (whole.parent, whole.parts[-1:]) if follow_parent else (whole.parents[1], whole.parts[-2:])
    handles: list[int] = []
    try:
        handles.append(os.open(start, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
        for name in below:
            handles.append(os.open(name, DIRECTORY, dir_fd=handles[-1]))
        return _folder(handles[-1], exercise)
    except FileNotFoundError:
        return Folder()
    except OSError as error:
        return Folder((File(path.name, problem=_trouble(error)),))
    finally:
        for handle in handles:
            os.close(handle)


def _folder(handle: int, exercise: str) -> Folder:
    names = list(itertools.islice(_walk(handle, "", 0), MAX_NAMES))
    ranked = sorted((rank, name) for name in names if (rank := _rank(name, exercise)) is not None)
    chosen, files, left = ranked[:MAX_CANDIDATES], [], MAX_ALL
    for rank, name in chosen:
        files.append(_read_below(handle, name, rank, min(left, MAX_FILE)))
        left -= len(files[-1].data)
    taken = {name for _, name in chosen}
    others = [name for name in names if name not in taken and not RELEASED.match(name)]
    return Folder(tuple(files), tuple(sorted(others)))


def _walk(handle: int, prefix: str, depth: int) -> Iterator[str]:
    """Names of all entries but folders, by their path in the folder; a link is a name like any other."""
    with os.scandir(handle) as entries:
        found = sorted(entry.name for _, entry in zip(range(MAX_ENTRIES), entries, strict=False))
    folders = []
    for name in found:
        if not stat.S_ISDIR(os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode):
            yield prefix + name
        elif not name.startswith(".") and name.lower() not in NOT_STUDENTS and depth < MAX_DEPTH:
            folders.append(name)
    for name in folders[:MAX_FOLDERS]:
        try:
            inner = os.open(name, DIRECTORY, dir_fd=handle)
        except OSError:
            continue
        try:
            yield from _walk(inner, f"{prefix}{name}/", depth + 1)
        finally:
            os.close(inner)


def _rank(name: str, exercise: str) -> int | None:
    """How likely a name is the submission's: 0 as expected, 1 alike, 2 so further in, 3 and 4 any other."""
    inner, _, last = name.rpartition("/")
    ending = ENDINGS.search(last)
    if ending is None or last.startswith("."):
        return None
    if not inner and last in (f"{exercise}.ipynb", f"{exercise}.py"):
        return 0
    if _plain(last[: ending.start()]) == _plain(exercise):
        return 2 if inner else 1
    return 4 if inner else 3


def _plain(stem: str) -> str:
    return re.sub(r"[ _-]", "", COPY.sub("", stem)).casefold()


def _read_below(handle: int, name: str, rank: int, limit: int) -> File:
    """Reads a file by its path below an open folder, one component after the other."""
    *folders, last = name.split("/")
    handles: list[int] = []
    try:
        for folder in folders:
            handles.append(os.open(folder, DIRECTORY, dir_fd=handles[-1] if handles else handle))
        return _read(handles[-1] if handles else handle, last, name, rank, limit)
    except OSError as error:
        return File(name, rank, problem=_trouble(error))
    finally:
        for inner in handles:
            os.close(inner)


def _read(folder: int, last: str, name: str, rank: int, limit: int, *, linked: bool = False) -> File:
    """The bytes of one entry of an open folder. `linked`: a second hard link to it is allowed."""
    try:
        if problem := _refused(os.stat(last, dir_fd=folder, follow_symlinks=False), limit, linked):
            return File(name, rank, problem=problem)  # not even opened: opening a device can do something
        handle = os.open(last, FILE, dir_fd=folder)
    except (OSError, ValueError) as error:
        return File(name, rank, problem=_trouble(error))
    with os.fdopen(handle, "rb") as file:
        if problem := _refused(os.fstat(handle), limit, linked):
            return File(name, rank, problem=problem)
        data = file.read(limit + 1)
    return File(name, rank, data) if len(data) <= limit else File(name, rank, problem=_too_large(limit))


def _refused(facts: os.stat_result, limit: int, linked: bool) -> Sentence | None:
    if not stat.S_ISREG(facts.st_mode):
        kind = next(kind for kind in KINDS if kind[0](facts.st_mode))
        return reasons.not_regular(*kind[1:])
    if facts.st_nlink > 1 and not linked:
        return reasons.not_regular(
            "a second name of another file (a hard link)", "另一个文件的别名（硬链接）"
        )
    return _too_large(limit) if facts.st_size > limit else None


def _too_large(limit: int) -> Sentence:
    return reasons.too_large(reasons.megabytes(limit))


def _trouble(error: Exception) -> Sentence:
    """What to say of a failed opening."""
    if isinstance(error, PermissionError):
        return reasons.no_permission()
    if isinstance(error, OSError) and error.errno in (errno.ELOOP, errno.ENOTDIR):
        return reasons.not_regular(*KINDS[0][1:])
    return reasons.not_regular("no ordinary file or folder", "特殊文件或文件夹")
