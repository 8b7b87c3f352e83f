"""Whose a hand-in in the exchange is and when it last changed: what the file system knows, not what it says.

A student can name a folder at will and write any time into it. Its owner, and the time at which anything in
it was last changed, are written by the system alone.
"""

import datetime
import os
import pwd
from pathlib import Path

COPYING = datetime.timedelta(minutes=5)  # a hand-in is named when its copying begins


def maker(folder: Path, student: str) -> str:
    """Who made a folder in this student's name; empty where that is the student, or may do so for one.

    Root may, and whoever collects: where all servers run as one user, as in containers, that is everyone.
    """
    try:
        owner = folder.lstat().st_uid
        name = pwd.getpwuid(owner).pw_name
    except FileNotFoundError:
        return ""  # removed a moment ago: there is nothing to collect
    except KeyError:
        name = f"user {owner}"
    if owner in (0, os.geteuid()):
        return ""
    return "" if name == student else name


def changed_late(
    folder: Path, named: datetime.datetime, due: datetime.datetime | None
) -> datetime.datetime | None:
    """When a hand-in that is named in time was changed after its deadline, else None. All times in UTC."""
    if due is None or named > due:
        return None
    paths = [Path(where, name) for where, _, files in os.walk(folder) for name in (".", *files)]
    newest = max(map(_changed, paths), default=0.0)
    last = datetime.datetime.fromtimestamp(newest, datetime.UTC).replace(tzinfo=None)
    return last if last > due + COPYING else None


def _changed(path: Path) -> float:
    try:
        return path.lstat().st_ctime
    except FileNotFoundError:  # removed a moment ago, which has changed its folder
        return 0.0
