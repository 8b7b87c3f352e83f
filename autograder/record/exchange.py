"""Collecting from nbgrader's exchange: no hand-in can stop or reach another, and the time is the collector's.

Everything in the exchange's inbound folder was made by students, folder names included.
"""

import datetime
import os
import re
import stat
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import parse_utc
from traitlets import Bool

from autograder.intake.aside import put_back, set_aside
from autograder.layout import Course
from autograder.record import versions
from autograder.record.claims import changed_late, maker
from autograder.record.hand_in import STAMP, arrival, copy_regular, listing
from autograder.settings import load_settings

SECRET = "submission_secret.txt"  # names the student's feedback file in the exchange
STUDENT = re.compile(r"[^\W_][\w.@ +-]{0,127}\Z")  # no hidden, empty or upward folder names
MOST_FILES = 1000
SHOWN = 5  # names of what was left out that a message gives


class Collect(ExchangeCollect):
    """nbgrader's collect, careful with what lies in the exchange."""

    trust_times = Bool(
        False,
        help="Whether a hand-in changed after its deadline is in time by its name: after a restored backup.",
    ).tag(config=True)

    def _path_to_record(self, path: str) -> dict[str, Any]:
        """What a folder's name says: student, exercise and time. One that says nothing is left lying."""
        name = Path(path).name
        parts = name.rsplit("+", 3)
        try:
            student, time = parts[0], parse_utc(parts[2])
        except (IndexError, ValueError, OverflowError):
            student, time = "", datetime.datetime.min
        if not STUDENT.match(student) or Path(path).is_symlink() or not Path(path).is_dir():
            self.log.warning("Not collected, since its name is no submission's: %r", name)
            student = ""
        elif self.check_owner and (other := maker(Path(path), student)):
            self.log.warning("Not collected, since %s made it in the name of %s: %r", other, student, name)
            student = ""
        return {"username": student, "filename": name, "timestamp": time}

    def init_src(self) -> None:
        super().init_src()
        self.src_records = [record for record in self.src_records if record["username"]]
        if not self.before_duedate and load_settings(self._course).counts == "best":
            self.src_records = [record for record in self.src_records if not self._met(record)]

    @property
    def _course(self) -> Course:
        return Course(Path(self.coursedir.root))

    def _met(self, record: dict[str, Any]) -> bool:
        """Whether it was collected before, and a better one was put back in its place since."""
        student, name = record["username"], self.coursedir.assignment_id
        known = versions.times(self._course, name, student)
        there = self._course.submitted(student, name).is_dir()
        return there and bool(known) and record["timestamp"] <= max(known)

    def copy_files(self) -> None:
        """One after another, so that a folder which its student removes meanwhile does not stop the rest."""
        records = self.src_records
        for self.src_records in [[record] for record in records] or [[]]:
            try:
                for record in self.src_records:  # what the newer one takes the place of
                    versions.keep(self._course, self.coursedir.assignment_id, record["username"])
                super().copy_files()
            except OSError as error:
                self.log.warning("Not collected: %s", error)
        self.src_records = records

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copies regular files alone; what cannot be copied is a warning, and the next student follows."""
        limit = 1000 * self.coursedir.max_dir_size
        taken = 0
        files, others = listing(Path(src), self.coursedir.ignore)
        if others:
            more = f" and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
            self.log.warning("%s: refused, since no regular files: %s%s", src, others[:SHOWN], more)
        for count, (relative, size) in enumerate(files):
            if count >= MOST_FILES or taken + size > limit:
                self.log.warning("%s is too large, left out: %r", src, relative)
                continue
            taken += size
            try:
                copy_regular(Path(src, relative), Path(dest, relative))
            except OSError as error:
                self.log.warning("%s: %r cannot be read: %s", src, relative, error)
        Path(dest).mkdir(parents=True, exist_ok=True)
        Path(dest, STAMP).write_text(self._time(Path(src)), encoding="utf-8")

    def _time(self, folder: Path) -> str:
        """When a hand-in came: by its name, unless it was changed after the deadline it seems to meet."""
        named = folder.name.rsplit("+", 3)[2]
        late = None if self.trust_times else changed_late(folder, parse_utc(named), self.duedate)
        if late is None:
            return named
        self.log.warning("%s was changed at %s UTC, after its deadline: that is its time now", folder, late)
        return f"{late} UTC"


def tidy(folder: Path, aside: Path) -> list[str]:
    """Makes a submission safe for nbgrader's own copying, and says what was done.

    Links and devices, which nbgrader follows and waits for, are set aside until it has copied; a stamp that
    it would stop at gives way to its own date. What stands in a notebook's place stays, since no copying
    touches it.
    """
    put_back(folder, aside)
    done = []
    for where, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(where, name)
            mode = path.lstat().st_mode
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or name.endswith(".ipynb")):
                set_aside(path, folder, aside)
                done.append(f"set aside {str(path)!r}, which is no regular file")
    stamp = folder / STAMP
    if stamp.is_dir():
        set_aside(stamp, folder, aside)
        done.append(f"set aside {str(stamp)!r}, which is a folder")
    elif stamp.exists() and not _readable(stamp):
        time = arrival(folder)
        stamp.replace(folder / f"{STAMP}.unreadable")
        if time is not None:
            stamp.write_text(f"{time} UTC", encoding="utf-8")
        done.append(f"{str(stamp)!r} held no time that can be read, now {time}")
    return done


def _readable(stamp: Path) -> bool:
    """Whether nbgrader will read the stamp without stopping; it does not mind an empty one."""
    try:
        parse_utc(stamp.read_text(encoding="utf-8").strip() or None)
    except (ValueError, OverflowError, OSError):
        return False
    return True


def complete(graded: Path, secret: str) -> None:
    """Adds what nbgrader's release_feedback opens beside a graded notebook, and stops without."""
    for name, text in ((STAMP, ""), (SECRET, secret)):
        if not (graded / name).exists():
            (graded / name).write_text(text, encoding="utf-8")
