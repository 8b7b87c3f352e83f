"""The files of one hand-in: which they are, when they came, how they are opened without being led astray."""

import datetime
import os
import shutil
import stat
from pathlib import Path
from typing import BinaryIO

from nbgrader.utils import parse_utc

STAMP = "timestamp.txt"
EXPECTED = (".ipynb", ".py", ".txt")  # taken first, should there be too much
SMALL = 4096  # bytes of a stamp or a secret


def listing(folder: Path, ignored: list[str]) -> tuple[list[tuple[str, int]], list[str]]:
    """Path within the folder and size of each regular file, what graders need first; and all that is none.

    Follows no link.
    """
    regular, others = [], []
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _matches(name, ignored))
        for name in (*folders, *sorted(files)):
            path = Path(where, name)
            try:
                status = path.lstat()
            except OSError:  # its student has removed it a moment ago
                continue
            if stat.S_ISREG(status.st_mode) and not _matches(name, ignored):
                regular.append((os.path.relpath(path, folder), status.st_size))
            elif not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
                others.append(os.path.relpath(path, folder))
    regular.sort(key=lambda file: (not file[0].endswith(EXPECTED), file[0].count(os.sep), file[0]))
    return regular, others


def _matches(name: str, patterns: list[str]) -> bool:
    return any(Path(name).match(pattern) for pattern in patterns)


def copy_regular(source: Path, target: Path) -> None:
    """Copies one file without following a link, even one that took its place a moment ago."""
    with _open_regular(source) as opened:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as out:
            shutil.copyfileobj(opened, out)


def small_text(file: Path) -> str | None:
    """The text of a small regular file, or None; follows no link."""
    try:
        with _open_regular(file) as opened:
            return opened.read(SMALL).decode("utf-8", "replace").strip()
    except OSError:
        return None


def _open_regular(file: Path) -> BinaryIO:
    """Opens a file that is one, through no link and waiting for no pipe. Raises OSError."""
    handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(f"{file} is no regular file")
    return os.fdopen(handle, "rb")


def arrival(folder: Path) -> datetime.datetime | None:
    """When a submission came, in UTC, by its stamp; where that says nothing readable, when it was written."""
    stamp = folder / STAMP
    text = small_text(stamp)
    if not text:
        return None
    try:
        return parse_utc(text)
    except (ValueError, OverflowError):
        return datetime.datetime.fromtimestamp(int(stamp.lstat().st_mtime), datetime.UTC).replace(tzinfo=None)


def handed_in(folder: Path) -> datetime.datetime:
    """The same where there is no stamp either: when the newest of its files was written."""
    if (time := arrival(folder)) is not None:
        return time
    newest = max((path.lstat().st_mtime for path in (folder, *folder.rglob("*"))), default=0.0)
    return datetime.datetime.fromtimestamp(newest, datetime.UTC).replace(tzinfo=None)
