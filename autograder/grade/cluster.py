"""A class on a Dask cluster: batches of submissions go to workers that share no files with this machine.

A worker needs this kit, the same as here, and walls. Exercise, hidden suite, reference and seed travel with
each batch; what comes back is what grading here would have given, so a batch may be graded twice or by
anybody. What a lost worker had in hand is graded by another, at the worst by this process.
"""

import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from autograder.grade import grade
from autograder.grade.answers import Limits
from autograder.grade.bench import Bench, Order, Result, Run, one_by_one
from autograder.grade.proctor import Proctor
from autograder.grade.version import grader_version
from autograder.model import Exercise, KitError, Submission

BATCH = 16  # submissions in one task: about a second of work, of which Dask's 2 to 4 ms are nothing
AHEAD = 3  # tasks for each worker that are sent before their turn; all at once would fill the memory here
INSTALL = "Dask is not installed here. Install it: pip install 'self-attention-kit[cluster]'"
START = "Start some: docs/cluster.md says how."
SECONDS = 10  # to find a cluster
PATIENCE = 600  # seconds until its first worker is there: others may have to leave first


@dataclass(frozen=True)
class Parcel:
    """All that a proctor is made of."""

    exercise: Exercise
    suite: Mapping[str, str]  # the texts of its files by their names
    solution: str
    seed: bytes
    limits: Limits
    walls: str
    grader: str  # what the kit's own code is known by

    @classmethod
    def of(cls, order: Order, proctor: Proctor) -> "Parcel":
        course, name = order.course, order.exercise
        suite = {file.name: file.read_text(encoding="utf-8") for file in course.suite(name).glob("*.py")}
        solution = course.solution(name).read_text(encoding="utf-8")
        limits = proctor.zygote.limits
        return cls(proctor.exercise, suite, solution, proctor.seed, limits, order.walls, grader_version())

    def unpacked(self, folder: Path) -> Proctor:
        """A proctor made of it; the files stay in the folder as long as it works."""
        suite, solution = folder / self.exercise.name, folder / f"{self.exercise.name}.py"
        suite.mkdir()
        for name, text in self.suite.items():
            (suite / name).write_text(text, encoding="utf-8")
        solution.write_text(self.solution, encoding="utf-8")
        return Proctor(self.exercise, suite, solution, self.seed, self.limits, self.walls)


# on a worker


class _Seat:
    """A worker's proctor, for one task at a time however many threads the worker has."""

    def __init__(self) -> None:
        self._lock, self._stack, self._parcel = threading.Lock(), ExitStack(), None

    def grade(self, parcel: Parcel, submissions: Sequence[Submission]) -> tuple[list[grade.Graded], dict]:
        with self._lock:
            if parcel != self._parcel:
                self._take(parcel)
            results = [grade.graded(submission, self._proctor) for submission in submissions]
            return results, self._proctor.walls

    def _take(self, parcel: Parcel) -> None:
        if parcel.grader != grader_version():
            raise KitError("A worker has another version of the kit. Install the same everywhere.")
        self._stack.close()
        folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="attn-"))
        self._proctor = self._stack.enter_context(parcel.unpacked(Path(folder)))
        self._parcel = parcel


_seat = _Seat()


def grade_batch(parcel: Parcel, submissions: Sequence[Submission]) -> tuple[list[grade.Graded], dict]:
    """What a worker does: a gradesheet for each submission, and the walls that stood around them."""
    return _seat.grade(parcel, submissions)


# here


@contextmanager
def spread(order: Order, students: Sequence[str], workers: int) -> Iterator[Run]:
    """Grades on the cluster that the order names, or on one of so many processes made for it here."""
    with _client(order.pool, workers) as client:
        walls: dict[str, Any] = {}
        yield Run(_as_they_come(client, order, students, walls), walls, len(client.ncores()))


@contextmanager
def _client(pool: str, workers: int) -> Iterator[Any]:
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise KitError(INSTALL) from error
    address = pool.partition("://")[2]
    with ExitStack() as stack:
        if not address:
            address = stack.enter_context(LocalCluster(workers, **_only_here()))
        try:
            client = stack.enter_context(Client(address, timeout=SECONDS, set_as_default=False))
        except (OSError, ValueError) as error:
            raise KitError(f"there is no Dask scheduler at {address}: {error}") from error
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise KitError(f"{address} has no worker, and none came.\n{START}") from error
        yield client


def _only_here() -> dict[str, Any]:
    """How a cluster of this machine's own is made: nothing of it listens to other machines."""
    loopback = "127.0.0.1"
    pages = {"dashboard_address": f"{loopback}:0", "worker_dashboard_address": f"{loopback}:0"}
    return {"host": loopback, "threads_per_worker": 1, "memory_limit": 0, "silence_logs": 50, **pages}


def _as_they_come(
    client: Any, order: Order, students: Sequence[str], walls: dict[str, Any]
) -> Iterator[Result]:
    with Bench(order) as bench:
        sent = _Sent(client, Parcel.of(order, bench.proctor), walls)
        waiting = iter(students)
        while True:
            while not sent.enough and (more := list(islice(waiting, BATCH))):
                looked_up = [(student, bench.look_up(student)) for student in more]
                yield from ((name, found) for name, found in looked_up if isinstance(found, grade.Graded))
                sent.send([found for _, found in looked_up if isinstance(found, Submission)])
            if not sent.going:
                break
            yield from ((result.sheet.student, grade.kept(order.course, result)) for result in sent.next())
    yield from one_by_one(replace(order, force=True), sent.again, walls)


class _Sent:
    """Batches that are on the cluster."""

    def __init__(self, client: Any, parcel: Parcel, walls: dict[str, Any]):
        from distributed import as_completed

        self._client, self._parcel, self._walls = client, parcel, walls
        self._done, self.going = as_completed([], loop=client.loop), {}
        self.again: list[str] = []  # whom no worker could grade, and whom a worker was too busy for

    @property
    def enough(self) -> bool:
        """Whether every worker has something to do."""
        return len(self.going) >= AHEAD * max(1, len(self._client.ncores()))

    def send(self, batch: Sequence[Submission]) -> None:
        if batch:
            task = self._client.submit(grade_batch, self._parcel, batch, pure=False)
            self.going[task] = [submission.student for submission in batch]
            self._done.add(task)

    def next(self) -> list[grade.Graded]:
        """The results of one batch, as soon as one is there."""
        from distributed import CancelledError, KilledWorker

        task = next(self._done)
        students = self.going.pop(task)
        try:
            results, around = task.result()
        except (KilledWorker, CancelledError, OSError):  # its workers died, or the scheduler itself
            self.again += students
            return []
        except ImportError as error:
            raise KitError(f"A worker lacks the kit: {error}. Install the same as here on each.") from error
        self._walls.update(around)
        self.again += [result.sheet.student for result in results if result.starved]
        return [result for result in results if not result.starved]
