"""A class's grades as every format gives them: one line for each enrolled student, whatever happened.

No grade is None, never 0, where the fault was ours, nothing could be read, or nothing has been decided yet.
"""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from nbgrader.api import Grade, Gradebook, MissingEntry, Student, SubmittedAssignment

from autograder.author.exercise import load_exercise
from autograder.layout import Course
from autograder.model import Exercise, Sentence, Status
from autograder.record.due import due, now
from autograder.record.gradebook import NOT_GRADED, Row, statuses

STILL_OPEN = Sentence("Not due yet, and nothing was handed in.", "尚未到截止时间，还没有提交。")
NOT_RECORDED = Sentence("Not recorded yet: attn record", "尚未登记：attn record")
WAITS = Sentence("A part waits for a person.", "有一部分等待人工评分。")
NEVER_0 = (Status.unreadable, Status.misnamed, Status.grader_fault)


@dataclass(frozen=True)
class Line:
    """One student's row in an export."""

    student: str
    first_name: str
    last_name: str
    email: str
    lms_id: str
    status: Status
    reason: Sentence | None
    parts: Mapping[str, Fraction | None]  # points of each step and question, None where there is no grade
    points: Fraction  # that can be earned
    raw: Fraction | None  # earned, before a penalty
    penalty: Fraction = Fraction(0)
    submitted: datetime.datetime | None = None  # in UTC
    seconds_late: int = 0
    waiting: int = 0  # parts that a person has still to grade

    @property
    def grade(self) -> Fraction | None:
        """The points that count."""
        return None if self.raw is None else max(Fraction(0), self.raw - self.penalty)

    @property
    def name(self) -> str:
        return " ".join(filter(None, (self.first_name, self.last_name))) or self.student

    def why(self, language: str) -> str:
        """Status and reason in one sentence or two; what is plain is not said."""
        said = [getattr(self.reason, language)] if self.reason else []
        if self.waiting and self.status is Status.graded:
            said.append(getattr(WAITS, language))
        return " ".join(said)


@dataclass(frozen=True)
class Sheet:
    """One exercise's lines, with the names and points of its parts in their order."""

    exercise: Exercise
    parts: Mapping[str, Fraction]
    lines: Sequence[Line]

    @property
    def points(self) -> Fraction:
        return sum(self.parts.values(), Fraction(0))


def sheet(course: Course, gradebook: Gradebook, name: str) -> Sheet:
    """The grades as they stand in the gradebook, with what became of each student's work."""
    exercise = load_exercise(course, name)
    parts = {part.name: part.points for part in (*exercise.steps, *exercise.questions)}
    rows = {row.student: row for row in statuses(course, name)}
    try:
        recorded = {one.student_id: one for one in gradebook.find_assignment(name).submissions}
    except MissingEntry:
        recorded = {}
    dates, today = due(gradebook, name), now()
    students = sorted(gradebook.students, key=lambda one: one.id)
    lines = []
    for one in students:
        last = dates.of(one.id)
        lines.append(
            _line(one, rows[one.id], recorded.get(one.id), last is not None and today < last, exercise)
        )
    return Sheet(exercise, parts, lines)


def _line(
    student: Student, row: Row, found: SubmittedAssignment | None, is_open: bool, exercise: Exercise
) -> Line:
    parts = [part.name for part in (*exercise.steps, *exercise.questions)]
    known = {
        "student": student.id,
        "first_name": student.first_name or "",
        "last_name": student.last_name or "",
        "email": student.email or "",
        "lms_id": student.lms_user_id or "",
        "status": row.status,
        "reason": row.reason,
        "points": row.points,
    }
    if row.status is Status.missing:
        if is_open:
            return Line(**known | {"reason": STILL_OPEN}, raw=None, parts=dict.fromkeys(parts))
        return Line(**known, raw=Fraction(0), parts=dict.fromkeys(parts, Fraction(0)))
    if found is None or row.reason is NOT_GRADED:
        return Line(**known | {"reason": row.reason or NOT_RECORDED}, raw=None, parts=dict.fromkeys(parts))
    return _recorded(found, exercise, dict.fromkeys(parts), known | {"waiting": row.waiting})


def _recorded(found: SubmittedAssignment, exercise: Exercise, parts: dict, known: dict) -> Line:
    grades = [grade for notebook in found.notebooks for grade in notebook.grades]
    given = {grade.name.removeprefix("check_"): _points(grade) for grade in grades}
    points = {name: given.get(name) for name in parts}
    steps = [points[step.name] for step in exercise.steps]
    nothing_to_say = None in steps or (known["status"] in NEVER_0 and None in points.values())
    return Line(
        **known,
        parts=points,
        raw=None if nothing_to_say else sum(filter(None, points.values()), Fraction(0)),
        penalty=Fraction(found.late_submission_penalty or 0).limit_denominator(10**6),
        submitted=found.timestamp,
        seconds_late=int(found.total_seconds_late),
    )


def _points(grade: Grade) -> Fraction | None:
    """What a person gave, or else the checks, with extra credit; None where neither did."""
    given = grade.auto_score if grade.manual_score is None else grade.manual_score
    if given is None:
        return None
    return Fraction(given + (grade.extra_credit or 0)).limit_denominator(10**6)
