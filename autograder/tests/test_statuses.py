"""`attn status`: one line for every student, whatever became of the work; and what the student reads."""

import json
from fractions import Fraction

import pytest
from nbgrader.api import Gradebook

from autograder.model import Status
from autograder.record.gradebook import record, roster, statuses
from autograder.record.opening import opened
from autograder.show import console, status_table
from autograder.tests import classes
from autograder.tests.classes import EXERCISE, hand_in
from autograder.tests.states import NO_GRADE, everybody


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = everybody(tmp_path_factory.mktemp("class"))
    record(course, EXERCISE)
    return course


def test_one_line_for_every_student(course):
    found = {row.student: row for row in statuses(course, EXERCISE)}
    assert (
        set(found)
        == set(roster(course))
        == {*(f.name for f in (course.root / "submitted").iterdir()), "absent"}
    )
    expected = {
        "absent": Status.missing,
        "nothing": Status.missing,
        "stub": Status.empty,
        "no_cells": Status.empty,
    }
    expected |= NO_GRADE
    for student, row in found.items():
        assert row.status is expected.get(student, Status.graded), student
        assert (row.reason is None) == (row.status is Status.graded), student
        assert row.points == 24
        assert (row.earned is None) == (student in NO_GRADE), student
    assert found["absent"].name == "Ab Sent" and found["script"].earned == 20
    assert found["untouched"].waiting == 1 and found["stub"].waiting == 0


def test_the_table_fits_a_terminal_and_says_once_why_there_is_no_grade(course, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    rows = statuses(course, EXERCISE)
    console().print(status_table(rows, "en"))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    unreadable = [row for row in rows if row.status is Status.unreadable]
    assert unreadable
    console().print(status_table(unreadable, "en"))
    assert "by hand" not in " ".join(capsys.readouterr().out.split())


def test_points_by_hand_are_in_the_line(tmp_path):
    course = classes.released(tmp_path)
    hand_in(course, "ada", classes.solved(course))
    record(course, EXERCISE)
    with Gradebook(classes.url(course)) as gradebook:
        grade = gradebook.find_grade("why_scale", EXERCISE, EXERCISE, "ada")
        grade.manual_score, grade.needs_manual_grade = 3.5, False
        gradebook.db.commit()
    (row,) = statuses(course, EXERCISE)
    assert (row.earned, row.waiting) == (Fraction(47, 2), 0)


def test_work_that_came_after_grading_is_not_called_graded(tmp_path):
    course = classes.released(tmp_path)
    hand_in(course, "ada", classes.solved(course))
    assert statuses(course, EXERCISE)[0].earned is None
    record(course, EXERCISE)
    assert statuses(course, EXERCISE)[0].earned == 20
    hand_in(course, "ada", classes.solved(course, classes.wrong))
    (row,) = statuses(course, EXERCISE)
    assert row.earned is None and "attn grade" in row.reason.en


def test_the_feedback_shows_what_held_and_nothing_hidden(course):
    with opened(course) as api:
        assert api.generate_feedback(EXERCISE, "untouched")["success"]
    page = (course.feedback("untouched", EXERCISE) / f"{EXERCISE}.html").read_text(encoding="utf-8")
    sheet = json.loads(course.gradesheet("untouched", EXERCISE).read_text(encoding="utf-8"))
    aspects = [aspect for step in sheet["steps"] for aspect in step["aspects"]]
    assert aspects and any(aspect["verdict"] == "failed" for aspect in aspects)
    for aspect in aspects:
        assert aspect["name"] not in page and (not aspect["detail"] or aspect["detail"] not in page)
    for name in ("scaled_scores", "softmax", "check_softmax"):
        assert name in page
    suites = "\n".join(file.read_text(encoding="utf-8") for file in course.suite(EXERCISE).glob("test_*.py"))
    told = [line.strip() for line in suites.splitlines() if "assert" in line or "agree(" in line]
    assert told and not [line for line in told if line in page]
    assert "Traceback (most recent" not in page
