"""Writes students' gradesheets: the graded notebooks first, then their rows in one transaction.

What fails for one is reported, and the others follow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import nbformat
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps.api import NbGraderAPI
from nbgrader.converters import Autograde
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy.exc import OperationalError

from autograder.grade.files import write_whole
from autograder.model import Gradesheet, KitError, Submission
from autograder.record import book, cells
from autograder.record.changes import Change, Standing, changes
from autograder.record.contents import Content
from autograder.record.exchange import SECRET, complete
from autograder.record.hand_in import STAMP, arrival, small_text
from autograder.record.rows import Entry, Rows
from autograder.record.work import Work

AtHand = tuple[Gradesheet | None, Submission | None]  # what need not be read or graded anew
BATCH = 50  # students whose rows are written in one transaction


class RecordError(KitError):
    """Nothing can be recorded; the message names the command that mends it."""


class NotReleasedError(RecordError):
    """The gradebook does not know the exercise."""


@dataclass(frozen=True)
class Recorded:
    """One student's outcome of a recording."""

    student: str
    sheet: Gradesheet | None
    fault: str = ""  # why nothing was recorded
    changes: tuple[Change, ...] = ()  # marks that the same work has got anew
    held: bool = False  # for their sake nothing was recorded, until a teacher accepts them


class Writer:
    """What one recording needs again for each student."""

    def __init__(self, work: Work, api: NbGraderAPI, gradebook: Gradebook, accept: bool = False):
        """accept: record marks too that change although the student handed in nothing new."""
        self.work, self.gradebook, self.accept = work, gradebook, accept
        self.course, self.name = work.course, work.name
        name = work.name
        self.url = gradebook.engine.url.render_as_string(hide_password=False)  # as patient as ours
        self.converter = Autograde(coursedir=api.coursedir, parent=api)
        self.penalties = AssignLatePenalties(parent=api)
        try:
            self.known = cells.Known.of(gradebook.find_notebook(name, name))
            self.rows = Rows(gradebook, name)
        except MissingEntry as error:
            raise NotReleasedError(
                f"{name} is not in the gradebook.\nRelease it first: attn release {name}"
            ) from error

    def record(self, students: Mapping[str, AtHand]) -> list[Recorded]:
        """What became of each. Notebooks first, then all rows at once: a kill between costs a repetition."""
        standing = self.rows.standing(list(students))
        prepared = [self._prepared(*one, standing.get(one[0])) for one in students.items()]
        entries = [entry for _, entry in prepared if entry]
        faults = self._saved(entries)
        for student in self.rows.late([entry.student for entry in entries if entry.student not in faults]):
            self._penalise(student)
        return [
            replace(done, sheet=None, fault=faults[done.student]) if done.student in faults else done
            for done, _ in prepared
        ]

    def foreseen(self, students: Sequence[str]) -> dict[str, tuple[Change, ...]]:
        """Of each who is recorded: the marks that the same work would get otherwise now."""
        found = {}
        for student, standing in self.rows.standing(students).items():
            submission = self.work.submission(student)
            sheet = self.work.sheet(submission)
            content, found[student] = Content.of(sheet), ()
            if standing.content != content:  # else it was recorded as it is
                scores = self._scored(submission, sheet)[1]
                found[student] = changes(student, standing, content, scores)
        return found

    def _prepared(
        self, student: str, at_hand: AtHand, standing: Standing | None
    ) -> tuple[Recorded, Entry | None]:
        """One student's notebook written, and what is to stand in the rows."""
        try:
            return self._graded(student, *at_hand, standing)
        except cells.CellsDifferError as error:
            raise RecordError(str(error)) from error
        except Exception as error:  # whatever it is, it concerns this student alone, and is told
            return Recorded(student, None, f"{type(error).__name__}: {error}"), None

    def _graded(
        self,
        student: str,
        sheet: Gradesheet | None,
        submission: Submission | None,
        standing: Standing | None,
    ) -> tuple[Recorded, Entry | None]:
        work, folder = self.work, self.course.submitted(student, self.name)
        submission = submission or work.submission(student)
        sheet = sheet if sheet and sheet.digest == submission.digest else work.sheet(submission)
        notebook, scores = self._scored(submission, sheet)
        changed = changes(student, standing, Content.of(sheet), scores)
        if not self.accept and any(change.by_hand is None for change in changed):
            return Recorded(student, sheet, changes=changed, held=True), None
        self._write(student, folder, notebook)
        comments = cells.comments(notebook, sheet, work.languages, self.rows.commented)
        entry = Entry(student, arrival(folder), scores, comments, Content.of(sheet))
        return Recorded(student, sheet, changes=changed), entry

    def _scored(
        self, submission: Submission, sheet: Gradesheet
    ) -> tuple[nbformat.NotebookNode, dict[str, float | None]]:
        notebook = cells.restored(submission, self.work.release, self.known)
        notebook = cells.graded(
            notebook, self.work.exercise, sheet, self.work.languages, self.work.policy.shows
        )
        return notebook, cells.scores(notebook, sheet, self.rows.points)

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
