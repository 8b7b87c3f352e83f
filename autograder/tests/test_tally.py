"""A class in numbers: nobody is counted twice, nobody is lost, and what is commonest comes first."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.model import Diagnosis, Sentence, Status, Verdict
from autograder.record.tally import BARS, ENOUGH, Outcome, distribution, median, outcome, tally
from autograder.tests.sheets import EXERCISE, MISTAKE, sheet, step

FAILED, ALL = Verdict.failed, 12


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (step("softmax"), Outcome.right),
        (step("softmax", FAILED), Outcome.partly),
        (step("softmax", *[FAILED] * ALL), Outcome.wrong),
        (step("softmax", *[Verdict.raised] * ALL), Outcome.wrong),
        (step("softmax", *[Verdict.unwritten] * ALL), Outcome.unwritten),
        (step("softmax", Verdict.grader_fault), Outcome.waits),
    ],
)
def test_every_outcome_is_told_from_the_others(result, expected):
    assert outcome(result) is expected


@given(st.lists(st.lists(st.sampled_from(Verdict), max_size=9), max_size=8))
def test_of_each_step_everybody_is_counted_once(found):
    counted = tally(EXERCISE, [sheet(step("softmax", *verdicts)) for verdicts in found])
    assert all(counts.total() == len(found) for counts in counted.steps.values())


def test_work_that_was_not_graded_is_not_counted_as_wrong():
    counted = tally(EXERCISE, [sheet(status=Status.unreadable, steps=())])
    assert not any(counts.total() for counts in counted.steps.values())


def test_the_commonest_mistake_comes_first_with_how_many_and_the_sentence():
    rare = Diagnosis("forgets_to_shift", Sentence("Shift.", "先减。"))
    sheets = [sheet(step("softmax", FAILED, diagnosis=[rare]))]
    sheets += [sheet(step("scaled_scores", FAILED, diagnosis=[MISTAKE]))] * 3
    mistakes = tally(EXERCISE, sheets).mistakes
    assert [(one.students, one.step, one.sentence) for one in mistakes] == [
        (3, "scaled_scores", MISTAKE.sentence),
        (1, "softmax", rare.sentence),
    ]


def test_a_check_that_fails_nearly_everybody_is_in_doubt_and_one_that_fails_half_is_not():
    few, many = sheet(step("softmax", FAILED)), sheet(step("weighted_sum", Verdict.passed, FAILED))
    (doubt,) = tally(EXERCISE, [few, *[many] * 5]).doubts
    assert (doubt.step, doubt.failed, doubt.of) == ("weighted_sum", 5, 6)
    assert doubt.aspect == EXERCISE.step("weighted_sum").promises[1].sentence and doubt.unexplained == 5


def test_too_few_say_nothing_of_the_suite_but_a_fault_of_ours_does():
    assert not tally(EXERCISE, [sheet(step("softmax", FAILED))] * (ENOUGH - 1)).doubts
    (doubt,) = tally(EXERCISE, [sheet(step("softmax", Verdict.grader_fault))]).doubts
    assert doubt.aspect is None and doubt.failed == 1


def test_who_has_not_written_a_step_says_nothing_of_its_checks():
    blank = sheet(step("softmax", *[Verdict.unwritten] * ALL))
    assert not tally(EXERCISE, [blank] * 20).doubts


@given(st.lists(st.fractions(0, 24)), st.fractions(Fraction(1, 3), 300))
def test_every_amount_falls_into_one_bar(earned, most):
    earned = [min(amount, most) for amount in earned]
    bars = distribution(earned, most)
    assert sum(bar.students for bar in bars) == len(earned) and len(bars) <= BARS
    assert bars[0].low == 0 and bars[-1].high == most
    assert all(before.high == after.low for before, after in itertools.pairwise(bars))
    for bar in bars[:-1]:
        assert bar.students == sum(bar.low <= amount < bar.high for amount in earned)


@pytest.mark.parametrize(("amounts", "middle"), [([], None), ([3], 3), ([1, 9], 5), ([9, 1, 2], 2)])
def test_the_median_is_the_middle(amounts, middle):
    assert median([Fraction(amount) for amount in amounts]) == middle
