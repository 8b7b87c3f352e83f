"""Whose work has not changed since it was graded, told by the files' own facts, as make and git tell it.

No submission is read for it, no suite collected and nothing imported that is slow, so that a class in which
nothing is new takes a moment. Whoever it cannot vouch for is read as ever.
"""

import contextlib
import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from autograder.author.exercise import load_exercise
from autograder.grade.files import course_seed, fingerprint_of_seed, read_sheet, write_whole
from autograder.grade.version import grader_version
from autograder.layout import Course
from autograder.model import Gradesheet, Status

SETTLED = 2.0  # seconds; what changed later than this before we looked may change again unseen


class Standing:
    """Made before anything is graded: what it notes afterwards is of the files as they were then."""

    def __init__(self, course: Course, name: str, students: Sequence[str]):
        self._course, self._name, self._now = course, name, time.time()
        self._judge = _judge(course, name)
        self._facts = {student: self._facts_of(student) for student in students} if self._judge else {}
        self._noted = self._read()

    def sheets(self) -> dict[str, Gradesheet]:
        """The gradesheets that still hold."""
        found = {}
        for student, facts in self._facts.items():
            file = self._course.gradesheet(student, self._name)
            if facts and self._noted.get(student) == [facts, _fact(file)]:
                sheet = read_sheet(file)
                if sheet is not None:
                    found[student] = sheet
        return found

    def note(self, sheets: Iterable[Gradesheet]) -> None:
        """Remembers these for the next run."""
        noted = dict(self._noted)
        for sheet in sheets:
            noted.pop(sheet.student, None)
            final = sheet.earned is not None or sheet.status not in (Status.graded, Status.grader_fault)
            if final and (facts := self._facts.get(sheet.student)):
                noted[sheet.student] = [facts, _fact(self._course.gradesheet(sheet.student, self._name))]
        if noted != self._noted:
            text = json.dumps({"judge": self._judge, "students": noted})
            with contextlib.suppress(OSError):  # then the next run reads what it could have known
                write_whole(self._course.standing(self._name), text.encode(), mode=0o600)

    def _read(self) -> Mapping[str, list[str]]:
        try:
            found = json.loads(self._course.standing(self._name).read_bytes())
            return found["students"] if found["judge"] == self._judge else {}
        except (OSError, ValueError, TypeError, KeyError):
            return {}

    def _facts_of(self, student: str) -> str:
        """Of everything in the student's folder; nothing where it changed a moment ago, or links wait."""
        folder = self._course.submitted(student, self._name)
        if self._course.aside(student, self._name).exists():
            return ""
        found, newest = hashlib.sha256(), 0.0
        try:
            for path in _everything(folder):
                found.update(f"{path}\0{_fact(path)}\0".encode("utf-8", "surrogateescape"))
                newest = max(newest, path.lstat().st_ctime)
        except OSError:
            return ""
        return found.hexdigest() if newest < self._now - SETTLED else ""


def _everything(folder: Path) -> Iterator[Path]:
    """The folder and all below it; no link is followed."""
    yield folder
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.is_symlink():
            yield from _everything(path)
        else:
            yield path


def _fact(path: Path) -> str:
    """What changes whenever a file does."""
    try:
        facts = path.lstat()
    except OSError:
        return ""
    about = facts.st_mode, facts.st_nlink, facts.st_uid, facts.st_ino, facts.st_size
    return " ".join(map(str, (*about, facts.st_mtime_ns, facts.st_ctime_ns)))


def _judge(course: Course, name: str) -> str:
    """All else that a gradesheet hangs on; nothing where the exercise is not released."""
    files = [course.release(name) / f"{name}.{ending}" for ending in ("ipynb", "py")]
    try:
        released = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    except OSError:
        return ""
    seed = fingerprint_of_seed(course_seed(course))
    return " ".join([load_exercise(course, name).version, seed, grader_version(), *released])
