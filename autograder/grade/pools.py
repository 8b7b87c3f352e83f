"""Spreads a class over the machine's cores: processes, each with its own collected suite and warm desks.

Which process grades whom decides nothing: grading one submission is a pure function. A process that dies
takes no grade with it; what it had not finished is graded again in this one.
"""

import multiprocessing
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any

from autograder.grade import cluster, grade
from autograder.grade.bench import Bench, Order, Result, Run, one_by_one
from autograder.grade.early import ALONE
from autograder.model import KitError

AHEAD = 200  # submissions under way, or waiting for a worker, or for who takes the results and is recording


def each(order: Order, students: Sequence[str], workers: int | None) -> AbstractContextManager[Run]:
    """Grades each student's work. workers: processes, by default as many as there are cores."""
    if order.pool.partition("://")[0] == "dask":
        return cluster.spread(order, students, workers or cores())
    if order.pool != "processes":
        raise KitError(f"there is no pool {order.pool!r}; there are: processes, dask, dask://HOST:PORT")
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
    yield Run(one_by_one(order, students, walls), walls, 1)


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
    lost, again = [], []
    for student, future in _submitted(pool, students):
        try:
            result, around = future.result()
        except BrokenProcessPool:
            lost.append(student)
            continue
        walls.update(around)
        if result.starved:
            again.append(student)
        else:
            yield student, result
    pool.shutdown(wait=True)
    if lost:
        yield from one_by_one(order, lost, walls)
    if again:  # alone now, on a machine that has nothing else of ours to do
        yield from one_by_one(replace(order, force=True), again, walls)


def _submitted(pool: ProcessPoolExecutor, students: Iterable[str]) -> Iterator[tuple[str, Future[Any]]]:
    """Each student with what became of them; few are under way at a time, and none is kept afterwards."""
    waiting, going = iter(students), {}
    while True:
        for student in islice(waiting, AHEAD - len(going)):
            going[_submit(pool, student)] = student
        if not going:
            return
        for future in wait(going, return_when=FIRST_COMPLETED).done:
            yield going.pop(future), future


def _submit(pool: ProcessPoolExecutor, student: str) -> Future[Any]:
    try:
        return pool.submit(_grade, student)
    except BrokenProcessPool as broken:  # as for those who were under way
        future: Future[Any] = Future()
        future.set_exception(broken)
        return future


_benches: list[Bench] = []  # a worker's own


def _open(order: Order) -> None:
    _benches.append(Bench(order))


def _grade(student: str) -> tuple[grade.Graded, dict[str, Any]]:
    return _benches[-1].grade(student), _benches[-1].proctor.walls
