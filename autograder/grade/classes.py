"""A class graded: who of it needs grading, on whichever pool, and what became of the run."""

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from autograder.grade.bench import Order, Run
from autograder.grade.files import note_run
from autograder.grade.grade import Graded, students_with_work
from autograder.grade.pools import each
from autograder.grade.standing import Standing
from autograder.layout import Course
from autograder.model import Gradesheet, StepResult

ALIKE = ("exercise", "points", "reason", "exercise_version", "seed", "grader")  # in many of a class
Progress = Callable[[int, int, Gradesheet], None]  # how many are done, of how many, the latest
Changed = Callable[[Gradesheet, Gradesheet], None]  # the same work's gradesheet as it was, and as it is


def grade_class(
    course: Course,
    name: str,
    students: Sequence[str] | None = None,
    *,
    force: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
    each: Callable[[Graded], None] | None = None,
    changed: Changed | None = None,
    walls: str = "auto",
    pool: str = "processes",
) -> list[Gradesheet]:
    """Grades every submission that has changed, writes the gradesheets, and gives those of all.

    students: only these; by default all with work. force: grade again what has not changed.
    workers: processes; by default as many as pay. walls: as Zygote takes them; "none" is for one's own work.
    pool: processes of this machine; or a Dask cluster, made here (dask) or running already (dask://HOST:PORT).
    each: is told of every result, with the submission where that was read for it.
    changed: is told of the same work with other marks, since the suite, the seed or the grader is another.
    """
    chosen = list(dict.fromkeys(students)) if students is not None else students_with_work(course, name)
    began, sheets, known, faults, seconds, anew, cpu = time.time(), {}, {}, {}, {}, 0, 0.0
    before = Standing(course, name, chosen)
    stands = {} if force else before.sheets()
    with _run(Order(course, name, force, walls, pool), chosen, stands, workers) as run:
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
            if each is not None:
                each(replace(result, sheet=sheets[student]))
        record = {"walls": dict(run.walls), "workers": run.workers}
    record |= {"began": began, "seconds": round(time.time() - began, 3), "graded": anew}
    record |= {"cpu_seconds": round(cpu, 3), "unchanged": len(chosen) - anew}
    note_run(course, name, record | {"faults": faults, "seconds_each": seconds})
    before.note(sheets.values())
    return [sheets[student] for student in chosen]


@contextmanager
def _run(
    order: Order, students: Sequence[str], stands: Mapping[str, Gradesheet], workers: int | None
) -> Iterator[Run]:
    """Those whose gradesheets stand first; a pool is opened only where others are left."""
    known = ((student, Graded(sheet, unchanged=True)) for student, sheet in stands.items())
    rest = [student for student in students if student not in stands]
    if not rest:
        yield Run(known, {}, 1)
        return
    with each(order, rest, workers) as run:
        yield replace(run, results=itertools.chain(known, run.results))


def _sharing(sheet: Gradesheet, known: dict[Any, Any]) -> Gradesheet:
    """The same sheet; what many of a class have in common, such as aspects that hold, is kept once."""

    def once(part: Any) -> Any:
        return known.setdefault(part, part)

    def shared(step: StepResult) -> StepResult:
        return once(replace(step, aspects=tuple(map(once, step.aspects))))

    alike = {name: once(getattr(sheet, name)) for name in ALIKE}
    lists = {"steps": tuple(map(shared, sheet.steps)), "warnings": tuple(map(once, sheet.warnings))}
    return replace(sheet, **alike, **lists)
