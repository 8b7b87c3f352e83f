"""Public examples and laws: no right implementation is refused, and every wrong one is."""

import re
import warnings
from types import SimpleNamespace

import pytest

from autograder.layout import KIT
from autograder.selfcheck import laws
from autograder.selfcheck.check import examine
from autograder.selfcheck.exercise import Step, load
from autograder.selfcheck.lawbook import close
from autograder.selfcheck.report import PASSES, Finding
from autograder.selfcheck.text import finding_lines
from autograder.selfcheck.words import NOTHING
from autograder.tests.corpus import EXERCISES, STEPS, entries
from autograder.tests.released import release


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
def test_public_checks_catch_every_wrong_implementation(name, exercise):
    wrong = [entry for entry in entries() if not entry.right and entry.step == name]
    assert wrong
    assert not [entry.what for entry in wrong if report(entry, exercise).state == PASSES]


HEADS = {"split_heads", "merge_heads", "multi_head_attention"}


def test_every_step_of_the_kit_has_laws_in_both_languages():
    every = {step for steps in EXERCISES.values() for step in steps}
    assert set(laws.LAWS) == every - {"padding_mask", "combine_masks"}  # whose public examples say it all
    for book in laws.LAWS.values():
        for law in book:
            assert law.fact.en.endswith(".")
            assert law.fact.zh.endswith("。")


SIGNATURES = (
    "def split_heads(x, n_heads):",
    "def merge_heads(x):",
    "def scaled_scores(Q, K):",
    "def project_qkv(x, W_Q, W_K, W_V):",
    "def softmax(scores, axis=-1):",
)
WRONG_HEADS = {
    "splits without a transpose": (
        "split_heads",
        "return x.reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)",
    ),
    "interleaves the columns": (
        "split_heads",
        "return np.moveaxis(x.reshape(*x.shape[:-1], x.shape[-1] // n_heads, n_heads), -1, -3)",
    ),
    "merges without a transpose": ("merge_heads", "return x.reshape(*x.shape[:-3], x.shape[-2], -1)"),
    "forgets the scale": ("scaled_scores", "return Q @ np.swapaxes(K, -1, -2)"),
    "values are keys": ("project_qkv", "return x @ W_Q, x @ W_K, x @ W_K.repeat(3, axis=-1)"),
    "softmax over the heads": ("softmax", "e = np.exp(scores); return e / e.sum(axis=0, keepdims=True)"),
}


@pytest.fixture
def heads():
    """The reference of the second exercise, with the functions that it is given."""
    namespace = {}
    exec((KIT / "solutions" / "self_attention.py").read_text(encoding="utf-8"), namespace)
    source = (KIT / "solutions" / "multi_head_attention.py").read_text(encoding="utf-8")
    exec(re.sub(r"^from self_attention import .*$", "", source, flags=re.M), namespace)
    return namespace


def test_right_heads_break_no_law(heads):
    for name in HEADS:
        assert all(finding.holds for finding in laws.try_laws(heads[name], step(name)))


@pytest.mark.parametrize("wrong", WRONG_HEADS)
def test_wrong_heads_break_a_law(heads, wrong):
    name, body = WRONG_HEADS[wrong]
    head = re.search(rf"def {name}\((.*)\):", "\n".join(SIGNATURES))[0]
    exec(f"{head}\n    {body}", heads)
    own = name if name in HEADS else "multi_head_attention"
    assert not all(finding.holds for finding in laws.try_laws(heads[own], step(own)))


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

    finding = laws.try_laws(
        weighted_sum, SimpleNamespace(name="weighted_sum", needs=(), parameters=(), axes={})
    )[-1]
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


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_law_that_does_not_hold_is_told_once(language):
    for law in (law for found in laws.LAWS.values() for law in found):
        broken = Finding(False, fact=law.fact, fault=(law.fact,))
        said = "".join(line.text.strip() for line in finding_lines(broken, language, 10_000))
        assert said.count(law.fact.say(language)) == 1
        assert "bad" in {line.style for line in finding_lines(broken, language, 80)}
