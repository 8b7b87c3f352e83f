"""Diagnosis by imitation: every known mistake is named, alone and in pairs; nothing else is."""

from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest

from autograder.grade.local import LocalDesk
from autograder.layout import KIT, Course
from autograder.model import Sentence
from autograder.selfcheck import compare
from autograder.suites import Call, Mistake, Symptom, Telling, call, mistake, symptom, telling
from autograder.tests.grading import opened

FORMULAE = {
    "scaled_scores": (
        lambda Q, K: np.cos(Q @ np.swapaxes(K, -1, -2)),
        lambda Q, K: Q @ np.swapaxes(K, -1, -2) + 0.37,
        lambda Q, K: 0.123 * (Q @ np.swapaxes(K, -1, -2)),
    ),
    "softmax": (
        lambda scores, axis=-1: np.random.default_rng(1).random(np.shape(scores)),
        lambda scores, axis=-1: 1 / (1 + scores**2) / (1 / (1 + scores**2)).sum(axis=axis, keepdims=True),
        lambda scores, axis=-1: np.tanh(scores),
    ),
    "weighted_sum": (
        lambda weights, V: np.sqrt(np.abs(weights)) @ V,
        lambda weights, V: weights @ V + 0.01 * weights.sum(),
    ),
    "project_qkv": (lambda x, W_Q, W_K, W_V: (x @ W_Q + 1, x @ W_K + 2, x @ W_V + 3),),
    "causal_mask": (lambda n: np.random.default_rng(n).random((n, n)) > 0.4,),
    "apply_mask": (lambda scores, mask: np.where(mask, scores + 0.5, -np.inf),),
    "self_attention": (
        lambda x, W_Q, W_K, W_V, causal=False: (
            x @ W_V,
            np.abs(np.sin(x @ W_Q @ np.swapaxes(x @ W_K, -1, -2))),
        ),
    ),
}


@pytest.fixture(scope="module")
def proctor():
    with opened(Course(KIT), "self_attention") as ready:
        yield ready


def named(proctor, step, function):
    result = proctor.grade_trusted(proctor.exercise.step(step), function)
    assert result.earned < result.points
    return [diagnosis.mistake for diagnosis in result.diagnosis]


def imitated(proctor, step, *mistakes):
    return proctor.known.imitator.function(step, mistakes)


def known(proctor, step):
    return [item for item in proctor.mistakes if isinstance(item, Mistake) and item.step == step]


def test_every_mistake_is_named_by_its_own_name(proctor):
    missed = {
        (step.name, one.name)
        for step in proctor.exercise.steps
        for one in known(proctor, step.name)
        if named(proctor, step.name, imitated(proctor, step.name, one)) != [one.name]
    }
    assert not missed


@pytest.mark.parametrize("step", FORMULAE)
def test_a_formula_of_no_known_kind_gets_no_name(proctor, step):
    for formula in FORMULAE[step]:
        assert named(proctor, step, formula) == []


def test_a_pair_is_named_where_neither_alone_explains_it(proctor):
    kinds = ("forgets_the_scale", "turns_the_scores_round", "scores_keys_with_keys", "divides_by_d_k")
    chosen = [one for one in known(proctor, "scaled_scores") if one.name in kinds]
    assert len(chosen) == 4
    for first, second in permutations(chosen, 2):
        if alike(proctor, "scaled_scores", (first, second), ()):
            continue  # the one makes good what the other spoils
        found = named(proctor, "scaled_scores", imitated(proctor, "scaled_scores", first, second))
        assert len(found) in (1, 2)
        if len(found) == 2:
            again = [
                next(one for one in known(proctor, "scaled_scores") if one.name == name) for name in found
            ]
            assert alike(proctor, "scaled_scores", (first, second), again)


def alike(proctor, step, mistakes, others):
    """Whether two lists of mistakes answer every call alike: then either list is a right name."""
    lines = [line for test in proctor.suite.of(step) for line in test.script]
    one, other = (
        [proctor.known.imitator.answer(step, chosen, line) for line in lines] for chosen in (mistakes, others)
    )
    return all(
        a.outcome is b.outcome and compare(a.value, b.value) is None for a, b in zip(one, other, strict=True)
    )


