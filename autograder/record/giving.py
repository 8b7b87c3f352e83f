"""Feedback pages to the students: as nbgrader releases them, and so often a day as the course has set."""

import datetime
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from nbgrader.apps.api import NbGraderAPI
from nbgrader.utils import capture_log

from autograder.layout import Course
from autograder.record.due import now
from autograder.record.making import FeedbackError, Page, current, make, read_pages, write_pages
from autograder.record.opening import opened
from autograder.record.policy import must_wait
from autograder.record.work import Work


def release(course: Course, name: str, students: Sequence[str] | None = None) -> None:
    """`nbgrader release_feedback` for all, or for `students`. Raises FeedbackError where nbgrader refuses."""
    facts = read_pages(course, name)
    with opened(course) as api:
        for student in students if students is not None else [None]:
            _refused(api, name, student)
    given = facts if students is None else students
    pages = {
        student: replace(page, released=page.made) if student in given else page
        for student, page in facts.items()
    }
    write_pages(course, name, pages)


def _refused(api: NbGraderAPI, name: str, student: str | None) -> None:
    api.coursedir.assignment_id, api.coursedir.student_id = name, student or "*"
    about = {"coursedir": api.coursedir, "authenticator": api.authenticator, "parent": api}
    result: dict[str, Any] = capture_log(api.exchange.ReleaseFeedback(**about))
    if not result["success"]:
        log = [line for line in result.get("log", "").splitlines() if line.startswith("[ERROR]")]
        reasons = log or result["error"].strip().splitlines()[-1:]
        raise FeedbackError("\n".join([f"The feedback of {name} is made, but was not released:", *reasons]))


def give(
    course: Course,
    name: str,
    most: int,
    exchange: bool,
    today: str | None,
    faults: list[str],
    held: Collection[str] = (),
) -> tuple[int, int]:
    """How many were given new feedback, and how many must wait since they had their share."""
    today = today or datetime.datetime.now().astimezone().date().isoformat()
    try:
        facts, pages = current(course, name), read_pages(course, name)
    except FeedbackError:
        return 0, 0  # nobody has a grade yet
    due = [one for one in facts if pages.get(one, Page()).released != facts[one]]
    due = _allowed(course, name, [one for one in due if one not in held])
    ready = [one for one in due if not most or pages.get(one, Page()).given.count(today) < most]
    made = make(course, name, ready) if ready else []
    faults += [f"{one.student}: no feedback: {one.fault}" for one in made if one.fault]
    given = [one.student for one in made if not one.fault]
    if given and exchange:
        release(course, name, given)
    _note(course, name, given, today)
    return len(given), len(due) - len(ready)


def _allowed(course: Course, name: str, students: Sequence[str]) -> list[str]:
    """Those whose feedback need not wait for their due date."""
    with opened(course) as api, Work(course, name) as work:
        dates = work.due(api.coursedir.db_url)
        return [one for one in students if not must_wait(work.policy, dates, one, name, now())]


def _note(course: Course, name: str, students: Sequence[str], today: str) -> None:
    pages = read_pages(course, name)
    for student in students:
        page = pages[student]
        days = (*(day for day in page.given if day == today), today)  # of other days nobody asks
        pages[student] = replace(page, released=page.made, given=days)
    if students:
        write_pages(course, name, pages)
