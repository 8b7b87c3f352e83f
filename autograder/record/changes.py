"""Marks that the same work would get anew: they never change silently.

A student's new submission is no such change, and neither is a mark where there was none.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from autograder.model import Gradesheet
from autograder.plain import number
from autograder.record.contents import Content

CLOSE = 1e-9  # points; less is what adding up fractions as floats makes


@dataclass(frozen=True)
class Standing:
    """What the gradebook holds of one student: marks by the grade cell's name, and for which content."""

    content: Content | None  # None where nobody noted it
    scores: Mapping[str, float | None]
    by_hand: Mapping[str, float]


@dataclass(frozen=True)
class Change:
    """One mark of one student."""

    student: str
    cell: str
    before: float
    after: float | None
    by_hand: float | None = None  # a person's mark, which counts whatever becomes of ours

    @property
    def step(self) -> str:
        return self.cell.removeprefix("check_")


def changes(
    student: str, standing: Standing | None, new: Content, scores: Mapping[str, float | None]
) -> tuple[Change, ...]:
    """What recording these scores would change although the student handed in nothing new."""
    if standing is None or (standing.content and standing.content.digest != new.digest):
        return ()
    return tuple(
        Change(student, cell, before, scores[cell], standing.by_hand.get(cell))
        for cell, before in standing.scores.items()
        if before is not None and cell in scores and _differ(before, scores[cell])
    )


def between(before: Gradesheet, after: Gradesheet) -> tuple[Change, ...]:
    """The same of two gradesheets of the same content, for work that was never recorded."""
    old, new = ({step.name: number(step.earned) for step in sheet.steps} for sheet in (before, after))
    return tuple(
        Change(after.student, f"check_{name}", points, new.get(name))
        for name, points in old.items()
        if points is not None and _differ(points, new.get(name))
    )


def _differ(before: float, after: float | None) -> bool:
    return after is None or abs(before - after) > CLOSE
