"""What is to be graded and how, and the place in a process at which it is done one after the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from autograder.grade import grade
from autograder.layout import Course

Result = tuple[str, grade.Graded]  # a student, and what was found


@dataclass(frozen=True)
class Order:
    """What is to be graded, and how."""

    course: Course
    exercise: str
    force: bool = False
    walls: str = "auto"
    pool: str = "processes"


@dataclass(frozen=True)
class Run:
    """A class being graded: results as they come, and what run.json tells of it."""

    results: Iterator[Result]
    walls: dict[str, Any]
    workers: int


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

    def look_up(self, student: str) -> Any:
        """The submission that is to be graded; where nothing is, what is known of it already."""
        force = self._order.force
        return grade.look_up(self._order.course, student, self.proctor, self._release, force=force)


def one_by_one(order: Order, students: Sequence[str], walls: dict[str, Any]) -> Iterator[Result]:
    """In this process, one after the other; whom the machine was too busy for once more."""
    with Bench(order) as bench:
        for student in students:
            result = bench.grade(student)
            if result.starved:
                result = bench.grade(student, again=True)
            walls.update(bench.proctor.walls)
            yield student, result
