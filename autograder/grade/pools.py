"""Spreads a class over the machine's cores: processes, each with its own collected suite and warm desks.

Which process grades whom decides nothing: grading one submission is a pure function. A process that dies
takes no grade with it; what it had not finished is graded again in this one.
"""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from autograder.grade import grade
from autograder.layout import Course

ALONE = 24  # submissions for which starting more processes costs more than it gains


@dataclass(frozen=True)
class Run:
    """A class being graded: results as they come, and what run.json tells of it."""

    results: Iterator[tuple[str, grade.Graded]]
    walls: dict[str, Any]
    workers: int


def each(
    course: Course, name: str, students: Sequence[str], *, force: bool, workers: int | None
) -> AbstractContextManager[Run]:
    """Grades each student's work. workers: processes, by default as many as there are cores."""
    wanted = min(workers or cores(), max(1, len(students)))
    if wanted > 1 and (workers or len(students) > ALONE):
        return _spread(course, name, students, force, wanted)
    return _alone(course, name, students, force)


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _alone(course: Course, name: str, students: Sequence[str], force: bool) -> Iterator[Run]:
    with grade.open_proctor(course, name) as proctor:
        release = grade.release_of(course, proctor.exercise)
        yield Run(_one_by_one(course, students, proctor, release, force), proctor.zygote.walls, 1)


def _one_by_one(
    course: Course, students: Sequence[str], proctor: Any, release: Any, force: bool
) -> Iterator[tuple[str, grade.Graded]]:
    for student in students:
        yield student, grade.grade_one(course, student, proctor, release, force=force)


@contextmanager
def _spread(course: Course, name: str, students: Sequence[str], force: bool, workers: int) -> Iterator[Run]:
    context = multiprocessing.get_context(
        "forkserver"
    )  # never a fork of this process, which may have threads
    context.set_forkserver_preload([__name__])
    with ExitStack() as stack:
        proctor = stack.enter_context(grade.open_proctor(course, name))
        pool = ProcessPoolExecutor(workers, context, _open, (course, name, force))
        stack.callback(pool.shutdown, wait=True, cancel_futures=True)
        results = _as_they_come(pool, course, students, proctor, force)
        yield Run(results, proctor.zygote.walls, workers)


def _as_they_come(
    pool: ProcessPoolExecutor, course: Course, students: Sequence[str], proctor: Any, force: bool
) -> Iterator[tuple[str, grade.Graded]]:
    futures, left = {}, []
    try:
        futures = {pool.submit(_grade, student): student for student in students}
        for future in as_completed(futures):
            student = futures.pop(future)
            try:
                yield student, future.result()
            except BrokenProcessPool:
                left.append(student)
    except BrokenProcessPool:
        left = list(students)
    release = grade.release_of(course, proctor.exercise)
    yield from _one_by_one(course, left, proctor, release, force)


_bench: dict[str, Any] = {}  # a worker's own proctor: made once in its life, the reason for having workers


def _open(course: Course, name: str, force: bool) -> None:
    proctor = grade.open_proctor(course, name).__enter__()
    release = grade.release_of(course, proctor.exercise)
    _bench.update(course=course, proctor=proctor, release=release, force=force)


def _grade(student: str) -> grade.Graded:
    bench = _bench
    return grade.grade_one(bench["course"], student, bench["proctor"], bench["release"], force=bench["force"])
