"""What is drawn for a student tells nothing of the hidden inputs that the same code has seen."""

import pytest

from autograder.layout import KIT, Course
from autograder.tests.grading import opened, submission

SOFTMAX = """
seen = []
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    seen.append(scores)
    return {answer}
"""
WEIGHTS = "e / e.sum(axis=axis, keepdims=True)"
ANSWERS = {
    "wrong": "e",
    "telling": "np.resize(seen[0], e.shape) if len(seen) > 1 else e",
    "telling two": f"np.resize(seen[0], e.shape) if len(seen) > 1 and e.ndim == 2 else {WEIGHTS}",
    "right": WEIGHTS,
}


@pytest.fixture(scope="module")
def drawn():
    with opened(Course(KIT), "self_attention") as proctor:
        return {name: one.weights for name, answer in ANSWERS.items() for one in graded(proctor, answer)}


def graded(proctor, answer):
    """The result of softmax alone."""
    results = proctor.grade(submission("import numpy as np", SOFTMAX.format(answer=answer)))
    return [one for one in results if one.name == "softmax"]


def test_wrong_weights_are_those_of_a_process_that_has_seen_nothing_hidden(drawn):
    assert drawn["wrong"] is not None and drawn["wrong"].got != drawn["wrong"].expected
    assert drawn["telling"] == drawn["wrong"]
    assert drawn["telling two"] == drawn["right"]


def test_right_weights_are_drawn_as_they_are(drawn):
    assert drawn["right"].got == drawn["right"].expected
