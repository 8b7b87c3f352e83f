"""What is known of a class at one exercise: gradesheets, the gradebook's rows, the record of the last run."""

import datetime
import json
import os
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from urllib.parse import quote

from nbgrader.api import Gradebook

from autograder.author.exercise import load_exercise
from autograder.layout import Course
from autograder.model import Exercise, KitError
from autograder.record.due import Due, due
from autograder.record.gradebook import Row, database, statuses
from autograder.record.opening import opened
from autograder.settings import load_settings


@dataclass(frozen=True)
class Pupil:
    """One student of the class."""

    row: Row
    late: datetime.timedelta
    penalty: float
    seconds: float | None  # that the last grading took
    feedback: str  # the page's address, seen from the folder of reports; empty where there is none

    @property
    def total(self) -> Fraction | None:
        """The points with the penalty taken off, as nbgrader counts them; nobody has less than nothing."""
        earned = self.row.earned
        return (
            None
            if earned is None
            else max(earned - Fraction(self.penalty).limit_denominator(10**6), Fraction(0))
        )


@dataclass(frozen=True)
class Class:
    """Everybody, and the run that graded them."""

    exercise: Exercise
    languages: tuple[str, ...]
    pupils: tuple[Pupil, ...]
    due: Due
    run: dict[str, Any] = field(default_factory=dict)


def glance(course: Course, name: str) -> Class:
    """The class as it stands. Grades nothing, changes nothing."""
    rows = statuses(course, name)
    with opened(course) as api, Gradebook(database(api), api.coursedir.course_id) as gradebook:
        dates = due(gradebook, name)
    run = last_run(course, name)
    pupils = tuple(_pupil(course, name, row, dates, run) for row in rows)
    return Class(load_exercise(course, name), tuple(load_settings(course).languages), pupils, dates, run)


def one(course: Course, name: str, student: str) -> Pupil:
    """One student. Raises KitError where nobody is called so."""
    found = next((pupil for pupil in glance(course, name).pupils if pupil.row.student == student), None)
    if found is None:
        raise KitError(f"there is no student {student!r}; who there is: attn status {name}")
    return found


def last_run(course: Course, name: str) -> dict[str, Any]:
    """What run.json tells of the exercise; nothing where it cannot be read."""
    try:
        run = json.loads(course.run_record.read_bytes())[name]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return run if isinstance(run, dict) else {}


def _pupil(course: Course, name: str, row: Row, dates: Due, run: dict[str, Any]) -> Pupil:
    arrival = dates.arrivals.get(row.student)
    seconds = run.get("seconds_each", {}).get(row.student)
    penalty = arrival.penalty if arrival else 0.0
    page = course.feedback(row.student, name) / f"{name}.html"
    address = quote(os.path.relpath(page, course.reports).replace(os.sep, "/")) if page.is_file() else ""
    return Pupil(row, dates.late(row.student), penalty, seconds, address)
