"""A desk is told beforehand what its step will ask of stand-ins: it asks less, and answers the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.desk.asking import sealed
from autograder.grade.prompting import Prompts
from autograder.grade.questions import Questions
from autograder.layout import KIT, Course
from autograder.tests.grading import REFERENCE, changed, marks, opened

WRONG = {
    "a helper": ("/ np.sqrt(d_k)", "/ d_k"),
    "two helpers": ("/ np.sqrt(d_k)", "/ d_k", "np.tril(", "np.triu("),
    "a helper that is called otherwise": (
        "softmax(scores)\n",
        "softmax(scores=scores)\n",
        "np.tril(",
        "np.triu(",
    ),
    "a helper, and what asks it": (
        "/ np.sqrt(d_k)",
        "/ d_k",
        "weighted_sum(weights, V), weights",
        "V, weights",
    ),
}


@pytest.fixture(scope="module")
def proctor():
    with opened(Course(KIT), "self_attention", "auto") as proctor:
        yield proctor


@pytest.fixture
def asked(monkeypatch):
    """The names of all that is asked."""
    found, answer = [], Questions.answer

    def noting(self, header, body):
        found.append(header["name"])
        return answer(self, header, body)

    monkeypatch.setattr(Questions, "answer", noting)
    return found


def wrong(what):
    words = WRONG[what]
    return changed(REFERENCE, *zip(words[::2], words[1::2], strict=True))


@pytest.mark.parametrize("what", WRONG)
def test_the_marks_are_those_of_a_desk_that_is_told_nothing(proctor, asked, monkeypatch, what):
    told = marks(proctor, wrong(what))
    less = len(asked)
    monkeypatch.setattr(Prompts, "for_", lambda self, step, needs: b"")
    assert marks(proctor, wrong(what)) == told
    assert len(asked) - less > less  # told nothing, it asks more than twice as much


def test_a_step_that_is_right_but_for_its_helper_asks_hardly_anything(proctor, asked):
    assert marks(proctor, wrong("a helper"))["self_attention"].earned
    calls = len(proctor.suite.foreseen("self_attention"))
    assert len(asked) < calls / 10  # where two processes do not agree on a last digit


def test_no_answer_can_be_read_by_who_does_not_know_its_question(proctor):
    step = proctor.exercise.step("self_attention")
    told = proctor.known.prompts.for_(step.name, step.needs)
    assert len(told) > 10_000
    for line in proctor.suite.foreseen(step.name):
        if not proctor.suite.refuses(line):
            for array in proctor.suite.expected(line):
                assert array.size < 4 or array.tobytes() not in told


@given(st.binary(min_size=1), st.binary())
def test_what_is_sealed_is_opened_with_its_question(what, answer):
    assert sealed(what, sealed(what, answer)) == answer
    assert len(answer) < 8 or sealed(what, answer) != answer != sealed(what + b"!", sealed(what, answer))
