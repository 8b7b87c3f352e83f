"""From submissions to gradesheets: of one, of files anywhere, of a class.

A gradesheet is a pure function of the submission's content, the exercise's version and the course's seed;
times, walls and our own tracebacks go to run.json. One submission's trouble never stops another.
"""

import time
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from autograder.author.build import released
from autograder.author.exercise import load_exercise
from autograder.author.notebook import from_text
from autograder.grade.answers import Limits
from autograder.grade.files import (
    course_seed,
    fingerprint_of_seed,
    read_sheet,
    sheet_bytes,
    write_whole,
)
from autograder.grade.proctor import Proctor
from autograder.grade.version import grader_version
from autograder.intake.aside import put_back
from autograder.intake.take import take
from autograder.layout import Course
from autograder.model import (
    Exercise,
    Gradesheet,
    KitError,
    Release,
    Sentence,
    Status,
    Submission,
)
from autograder.settings import load_settings

OURS = Sentence(
    "The grader failed here. This costs no marks; a person will look at it.",
    "评分程序在此出错。这不扣分，将由人工处理。",
)


@dataclass(frozen=True)
class Graded:
    """A gradesheet with what must not be in it."""

    sheet: Gradesheet
    fault: str = ""  # the traceback, where the fault is ours
    starved: bool = False  # the machine was too busy to be fair; to be tried again
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    unchanged: bool = False
    before: Gradesheet | None = None  # of the same content, where that had other marks
    submission: Submission | None = None  # what was graded, where it is at hand


def open_proctor(course: Course, name: str, walls: str = "auto") -> Proctor:
    """A proctor for an exercise as the course sets it. Enter it before use."""
    settings = load_settings(course)
    limits = Limits(
        call_seconds=settings.call_seconds,
        step_seconds=settings.step_seconds,
        memory_mb=settings.memory_mb,
    )
    exercise = load_exercise(course, name)
    return Proctor(exercise, course.suite(name), course.solution(name), course_seed(course), limits, walls)


def release_of(course: Course, exercise: Exercise) -> Release:
    """What the class was given, against which a submission is read: release/, or else what it would hold."""
    folder, name = course.release(exercise.name), exercise.name
    try:
        texts = [(folder / f"{name}.{ending}").read_text(encoding="utf-8") for ending in ("ipynb", "py")]
        return Release(from_text(texts[0]), texts[1])
    except (OSError, ValueError):
        return released(exercise, load_settings(course).languages)


def grade(submission: Submission, proctor: Proctor) -> Gradesheet:
    """Everything that grading one submission finds. Never raises over the submission."""
    result = graded(submission, proctor)
    return (graded(submission, proctor) if result.starved else result).sheet


def graded(submission: Submission, proctor: Proctor) -> Graded:
    """The same, with the traceback where the fault is ours."""
    sheet, began, used = blank(submission, proctor), time.monotonic(), proctor.cpu_seconds
    if submission.status is not Status.graded:
        return Graded(sheet)
    proctor.ready()  # where no desk can be had at all, the run stops and nobody pays
    try:
        steps, starved = proctor.sit(submission)
        took = time.monotonic() - began, proctor.cpu_seconds - used
        return Graded(replace(sheet, steps=steps), "", starved, *took)
    except Exception:  # whatever it is, it is ours, and the next submission must not suffer
        fault = traceback.format_exc()
        return Graded(replace(sheet, status=Status.grader_fault, reason=OURS), fault)


def blank(submission: Submission, proctor: Proctor) -> Gradesheet:
    """The gradesheet before any step has been tried."""
    return Gradesheet(
        exercise=submission.exercise,
        student=submission.student,
        file=submission.file,
        status=submission.status,
        points=sum((step.points for step in proctor.exercise.steps), Fraction(0)),
        reason=submission.reason,
        warnings=submission.warnings,
        digest=submission.digest,
        exercise_version=proctor.exercise.version,
        seed=fingerprint_of_seed(proctor.seed),
        grader=grader_version(),
    )


