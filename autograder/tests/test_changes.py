"""Marks that the same work would get anew are shown and held back; new work is recorded as ever."""

import pytest
from nbgrader.api import Gradebook

from autograder.cli import main
from autograder.layout import KIT
from autograder.record.gradebook import record
from autograder.tests import classes
from autograder.tests.classes import EXERCISE, hand_in
from autograder.tests.courses import edit
from autograder.tests.test_gradebook import books, rows, url
from autograder.tests.test_passes import autograde

CELL = "check_scaled_scores"


@pytest.fixture
def course(tmp_path):
    """Two students of whom one is wrong in one step, recorded; then the step is worth one point less.

    The gradebook keeps the points that were released, so it is the weights that differ.
    """
    course = classes.released(tmp_path)
    for folder in ("assignments", "suites"):
        own, kits = course.root / folder / EXERCISE, (KIT if folder == "assignments" else KIT / "autograder")
        own.parent.mkdir(exist_ok=True)
        own.symlink_to(kits / folder / EXERCISE)
    hand_in(course, "ada", classes.solved(course, classes.wrong))
    hand_in(course, "bob", classes.solved(course))
    record(course, EXERCISE)
    return course


@pytest.fixture
def attn(course, monkeypatch, capsys):
    monkeypatch.chdir(course.root)

    def run(*words):
        status = main([str(word) for word in words])
        return status, *capsys.readouterr()

    return run


def mend(course):
    """Another weight for one aspect of the step, so that who has part of its points has another part."""
    own = course.root / "assignments" / EXERCISE
    if own.is_symlink():
        files = {file.name: file.read_bytes() for file in own.iterdir() if file.is_file()}
        own.unlink()
        own.mkdir()
        for name, content in files.items():
            (own / name).write_bytes(content)
    step = '[[step]]\nname = "scaled_scores"\n'
    edit(own / "exercise.toml", step, f"{step}all_or_nothing = true\n")


def score(course, student, cell=CELL):
    with Gradebook(url(course)) as gradebook:
        grade = gradebook.find_grade(cell, EXERCISE, EXERCISE, student)
        return grade.auto_score, grade.manual_score, grade.needs_manual_grade


def by_hand(course, student, points):
    with Gradebook(url(course)) as gradebook:
        grade = gradebook.find_grade(CELL, EXERCISE, EXERCISE, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.db.commit()


def test_a_changed_mark_is_shown_before_it_is_recorded_and_held_until_it_is_accepted(course, attn):
    before, book_before, had = rows(course), books(course)["ada"], score(course, "ada")[0]
    assert had > 0
    mend(course)
    status, out, _ = attn("grade", EXERCISE)
    assert status == 0 and "ada" in out and "scaled_scores: 0 gain, 1 lose" in out
    for command in (("record", EXERCISE), ("grade", EXERCISE, "--record")):
        status, out, _ = attn(*command)
        assert status == 1 and f"attn record {EXERCISE} --accept" in out and "1 of 2 recorded" in out
        assert rows(course) == before and books(course)["ada"] == book_before
    status, out, _ = attn("diff", EXERCISE)
    assert status == 0 and "scaled_scores: 0 gain, 1 lose" in out and "--accept" in out
    assert rows(course) == before
    status, out, _ = attn("record", EXERCISE, "--accept")
    assert status == 0 and "2 of 2 recorded" in out and "scaled_scores: 0 gain, 1 lose" in out
    assert score(course, "ada")[0] == 0
    assert "no mark in the gradebook would change" in attn("diff", EXERCISE)[1]


def test_only_those_who_are_named_are_accepted(course, attn):
    hand_in(course, "cem", classes.solved(course, classes.wrong))
    record(course, EXERCISE)
    mend(course)
    assert attn("record", EXERCISE, "--accept", "--student", "cem")[0] == 0
    assert score(course, "cem")[0] == 0 < score(course, "ada")[0]


def test_new_work_is_recorded_as_ever_though_the_suite_was_mended_too(course, attn):
    mend(course)
    hand_in(course, "ada", classes.solved(course, answer="Since dot products grow."))
    status, out, _ = attn("grade", EXERCISE, "--record")
    assert status == 0 and "2 of 2 recorded" in out
    assert score(course, "ada")[0] == 3


def test_a_mark_by_hand_stays_and_is_listed_where_it_covers_a_changed_one(course, attn):
    by_hand(course, "ada", 2.5)
    mend(course)
    status, out, _ = attn("record", EXERCISE)
    assert status == 0 and "2.5 given by hand stays" in out and "2 of 2 recorded" in out
    assert score(course, "ada") == (0, 2.5, True)


def test_a_mark_where_there_was_none_is_no_change(course, attn):
    with Gradebook(url(course)) as gradebook:
        gradebook.find_grade(CELL, EXERCISE, EXERCISE, "ada").auto_score = None
        gradebook.db.commit()
    assert attn("record", EXERCISE)[0] == 0
    assert score(course, "ada")[0] is not None


def test_marks_of_which_nobody_knows_for_what_they_were_given_are_held_too(course, attn):
    with Gradebook(url(course)) as gradebook:
        gradebook.db.connection().exec_driver_sql("drop table attn_recorded")
        gradebook.db.commit()
    assert attn("record", EXERCISE)[0] == 0  # the same marks
    with Gradebook(url(course)) as gradebook:
        gradebook.db.connection().exec_driver_sql("delete from attn_recorded")
        gradebook.find_grade(CELL, EXERCISE, EXERCISE, "bob").auto_score = 1.0
        gradebook.db.commit()
    assert attn("record", EXERCISE)[0] == 1
    assert score(course, "bob")[0] == 1


def test_nbgraders_own_autograde_records_since_a_person_asked_and_says_so(course, attn, caplog):
    mend(course)
    autograde(course, "ada")
    assert score(course, "ada")[0] == 0
    assert "no mark in the gradebook would change" in attn("diff", EXERCISE)[1]


def test_work_that_was_never_recorded_is_compared_with_its_last_gradesheet(course, attn):
    hand_in(course, "cem", classes.solved(course, classes.wrong))
    attn("grade", EXERCISE, "--student", "cem")
    mend(course)
    status, out, _ = attn("grade", EXERCISE, "--student", "cem")
    assert status == 0 and "cem" in out and "scaled_scores: 0 gain, 1 lose" in out
