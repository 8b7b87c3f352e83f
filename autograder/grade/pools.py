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
from dataclasses import dataclass, replace
from typing import Any, Self

from autograder.grade import grade
from autograder.layout import Course

ALONE = 24  # submissions for which starting more processes costs more than it gains


Result = tuple[str, grade.Graded]  # a student, and what was found


@dataclass(frozen=True)
class Run:
    """A class being graded: results as they come, and what run.json tells of it."""

    results: Iterator[Result]
    walls: dict[str, Any]
    workers: int


@dataclass(frozen=True)
class Order:
    """What is to be graded, and how."""

    course: Course
    exercise: str
    force: bool = False
    walls: str = "auto"


def each(order: Order, students: Sequence[str], workers: int | None) -> AbstractContextManager[Run]:
    """Grades each student's work. workers: processes, by default as many as there are cores."""
    wanted = min(workers or cores(), max(1, len(students)))
    if wanted > 1 and (workers or len(students) > ALONE):
        return _spread(order, students, wanted)
    return _alone(order, students)


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _alone(order: Order, students: Sequence[str]) -> Iterator[Run]:
    walls: dict[str, Any] = {}
    yield Run(_one_by_one(order, students, walls), walls, 1)


def _one_by_one(order: Order, students: Sequence[str], walls: dict[str, Any]) -> Iterator[Result]:
    """In this process, one after the other; whom the machine was too busy for once more."""
    with Bench(order) as bench:
        for student in students:
            result = bench.grade(student)
            if result.starved:
                result = bench.grade(student, again=True)
            walls.update(bench.proctor.walls)
            yield student, result


@contextmanager
def _spread(order: Order, students: Sequence[str], workers: int) -> Iterator[Run]:
    context = multiprocessing.get_context(
        "forkserver"
    )  # never a fork of this process, which may have threads
    context.set_forkserver_preload([__name__])
    pool, walls = ProcessPoolExecutor(workers, context, _open, (order,)), {}
    try:
        yield Run(_as_they_come(pool, order, students, walls), walls, workers)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _as_they_come(
    pool: ProcessPoolExecutor, order: Order, students: Sequence[str], walls: dict[str, Any]
) -> Iterator[Result]:
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
        yield from _one_by_one(order, lost, walls)
    if again:  # alone now, on a machine that has nothing else of ours to do
        yield from _one_by_one(replace(order, force=True), again, walls)


class Bench:
    """A proctor at work on one order: made once in a process's life, the reason for having few of them."""

    def __init__(self, order: Order):
        self._order = order
        self.proctor = grade.open_proctor(order.course, order.exercise, order.walls)
        self._release = grade.release_of(order.course, self.proctor.exercise)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.proctor.__exit__(*exception)

    def grade(self, student: str, *, again: bool = False) -> grade.Graded:
        """Grades one student's work, unless it has not changed."""
        force = self._order.force or again
        return grade.grade_one(self._order.course, student, self.proctor, self._release, force=force)


_benches: list[Bench] = []  # a worker's own


def _open(order: Order) -> None:
    _benches.append(Bench(order))


def _grade(student: str) -> tuple[grade.Graded, dict[str, Any]]:
    return _benches[-1].grade(student), _benches[-1].proctor.walls