def grade_files(
    course: Course, name: str, paths: Iterable[Path], *, walls: str = "auto"
) -> Iterator[Gradesheet]:
    """One gradesheet for each path, a file or a folder anywhere; nothing is written."""
    with open_proctor(course, name, walls) as proctor:
        release = release_of(course, proctor.exercise)
        for path in paths:
            yield replace(_of_file(path, proctor, release), file=str(path))  # so that a caller finds it again


def _of_file(path: Path, proctor: Proctor, release: Release) -> Gradesheet:
    try:
        submission = take(path, proctor.exercise, release)
    except Exception:  # as in `grade_one`: reading one must not stop the others
        submission = Submission("", proctor.exercise.name, Status.grader_fault, reason=OURS)
    return grade(submission, proctor)


def taken(course: Course, exercise: Exercise, release: Release, student: str) -> Submission:
    """A student's submission, its file named as seen from the course's folder."""
    folder = course.submitted(student, exercise.name)
    put_back(folder, course.aside(student, exercise.name))  # what nbgrader was not to copy
    submission = take(folder, exercise, release, student)
    file = submission.file.removeprefix(f"{course.root}/")
    return replace(submission, file=file, student=student)


def unchanged(course: Course, submission: Submission, proctor: Proctor) -> Gradesheet | None:
    """The written gradesheet, where it is still what grading would give."""
    old = read_sheet(course.gradesheet(submission.student, submission.exercise))
    new = blank(submission, proctor)
    if old is None or old.status is Status.grader_fault or replace(old, steps=()) != new:
        return None
    return old if old.earned is not None or old.status is not Status.graded else None


def marks(sheet: Gradesheet) -> dict[str, Fraction | None]:
    """What each step earned; of work without steps, what it earned as a whole."""
    return {step.name: step.earned for step in sheet.steps} or {"": sheet.earned}


def keep(course: Course, sheet: Gradesheet) -> None:
    """Writes a gradesheet in its place, unless it is there already. Raises KitError where it cannot."""
    file, content = course.gradesheet(sheet.student, sheet.exercise), sheet_bytes(sheet)
    try:
        if not file.is_file() or file.read_bytes() != content:
            write_whole(file, content)
    except OSError as error:
        raise KitError(
            f"{file} cannot be written: {error.strerror}.\n"
            "Make room, or make it writable, and give the same command again: what was graded stays."
        ) from error


def students_with_work(course: Course, name: str) -> list[str]:
    """Those who have a folder for the exercise under submitted/, in order."""
    return sorted(
        folder.parent.name for folder in (course.root / "submitted").glob(f"*/{name}") if folder.is_dir()
    )


def grade_one(course: Course, student: str, proctor: Proctor, release: Release, *, force: bool) -> Graded:
    """Takes, grades and writes one student's work; anything that goes wrong is told, not raised."""
    found = look_up(course, student, proctor, release, force=force)
    if isinstance(found, Graded):
        return found
    return replace(kept(course, graded(found, proctor)), submission=found)


def look_up(
    course: Course, student: str, proctor: Proctor, release: Release, *, force: bool
) -> Submission | Graded:
    """The student's work, where it is to be graded; else what is known of it already."""
    try:
        submission = taken(course, proctor.exercise, release, student)
        old = None if force else unchanged(course, submission, proctor)
    except Exception:  # it is not for a submission to make us fail
        lost = Submission(student, proctor.exercise.name, Status.grader_fault, reason=OURS)
        return kept(course, Graded(blank(lost, proctor), traceback.format_exc()))
    return submission if old is None else Graded(old, unchanged=True)


def kept(course: Course, result: Graded) -> Graded:
    """The same, its gradesheet in its place, and beside it the one of the same work that it changes."""
    sheet = result.sheet
    before = read_sheet(course.gradesheet(sheet.student, sheet.exercise))
    keep(course, sheet)
    if before and before.digest == sheet.digest and marks(before) != marks(sheet):
        return replace(result, before=before)
    return result
