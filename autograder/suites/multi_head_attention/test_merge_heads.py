"""merge_heads: the heads' columns side by side again.

Three aspects about the numbers. A reshape without a transposition has the right shape and puts one token's
head where another token belongs: it fails them all, and so do columns that alternate between the heads.
"""

import numpy as np
import pytest

from autograder.selfcheck import agree

AXES = ("seq_len", "n_heads*d")


def heads(rng, *batch, n_heads=2, seq_len=5, d=3):
    return (rng.normal(size=(*batch, n_heads, seq_len, d)),)


@pytest.mark.clause("values")
def test_puts_the_heads_side_by_side(merge_heads, reference, rng):
    """Each token's row holds head 0's numbers, then head 1's, and so on, unchanged.

    每个词元的一行里，先是第 0 个头的数，再是第 1 个头的数，依此类推，数值不变。
    """
    whole, single = (rng.integers(-9, 10, size=(3, 5, 2)),), (heads(rng)[0].astype(np.float32),)
    cases = [heads(rng), heads(rng), heads(rng, n_heads=3, seq_len=4, d=2), whole, single]
    for got, expected in merge_heads.beside(reference.merge_heads, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("any_number")
def test_merges_any_number_of_heads(merge_heads, reference, rng):
    """One head, or heads of width 1, or as many as there are tokens: n_heads, seq_len and d do not matter.

    一个头、宽度为 1 的头、头数与词元数相等都行：n_heads、seq_len、d 取多少都可以。
    """
    cases = [
        heads(rng, n_heads=1),
        heads(rng, n_heads=7, d=1),
        heads(rng, n_heads=3, seq_len=3, d=3),
        heads(rng, n_heads=4, seq_len=2, d=2),
        heads(rng, n_heads=3, seq_len=1),
    ]
    for got, expected in merge_heads.beside(reference.merge_heads, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("batch")
def test_merges_each_item_of_a_batch(merge_heads, reference, rng):
    """Any number of batch dimensions stay in front, also where a batch is as large as n_heads or seq_len.

    前面的批次轴不论几个都留在最前；批次大小恰好等于 n_heads 或 seq_len 时也一样。
    """
    strided = heads(rng, 5)[0].swapaxes(-2, -3).copy().swapaxes(-2, -3)
    cases = [
        heads(rng, 2),
        heads(rng, 5),
        heads(rng, 3, n_heads=3, seq_len=3, d=2),
        heads(rng, 1),
        heads(rng, 2, 3),
        heads(rng, 2, 1, 2, seq_len=3),
        (strided,),
    ]
    for got, expected in merge_heads.beside(reference.merge_heads, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("round_trip")
def test_undoes_the_split(merge_heads, reference, rng):
    """Tokens that were split into heads come back as they were.

    按头切开的词元，合并后与原来一样。
    """
    tokens = [rng.normal(size=shape) for shape in ((5, 6), (2, 3, 6), (4, 4, 8))]
    cases = [(reference.split_heads(x, n_heads),) for x, n_heads in zip(tokens, (2, 3, 4), strict=True)]
    for (got, _), x in zip(merge_heads.beside(reference.merge_heads, cases), tokens, strict=True):
        agree(got, x, axes=AXES)


@pytest.mark.safety  # zeros leave no trace either
@pytest.mark.clause("untouched")
def test_leaves_no_trace(merge_heads, reference, rng):
    """A call changes neither x nor NumPy's global generator, and gives the same answer again.

    调用不改动 x，也不动 NumPy 的全局随机数生成器；再调用一次，答案相同。
    """
    (x,) = heads(rng)
    frozen = x.copy()
    frozen.flags.writeable = False
    calls = merge_heads.beside(reference.merge_heads, [(x,), heads(rng, 2), (frozen,)])
    assert not merge_heads.effects.arguments
    assert not merge_heads.effects.generator
    agree(calls[-1][0], calls[0][0])
