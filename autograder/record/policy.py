"""What a teacher has decided about feedback: how much of hidden checks it shows, when, and the solution."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograder.layout import Course
from autograder.model import KitError
from autograder.record.due import Due, Time
from autograder.settings import SHOWS, WHEN, Attn, load_settings

NO_DATE = (
    "{name} has no due date in the gradebook, so nobody can say whether it has passed.\n"
    "Set it: nbgrader db assignment add {name} --duedate='2026-12-24 23:59 UTC'"
)


@dataclass(frozen=True)
class Policy:
    """For one exercise."""

    shows: str = SHOWS[-1]
    when: str = WHEN[0]
    solution: bool = False


def policy(course: Course, name: str) -> Policy:
    """Raises KitError where the settings name an exercise that there is not: a slip would show too much."""
    settings = load_settings(course)
    parts = ("feedback_shows", "feedback_when", "release_solution")
    return Policy(*(_value(settings, part, course, name) for part in parts))


def _value(settings: Attn, part: str, course: Course, name: str) -> Any:
    value = getattr(settings, part)
    if not isinstance(value, Mapping):
        return value
    if unknown := sorted(value.keys() - set(course.exercises)):
        raise KitError(
            f"c.Attn.{part} names an exercise that there is not: {', '.join(unknown)}.\n"
            f"There are: {', '.join(course.exercises)}. Mend it in nbgrader_config.py."
        )
    return value.get(name, settings.trait_defaults(part))


def must_wait(decided: Policy, due: Due, student: str, name: str, now: Time) -> str:
    """Why this student's feedback may not be made yet; empty where it may. Raises KitError without a date."""
    if decided.when == WHEN[0]:
        return ""
    opens = due.of(student)
    if opens is None:
        raise KitError(NO_DATE.format(name=name))
    return f"feedback waits until {opens:%Y-%m-%d %H:%M} UTC (c.Attn.feedback_when)" if now <= opens else ""
