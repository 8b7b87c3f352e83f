"""Public examples and laws: no right implementation is refused, and nearly every wrong one is."""

import warnings
from types import SimpleNamespace

import pytest

from autograder.selfcheck import laws
from autograder.selfcheck.check import examine
from autograder.selfcheck.exercise import Step, load
from autograder.selfcheck.lawbook import close
from autograder.selfcheck.report import PASSES
from autograder.selfcheck.words import NOTHING
from autograder.tests.corpus import STEPS, entries
from autograder.tests.released import release

# Wrong ways that laws without an answer do not see; the hidden checks do.
UNSEEN = {
    "project_qkv: results take the matrices' type",
    "project_qkv: rounds to four decimals",
    "project_qkv: rounds to six decimals",
    "project_qkv: half precision for single input",
    "scaled_scores: scale of d_k = 1 left out",
    "scaled_scores: one batch axis, einsum",
    "apply_mask: infinity only below a million",
    "softmax: small weights dropped",
    "softmax: rounds to six decimals",
    "softmax: half precision for single input",
    "weighted_sum: skips rows of zeros",
    "weighted_sum: rounds to five decimals",
    "self_attention: fill -1e6",
    "self_attention: weights dropped below 1e-3",
}


def step(name):
    return Step(name, 1, (), "()", NOTHING, {}, (), {}, "")


@pytest.fixture(scope="module")
def exercise(tmp_path_factory):
    return load(release(tmp_path_factory.mktemp("released")) / "selfcheck")


def report(entry, exercise):
    """What the public examples and laws find, as `check` runs them."""
    namespace = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(entry.source, "<student>", "exec"), namespace)
    return examine(namespace[entry.step], exercise.step(entry.step), exercise, namespace)


@pytest.mark.parametrize("name", STEPS)
def test_no_right_implementation_is_refused(name, exercise):
    right = [entry for entry in entries() if entry.right and entry.step == name]
    refused = [
        (entry.what, found.first_fault)
        for entry in right
        if (found := report(entry, exercise)).state != PASSES
    ]
    assert right
    assert not refused


@pytest.mark.parametrize("name", STEPS)
def test_public_checks_catch_every_wrong_implementation_but_those_listed(name, exercise):
    wrong = [entry for entry in entries() if not entry.right and entry.step == name]
    passing = {str(entry) for entry in wrong if report(entry, exercise).state == PASSES}
    assert passing == {entry for entry in UNSEEN if entry.startswith(name)}


def test_every_step_of_the_kit_has_laws_in_both_languages():
    assert set(laws.LAWS) == set(STEPS)
    for book in laws.LAWS.values():
        for law in book:
            assert law.fact.en.endswith(".")
            assert law.fact.zh.endswith("。")


def test_a_step_without_laws_has_nothing_to_break():
    assert laws.try_laws(print, step("something_else")) == ()


@pytest.mark.parametrize("returned", [None, 3, "text", [], (), object(), print])
@pytest.mark.parametrize("name", STEPS)
def test_nonsense_breaks_a_law_and_raises_nothing(name, returned):
    findings = laws.try_laws(lambda *args, **kwargs: returned, step(name))
    assert not findings[-1].holds
    assert findings[-1].fault


def test_what_the_function_raises_is_told_with_its_line():
    def weighted_sum(weights, V):
        return weights @ V @ V

    finding = laws.try_laws(weighted_sum, SimpleNamespace(name="weighted_sum", needs=(), parameters=()))[-1]
    assert "return weights @ V @ V" in finding.code[0]
    assert any("(5, 8) @ V (6, 8)" in sentence.en for sentence in finding.fault)


def test_a_law_that_never_ends_is_stopped():
    def causal_mask(n):
        while True:
            pass

    finding = laws.try_laws(causal_mask, step("causal_mask"), seconds=0.2)[-1]
    assert "while True" in finding.code[0] or "pass" in finding.code[0]
    assert "did not come to an end" in finding.fault[0].en


def test_closeness_is_that_of_single_precision():
    assert close([1.0, float("-inf")], [1.0 + 1e-5, float("-inf")])
    assert not close([1.0], [1.0 + 1e-4])
    assert not close([1.0, 1.0], [[1.0, 1.0]])
    assert not close((1.0,), 1.0)
