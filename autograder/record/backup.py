"""Copies of the gradebook, one before each recording, so that no recording can lose a grade."""

import datetime
import hashlib
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from autograder.layout import Course

KEPT = 20
WAITS = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
SQLITE = "sqlite:///"


def database_file(url: str) -> Path | None:
    """The file behind a database URL; None for a database server, which has backups of its own."""
    return Path(url.removeprefix(SQLITE).partition("?")[0]) if url.startswith(SQLITE) else None


def back_up(course: Course, url: str, patience: float = 60) -> Path | None:
    """Copies the gradebook into .attn/backups, unless the newest copy is the same; keeps 20."""
    source = database_file(url)
    if source is None or not source.is_file():
        return None
    folder = course.private / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = sorted(folder.glob("gradebook-*.db"))
    now = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%S.%f")
    copy, unfinished = folder / f"gradebook-{now}.db", folder / "unfinished"
    _copy(source, unfinished, patience)
    if before and _digest(before[-1]) == _digest(unfinished):
        unfinished.unlink()
        return before[-1]
    unfinished.replace(copy)
    for old in before[: max(0, len(before) + 1 - KEPT)]:
        old.unlink()
    return copy


def _copy(source: Path, target: Path, patience: float) -> None:
    """SQLite's own copy, which is consistent even while another process writes.

    Raises OperationalError where another process holds the gradebook for too long.
    """
    deadline = time.monotonic() + patience

    def in_time(status: int, remaining: int, total: int) -> None:
        if status in WAITS and time.monotonic() > deadline:  # by itself it would try for ever
            raise sqlite3.OperationalError("another process holds it")

    target.unlink(missing_ok=True)
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    reading = sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)
    with closing(reading), closing(sqlite3.connect(target)) as copy:
        reading.backup(copy, progress=in_time, sleep=0.1)


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