def test_a_helpers_mistake_written_out_in_the_composed_step_is_named(proctor):
    tried = 0
    for inner in known(proctor, "scaled_scores") + known(proctor, "softmax"):
        function = imitated(proctor, "self_attention", inner)
        result = proctor.grade_trusted(proctor.exercise.step("self_attention"), function)
        if result.earned < result.points and result.diagnosis:
            names = [diagnosis.mistake for diagnosis in result.diagnosis]
            found = [one for one in proctor.mistakes if getattr(one, "name", "") in names]
            assert names == [inner.name] or any(
                alike(proctor, "self_attention", (inner,), (one,))
                for one in found
                if isinstance(one, Mistake)
            )
            tried += 1
    assert tried > 20


def test_a_mistake_of_the_composed_step_and_one_of_a_helper_are_both_named(proctor):
    inner = next(one for one in known(proctor, "scaled_scores") if one.name == "forgets_the_scale")
    own = next(one for one in known(proctor, "self_attention") if one.name == "ignores_causal")
    found = named(proctor, "self_attention", imitated(proctor, "self_attention", inner, own))
    assert sorted(found) == ["forgets_the_scale", "ignores_causal"]


def test_exchanged_helpers_are_put_back(proctor):
    lines = [line for test in proctor.suite.of("self_attention") for line in test.script][:3]
    right = [proctor.known.imitator.answer("self_attention", (), line).value[0] for line in lines]
    function = imitated(proctor, "self_attention", known(proctor, "softmax")[0])
    for line in lines:
        function(*line.args, **line.kwargs)
    plain = imitated(proctor, "self_attention")
    for line, value in zip(lines, right, strict=True):
        assert np.array_equal(plain(*line.args, **line.kwargs)[0], value)


# the words that mistakes are written with


def test_a_mistake_is_a_change_to_the_correct_function():
    @mistake("double", en="E.", zh="Z。", convention=True)
    def adds_one(correct, x, *, by=1):
        return correct(x) + by

    assert (adds_one.name, adds_one.step, adds_one.sentence) == ("adds_one", "double", Sentence("E.", "Z。"))
    assert adds_one.convention
    assert adds_one.on(lambda x: 2 * x)(3, by=2) == 8
    assert adds_one.on(adds_one.on(lambda x: 2 * x))(3) == 8


def test_symptoms_and_telling_inputs_know_their_step():
    @symptom("double", en="E.", zh="Z。")
    def shows_it(calls):
        return not calls

    @telling("double")
    def square(rng):
        return [(1,), call(2, by=3)]

    assert isinstance(shows_it, Symptom)
    assert shows_it.shows([])
    assert isinstance(square, Telling)
    assert square.cases(None) == [(1,), Call((2,), {"by": 3})]


def test_a_trusted_function_is_graded_as_a_students_is(proctor):
    step = proctor.exercise.step("softmax")
    right = proctor.grade_trusted(step, proctor.suite.reference.functions["softmax"])
    assert right.earned == Fraction(4)
    assert proctor.grade_trusted(step, lambda scores, axis=-1: None).earned == 0
    assert LocalDesk({"softmax": None}).defined == {"softmax"}


def test_a_diagnosis_does_not_depend_on_who_came_before(proctor):
    step = proctor.exercise.step("scaled_scores")
    chosen = known(proctor, "scaled_scores")[::3]
    functions = [imitated(proctor, "scaled_scores", *pair) for pair in pairwise(chosen)]
    functions += FORMULAE["scaled_scores"]
    results = []
    for order in (functions, functions[::-1]):
        with opened(Course(KIT), "self_attention") as another:
            found = {id(function): another.grade_trusted(step, function) for function in order}
        results.append([found[id(function)] for function in functions])
    assert results[0] == results[1]
