"""The weekly loop in one go: collect what is new, grade, record, make feedback and give it to students."""

import json
from dataclasses import dataclass
from pathlib import Path

from autograder.grade.classes import grade_class
from autograder.grade.grade import students_with_work
from autograder.layout import Course
from autograder.model import Gradesheet, KitError
from autograder.record import giving, versions
from autograder.record.classroom import collect
from autograder.record.gradebook import record_new
from autograder.record.hand_in import STAMP, small_text
from autograder.record.opening import opened
from autograder.settings import load_settings


@dataclass(frozen=True)
class Cycle:
    """What happened; nothing of it where nothing was new."""

    collected: int = 0
    graded: int = 0
    recorded: int = 0
    held: int = 0  # marks that the same work would get anew, held back until a teacher accepts them
    given: int = 0  # students with new feedback
    waiting: int = 0  # those who had their share of it today
    faults: tuple[str, ...] = ()

    def line(self, name: str) -> str:
        """One line for a log or a mail; empty where nothing happened."""
        parts = [f"{self.collected} collected"] if self.collected else []
        parts += [f"{self.graded} graded"] if self.graded else []
        parts += [f"{self.recorded} recorded"] if self.recorded else []
        parts += [f"feedback for {self.given}"] if self.given else []
        if not parts:
            return ""
        parts += [f"{self.waiting} wait for tomorrow's feedback"] if self.waiting else []
        parts += [f"{self.held} held back, see: attn diff {name}"] if self.held else []
        return f"{name}: {', '.join(parts)}"


def cycle(course: Course, name: str, *, walls: str = "auto", today: str | None = None) -> Cycle:
    """Does all that is to be done. Doing it again at once does nothing. today: a date, for tests."""
    settings, faults = load_settings(course), []
    exchange = _has_exchange(course)
    collected = _collected(course, name, faults) if exchange else 0
    versions.bring_back(course, name)
    sheets, graded = _graded(course, name, walls)
    if settings.counts == "best":
        better = versions.put_best(course, name, sheets)
        sheets = _graded(course, name, walls)[0] if better else sheets
    else:
        for sheet in sheets:
            versions.keep(course, name, sheet.student)
    written = record_new(course, name, sheets)
    faults += [f"{one.student}: not recorded: {one.fault}" for one in written if one.fault]
    held = {one.student for one in written if one.held}  # whose page would be of marks that do not count
    recorded = len(written) - len(held) - sum(bool(one.fault) for one in written)
    given, waiting = giving.give(course, name, settings.feedbacks_a_day, exchange, today, faults, held)
    return Cycle(collected, graded, recorded, len(held), given, waiting, tuple(faults))


def _has_exchange(course: Course) -> bool:
    """Whether students can hand in through nbgrader's exchange."""
    with opened(course) as api:
        return Path(api.exchange_root, api.course_id, "inbound").is_dir()


def _collected(course: Course, name: str, faults: list[str]) -> int:
    before = _stamps(course, name)
    try:
        collect(course, name)
    except KitError as error:
        faults.append(f"not everything was collected: {error}")
    return len(_stamps(course, name) - before)


def _stamps(course: Course, name: str) -> set[tuple[str, str | None]]:
    """Who has handed in, and when."""
    found = students_with_work(course, name)
    return {(student, small_text(course.submitted(student, name) / STAMP)) for student in found}


def _graded(course: Course, name: str, walls: str) -> tuple[list[Gradesheet], int]:
    """The gradesheets of all, and how many are new."""
    sheets = grade_class(course, name, walls=walls)
    return sheets, json.loads(course.run_record.read_bytes())[name]["graded"]
