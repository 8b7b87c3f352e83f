"""A made class: the same for the same seed, a true mix, each student's work what it claims to be."""

from collections import Counter

import pytest

from autograder.grade.classes import grade_class
from autograder.model import Status
from autograder.record.opening import opened
from autograder.tests.classes import released, tree
from autograder.tests.large_class import DUE, EXERCISE, MIX, make, students

COUNT = 40


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return make(released(tmp_path_factory.mktemp("class")).root, COUNT)


@pytest.fixture(scope="module")
def earned(course):
    """What each student's work is said to be, with what it earned."""
    sheets = {sheet.student: sheet for sheet in grade_class(course, EXERCISE, workers=1, walls="none")}
    return [(student.kind, sheets.get(student.id)) for student in students(COUNT, 2017)]


def test_a_student_is_the_same_in_every_class_of_the_seed(course, tmp_path):
    few = tree(make(released(tmp_path / "few").root, 12).root / "submitted")
    many = tree(course.root / "submitted")
    assert few.items() < many.items()
    assert tree(make(released(tmp_path / "other").root, 12, seed=1).root / "submitted") != few


def test_every_hundred_holds_the_mix():
    kinds = [student.kind for student in students(300, 1)]
    for start in (0, 100, 200):
        assert Counter(kinds[start : start + 100]) == MIX
    assert kinds[:100] != kinds[100:200]


def test_everybody_is_enrolled_with_a_date_that_some_miss(course):
    with opened(course) as api, api.gradebook as gradebook:
        assert {student.id for student in gradebook.students} == {s.id for s in students(COUNT, 2017)}
        assert gradebook.find_assignment(EXERCISE).duedate == DUE
    stamps = [file.read_text(encoding="utf-8") for file in course.root.glob("submitted/*/*/timestamp.txt")]
    late = [stamp for stamp in stamps if stamp[:19] > f"{DUE:%Y-%m-%d %H:%M:%S}"]
    assert 0 < len(late) < len(stamps) / 2


def test_work_earns_what_its_kind_says(earned):
    assert {kind for kind, _ in earned} >= MIX.keys() - {"endless"}
    for kind, sheet in earned:
        if kind == "missing":
            assert sheet is None
        elif kind == "broken_file":
            assert sheet.status is not Status.graded
        elif kind == "right":
            assert sheet.earned == sheet.points
        elif kind != "odd_file":
            assert sheet.earned < sheet.points
