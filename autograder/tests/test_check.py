"""check: the public examples of a released exercise, and what a student sees of them."""

import re
import warnings

import numpy as np
import pytest

from autograder.selfcheck.check import examine
from autograder.selfcheck.exercise import BrokenRelease, decoded, load
from autograder.selfcheck.report import FAILS, MISSING, PASSES, UNWRITTEN
from autograder.tests.released import REFERENCE
from autograder.tests.reports import report, told, write


def test_the_reference_passes_every_step(exercise, reference):
    for step in exercise.steps:
        found = examine(reference[step.name], step, exercise, reference)
        assert found.state == PASSES, told(found)
        total = step.examples[-1].number
        assert f"{total} of {total} public examples pass" in told(found)


def test_a_paragraph_of_examples_counts_once_and_only_if_all_of_it_is_right(exercise, reference):
    def transposed_weights(*arguments, **keywords):
        output, weights = reference["self_attention"](*arguments, **keywords)
        return output, weights.swapaxes(-1, -2)

    found = examine(transposed_weights, exercise.step("self_attention"), exercise, reference)
    assert len(found.examples) > found.total == 3
    assert found.held == 1  # the third example looks at the output alone


def test_a_pass_never_comforts_falsely(exercise, reference):
    for step, language in ((s, tongue) for s in exercise.steps for tongue in ("en", "zh")):
        text = told(examine(reference[step.name], step, exercise, reference), language)
        assert ("Hidden checks will also try" if language == "en" else "隐藏测试还会") in text
        assert not re.search(r"all (tests|checks) pass|全部通过", text, re.I)


def test_a_stub_is_not_written_yet(exercise):
    for step in exercise.steps:
        found = report(exercise, step.stub, step.name)
        assert found.state == UNWRITTEN
        assert "not written yet" in told(found)
        assert "还没有写" in told(found, "zh")


def test_a_function_that_is_not_there_is_missing(exercise):
    found = report(exercise, "")
    assert found.state == MISSING
    assert "softmax" in told(found)


def test_a_wrong_result_shows_expected_got_and_the_worst_place(exercise):
    found = report(
        exercise, "def softmax(s, axis=-1):\n    e = np.exp(s)\n    return e / e.sum(axis=0, keepdims=True)"
    )
    text = told(found)
    assert found.state == FAILS
    assert "expected" in text
    assert "got" in text
    assert ">" in text
    assert "furthest off is at [" in text
    assert "section `softmax`" in text


def test_overflow_is_told_as_nan(exercise):
    source = "def softmax(s, axis=-1):\n    e = np.exp(s)\n    return e / e.sum(axis=axis, keepdims=True)"
    assert "nan, where a finite number is expected" in told(report(exercise, source))


def test_an_earlier_step_is_to_be_mended_first(exercise, reference):
    reference["softmax"] = write("def softmax(s, axis=-1):\n    return s")["softmax"]
    found = examine(reference["self_attention"], exercise.step("self_attention"), exercise, reference)
    assert found.state == FAILS
    assert "Mend softmax first" in told(found)
    assert "请先改好 softmax" in told(found, "zh")


def test_a_stub_that_is_called_is_named(exercise, reference):
    write(exercise.step("causal_mask").stub, reference)
    found = examine(reference["self_attention"], exercise.step("self_attention"), exercise, reference)
    assert found.state == FAILS
    assert "causal_mask, which is not written yet" in told(found)


def test_printing_beside_returning_is_shown_and_costs_nothing(exercise):
    source = REFERENCE.replace("return weights @ V", "print('looking'); return weights @ V")
    assert report(exercise, source, "weighted_sum").state == PASSES
    wrong = report(exercise, "def softmax(s, axis=-1):\n    print('here', s.shape)\n    return s")
    assert "here (2,)" in told(wrong)


def test_seeding_is_seen_however_often_it_was_done(exercise):
    source = "def weighted_sum(weights, V):\n    np.random.seed(0)\n    return weights @ V"
    np.random.seed(0)
    state = np.random.get_state()[1].copy()
    for _ in range(2):
        assert "global random generator" in told(report(exercise, source, "weighted_sum"))
    assert (np.random.get_state()[1] == state).all()


def test_warnings_cost_nothing(exercise):
    source = "import warnings\n" + REFERENCE.replace(
        "return weights @ V", "warnings.warn('x'); return weights @ V"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert report(exercise, source, "weighted_sum").state == PASSES


@pytest.mark.parametrize(
    "returned", ["3", "'text'", "[[1], [2, 3]]", "np", "softmax", "object()", "{}", "np.ma.array([1])"]
)
@pytest.mark.parametrize("step", ["softmax", "project_qkv", "self_attention"])
def test_whatever_comes_back_is_only_a_finding(exercise, step, returned):
    source = f"def softmax(*a, **k): return 1\ndef {step}(*a, **k): return {returned}"
    found = report(exercise, source, step)
    assert found.state == FAILS
    assert told(found, "zh")


def test_infinities_travel_as_words():
    value = decoded(
        {"tuple": [{"array": [["-inf", 1.0], ["nan", "inf"]], "dtype": "float64"}, {"value": "inf"}]}
    )
    assert np.array_equal(value[0], [[-np.inf, 1.0], [np.nan, np.inf]], equal_nan=True)
    assert value[1] == np.inf


@pytest.mark.parametrize("content", [None, "", "{}", "[]", '{"exercise": 1}', "\x00"])
def test_a_broken_release_says_what_to_do(tmp_path, content):
    if content is not None:
        (tmp_path / "exercise.json").write_text(content, encoding="utf-8")
    with pytest.raises(BrokenRelease) as caught:
        load(tmp_path)
    assert "Fetch the assignment again" in caught.value.pair.en
