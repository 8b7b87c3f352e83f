"""finds_leak: a test that the student writes, tried on attentions that leak and on some that do not.

In each aspect some leak and some are sound, so one answer for all earns nothing. Where a leak sits and what
carries it are aspects of their own: a test that looks in one place loses that place.
"""

import pytest

from autograder.suites.why_it_works import attentions as known
from autograder.suites.why_it_works.checks import agree_all, agree_traceless, seeds


def agree_on(finds_leak, reference, rng, *functions):
    """Each function is told from the others by its answer, True for a leak."""
    cases = [*zip(functions, seeds(rng, len(functions)), strict=True)]
    agree_all(finds_leak, reference.finds_leak, cases, ())


@pytest.mark.clause("values")
def test_tells_a_missing_mask_from_a_causal_one(finds_leak, reference, rng):
    """No mask, a mean of everything and a look ahead alone leak; a causal mask and a running mean do not.

    没有掩码、对全部取平均、只看未来，都有泄漏；因果掩码、逐步的平均，没有泄漏。
    """
    leaking = (known.no_mask, known.mean_of_everything, known.only_the_future)
    agree_on(finds_leak, reference, rng, known.causal, *leaking, known.running_mean)


@pytest.mark.clause("positions")
def test_looks_at_every_position(finds_leak, reference, rng):
    """A leak is found wherever it is: to the next token, far ahead, in one row; a window of the past is none.

    泄漏无论在哪里都能发现：只看下一个、只看很远处、只有一行；只看过去的窗口不是泄漏。
    """
    sound = (known.window, known.only_the_past, known.only_itself)
    agree_on(finds_leak, reference, rng, known.off_by_one, *sound, known.far_ahead, known.one_row)


@pytest.mark.clause("items")
def test_looks_at_every_head_sentence_and_column(finds_leak, reference, rng):
    """A leak is found that is in one head, one sentence or one column of the output alone.

    只出现在某一个头、某一个句子或输出的某一列中的泄漏，也能发现。
    """
    leaking = (known.one_head, known.one_sentence, known.one_column, known.in_two_columns)
    one_number = (known.one_entry,) * 12  # up or down: each draw misses one who looks for one sign in two
    sound = (known.another_window_for_each_head, known.causal)
    agree_on(finds_leak, reference, rng, *sound, *leaking, *one_number)


@pytest.mark.clause("inputs")
def test_changes_queries_keys_and_values(finds_leak, reference, rng):
    """A leak is found whatever carries it: later queries alone, later keys alone, or later values alone.

    无论由什么带来，泄漏都能发现：只由后面的查询、只由后面的键，或只由后面的值。
    """
    leaking = (known.centred_queries, known.denominators, known.scaled_by_all, known.later_values)
    agree_on(finds_leak, reference, rng, known.unit_keys, *leaking)


@pytest.mark.clause("sizes")
def test_tells_a_small_leak_from_a_rounding(finds_leak, reference, rng):
    """A leak of a millionth is found, and a difference in the last digit is none.

    百万分之一的泄漏也能发现，最后一位上的舍入差别不算泄漏。
    """
    leaking = (known.tiny, known.tiny_in_a_large_output)
    agree_on(finds_leak, reference, rng, known.centred_keys, *leaking, known.another_order)


@pytest.mark.clause("pair")
def test_takes_an_output_with_its_weights(finds_leak, reference, rng):
    """An attention that returns (output, weights) is judged by its output, of whatever width.

    返回 (output, weights) 的注意力，看它的 output，宽度任意。
    """
    agree_on(finds_leak, reference, rng, *known.PAIRS)


@pytest.mark.safety  # an answer that is always the same leaves no trace either
@pytest.mark.clause("untouched")
def test_leaves_no_trace(finds_leak, reference, rng):
    """All chance comes from rng, one seed gives one answer, and what attention_fn returned is not changed.

    一切随机都来自 rng，同一种子给出同样的答案，也不修改 attention_fn 返回的数组。
    """
    functions = (known.causal, known.causal, known.read_only, known.unless_foreseen)
    agree_all(finds_leak, reference.finds_leak, [(function, *seeds(rng, 1)) for function in functions], ())
    case = known.causal, *seeds(rng, 1)
    agree_traceless(finds_leak, reference.finds_leak, [case, case])
