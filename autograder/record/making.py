"""A class's feedback pages on every core; a page whose facts have not changed is not made again.

What a page is made of: the graded notebook and its neighbours, the student's rows in the gradebook, and the
programs and settings that make it.
"""

import hashlib
import json
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from pathlib import Path

from nbgrader.api import (
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from nbgrader.converters.base import NbGraderException
from sqlalchemy import select

from autograder.author.exercise import load_exercise
from autograder.grade.files import write_whole
from autograder.grade.pools import cores
from autograder.layout import Course
from autograder.model import KitError
from autograder.record.gradebook import database, not_held
from autograder.record.opening import opened
from autograder.record.pages import Press, converter

MAKERS = ("nbgrader", "nbconvert", "mistune", "pygments", "beautifulsoup4", "jinja2")
ALONE = 3  # pages for which starting more processes costs more than it gains
Show = Callable[[int, int, str], None]  # how many are made, of how many, the latest's student


class FeedbackError(KitError):
    """Feedback cannot be made or released at all; the message says why."""


@dataclass(frozen=True)
class Page:
    """What is known of one student's feedback."""

    made: str = ""  # fingerprint of the facts that it was made of
    written: int = 0  # when, as the file system says it in nanoseconds
    released: str = ""  # fingerprint of those that the student has been given
    given: tuple[str, ...] = field(default=())  # the days on which, once for each time


@dataclass(frozen=True)
class Made:
    """What became of one student's feedback in a run."""

    student: str
    anew: bool = False
    fault: str = ""


def read_pages(course: Course, name: str) -> dict[str, Page]:
    """By student. A file that cannot be read only costs making the pages again."""
    try:
        found = json.loads(course.pages(name).read_bytes())
        return {student: Page(**facts | {"given": tuple(facts["given"])}) for student, facts in found.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def write_pages(course: Course, name: str, pages: Mapping[str, Page]) -> None:
    text = json.dumps({student: asdict(page) for student, page in sorted(pages.items())}, ensure_ascii=False)
    write_whole(course.pages(name), text.encode("utf-8", "backslashreplace"), mode=0o600)


def make(
    course: Course,
    name: str,
    students: Sequence[str] | None = None,
    *,
    force: bool = False,
    workers: int | None = None,
    show: Show | None = None,
) -> list[Made]:
    """Makes the feedback of all who are graded, or of `students`, where it has changed.

    force: also where it has not. Raises FeedbackError where nobody is graded, RecordError where the gradebook
    is held by another process.
    """
    facts, pages = current(course, name), read_pages(course, name)
    chosen = [student for student in facts if students is None or student in students]
    stale = [one for one in chosen if force or not _stands(course, name, one, facts[one], pages.get(one))]
    faults: dict[str, str] = {}
    try:
        for done, (student, fault) in enumerate(_each(course, name, stale, workers), start=1):
            if fault:
                faults[student] = fault
            else:
                time = _page(course, name, student).stat().st_mtime_ns
                pages[student] = replace(pages.get(student, Page()), made=facts[student], written=time)
            if show is not None:
                show(done, len(stale), student)
    finally:
        if stale:
            write_pages(course, name, pages)
    return [Made(one, one in stale and one not in faults, faults.get(one, "")) for one in chosen]


def _page(course: Course, name: str, student: str) -> Path:
    return course.feedback(student, name) / f"{name}.html"


def _stands(course: Course, name: str, student: str, facts: str, page: Page | None) -> bool:
    """Whether the page there is the one that we made of these facts."""
    file = _page(course, name, student)
    return bool(page and page.made == facts and file.is_file() and file.stat().st_mtime_ns == page.written)


# what pages are made of


def current(course: Course, name: str) -> dict[str, str]:
    """The fingerprint of all that each graded student's page is made of."""
    with opened(course) as api, not_held():
        try:
            found = converter(api, name)
            found.init_notebooks()
        except NbGraderException:
            raise FeedbackError(
                f"Nobody's {name} is graded and recorded.\nDo that first: attn grade {name} --record"
            ) from None
        with Gradebook(database(api), api.coursedir.course_id) as gradebook:
            rows = _rows(gradebook, name)
        makers = repr([(one, version(one)) for one in MAKERS]) + repr(found.config) + _kits_own(course, name)
        folders = {Path(folder).parent.name: Path(folder).absolute() for folder in found.assignments}
        left_out = set((api.coursedir.student_id_exclude or "").split(","))
    return {
        student: _fingerprint(folder, rows.get(student, []), makers + _sheet(course, name, student))
        for student, folder in sorted(folders.items())
        if student not in left_out
    }


def _kits_own(course: Course, name: str) -> str:
    """The exercise, and the kit's code that makes pages."""
    code = sorted(Path(__file__).parent.glob("*.*"))
    found = hashlib.sha256(b"".join(file.read_bytes() for file in code)).hexdigest()
    return f"{load_exercise(course, name)!r} {found}" if name in course.exercises else found


def _sheet(course: Course, name: str, student: str) -> str:
    file = course.gradesheet(student, name)
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""


def _fingerprint(folder: Path, rows: Sequence[str], makers: str) -> str:
    found = hashlib.sha256(f"{makers}\0{sorted(rows)}".encode("utf-8", "backslashreplace"))
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        found.update(f"\0{file.relative_to(folder)}\0".encode("utf-8", "backslashreplace"))
        found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()


def _rows(gradebook: Gradebook, name: str) -> dict[str, list[str]]:
    """All that the gradebook says of each student's submission of the exercise."""
    assignment = gradebook.find_assignment(name)
    cells = [*gradebook.db.scalars(select(GradeCell)), *gradebook.db.scalars(select(TaskCell))]
    most = {cell.id: cell.max_score for cell in cells}
    of_grades = Grade.cell_id, Grade.auto_score, Grade.manual_score, Grade.extra_credit
    of_comments = Comment.cell_id, Comment.auto_comment, Comment.manual_comment
    found: dict[str, list[str]] = {}
    for table, columns in ((Grade, of_grades), (Comment, of_comments)):
        student, penalty = SubmittedAssignment.student_id, SubmittedNotebook.late_submission_penalty
        query = select(student, penalty, *columns)
        query = query.join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        query = query.join(table, table.notebook_id == SubmittedNotebook.id)
        for who, *facts in gradebook.db.execute(
            query.where(SubmittedAssignment.assignment_id == assignment.id)
        ):
            found.setdefault(who, []).append(repr((*facts, most.get(facts[1]))))
    return found


# the pages themselves


def _each(
    course: Course, name: str, students: Sequence[str], workers: int | None
) -> Iterator[tuple[str, str]]:
    """Each student with what went wrong, as they come."""
    wanted = min(workers or cores(), len(students))
    if wanted > 1 and (workers or len(students) > ALONE):
        yield from _spread(course, name, students, wanted)
    elif students:
        with Press(course, name) as press:
            yield from ((student, _made(press, student)) for student in students)


def _spread(course: Course, name: str, students: Sequence[str], workers: int) -> Iterator[tuple[str, str]]:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    lost = []
    with ProcessPoolExecutor(workers, context, _open, (course, name)) as pool:
        futures = {pool.submit(_make, student): student for student in students}
        for future in as_completed(futures):
            try:
                yield futures[future], future.result()
            except BrokenProcessPool:
                lost.append(futures[future])
    if lost:
        yield from _each(course, name, lost, 1)


def _made(press: Press, student: str) -> str:
    try:
        press.make(student)
    except Exception as error:  # whatever it is, it concerns this student alone, and is told
        return f"{type(error).__name__}: {error}"
    return ""


_presses: list[Press] = []  # a worker's own


def _open(course: Course, name: str) -> None:
    _presses.append(Press(course, name).__enter__())


def _make(student: str) -> str:
    return _made(_presses[-1], student)
