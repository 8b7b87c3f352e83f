"""Feedback made on every core is nbgrader's to the byte, and what has not changed is not made again."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.grade.classes import grade_class
from autograder.record import giving, making
from autograder.record.classroom import make_feedback
from autograder.record.gradebook import record
from autograder.tests.weekly import GOOD, NAME, SQUARES, lie, small_exchange

STUDENTS = {"ann": GOOD, "bob": SQUARES, "cem": "def double(x:\n", "dee": "", "王": f"{GOOD}\n# <b>&amp;\n"}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = small_exchange(tmp_path_factory.mktemp("making"))
    for student, source in STUDENTS.items():
        lie(course, student, source)
    grade_class(course, NAME, walls="none")
    record(course, NAME)
    by_hand(course, "ann", "Well done, <em>Ann</em>.")
    return course


def by_hand(course, student, comment):
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        gradebook.find_grade("why_twice", NAME, NAME, student).manual_score = 3.5
        gradebook.find_comment("why_twice", NAME, NAME, student).manual_comment = comment
        gradebook.db.commit()


@pytest.fixture(autouse=True)
def nothing_made(course):
    shutil.rmtree(course.root / "feedback", ignore_errors=True)


def files(course):
    """Everything under feedback/: content and permissions."""
    folder = course.root / "feedback"
    return {
        str(file.relative_to(folder)): (file.read_bytes(), file.stat().st_mode)
        for file in folder.rglob("*")
        if file.is_file()
    }


def anew(found):
    assert not [one.fault for one in found if one.fault]
    return {one.student for one in found if one.anew}


@pytest.mark.parametrize("workers", [1, 2])
def test_every_file_is_the_one_that_nbgrader_writes(course, workers):
    make_feedback(course, NAME)
    theirs = files(course)
    shutil.rmtree(course.root / "feedback")
    assert anew(making.make(course, NAME, workers=workers)) == set(STUDENTS)
    assert files(course) == theirs
    assert {f"{student}/{NAME}/{NAME}.html" for student in STUDENTS} <= theirs.keys()


def test_what_has_not_changed_is_not_made_again_and_what_has_is(course):
    making.make(course, NAME, workers=1)
    before = {file: file.stat().st_mtime_ns for file in course.root.glob("feedback/**/*.html")}
    assert anew(making.make(course, NAME, workers=1)) == set()
    assert {file: file.stat().st_mtime_ns for file in before} == before
    by_hand(course, "bob", "See me.")
    assert anew(making.make(course, NAME, workers=1)) == {"bob"}
    assert b"See me." in (course.feedback("bob", NAME) / f"{NAME}.html").read_bytes()
    course.feedback("cem", NAME).joinpath(f"{NAME}.html").unlink()
    (course.feedback("dee", NAME) / f"{NAME}.html").write_text("spoilt", encoding="utf-8")
    assert anew(making.make(course, NAME, workers=1)) == {"cem", "dee"}
    assert anew(making.make(course, NAME, ["ann"], workers=1, force=True)) == {"ann"}


def test_who_is_left_out_in_nbgraders_settings_is_left_out(course):
    config = course.root / "nbgrader_config.py"
    text = config.read_text(encoding="utf-8")
    config.write_text(f"{text}\nc.CourseDirectory.student_id_exclude = 'bob,dee'\n", encoding="utf-8")
    try:
        assert anew(making.make(course, NAME, workers=1)) == set(STUDENTS) - {"bob", "dee"}
    finally:
        config.write_text(text, encoding="utf-8")


def test_one_that_cannot_be_made_is_told_and_the_others_are_made(course):
    book = course.autograded("bob", NAME) / f"{NAME}.ipynb"
    content = book.read_bytes()
    book.chmod(0o644)
    book.write_text("{", encoding="utf-8")
    try:
        found = making.make(course, NAME, workers=1)
        assert {one.student for one in found if one.fault} == {"bob"}
        assert {one.student for one in found if one.anew} == set(STUDENTS) - {"bob"}
    finally:
        book.write_bytes(content)


def test_what_lay_there_and_is_no_longer_made_goes(course):
    making.make(course, NAME, ["ann"], workers=1)
    (course.feedback("ann", NAME) / "older.html").write_text("", encoding="utf-8")
    making.make(course, NAME, ["ann"], workers=1, force=True)
    assert not (course.feedback("ann", NAME) / "older.html").exists()


def test_released_feedback_lies_where_nbgraders_students_fetch_it(course):
    making.make(course, NAME, workers=1)
    out = course.root / "exchange" / "mini" / "feedback"
    program = Path(sys.executable).with_name("nbgrader")
    subprocess.run([program, "release_feedback", NAME], cwd=course.root, check=True, capture_output=True)
    theirs = {file.name: file.read_bytes() for file in out.iterdir()}
    shutil.rmtree(out)
    giving.release(course, NAME)
    assert {file.name: file.read_bytes() for file in out.iterdir()} == theirs and len(theirs) == len(STUDENTS)


def test_without_a_graded_class_the_error_names_the_command(tmp_path):
    course = small_exchange(tmp_path / "course")
    with pytest.raises(making.FeedbackError, match=f"attn grade {NAME} --record"):
        making.make(course, NAME)
