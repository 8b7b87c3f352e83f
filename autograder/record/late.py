"""Late work: the course's rule for penalties, extensions, and penalties that follow what has changed since.

Due dates, extensions and hand-in times are nbgrader's own. No student's code runs here.
"""

import datetime
import math
from collections.abc import Iterable
from typing import Any

from nbgrader.api import Gradebook, MissingEntry, SubmittedAssignment
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets import Enum, Float

from autograder.layout import Course
from autograder.model import KitError
from autograder.record.gradebook import database, not_held
from autograder.record.opening import opened

MINUTE, DAY = 60, 24 * 60 * 60  # seconds


class LateWork(LateSubmissionPlugin):
    """The penalty for late work, in nbgrader_config.py as `c.LateWork.NAME = VALUE`."""

    penalty_method = Enum(
        ("none", "zero", "percent"),
        "none",
        help="none; zero: late work earns nothing; percent: a share of what it earned for each day begun.",
    ).tag(config=True)
    percent_per_day = Float(10.0, min=0, max=100, help="Percent of the points earned, a day.").tag(
        config=True
    )
    grace_minutes = Float(0.0, min=0, help="Minutes after the due date that still count as in time.").tag(
        config=True
    )
    cap_percent = Float(100.0, min=0, max=100, help="No penalty takes more than this.").tag(config=True)

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """The points to take away from `score`; None where there is no penalty."""
        late = total_seconds_late - self.grace_minutes * MINUTE
        if self.penalty_method == "none" or late <= 0:
            return None
        if self.penalty_method == "zero":
            return score
        percent = min(self.percent_per_day * math.ceil(late / DAY), self.cap_percent)
        return score * percent / 100


class Penalties(AssignLatePenalties):
    """nbgrader's own pass, for many submissions at once and without their notebooks."""

    def settle(self, submissions: Iterable[SubmittedAssignment]) -> list[str]:
        """Works every penalty out anew and names the students whose penalty is another now."""
        self.init_plugin()
        changed = []
        for submission in submissions:
            for notebook in submission.notebooks:
                before, notebook.late_submission_penalty = notebook.late_submission_penalty, None
                seconds = submission.total_seconds_late
                if seconds > 0:
                    found = self.plugin_inst.late_submission_penalty(
                        submission.student_id, notebook.score, seconds
                    )
                    if found is not None:
                        found = self._check_late_penalty(notebook, found)
                    notebook.late_submission_penalty = found
                if (before or 0) != (notebook.late_submission_penalty or 0):
                    changed.append(submission.student_id)
        return changed


def settle(gradebook: Gradebook, name: str, parent: Any) -> list[str]:
    """Penalties as due date, extensions, points by hand and the course's rule have them now.

    parent: what nbgrader's configuration is read from. Returns the students whose penalty has changed.
    """
    try:
        submissions = gradebook.find_assignment(name).submissions
    except MissingEntry:
        return []
    changed = Penalties(parent=parent).settle(submissions)
    gradebook.db.commit()
    return changed


def extend(
    course: Course, name: str, student: str, extension: datetime.timedelta
) -> tuple[Any, float, float]:
    """Grants an extension; one of no length takes it back. Returns due date, penalty before, and after.

    Raises KitError where the exercise is not in the gradebook or the student is not enrolled.
    """
    with opened(course) as api, not_held(), Gradebook(database(api), api.coursedir.course_id) as gradebook:
        try:
            due = gradebook.find_assignment(name).duedate
            gradebook.find_student(student)
        except MissingEntry as missing:
            raise KitError(f"{missing}\nRelease {name}, and enrol {student}: attn roster FILE") from missing
        if due is None:
            raise KitError(
                f"{name} has no due date, so nobody is late.\n"
                f"Set one: nbgrader db assignment add {name} --duedate='2026-12-24 23:59 UTC'"
            )
        row = _submission(gradebook, name, student)
        before = row.late_submission_penalty
        gradebook.grant_extension(name, student, minutes=extension.total_seconds() / MINUTE)
        settle(gradebook, name, api)
        gradebook.db.refresh(row)
        return row.duedate, before, row.late_submission_penalty


def _submission(gradebook: Gradebook, name: str, student: str) -> SubmittedAssignment:
    """The student's rows, made where nothing was handed in yet; then nothing in them waits for a person."""
    try:
        return gradebook.find_submission(name, student)
    except MissingEntry:
        row = gradebook.add_submission(name, student)
        for notebook in row.notebooks:
            for grade in notebook.grades:
                grade.needs_manual_grade = False
        return row
