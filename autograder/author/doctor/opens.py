"""The law that no exercise hands out solved what another one still asks.

Knows of time and students what nbgrader's gradebook and the folder submitted/ tell.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

from autograder.author.doctor.finding import Fault
from autograder.author.submitted import asked
from autograder.layout import Course
from autograder.model import Exercise

DUE = "SELECT CAST(duedate AS TEXT) FROM assignment WHERE name = :exercise"
RECORDED = """
    SELECT submitted_assignment.student_id, EXISTS (
        SELECT 1 FROM submitted_notebook JOIN grade ON grade.notebook_id = submitted_notebook.id
        WHERE submitted_notebook.assignment_id = submitted_assignment.id AND grade.needs_manual_grade
    )
    FROM submitted_assignment JOIN assignment ON assignment.id = submitted_assignment.assignment_id
    WHERE assignment.name = :exercise
"""


def are_closed(course: Course, exercise: Exercise) -> Iterator[Fault]:
    """What a released exercise is given is asked of nobody any more."""
    if not course.release(exercise.name).is_dir():
        return
    for earlier in exercise.given:
        if why := still_open(course, earlier):
            yield Fault(
                f"{course.release(exercise.name)} hands out {earlier} solved, which is still open: {why}",
                f"Release {exercise.name} when {earlier} is closed",
                True,
            )


def still_open(course: Course, name: str) -> str:
    """Why students may still be at work on an exercise; empty where none is, or it was never released."""
    due = asked(course, DUE, name)
    if due and due[0][0]:
        date = datetime.fromisoformat(due[0][0])  # UTC, without saying so
        return (
            f"it is due on {date:%Y-%m-%d %H:%M} UTC" if date > datetime.now(UTC).replace(tzinfo=None) else ""
        )
    handed_in = {folder.parent.name for folder in course.root.glob(f"submitted/*/{name}") if folder.is_dir()}
    recorded = dict(asked(course, RECORDED, name))
    waiting = len(handed_in - set(recorded)) + sum(map(bool, recorded.values()))
    if waiting:
        return f"it has no due date, and {waiting} of its submissions are not graded"
    unknown = not due and not course.release(name).is_dir()
    return "" if recorded or unknown else "it has no due date, and nobody has handed it in"
