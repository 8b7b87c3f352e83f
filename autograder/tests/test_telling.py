"""Diagnosis where the suite's own inputs leave a doubt, or where no function can imitate the mistake."""

from autograder.tests.courses import edit, make_course
from autograder.tests.grading import opened, submission

RAISES = """

@mistake("double", en="You multiplied x by itself.", zh="你把 x 和自己相乘。")
def multiplies_matrices(correct, x):
    if np.shape(x) != (2, 2):
        raise ValueError("no")
    return x @ x


@mistake("double", en="You turned x round.", zh="你转置了 x。")
def multiplies_transposed(correct, x):
    if np.shape(x) != (2, 2):
        raise ValueError("no")
    return x.T @ x
"""
TELLING = """

@telling("double")
def square(rng):
    return [(rng.normal(size=(2, 2)),), call(x=rng.normal(size=(2, 2)))]
"""
SYMPTOM = """

@symptom("double", en="Another answer each time.", zh="每次答案不同。")
def draws(calls):
    return not any(np.array_equal(one.answer.value, one.expected) for one in calls)


@symptom("double", en="Never.", zh="绝不。")
def crashes(calls):
    raise KeyError(calls[0].args)
"""


def course_with(tmp_path, *more):
    course = make_course(tmp_path)
    file = tmp_path / "suites/two_steps/mistakes.py"
    head = "import numpy as np\nfrom autograder.suites import call, mistake, symptom, telling"
    edit(file, "from autograder.suites import mistake", head)
    file.write_text(file.read_text(encoding="utf-8") + "".join(more), encoding="utf-8")
    return course


def found(course, source):
    with opened(course, "two_steps") as proctor:
        return [one.mistake for one in proctor.grade(submission(source))[0].diagnosis]


MATRICES = """
def double(x):
    if x.shape != (2, 2):
        raise ValueError
    return x.T @ x
"""


def test_a_mistake_that_only_raises_is_not_named_without_a_value_to_go_by(tmp_path):
    assert found(course_with(tmp_path, RAISES), MATRICES) == []


def test_more_telling_inputs_tell_apart_what_raises_alike(tmp_path):
    course = course_with(tmp_path, RAISES, TELLING)
    assert found(course, MATRICES) == ["multiplies_transposed"]
    assert found(course, MATRICES.replace(".T", "")) == ["multiplies_matrices"]
    assert found(course, "def double(x):\n    return x + y\n") == []


def test_a_symptom_names_what_nothing_imitates_and_its_own_trouble_costs_nothing(tmp_path):
    source = "import numpy as np\ndef double(x):\n    return x * np.random.rand()\n"
    assert found(course_with(tmp_path, SYMPTOM), source) == ["draws"]


def test_a_mistake_is_named_beside_an_accident_of_another_kind(tmp_path):
    course = course_with(tmp_path)
    edit(
        tmp_path / "suites/two_steps/test_double.py",
        "    agree(double(x), reference.double(x))",
        "    for one in (x, x + 1, x - 1, np.array([0, 2])):\n"
        "        agree(double(one), reference.double(one))",
    )
    odd = "def double(x):\n    return x * x if x.dtype == float else 'none'\n"
    assert found(course, odd) == ["squares"]
