"""split_heads: every head keeps all tokens and takes its own columns.

Four aspects about the numbers share most of the step. A reshape without a transposition has the right shape
and fails every one of them. A remainder that is cut off, or made into uneven heads, costs the aspect about it
alone.
"""

import numpy as np
import pytest

from autograder.selfcheck import agree
from autograder.suites import call

AXES = ("n_heads", "seq_len", "d")


def tokens(rng, *batch, seq_len=5, n_heads=2, d=3):
    """Tokens for so many heads, and their number."""
    return rng.normal(size=(*batch, seq_len, n_heads * d)), n_heads


@pytest.mark.clause("values")
def test_gives_each_head_its_own_columns(split_heads, reference, rng):
    """Head h has all tokens and the h-th block of neighbouring columns, with their numbers unchanged.

    第 h 个头有全部词元，取第 h 段相邻的列，数值不变。
    """
    whole, single = rng.integers(-9, 10, size=(5, 6)), tokens(rng)[0].astype(np.float32)
    cases = [tokens(rng), tokens(rng), tokens(rng, seq_len=4, n_heads=3, d=2), (whole, 3), (single, 2)]
    for got, expected in split_heads.beside(reference.split_heads, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("any_number")
def test_splits_for_any_number_of_heads(split_heads, reference, rng):
    """One head, or one for each column, or as many as there are tokens: seq_len, n_heads and d do not matter.

    一个头、每列一个头、头数与词元数相等都行：seq_len、n_heads、d 取多少都可以。
    """
    cases = [
        tokens(rng, n_heads=1),
        tokens(rng, n_heads=7, d=1),
        tokens(rng, seq_len=3, n_heads=3, d=3),
        tokens(rng, seq_len=2, n_heads=4, d=2),
        call(tokens(rng, n_heads=4, d=2)[0], n_heads=4),
        tokens(rng, seq_len=1, n_heads=3),
    ]
    for got, expected in split_heads.beside(reference.split_heads, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("batch")
def test_splits_each_item_of_a_batch(split_heads, reference, rng):
    """Any number of batch dimensions stay in front, also where a batch is as large as n_heads or seq_len.

    前面的批次轴不论几个都留在最前；批次大小恰好等于 n_heads 或 seq_len 时也一样。
    """
    strided = np.swapaxes(tokens(rng, 5)[0].swapaxes(0, 1).copy(), 0, 1)
    cases = [
        tokens(rng, 2),
        tokens(rng, 5),
        tokens(rng, 3, seq_len=3, n_heads=3, d=2),
        tokens(rng, 1),
        tokens(rng, 2, 3),
        tokens(rng, 2, 1, 2, seq_len=3),
        (strided, 2),
    ]
    for got, expected in split_heads.beside(reference.split_heads, cases):
        agree(got, expected, axes=AXES)


def side_by_side(heads):
    """The heads' columns next to each other again, as the contract of merge_heads says it."""
    return np.concatenate([heads[..., head, :, :] for head in range(heads.shape[-3])], axis=-1)


@pytest.mark.clause("round_trip")
def test_loses_nothing_and_doubles_nothing(split_heads, reference, rng):
    """The heads side by side again are x, number for number.

    各头再并排拼起来，就是原来的 x，一个数也不差。
    """
    cases = [tokens(rng), tokens(rng, 3, seq_len=4, n_heads=4, d=2), tokens(rng, 2, 2, n_heads=3, d=1)]
    for (got, expected), (x, _) in zip(split_heads.beside(reference.split_heads, cases), cases, strict=True):
        agree(got * 0, expected * 0, axes=AXES)
        agree(side_by_side(got), x)


@pytest.mark.safety  # a function that always raises passes this
@pytest.mark.clause("divides")
def test_refuses_heads_that_do_not_divide_the_width(split_heads, rng):
    """Where n_heads does not divide the width of x, it raises a ValueError.

    n_heads 不能整除 x 的宽度时，抛出 ValueError。
    """
    cases = [
        (rng.normal(size=(5, 7)), 2),
        (rng.normal(size=(4, 8)), 3),
        (rng.normal(size=(2, 3, 4)), 8),
        (rng.normal(size=(2, 4, 10)), 4),
    ]
    for answer in split_heads.many(cases):
        assert answer.error is not None and answer.error.name == "ValueError"


@pytest.mark.safety  # zeros leave no trace either
@pytest.mark.clause("untouched")
def test_leaves_no_trace(split_heads, reference, rng):
    """A call changes neither x nor NumPy's global generator, and gives the same answer again.

    调用不改动 x，也不动 NumPy 的全局随机数生成器；再调用一次，答案相同。
    """
    x, n_heads = tokens(rng)
    frozen = x.copy()
    frozen.flags.writeable = False
    calls = split_heads.beside(reference.split_heads, [(x, n_heads), tokens(rng, 2), (frozen, n_heads)])
    assert not split_heads.effects.arguments
    assert not split_heads.effects.generator
    agree(calls[-1][0], calls[0][0])
