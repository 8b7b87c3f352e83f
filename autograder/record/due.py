"""When work is due: nbgrader's due dates, and the extensions that single students have. All times are UTC."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import func, select

Time = datetime.datetime
NONE = datetime.timedelta()


@dataclass(frozen=True)
class Arrival:
    """When one student's work came, and what that cost."""

    time: Time | None
    extension: datetime.timedelta = NONE
    penalty: float = 0.0


@dataclass(frozen=True)
class Due:
    """The due date of one exercise, and what came of it."""

    date: Time | None
    arrivals: Mapping[str, Arrival] = field(default_factory=dict)  # by student

    def of(self, student: str) -> Time | None:
        """When this student's work is due."""
        arrival = self.arrivals.get(student)
        return self.date and self.date + (arrival.extension if arrival else NONE)

    def last(self) -> Time | None:
        """When the last one's work is due."""
        return self.date and self.date + max((a.extension for a in self.arrivals.values()), default=NONE)

    def late(self, student: str) -> datetime.timedelta:
        """How long after that it came; nothing where it was in time, or nobody can tell."""
        arrival, due = self.arrivals.get(student), self.of(student)
        return max(arrival.time - due, NONE) if arrival and arrival.time and due else NONE


def due(gradebook: Gradebook, name: str) -> Due:
    """What the gradebook knows of it; an exercise that is not in it has no due date."""
    date = gradebook.db.execute(select(Assignment.duedate).where(Assignment.name == name)).scalar()
    row = SubmittedAssignment
    rows = gradebook.db.execute(
        select(
            row.student_id, row.timestamp, row.extension, func.sum(SubmittedNotebook.late_submission_penalty)
        )
        .join(Assignment, row.assignment_id == Assignment.id)
        .outerjoin(SubmittedNotebook, SubmittedNotebook.assignment_id == row.id)
        .where(Assignment.name == name)
        .group_by(row.id)
    )
    arrivals = {student: Arrival(time, more or NONE, lost or 0.0) for student, time, more, lost in rows}
    return Due(date, arrivals)


def now() -> Time:
    """The time, as nbgrader keeps times: in UTC, and without saying so."""
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
