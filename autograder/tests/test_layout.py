"""A course is found from anywhere inside it, and its own files come before the kit's."""

import pytest

from autograder.layout import KIT, PACKAGE, Course, CourseNotFoundError, find_course


def test_a_course_is_found_from_any_folder_inside_it(tmp_path):
    (tmp_path / "nbgrader_config.py").touch()
    deep = tmp_path / "submitted" / "陈" / "self_attention"
    deep.mkdir(parents=True)
    assert find_course(deep) == find_course(tmp_path) == Course(tmp_path.resolve())


def test_no_course_names_the_command_that_makes_one(tmp_path):
    with pytest.raises(CourseNotFoundError, match="attn init DIR"):
        find_course(tmp_path)


def test_a_course_uses_the_kits_exercises_and_its_own(tmp_path):
    own = tmp_path / "assignments" / "own_exercise"
    own.mkdir(parents=True)
    (own / "exercise.toml").touch()
    course = Course(tmp_path)
    assert {"self_attention", "own_exercise"} <= set(course.exercises)
    assert course.assignment("own_exercise") == own
    assert course.assignment("self_attention") == KIT / "assignments" / "self_attention"
    assert course.suite("self_attention") == PACKAGE / "suites" / "self_attention"
