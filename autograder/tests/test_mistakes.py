"""Every known mistake costs marks and is called by its own sentence, alone and in pairs."""

import re
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from autograder.grade.load import load_mistakes
from autograder.layout import KIT, Course
from autograder.suites import Mistake, Symptom
from autograder.tests.corpus import EXERCISES
from autograder.tests.grading import opened

COURSE = Course(KIT)
EXERCISE = {step: name for name, steps in EXERCISES.items() for step in steps}
KNOWN = [item for name in EXERCISES for item in load_mistakes(COURSE.suite(name))]
MISTAKES = [item for item in KNOWN if isinstance(item, Mistake)]
SAID = [item for item in KNOWN if isinstance(item, Mistake | Symptom)]
LONGEST = 110  # characters of a sentence, which a student reads beside others
CODE = re.compile(r"\[|\bnp\.(?!dot|inner)|\w\(")  # sentences say where to look, and give no code
PAIRS = [  # two slips that a student makes together
    ("scaled_scores", "forgets_the_scale", "turns_the_scores_round"),
    ("scaled_scores", "divides_by_d_k", "turns_the_scores_round"),
    ("causal_mask", "marks_the_forbidden", "gives_ones_and_zeros"),
    ("apply_mask", "masks_where_it_is_true", "transposes_the_mask"),
    ("apply_mask", "fills_with_a_large_number", "transposes_the_mask"),
    ("weighted_sum", "transposes_the_weights", "divides_by_the_number_of_keys"),
    ("self_attention", "ignores_causal", "returns_the_weights_first"),
    ("self_attention", "mixes_the_keys", "is_always_causal"),
    ("split_heads", "cuts_without_turning", "counts_the_heads_backwards"),
    ("merge_heads", "joins_without_turning", "turns_the_result_round"),
    ("padding_mask", "marks_the_filling", "gives_ones_and_zeros"),
    ("padding_mask", "allows_one_too_many", "forgets_the_axis_of_queries"),
    ("combine_masks", "takes_the_first_two", "gives_ones_and_zeros"),
    ("multi_head_attention", "ignores_causal", "forgets_the_scale"),
    ("multi_head_attention", "takes_the_width_of_all_heads", "returns_mean_weights"),
]


@pytest.fixture(scope="module")
def proctors():
    return {name: opened(COURSE, name) for name in EXERCISES}


def named(item):
    return f"{item.step}-{item.name}"


def found(proctors, step, *mistakes):
    """The result of the reference's step with the mistakes in it, one on top of the other."""
    proctor = proctors[EXERCISE[step]]
    function = proctor.suite.reference.functions[step]
    for mistake in mistakes:
        function = mistake.on(function)
    return proctor.grade_trusted(proctor.exercise.step(step), function)


@pytest.mark.parametrize("mistake", MISTAKES, ids=named)
def test_it_costs_marks_and_is_called_by_its_own_sentence(proctors, mistake):
    result = found(proctors, mistake.step, mistake)
    assert result.earned < result.points
    assert [diagnosis.sentence for diagnosis in result.diagnosis] == [mistake.sentence]


@pytest.mark.parametrize("item", SAID, ids=named)
def test_its_sentence_is_short_in_both_languages_and_without_code(item):
    assert item.step in EXERCISE
    assert 10 < len(item.sentence.en) <= LONGEST
    assert not re.search(r"[\u4e00-\u9fff]", item.sentence.en)
    assert 5 < len(re.findall(r"[\u4e00-\u9fff]", item.sentence.zh)) <= LONGEST
    assert item.sentence.en[-1] == "." and item.sentence.zh[-1] == "。"
    assert not CODE.search(item.sentence.en)


@pytest.mark.parametrize("item", [item for item in MISTAKES if item.convention], ids=named)
def test_a_convention_is_answered_kindly(item):
    assert re.search(r"right|often used", item.sentence.en) and "here" in item.sentence.en
    assert re.search(r"对|正确|很多", item.sentence.zh) and "这里" in item.sentence.zh


