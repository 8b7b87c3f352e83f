"""Gradesheets into nbgrader's gradebook and autograded/, and what became of each student's work.

One writer, for a batch of students at a time; what fails for one is reported, and the others follow.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from nbgrader.api import Grade, Gradebook, MissingEntry, SubmittedAssignment
from nbgrader.apps.api import NbGraderAPI
from sqlalchemy.exc import OperationalError

from autograder.grade.files import read_sheet
from autograder.grade.grade import students_with_work
from autograder.layout import Course
from autograder.model import Gradesheet, Sentence, Status, Submission
from autograder.record.backup import back_up, database_file
from autograder.record.changes import Change
from autograder.record.contents import Content
from autograder.record.opening import opened
from autograder.record.work import Work
from autograder.record.writing import BATCH, NotReleasedError, Recorded, RecordError, Writer

HELD = (
    "The gradebook cannot be used: {why}. What was recorded before stays, and nothing is lost.\n"
    "Close what holds it (nbgrader, a database browser), then run the same command again."
)
NO_DRIVER = (
    "The gradebook is at a PostgreSQL server, and its driver is not installed: {why}.\n"
    "Install it: pip install 'self-attention-kit[postgresql]'"
)
SERVER = "postgresql"  # how the URL of one begins
BUSY_SECONDS = 60  # how long to wait for a person in the formgrader; SQLite's own 5 are too few
NOT_GRADED = Sentence("Not graded yet: attn grade", "尚未评分：attn grade")
NOT_HANDED_IN = Sentence("Nothing was handed in.", "没有提交。")


@dataclass(frozen=True)
class Row:
    """One enrolled student in `attn status`."""

    student: str
    name: str
    status: Status
    reason: Sentence | None
    points: Fraction
    earned: Fraction | None  # by the checks and, once recorded, by hand
    recorded: bool
    waiting: int  # cells that wait for a person
    sheet: Gradesheet | None = None  # of what is handed in now


def database(api: NbGraderAPI) -> str:
    """The gradebook's URL, patient where another process may hold it, but not for ever."""
    url = api.coursedir.db_url
    if database_file(url) is not None:
        return url if "?" in url else f"{url}?timeout={BUSY_SECONDS}"
    if url.startswith(SERVER) and "options=" not in url:
        return f"{url}{'&' if '?' in url else '?'}options=-c lock_timeout={BUSY_SECONDS * 1000 + 1}"
    return url


def record(
    course: Course, name: str, students: Sequence[str] | None = None, *, accept: bool = False
) -> list[Recorded]:
    """Writes scores and graded notebooks of all who handed in, or of `students`. Raises RecordError.

    Scores and notices that a person entered stay. The gradebook is copied first. accept: see `Writer`.
    """
    chosen = students if students is not None else students_with_work(course, name)
    with recording(course, name, accept=accept) as going:
        for student in dict.fromkeys(chosen):
            going.add(student)
    return going.done


def differences(course: Course, name: str, students: Sequence[str]) -> dict[str, tuple[Change, ...]]:
    """Of each who is recorded: the marks that the same work would get otherwise now. Raises RecordError."""
    with opened(course) as api:
        file = database_file(api.coursedir.db_url)
    if file is not None and not file.is_file():
        return {}  # asking makes no gradebook
    try:
        with _writer(course, name) as writer:
            return writer.foreseen(students)
    except NotReleasedError:
        return {}


def record_new(course: Course, name: str, sheets: Sequence[Gradesheet]) -> list[Recorded]:
    """Records those of these gradesheets that the gradebook does not hold yet."""
    if not sheets:
        return []
    with _writer(course, name) as writer:
        standing = writer.rows.standing([sheet.student for sheet in sheets])
        known = {student: one.content for student, one in standing.items()}
        new = [sheet for sheet in sheets if known.get(sheet.student) != Content.of(sheet)]
    if not new:
        return []
    with recording(course, name) as going:
        for sheet in new:
            going.add(sheet.student, sheet)
    return going.done


@contextmanager
def recording(course: Course, name: str, *, accept: bool = False) -> Iterator["Recording"]:
    """For students who come one by one; the last are written when it ends. Raises RecordError."""
    with _writer(course, name, accept=accept, copy=True) as writer:
        going = Recording(writer)
        yield going
        going.flush()


