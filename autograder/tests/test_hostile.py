"""Nothing that a desk sends or does is ever our fault, and no question of a desk costs us much."""

import tracemalloc
import warnings
from contextlib import suppress

import numpy as np
import pytest

from autograder.author.exercise import load_exercise
from autograder.grade.answers import Answer, Effects, Error, Outcome, Refused
from autograder.grade.load import Source
from autograder.grade.sitting import Sitting
from autograder.grade.standins import CELLS, StandIns, bound
from autograder.grade.wording import Narrator
from autograder.layout import KIT, Course
from autograder.model import Verdict
from autograder.tests.grading import REFERENCE, opened


@pytest.fixture(scope="module")
def proctor():
    with opened(Course(KIT), "self_attention") as ready:
        yield ready


@pytest.fixture
def reference():
    return REFERENCE


ODD = {
    "None": None,
    "text": "softmax",
    "a number": 1.0,
    "not a number": float("nan"),
    "a truth": True,
    "an int": 7,
    "an empty tuple": (),
    "a tuple": (1.0, 2.0),
    "three things": (np.zeros(3), None, "x"),
    "nested": [[1, 2], [3, [4]]],
    "nothing in it": np.zeros((0,)),
    "empty rows": np.zeros((5, 0)),
    "a scalar array": np.array(3.0),
    "all nan": np.full((2, 5, 6), np.nan),
    "truths": np.ones((5, 6), bool),
    "bytes": np.ones((2, 5, 6), np.uint8),
    "half": np.ones((5, 6), np.float16),
    "complex": np.ones((5, 6), complex),
    "many axes": np.ones((1,) * 12),
    "a column": np.ones((4000, 1)),
    "large": np.ones((2000, 300)),
    "a pair of odd arrays": (np.ones((3, 1)), np.zeros(())),
}


@pytest.mark.parametrize("odd", ODD)
def test_nothing_that_a_desk_answers_is_ever_our_fault(proctor, odd):
    for effects in (Effects(), Effects((0, 99, -3, "nonsense"), generator=True, printed="x")):
        check(proctor, Answer(Outcome.returned, ODD[odd], effects=effects))


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.returned])
def test_nothing_that_becomes_of_a_call_is_ever_our_fault(proctor, outcome):
    for error in (None, Error("ValueError", "matmul: {x} \\d ((", 10**5, 99), Error("Exception", "")):
        check(proctor, Answer(outcome, error=error))


def check(proctor, answer):
    class Desk:
        defined = frozenset(step.name for step in proctor.exercise.steps)
        loaded = ()

        def many(self, name, cases):
            return [answer] * len(cases)

    sitting = Sitting(proctor.known, Desk(), Narrator(proctor.suite, ()))
    for step in proctor.exercise.steps:
        result = sitting.grade(step)
        assert result.verdict not in (Verdict.grader_fault, Verdict.passed)
        assert result.earned == 0


# the reference's answers to a desk


def test_a_desk_is_answered_for_the_needed_steps_alone(proctor):
    functions = proctor.suite.reference.functions
    stand_ins = StandIns(functions, ("softmax",))
    assert list(stand_ins) == ["softmax"]
    assert "causal_mask" not in stand_ins
    given = np.arange(6.0).reshape(2, 3)
    assert np.array_equal(stand_ins["softmax"](given, axis=0), functions["softmax"](given, axis=0))


HOSTILE = {
    "a huge count": ("causal_mask", (10**9,)),
    "a count that is a float": ("causal_mask", (1e9,)),
    "a count in an array": ("causal_mask", (np.array(1e9),)),
    "a count of half precision": ("causal_mask", (np.float32(-1e9),)),
    "a count below zero": ("causal_mask", (-(10**6),)),
    "long rows": ("scaled_scores", (np.zeros((10**6, 1)), np.zeros((10**6, 1)))),
    "batches that multiply": ("scaled_scores", (np.zeros((1, 3000, 9, 2)), np.zeros((3000, 1, 9, 2)))),
    "a huge count beside an empty batch": ("padding_mask", (np.zeros((2, 0, 3)), 1e9)),
    "long rows beside an empty batch": (
        "combine_masks",
        (np.ones((10**5, 1)), np.ones((1, 10**5)), np.ones((0, 1, 1))),
    ),
    "text": ("softmax", ("a",)),
    "a list": ("softmax", ([1.0],)),
    "complex numbers": ("softmax", (np.zeros(3, complex),)),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_question_is_refused_before_anything_is_computed(proctor, case):
    name, args = HOSTILE[case]
    asked = []
    stand_ins = StandIns({name: lambda *args: asked.append(args)}, (name,))
    with pytest.raises(Refused):
        stand_ins[name](*args)
    assert not asked


PARTS = [
    *(
        np.zeros(shape)
        for shape in ((5, 6), (2, 5, 6), (10**5, 1), (1, 10**5), (300, 1, 1, 300), (0,), (2, 0, 3))
    ),
    *(np.zeros((3, 1, 0, 2, 1)), np.ones((3, 4), bool), np.full(2, 10**9), np.array(1e9), np.array([3e4])),
    *(10**9, 30_000, -3, 1e9, float("nan"), np.int64(10**9), True, None, 5),
]


@pytest.mark.parametrize("name", Course(KIT).exercises)
def test_no_question_costs_much_memory_whatever_it_combines(name):
    """Also on the way to a small answer: what is multiplied first may be huge."""
    exercise, rng = load_exercise(Course(KIT), name), np.random.default_rng(5)
    functions = Source(Course(KIT).solution(name), exercise.given).functions()
    tracemalloc.start()
    for _ in range(1500):
        stand_ins = StandIns(functions, (asked := str(rng.choice([*functions])),))
        args = [PARTS[place] for place in rng.integers(len(PARTS), size=rng.integers(1, 5))]
        with warnings.catch_warnings(), np.errstate(all="ignore"), suppress(Exception):
            warnings.simplefilter("ignore")
            stand_ins[asked](*args)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 64 << 20


def test_a_desk_may_not_ask_for_ever():
    stand_ins = StandIns({"softmax": lambda x: x}, ("softmax",))
    with pytest.raises(Refused):
        for _ in range(10**5):
            stand_ins["softmax"](np.zeros((64, 512)))


def test_no_answer_is_larger_than_its_bound(proctor):
    functions, seen = proctor.suite.reference.functions, 0
    for test in proctor.suite.tests:
        for line in test.script:
            value = functions[line.step](*line.args, **line.kwargs)
            sizes = [np.size(part) for part in value] if isinstance(value, tuple) else [np.size(value)]
            limit = bound([*line.args, *line.kwargs.values()])
            assert max(sizes) <= limit <= CELLS
            seen += 1
    assert seen > 100
