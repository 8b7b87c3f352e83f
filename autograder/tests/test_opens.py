"""The doctor's warning where an exercise hands out solved what another one still asks."""

import datetime
import sqlite3
from contextlib import closing

import pytest

from autograder.author.doctor.opens import are_closed, still_open
from autograder.author.exercise import load_exercise
from autograder.tests.courses import empty_gradebook
from autograder.tests.given import GIVEN, NAME, make_given_course


@pytest.fixture
def course(tmp_path):
    return make_given_course(tmp_path)


def gradebook(course, due=None, recorded=(), by_hand=()):
    """A gradebook that knows the first exercise, and of whom work is recorded or waits for a person."""
    (course.root / "gradebook.db").write_bytes(empty_gradebook())
    with closing(sqlite3.connect(course.root / "gradebook.db")) as database:
        database.execute("insert into assignment values ('a', ?, ?, 'c')", (GIVEN, due))
        for student in recorded:
            database.execute(
                f"insert into submitted_assignment values ('{student}', 'a', '{student}', '', '')"
            )
            database.execute(f"insert into submitted_notebook values ('{student}', '{student}', 'n', 0, 0)")
            waits = student in by_hand
            database.execute("insert into grade values (?, ?, 'x', 1, 0, 0, ?)", (student, student, waits))
        database.commit()


def hand_in(course, *students):
    for student in students:
        course.submitted(student, GIVEN).mkdir(parents=True)


NOW = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
DAY = datetime.timedelta(days=1)


def test_nobody_is_warned_before_the_release(course):
    gradebook(course, due=str(NOW + DAY))
    assert not list(are_closed(course, load_exercise(course, NAME)))


def test_a_release_while_the_first_is_open_is_a_warning_with_the_reason(course):
    course.release(NAME).mkdir(parents=True)
    gradebook(course, due=str(NOW + DAY))
    (fault,) = are_closed(course, load_exercise(course, NAME))
    assert fault.warning and "two_steps solved, which is still open: it is due on" in fault.detail
    assert fault.cure == "Release more when two_steps is closed"
    assert not list(are_closed(course, load_exercise(course, GIVEN)))


def test_it_is_closed_when_the_date_has_passed(course):
    gradebook(course, due=str(NOW - DAY))
    hand_in(course, "ann")
    assert still_open(course, GIVEN) == ""


def test_without_a_date_it_is_closed_when_all_work_is_graded(course):
    assert still_open(course, GIVEN) == ""  # it was never released here
    course.release(GIVEN).mkdir(parents=True)
    assert still_open(course, GIVEN) == "it has no due date, and nobody has handed it in"
    hand_in(course, "ann", "bob")
    assert "2 of its submissions are not graded" in still_open(course, GIVEN)
    gradebook(course, recorded=["ann", "bob"], by_hand=["bob"])
    assert "1 of its submissions are not graded" in still_open(course, GIVEN)
    gradebook(course, recorded=["ann", "bob"])
    assert still_open(course, GIVEN) == ""
