"""The passes that stand in nbgrader's lists, so that its commands and its formgrader go our way.

No student's code runs in any of them. An assignment that is none of ours goes nbgrader's own way, untouched.
"""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary, finalize

from nbconvert.exporters import NotebookExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader import preprocessors as stock
from nbgrader.api import Gradebook, SubmittedNotebook
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.author.build import follow_languages, stale
from autograder.layout import Course
from autograder.lock import LockedError, locked
from autograder.model import Gradesheet
from autograder.record import cells, contents
from autograder.record.changes import Standing, changes
from autograder.record.exchange import complete, tidy
from autograder.record.work import Work
from autograder.settings import CODE_STUB, TEXT_STUB

Passed = tuple[NotebookNode, ResourcesDict]
SANITIZE = (stock.ClearOutput, stock.DeduplicateIds, stock.OverwriteKernelspec, stock.OverwriteCells)
GRADESHEET = "attn"  # where one pass leaves it for the next
PATIENCE = 30  # seconds to wait for another writer of the same exercise
SHOWN = 3  # stale files of one kind that a message names


_works: WeakKeyDictionary[BaseConverter, dict[str, Work]] = WeakKeyDictionary()


def work_of(converter: BaseConverter, assignment: str) -> Work | None:
    """The exercise that a converter is at, or None where the assignment is none of ours."""
    course = Course(Path(converter.coursedir.root))
    if assignment not in course.exercises:
        return None
    works = _works.setdefault(converter, {})
    if assignment not in works:
        works[assignment] = Work(course, assignment)
        finalize(converter, works[assignment].close)  # the proctor goes home with the run it served
    return works[assignment]


@contextlib.contextmanager
def _writing(work: Work, log: Any) -> Iterator[None]:
    """The exercise is ours for this moment. Raises NbGraderException where somebody else goes on writing."""
    try:
        with locked(work.course, work.name, "nbgrader autograde", wait=PATIENCE, say=log.warning):
            yield
    except LockedError as error:
        log.error(str(error))
        raise NbGraderException(str(error)) from error


class _Pass(NbGraderPreprocessor):
    """One of our passes, or what stands in nbgrader's own list in its place."""

    instead: Sequence[type[NbGraderPreprocessor]] = ()

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Passed:
        work = work_of(self.parent.parent, resources["nbgrader"]["assignment"])
        if work is not None:
            return self.run(work, nb, resources)
        for other in self.instead:
            nb, resources = other(parent=self.parent)(nb, resources)
        return nb, resources

    def run(self, work: Work, nb: NotebookNode, resources: ResourcesDict) -> Passed:
        raise NotImplementedError


