"""Gradesheets into nbgrader's gradebook and autograded/, and what became of each student's work.

One writer, and one student at a time: what fails for one is reported, and the next one follows.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import nbformat
from nbformat.v4 import new_notebook
from nbgrader.api import Grade, Gradebook, MissingEntry, SubmittedAssignment
from nbgrader.apps.api import NbGraderAPI
from nbgrader.converters import Autograde
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy.exc import OperationalError

from autograder.grade.files import read_sheet, write_whole
from autograder.grade.grade import students_with_work
from autograder.layout import Course
from autograder.model import Gradesheet, KitError, Sentence, Status
from autograder.record import book, cells
from autograder.record.backup import back_up, database_file
from autograder.record.exchange import SECRET, STAMP, arrival, complete, small_text
from autograder.record.opening import opened
from autograder.record.rows import Entry, Rows
from autograder.record.work import Work

HELD = (
    "The gradebook cannot be used: {why}. What was recorded before stays, and nothing is lost.\n"
    "Close what holds it (nbgrader, a database browser), then run the same command again."
)
BATCH = 100  # students whose rows are written in one transaction
BUSY_SECONDS = 60  # how long to wait for a person in the formgrader; SQLite's own 5 are too few
NOT_GRADED = Sentence("Not graded yet: attn grade", "尚未评分：attn grade")
NOT_HANDED_IN = Sentence("Nothing was handed in.", "没有提交。")


class RecordError(KitError):
    """Nothing can be recorded; the message names the command that mends it."""


@dataclass(frozen=True)
class Recorded:
    """One student's outcome of a recording."""

    student: str
    sheet: Gradesheet | None
    fault: str = ""  # why nothing was recorded


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


def database(api: NbGraderAPI) -> str:
    """The gradebook's URL, patient where it is a file."""
    url = api.coursedir.db_url
    patient = database_file(url) is not None and "?" not in url
    return f"{url}?timeout={BUSY_SECONDS}" if patient else url


def record(course: Course, name: str, students: Sequence[str] | None = None) -> list[Recorded]:
    """Writes scores and graded notebooks of all who handed in, or of `students`. Raises RecordError.

    Scores and notices that a person entered stay. The gradebook is copied first.
    """
    with opened(course) as api, _not_held():
        back_up(course, api.coursedir.db_url, BUSY_SECONDS)
        with Gradebook(database(api), api.coursedir.course_id) as gradebook, Work(course, name) as work:
            writer = _Writer(work, api, gradebook)
            everybody = list(dict.fromkeys(students or students_with_work(course, name)))
            batches = (everybody[start : start + BATCH] for start in range(0, len(everybody), BATCH))
            return [done for batch in batches for done in writer.record(batch)]


@contextmanager
def _not_held() -> Iterator[None]:
    """Says what to do where another process holds the gradebook."""
    try:
        yield
    except (OperationalError, sqlite3.OperationalError) as error:
        raise RecordError(HELD.format(why=getattr(error, "orig", error))) from error


class _Writer:
    """What one recording needs again for each student."""

    def __init__(self, work: Work, api: NbGraderAPI, gradebook: Gradebook):
        self.work, self.gradebook = work, gradebook
        self.course, self.name = work.course, work.name
        name = work.name
        self.url = api.coursedir.db_url
        self.converter = Autograde(coursedir=api.coursedir, parent=api)
        self.penalties = AssignLatePenalties(parent=api)
        try:
            self.known = cells.Known.of(gradebook.find_notebook(name, name))
            self.rows = Rows(gradebook, name)
        except MissingEntry as error:
            raise RecordError(
                f"{name} is not in the gradebook.\nRelease it first: attn release {name}"
            ) from error

    def record(self, students: Sequence[str]) -> list[Recorded]:
        """What became of each. Notebooks first, then all rows at once: a kill between costs a repetition."""
        prepared = [self._prepared(student) for student in students]
        entries = [entry for _, entry in prepared if entry]
        faults = self._saved(entries)
        for student in self.rows.late([entry.student for entry in entries if entry.student not in faults]):
            self._penalise(student)
        return [
            replace(done, sheet=None, fault=faults[done.student]) if done.student in faults else done
            for done, _ in prepared
        ]

    def _prepared(self, student: str) -> tuple[Recorded, Entry | None]:
        """One student's notebook written, and what is to stand in the rows."""
        try:
            return self._graded(student)
        except cells.CellsDifferError as error:
            raise RecordError(str(error)) from error
        except Exception as error:  # whatever it is, it concerns this student alone, and is told
            return Recorded(student, None, f"{type(error).__name__}: {error}"), None

    def _graded(self, student: str) -> tuple[Recorded, Entry]:
        work, folder = self.work, self.course.submitted(student, self.name)
        submission = work.submission(student)
        sheet = work.sheet(submission)
        notebook = cells.restored(submission, work.release, self.known)
        notebook = cells.graded(notebook, work.exercise, sheet, work.languages)
        self._write(student, folder, notebook)
        scores = cells.scores(notebook, sheet, self.rows.points)
        comments = cells.comments(notebook, sheet, work.languages, self.rows.commented)
        return Recorded(student, sheet), Entry(student, arrival(folder), scores, comments)

    def _saved(self, entries: Sequence[Entry]) -> dict[str, str]:
        """Writes the rows of all; where that fails, of each by itself. Gives the faults by student."""
        try:
            self.rows.write(entries)
        except OperationalError:  # it concerns everybody: the next one would wait as long in vain
            raise
        except Exception as error:  # one entry has spoilt it for the others
            if len(entries) == 1:
                return {entries[0].student: f"{type(error).__name__}: {error}"}
            faults = [self._saved([entry]) for entry in entries]
            return {student: fault for found in faults for student, fault in found.items()}
        return {}

    def _write(self, student: str, folder: Path, notebook: nbformat.NotebookNode) -> None:
        """What nbgrader's formgrader and generate_feedback read."""
        target = self.course.autograded(student, self.name)
        target.mkdir(parents=True, exist_ok=True)
        write_whole(target / f"{self.name}.ipynb", f"{book.text(notebook)}\n".encode())
        for name in (STAMP, SECRET):
            if text := small_text(folder / name):
                write_whole(target / name, text.encode())
        complete(target, self.work.secret(student))
        self.converter.set_permissions(self.name, student)

    def _penalise(self, student: str) -> None:
        """The course's own rule for late work, as nbgrader's last pass applies it."""
        about = {"notebook": self.name, "assignment": self.name, "student": student, "db_url": self.url}
        self.penalties.preprocess(new_notebook(), {"nbgrader": about})


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
        _not_held(),
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
    return Row(student, called, sheet.status, sheet.reason, earned=_earned(sheet, grades), **known)


def _earned(sheet: Gradesheet, grades: Sequence[Grade]) -> Fraction | None:
    """Recorded points, those given by hand included; else what grading found."""
    by_hand = any(grade.manual_score is not None for grade in grades)
    if not grades or (sheet.earned is None and not by_hand):
        return sheet.earned
    return sum((Fraction(grade.score) for grade in grades), Fraction(0)).limit_denominator(10**6)
