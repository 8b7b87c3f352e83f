"""A class whose students hand in through an LMS, for tests of what comes from there and goes back."""

import datetime

from nbgrader.api import Gradebook

from autograder.record.lms.collecting import collect_zip
from autograder.tests import classes
from autograder.tests.classes import EXERCISE
from autograder.tests.downloads import zip_of

DUE = datetime.datetime(2026, 3, 2, 12)
ROSTER = {"ada": ("Ada", "Lovelace", "101"), "bob": ("Bob", "Li", "102"), "王小明": ("小明", "王", "103")}


def enrolled(folder):
    """A course with a due date and students whom Canvas knows."""
    course = classes.released(folder)
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as book:
        book.update_or_create_assignment(EXERCISE, duedate=f"{DUE} UTC")
        for student, (first, last, lms) in ROSTER.items():
            book.add_student(student, first_name=first, last_name=last, lms_user_id=lms)
    return course


def collected(course, *entries, **how):
    return taken(course, zip_of(*entries), **how)


def taken(course, content, **how):
    file = course.root / "download.zip"
    file.write_bytes(content)
    return collect_zip(course, EXERCISE, file, **how)