class Reader(NotebookExporter):
    """Reads graded notebooks as nbgrader does, and leaves what a student handed in to our intake.

    So neither a damaged file nor a pipe in a notebook's place can fail, hold or stop anything.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        work = work_of(self.parent, self.parent.coursedir.assignment_id)
        if work is not None:  # while another writes, refuse before nbgrader has removed anything
            with _writing(work, self.log):
                pass

    def from_filename(self, filename: str, resources: ResourcesDict | None = None, **more: Any) -> Any:
        converter = self.parent
        ours = work_of(converter, resources["nbgrader"]["assignment"]) is not None
        handed_in = converter.coursedir.format_path(converter.coursedir.submitted_directory, ".", ".")
        if ours and Path(filename).is_relative_to(Path(handed_in)):
            return self.from_notebook_node(new_notebook(), resources=resources, **more)
        return super().from_filename(filename, resources=resources, **more)


class Restore(_Pass):
    """Makes the canonical notebook of whatever was handed in; nothing in it can stop the batch."""

    instead = SANITIZE

    def run(self, work: Work, nb: NotebookNode, resources: ResourcesDict) -> Passed:
        about = resources["nbgrader"]
        student = about["student"]
        submission = work.submission(student)
        with Gradebook(about["db_url"]) as gradebook:
            known = cells.Known.of(gradebook.find_notebook(about["notebook"], work.name))
            return cells.restored(submission, work.release, known), resources


class InsertVerdicts(_Pass):
    """Writes what grading found into the grade cells; grades on the spot where nothing current is there."""

    instead = (stock.Execute,)

    def run(self, work: Work, nb: NotebookNode, resources: ResourcesDict) -> Passed:
        student = resources["nbgrader"]["student"]
        with _writing(work, self.log):
            sheet = work.sheet(work.submission(student))
            complete(work.course.autograded(student, work.name), work.secret(student))
        resources[GRADESHEET] = sheet
        return cells.graded(nb, work.exercise, sheet, work.languages, work.policy.shows), resources


class SaveVerdicts(stock.SaveAutoGrades):
    """Stores the scores; a fault of ours is no score, and waits for a person."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Passed:
        sheet: Gradesheet | None = resources.get(GRADESHEET)
        if sheet is None:
            return super().preprocess(nb, resources)
        about = resources["nbgrader"]
        work = work_of(self.parent.parent, about["assignment"])
        with _writing(work, self.log), Gradebook(about["db_url"]) as gradebook:
            row = gradebook.find_submission_notebook(about["notebook"], about["assignment"], about["student"])
            standing = self._standing(gradebook, row)
            cells.save(row, nb, sheet, work.languages)
            self._tell(about["student"], standing, row, sheet)
            contents.note(gradebook.db, {row.assignment_id: contents.Content.of(sheet)})
            gradebook.db.commit()
        return nb, resources

    @staticmethod
    def _standing(gradebook: Gradebook, row: SubmittedNotebook) -> Standing:
        content = contents.known(gradebook.db, [row.assignment_id]).get(row.assignment_id)
        by_hand = {grade.name: grade.manual_score for grade in row.grades if grade.manual_score is not None}
        return Standing(content, {grade.name: grade.auto_score for grade in row.grades}, by_hand)

    def _tell(self, student: str, standing: Standing, row: SubmittedNotebook, sheet: Gradesheet) -> None:
        """A person asked for this grading: a changed mark is recorded, and the log says that it changed."""
        scores = {grade.name: grade.auto_score for grade in row.grades}
        for change in changes(student, standing, contents.Content.of(sheet), scores):
            self.log.warning(
                "%s: %s had %s points and has %s now, for the same work",
                *(student, change.step, change.before, change.after),
            )


class ClearSolutions(stock.ClearSolutions):
    """nbgrader's own, with the stubs that our exercises release; no other assignment's stubs change."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Passed:
        if work_of(self.parent.parent, resources["nbgrader"]["assignment"]) is not None:
            self.code_stub, self.text_stub = {"python": CODE_STUB}, TEXT_STUB
        return super().preprocess(nb, resources)


def staleness(course: Course, name: str) -> str:
    """What is stale in an exercise's source, a reason and its cure at a time; empty where nothing is."""
    found: dict[tuple[str, str], list[str]] = {}
    for file, why, cure in stale(course, name):
        found.setdefault((why, cure), []).append(os.path.relpath(file, course.source(name)))
    lines = [f"in {course.source(name)}:"] if found else []
    for (why, cure), files in found.items():
        others = f" and {len(files) - SHOWN} more" if len(files) > SHOWN else ""
        lines.append(f"  {', '.join(files[:SHOWN])}{others}: {why}. Mend it: {cure}")
    return "\n".join(lines)


class RequireFreshSource(NbGraderPreprocessor):
    """Refuses to generate from a source that is stale, before nbgrader removes or writes anything."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        converter = self.parent.parent
        work = work_of(converter, converter.coursedir.assignment_id)
        if work is None:
            return
        follow_languages(work.course, work.name)
        if message := staleness(work.course, work.name):
            self.log.error(message)
            raise NbGraderException(message)

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Passed:
        return nb, resources


def tidy_submission(assignment: str, student: str, notebooks: Sequence[str]) -> None:
    """Before nbgrader copies a submission: nothing in it that leads elsewhere, no stamp that it stops at."""
    course = Course(Path.cwd())  # nbgrader works in the course's folder
    if assignment in course.exercises:
        for folder in {Path(notebook).parent for notebook in notebooks}:
            tidy(folder, course.aside(folder.parent.name, assignment))  # `student` may be a pattern
