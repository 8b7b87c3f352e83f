"""Spreads a class over the machine's cores: processes, each with its own collected suite and warm desks.

Which process grades whom decides nothing: grading one submission is a pure function. A process that dies
takes no grade with it; what it had not finished is graded again in this one.
"""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
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
    walls: dict[str, Any] = {}
    yield Run(_one_by_one(course, name, students, force, walls), walls, 1)


def _one_by_one(
    course: Course, name: str, students: Sequence[str], force: bool, walls: dict[str, Any]
) -> Iterator[tuple[str, grade.Graded]]:
    """In this process, one after the other; whom the machine was too busy for once more."""
    with grade.open_proctor(course, name) as proctor:
        release = grade.release_of(course, proctor.exercise)
        for student in students:
            result = grade.grade_one(course, student, proctor, release, force=force)
            if result.starved:
                result = grade.grade_one(course, student, proctor, release, force=True)
            walls.update(proctor.walls)
            yield student, result


@contextmanager
def _spread(course: Course, name: str, students: Sequence[str], force: bool, workers: int) -> Iterator[Run]:
    context = multiprocessing.get_context(
        "forkserver"
    )  # never a fork of this process, which may have threads
    context.set_forkserver_preload([__name__])
    pool, walls = ProcessPoolExecutor(workers, context, _open, (course, name, force)), {}
    try:
        yield Run(_as_they_come(pool, course, name, students, force, walls), walls, workers)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _as_they_come(
    pool: ProcessPoolExecutor,
    course: Course,
    name: str,
    students: Sequence[str],
    force: bool,
    walls: dict[str, Any],
) -> Iterator[tuple[str, grade.Graded]]:
    futures = {pool.submit(_grade, student): student for student in students}
    lost, again = [], []
    for future in as_completed(futures):
        try:
            result, around = future.result()
        except BrokenProcessPool:
            lost.append(futures[future])
            continue
        walls.update(around)
        if result.starved:
            again.append(futures[future])
        else:
            yield futures[future], result
    pool.shutdown(wait=True)
    if lost:
        yield from _one_by_one(course, name, lost, force, walls)
    if again:
        yield from _one_by_one(course, name, again, True, walls)


_bench: dict[str, Any] = {}  # a worker's own proctor: made once in its life, the reason for having workers


def _open(course: Course, name: str, force: bool) -> None:
    proctor = grade.open_proctor(course, name)
    release = grade.release_of(course, proctor.exercise)
    _bench.update(course=course, proctor=proctor, release=release, force=force)


def _grade(student: str) -> tuple[grade.Graded, dict[str, Any]]:
    course, proctor, release = _bench["course"], _bench["proctor"], _bench["release"]
    result = grade.grade_one(course, student, proctor, release, force=_bench["force"])
    return result, proctor.walls
