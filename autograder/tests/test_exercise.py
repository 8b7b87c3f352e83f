"""An exercise is read from its files; what is wrong in them is named with file, fault and cure."""

from fractions import Fraction

import pytest

from autograder.author.exercise import ExerciseError, load_exercise
from autograder.layout import KIT, Course
from autograder.model import Exercise, KitError
from autograder.plain import from_json, to_json
from autograder.tests.courses import edit, make_course


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)


def test_steps_come_in_the_order_of_the_toml_with_their_points(course):
    exercise = load_exercise(course, "two_steps")
    assert [(step.name, step.points) for step in exercise.steps] == [("double", 2), ("quadruple", 3)]
    assert [(question.name, question.points) for question in exercise.questions] == [("why_twice", 4)]


def test_what_a_step_needs_is_what_its_reference_calls(course):
    exercise = load_exercise(course, "two_steps")
    assert exercise.step("double").needs == ()
    assert exercise.step("quadruple").needs == ("double",)


def test_a_promise_is_a_test_function_of_the_suite(course):
    first, second = load_exercise(course, "two_steps").step("double").promises
    assert (first.name, first.clause, first.safety) == ("test_doubles_each_entry", "values", False)
    assert (first.sentence.en, first.sentence.zh) == ("Every entry is doubled.", "每个数都翻倍。")
    assert (second.clause, second.safety) == ("untouched", True)


def test_a_sentence_may_run_over_lines(course):
    sentence = load_exercise(course, "two_steps").step("quadruple").promises[1].sentence
    assert sentence.en == "The answer for a sum is the sum of the answers."


def test_weights_come_from_the_toml(course):
    step = load_exercise(course, "two_steps").step("quadruple")
    assert [step.worth(promise) for promise in step.promises] == [Fraction(1), Fraction(2)]


def test_an_exercise_survives_a_trip_through_json(course):
    exercise = load_exercise(course, "two_steps")
    assert from_json(Exercise, to_json(exercise)) == exercise


def test_the_kits_own_exercise_loads():
    exercise = load_exercise(Course(KIT), "self_attention")
    assert sum(step.points for step in exercise.steps) == 20
    others = tuple(step.name for step in exercise.steps if step.name != "self_attention")
    assert exercise.step("self_attention").needs == others


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("assignments/two_steps/exercise.toml", "points = 2", "points = 5"),
        ("solutions/two_steps.py", "return x + x", "return 2 * x"),
        ("suites/two_steps/test_double.py", "size=3", "size=4"),
        ("suites/two_steps/mistakes.py", "x * x", "x ** 2"),
    ],
)
def test_whatever_decides_a_grade_changes_the_version(course, path, old, new):
    before = load_exercise(course, "two_steps").version
    edit(course.root / path, old, new)
    assert load_exercise(course, "two_steps").version != before


def test_a_handout_does_not_change_the_version(course):
    before = load_exercise(course, "two_steps").version
    edit(course.assignment("two_steps") / "handout.en.md", "by hand", "by head")
    assert load_exercise(course, "two_steps").version == before


def test_line_endings_do_not_change_the_version(course):
    before = load_exercise(course, "two_steps").version
    file = course.solution("two_steps")
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert load_exercise(course, "two_steps").version == before


TOML, SOLUTION, SUITE = (
    "assignments/two_steps/exercise.toml",
    "solutions/two_steps.py",
    "suites/two_steps/test_double.py",
)
FAULTS = {
    "not TOML": (TOML, "minutes = 10", "minutes ="),
    "the title is not there": (TOML, 'zh = "两步"', ""),
    "double has no points": (TOML, "points = 2", ""),
    "quadruple has no points": (TOML, "points = 3", 'points = "three"'),
    "why_twice has no points": (TOML, "points = 4", "points = -4"),
    r"\[\[step\]\] has the name 'double'": (TOML, 'name = "quadruple"', 'name = "double"'),
    r"\[\[question\]\] has the name 'why twice'": (TOML, 'name = "why_twice"', 'name = "why twice"'),
    "weighs unknown aspects: test_is_cubic": (TOML, "test_is_linear", "test_is_cubic"),
    "the reference has no function triple": (TOML, 'name = "double"', 'name = "triple"'),
    "line 37 is not Python": (SOLUTION, "return x\n", "return x +\n"),
    "test_doubles_each_entry names no clause": (SUITE, '@pytest.mark.clause("values")\n', ""),
    "does not say its fact in two languages": (SUITE, "    每个数都翻倍。\n", ""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_its_file_and_a_cure(course, fault):
    path, old, new = FAULTS[fault]
    edit(course.root / path, old, new)
    with pytest.raises(ExerciseError, match=fault) as caught:
        load_exercise(course, "two_steps")
    assert isinstance(caught.value, KitError)
    assert caught.value.file == course.root / path and caught.value.cure


def test_an_unknown_exercise_is_answered_with_those_that_are_there(course):
    with pytest.raises(ExerciseError, match="two_steps"):
        load_exercise(course, "three_steps")


def test_a_file_that_is_not_utf8_is_named(course):
    file = course.assignment("two_steps") / "handout.zh.md"
    file.write_bytes("两步".encode("gbk"))
    with pytest.raises(ExerciseError, match="not UTF-8") as caught:
        load_exercise(course, "two_steps")
    assert caught.value.file == file


def test_a_missing_reference_is_named(course):
    course.solution("two_steps").unlink()
    with pytest.raises(ExerciseError, match="no such file"):
        load_exercise(course, "two_steps")
