"""What a teacher is told on an appeal."""

from functools import partial
from pathlib import Path

import pytest

from autograder.grade import classes
from autograder.grade import grade as grading
from autograder.grade.explain import explain
from autograder.model import KitError
from autograder.tests.grading import GOOD, small_class, submit

grade_class = partial(classes.grade_class, walls="none")  # quick; all work here is our own


@pytest.fixture
def course(tmp_path):
    return small_class(tmp_path)


def test_an_explanation_holds_all_that_decides_an_appeal(course):
    grade_class(course, "two_steps")
    text = explain(course, "two_steps", "bob", "double")
    for part in (
        "return x * x",
        "1 of 2" if False else "0 of 2",
        "squares",
        "You squared",
        "Every entry is doubled.",
        "每个数都翻倍。",
    ):
        assert part in text
    names = {}
    exec(runnable(text), names)
    assert names["x"].shape == (2, 3)
    wrong = explain(course, "two_steps", "cem", "double")
    assert "NameError" in wrong
    assert "charged" not in wrong


def runnable(text):
    """The first failing call, without the call itself, which would need a student's code."""
    lines = [line.strip() for line in text.splitlines()]
    start = lines.index("import numpy as np")
    return "\n".join(lines[start : start + 2])


def test_an_explanation_runs_no_code_of_the_students(course, monkeypatch):
    grade_class(course, "two_steps")
    monkeypatch.setattr(grading.Proctor, "ready", None)
    assert "return x * x" in explain(course, "two_steps", "bob", "double")


def test_a_case_is_written_without_the_students_name_or_remarks(course):
    submit(course, "bob", "# by Bob\n" + GOOD.replace("x + x", "x * x  # my idea"))
    grade_class(course, "two_steps")
    file = explain(course, "two_steps", "bob", "double", as_case=True).splitlines()[0]
    text = Path(file).read_text(encoding="utf-8")
    assert "Bob" not in text and "my idea" not in text and "bob" not in text
    names = {}
    exec(text, names)  # this test's own code, not a student's
    failing = [value for name, value in names.items() if name.startswith("test_case")]
    assert failing
    for test in failing:
        with pytest.raises(AssertionError):
            test()


def test_an_appeal_needs_a_step_and_a_gradesheet_that_holds(course):
    with pytest.raises(KitError, match="attn grade two_steps --student bob"):
        explain(course, "two_steps", "bob", "double")
    with pytest.raises(KitError, match="double, quadruple"):
        explain(course, "two_steps", "bob", "softmax")


def test_what_could_not_be_graded_is_explained_by_its_reason(course):
    (course.root / "submitted" / "fay" / "two_steps").mkdir(parents=True)
    grade_class(course, "two_steps")
    assert explain(course, "two_steps", "fay", "double").startswith("fay, two_steps: missing")
    assert "passed" in explain(course, "two_steps", "ann", "double")


def test_the_call_is_that_of_the_step_where_two_tests_have_one_name(course):
    """Each step of self_attention has a test_leaves_no_trace."""
    source = "def weighted_sum(weights, V):\n    V *= 2\n    return weights @ V / 2\n"
    file = course.submitted("bob", "self_attention") / "self_attention.py"
    file.parent.mkdir(parents=True)
    file.write_text(source, encoding="utf-8")
    grade_class(course, "self_attention")
    text = explain(course, "self_attention", "bob", "weighted_sum")
    told = text[text.index("test_leaves_no_trace") :]
    assert "weighted_sum(" in told and "project_qkv(" not in told


def test_without_names_it_tells_all_but_whose_work_it_is(course):
    submit(course, "bob", GOOD.replace("x + x", "x * x  # by bob"))
    grade_class(course, "two_steps")
    text = explain(course, "two_steps", "bob", "double", anonymous=True)
    assert "bob" not in text and "submitted/" not in text
    assert "You squared" in text and text.startswith("a student, two_steps, double")