def test_each_name_stands_for_one_mistake_of_its_step():
    """Told by its answers or, where there is chance in them, by a symptom too: the sentence is one."""
    names = Counter((type(item), item.step, item.name) for item in SAID)
    assert set(names.values()) == {1}
    assert len({name[1:] for name in names}) == len({(item.step, item.name, item.sentence) for item in SAID})


@pytest.mark.parametrize(("step", "first", "second"), PAIRS)
def test_two_together_are_both_named_in_either_order(proctors, step, first, second):
    pair = [item for item in MISTAKES if item.step == step and item.name in (first, second)]
    for chosen in permutations(pair):
        result = found(proctors, step, *chosen)
        assert {diagnosis.mistake for diagnosis in result.diagnosis} == {first, second}
        assert result.earned < result.points


LAZY = {
    "zeros": lambda right, *args: like(right, lambda array: np.zeros(array.shape)),
    "ones": lambda right, *args: like(right, lambda array: np.ones(array.shape)),
    "a constant": lambda right, *args: like(right, lambda array: np.full(array.shape, 0.25)),
    "uniform": lambda right, *args: like(right, lambda array: np.full(array.shape, 1 / array.shape[-1])),
    "no True": lambda right, *args: like(right, lambda array: np.zeros(array.shape, bool)),
    "all True": lambda right, *args: like(right, lambda array: np.ones(array.shape, bool)),
    "minus infinity": lambda right, *args: like(right, lambda array: np.full(array.shape, -np.inf)),
    "nan": lambda right, *args: like(right, lambda array: np.full(array.shape, np.nan)),
    "the mean": lambda right, *args: like(right, lambda array: np.full(array.shape, np.mean(array))),
    "the mean of each row": lambda right, *args: like(right, averaged),
    "the first argument": lambda right, *args: args[0],
    "the last argument": lambda right, *args: args[-1],
    "the first argument, transposed": lambda right, *args: np.swapaxes(args[0], -1, -2),
    "the last argument, transposed": lambda right, *args: np.swapaxes(args[-1], -1, -2),
    "the first argument thrice": lambda right, *args: (args[0],) * 3,
    "the first argument twice": lambda right, *args: (args[0],) * 2,
    "noise": lambda right, *args: like(right, lambda array: np.random.default_rng(1).random(array.shape)),
    "a number": lambda right, *args: 0.5,
    "nothing": lambda right, *args: None,
    "a stub": lambda right, *args: (_ for _ in ()).throw(NotImplementedError),
}


def like(right, made):
    if isinstance(right, tuple) and not any(map(np.ndim, right)):
        return tuple(made(np.array(right)))  # the mean of a number would be the number
    return tuple(map(made, right)) if isinstance(right, tuple) else made(right)


def averaged(array):
    return np.broadcast_to(array.astype(float).mean(axis=-1, keepdims=True), array.shape).copy()


@pytest.mark.parametrize("step", EXERCISE)
@pytest.mark.parametrize("lazy", LAZY)
def test_a_lazy_answer_earns_nothing(proctors, step, lazy):
    """Not even one that knows the right shape."""
    proctor = proctors[EXERCISE[step]]
    reference = proctor.suite.reference.functions[step]

    def answer(*args, **kwargs):
        return LAZY[lazy](reference(*args, **kwargs), *args)

    assert proctor.grade_trusted(proctor.exercise.step(step), answer).earned == 0


@pytest.mark.parametrize("step", EXERCISE)
def test_the_reference_has_no_mistake(proctors, step):
    result = found(proctors, step)
    assert (result.earned, result.diagnosis) == (result.points, ())


def test_an_unstable_softmax_keeps_most_and_a_wrong_axis_does_not(proctors):
    cost = {item.name: found(proctors, "softmax", item).earned for item in MISTAKES if item.step == "softmax"}
    assert cost["forgets_to_shift"] > 3 and cost["normalises_over_queries"] < 2
