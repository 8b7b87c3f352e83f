"""From submissions to gradesheets: of one, of files anywhere, of a class.

A gradesheet is a pure function of the submission's content, the exercise's version and the course's seed;
times, walls and our own tracebacks go to run.json. One submission's trouble never stops another.
"""

import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
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
    note_run,
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
    StepResult,
    Submission,
    Verdict,
)
from autograder.settings import load_settings

OURS = Sentence(
    "The grader failed here. This costs no marks; a person will look at it.",
    "评分程序在此出错。这不扣分，将由人工处理。",
)
Progress = Callable[[int, int, Gradesheet], None]  # how many are done, of how many, the latest
Changed = Callable[[Gradesheet, Gradesheet], None]  # the same work's gradesheet as it was, and as it is


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


def grade_class(
    course: Course,
    name: str,
    students: Sequence[str] | None = None,
    *,
    force: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
    changed: Changed | None = None,
    walls: str = "auto",
) -> list[Gradesheet]:
    """Grades every submission that has changed, writes the gradesheets, and gives those of all.

    students: only these; by default all with work. force: grade again what has not changed.
    workers: processes; by default as many as pay. walls: as Zygote takes them; "none" is for one's own work.
    changed: is told of the same work with other marks, since the suite, the seed or the grader is another.
    """
    from autograder.grade.pools import Order, each  # here, since a worker imports this module

    chosen = list(dict.fromkeys(students)) if students is not None else students_with_work(course, name)
    began, sheets, known, faults, seconds, anew, cpu = time.time(), {}, {}, {}, {}, 0, 0.0
    with each(Order(course, name, force, walls), chosen, workers) as run:
        for done, (student, result) in enumerate(run.results, start=1):
            sheets[student] = _sharing(result.sheet, known)
            if result.fault:
                faults[student] = result.fault
            if not result.unchanged:
                anew, seconds[student] = anew + 1, round(result.seconds, 4)
                cpu += result.cpu_seconds
            if changed is not None and result.before:
                changed(result.before, result.sheet)
            if progress is not None:
                progress(done, len(chosen), result.sheet)
        record = {"walls": dict(run.walls), "workers": run.workers}
    record |= {"began": began, "seconds": round(time.time() - began, 3), "graded": anew}
    record |= {"cpu_seconds": round(cpu, 3), "unchanged": len(chosen) - anew}
    note_run(course, name, record | {"faults": faults, "seconds_each": seconds})
    return [sheets[student] for student in chosen]


def _sharing(sheet: Gradesheet, known: dict[StepResult, StepResult]) -> Gradesheet:
    """The same sheet; steps that passed are one and the same thing for a whole class, and are kept once."""
    steps = (known.setdefault(step, step) if step.verdict is Verdict.passed else step for step in sheet.steps)
    return replace(sheet, steps=tuple(steps))


def grade_one(course: Course, student: str, proctor: Proctor, release: Release, *, force: bool) -> Graded:
    """Takes, grades and writes one student's work; anything that goes wrong is told, not raised."""
    try:
        submission = taken(course, proctor.exercise, release, student)
        old = None if force else unchanged(course, submission, proctor)
    except Exception:  # it is not for a submission to make us fail
        lost = Submission(student, proctor.exercise.name, Status.grader_fault, reason=OURS)
        return _kept(course, Graded(blank(lost, proctor), traceback.format_exc()))
    if old is not None:
        return Graded(old, unchanged=True)
    before, result = read_sheet(course.gradesheet(student, submission.exercise)), graded(submission, proctor)
    if before and before.digest == submission.digest and marks(before) != marks(result.sheet):
        result = replace(result, before=before)
    return _kept(course, result)


def _kept(course: Course, result: Graded) -> Graded:
    keep(course, result.sheet)
    return result
