"""One exercise's submissions and gradesheets while a run of ours or of nbgrader's lasts.

What costs time, reading the exercise and setting up a proctor, happens once a run and only where needed.
"""

import hmac
from contextlib import ExitStack
from functools import cached_property
from typing import Self

from nbgrader.api import Gradebook

from autograder.author.exercise import load_exercise
from autograder.grade import grade
from autograder.grade.files import course_seed
from autograder.grade.proctor import Proctor
from autograder.layout import Course
from autograder.model import Exercise, Gradesheet, Release, Submission
from autograder.record.due import Due, due
from autograder.record.policy import Policy, policy
from autograder.settings import load_settings


class Work:
    """A context manager; leaving it sends the proctor home."""

    def __init__(self, course: Course, name: str):
        self.course, self.name = course, name
        self._stack = ExitStack()
        self._seated, self._due = False, None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        self._stack.close()

    @cached_property
    def exercise(self) -> Exercise:
        return load_exercise(self.course, self.name)

    @cached_property
    def languages(self) -> list[str]:
        return load_settings(self.course).languages

    @cached_property
    def policy(self) -> Policy:
        return policy(self.course, self.name)

    def due(self, url: str) -> Due:
        """The due dates in the gradebook, read once."""
        if self._due is None:
            with Gradebook(url) as gradebook:
                self._due = due(gradebook, self.name)
        return self._due

    @cached_property
    def release(self) -> Release:
        return grade.release_of(self.course, self.exercise)

    @cached_property
    def _proctor(self) -> Proctor:
        return grade.open_proctor(self.course, self.name)

    def submission(self, student: str) -> Submission:
        """What the student handed in, read anew."""
        return grade.taken(self.course, self.exercise, self.release, student)

    def secret(self, student: str) -> str:
        """Names a feedback file where the student's hand-in brought no secret; the same each time."""
        about = f"{self.name}/{student}".encode()
        return hmac.digest(course_seed(self.course), about, "sha512").hex()

    def sheet(self, submission: Submission) -> Gradesheet:
        """Its gradesheet: the written one where it still holds, else graded on the spot."""
        old = grade.unchanged(self.course, submission, self._proctor)
        if old is not None:
            return old
        if not self._seated:
            self._stack.enter_context(self._proctor)
            self._seated = True
        result = grade.graded(submission, self._proctor)
        grade.keep(self.course, result.sheet)
        return result.sheet
