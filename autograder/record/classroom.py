"""Hands in and collects for many students in one process, through nbgrader's own exchange."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeSubmit

from autograder.layout import Course
from autograder.model import KitError
from autograder.record.opening import opened


class ClassroomError(KitError):
    """nbgrader refused; the message is its own."""


class _HandIn(ExchangeSubmit):
    """nbgrader's submit, from a folder that need not be called as the exercise is."""

    def __init__(self, folder: Path, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.src_path = str(folder.resolve())

    def init_src(self) -> None:
        pass


def submit_as(course: Course, exercise: str, student: str, folder: Path) -> None:
    """`nbgrader submit` by one student, of the work in `folder`."""
    submit_all(course, exercise, {student: folder})


def submit_all(course: Course, exercise: str, folders: Mapping[str, Path]) -> None:
    """`nbgrader submit` by each student. Raises ExchangeError where nbgrader refuses."""
    with opened(course) as api:
        api.coursedir.assignment_id = exercise
        for student, folder in folders.items():
            api.coursedir.student_id = student
            app = _HandIn(folder, coursedir=api.coursedir, authenticator=api.authenticator, parent=api)
            app.cache = str(course.private / "cache" / student)  # never this person's own
            app.start()


def collect(course: Course, exercise: str) -> str:
    """`nbgrader collect --update`; returns its log."""
    with opened(course) as api:
        return _log(api.collect(exercise))


def make_feedback(course: Course, exercise: str) -> str:
    """`nbgrader generate_feedback --force`; returns its log."""
    with opened(course) as api:
        return _log(api.generate_feedback(exercise))


def _log(result: Mapping[str, Any]) -> str:
    if not result["success"]:
        raise ClassroomError(result.get("log") or result["error"])
    return result.get("log", "")