@contextmanager
def _writer(course: Course, name: str, *, accept: bool = False, copy: bool = False) -> Iterator[Writer]:
    with opened(course) as api, not_held():
        if copy:
            back_up(course, api.coursedir.db_url, BUSY_SECONDS)
        with Gradebook(database(api), api.coursedir.course_id) as gradebook, Work(course, name) as work:
            yield Writer(work, api, gradebook, accept)


class Recording:
    """Students wait until there is a batch of them."""

    def __init__(self, writer: Writer):
        self.done: list[Recorded] = []
        self._writer, self._waiting = writer, {}

    def add(
        self, student: str, sheet: Gradesheet | None = None, submission: Submission | None = None
    ) -> None:
        """`sheet`: where it is at hand, for what is handed in now; and what it was graded from, likewise."""
        self._waiting[student] = sheet, submission
        if len(self._waiting) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Writes those who wait."""
        waiting, self._waiting = self._waiting, {}
        self.done += self._writer.record(waiting) if waiting else []


@contextmanager
def not_held() -> Iterator[None]:
    """Says what to do where another process holds the gradebook."""
    try:
        yield
    except (OperationalError, sqlite3.OperationalError) as error:
        raise RecordError(HELD.format(why=getattr(error, "orig", error))) from error
    except ModuleNotFoundError as error:
        raise RecordError(NO_DRIVER.format(why=error)) from error


def roster(course: Course) -> dict[str, str]:
    """Everybody enrolled or with work under submitted/: id to name."""
    with opened(course) as api, Gradebook(database(api), api.coursedir.course_id) as gradebook:
        return _roster(course, gradebook)


def _roster(course: Course, gradebook: Gradebook) -> dict[str, str]:
    enrolled = {s.id: " ".join(filter(None, (s.first_name, s.last_name))) for s in gradebook.students}
    folders = (course.root / "submitted").glob("*")
    others = {f.name: "" for f in folders if f.is_dir() and not f.name.startswith(".")}
    return dict(sorted((others | enrolled).items()))


def statuses(course: Course, name: str) -> list[Row]:
    """One row for each student: who handed in, what became of it, and who waits for a person."""
    work, present = Work(course, name), set(students_with_work(course, name))  # grades nothing
    with (
        opened(course) as api,
        not_held(),
        Gradebook(database(api), api.coursedir.course_id) as gradebook,
    ):
        everybody, rows = _roster(course, gradebook), _rows(gradebook, name)
        return [
            _status(work, student, called, student in present, rows.get(student))
            for student, called in everybody.items()
        ]


def _rows(gradebook: Gradebook, name: str) -> dict[str, SubmittedAssignment]:
    try:
        return {row.student_id: row for row in gradebook.find_assignment(name).submissions}
    except MissingEntry:
        return {}


def _status(work: Work, student: str, called: str, present: bool, row: SubmittedAssignment | None) -> Row:
    exercise = work.exercise
    points = sum((part.points for part in (*exercise.steps, *exercise.questions)), Fraction(0))
    grades = [grade for notebook in row.notebooks for grade in notebook.grades] if row else []
    waiting = sum(grade.needs_manual_grade for grade in grades)
    known = {"points": points, "recorded": row is not None, "waiting": waiting}
    if not present:
        return Row(student, called, Status.missing, NOT_HANDED_IN, earned=Fraction(0), **known)
    submission = work.submission(student)
    sheet = read_sheet(work.course.gradesheet(student, work.name))
    if sheet is None or (sheet.digest, sheet.exercise_version) != (submission.digest, exercise.version):
        reason = submission.reason or NOT_GRADED
        return Row(student, called, submission.status, reason, earned=None, **known)
    earned = _earned(sheet, grades)
    return Row(student, called, sheet.status, sheet.reason, earned=earned, sheet=sheet, **known)


def _earned(sheet: Gradesheet, grades: Sequence[Grade]) -> Fraction | None:
    """Recorded points, those given by hand included; else what grading found."""
    by_hand = any(grade.manual_score is not None for grade in grades)
    if not grades or (sheet.earned is None and not by_hand):
        return sheet.earned
    return sum((Fraction(grade.score) for grade in grades), Fraction(0)).limit_denominator(10**6)
