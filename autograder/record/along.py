"""Recording a class while it is graded: this process writes what others have graded already.

nbgrader is imported once the first student is graded, so that nobody waits for it.
"""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Self

from autograder.grade.grade import Graded
from autograder.layout import Course
from autograder.model import KitError


class Along:
    """A context manager. What stops the recording does not stop the grading: `recorded` raises it."""

    def __init__(self, course: Course, name: str, accept: bool = False):
        self._course, self._name, self._accept = course, name, accept
        self._stack, self._going, self._fault = ExitStack(), None, None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if exception[0] is None:
            self._try(self._stack.close)
        else:
            self._stack.__exit__(*exception)

    def add(self, graded: Graded) -> None:
        """One more student is graded."""
        if self._fault is None:
            self._try(self._add, graded)

    def recorded(self) -> list[Any]:
        """What became of each, in order. Raises KitError where the gradebook could not be written."""
        if self._fault is not None:
            raise self._fault
        return sorted(self._going.done, key=lambda one: one.student) if self._going else []

    def _add(self, graded: Graded) -> None:
        if self._going is None:
            from autograder.record.gradebook import recording

            self._going = self._stack.enter_context(recording(self._course, self._name, accept=self._accept))
        self._going.add(graded.sheet.student, graded.sheet, graded.submission)

    def _try(self, action: Callable, *arguments: object) -> None:
        try:
            action(*arguments)
        except KitError as fault:
            self._fault = fault
