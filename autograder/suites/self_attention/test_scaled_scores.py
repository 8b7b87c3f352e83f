"""scaled_scores: every query with every key, divided by the root of d_k.

Six aspects. Who is multiplied with whom is one fact and the divisor is another, so a forgotten root keeps the
first; a slip that shows only for a batch, or only for whole numbers, costs that aspect alone. Scores of the
wrong pairs fail everything that compares numbers.
"""

import numpy as np
import pytest

from autograder.selfcheck import agree

AXES = ("n_queries", "n_keys")


def inputs(rng, *batch, n_queries=5, n_keys=6, d_k=3):
    return rng.normal(size=(*batch, n_queries, d_k)), rng.normal(size=(*batch, n_keys, d_k))


def rescaled(got, expected):
    """The scores with one common factor taken out, if there is one."""
    if not isinstance(got, np.ndarray) or got.dtype.kind not in "iuf" or got.shape != expected.shape:
        return got
    factor = np.vdot(expected, got) / np.vdot(expected, expected)
    return got / factor if factor > 0 else got


@pytest.mark.clause("values")
def test_scores_each_query_with_each_key(scaled_scores, reference, rng):
    """Entry (i, j) is the dot product of query i with key j, up to one factor for all.

    第 (i, j) 项是第 i 个查询与第 j 个键的点积，至多差一个公共倍数。
    """
    cases = [inputs(rng), inputs(rng, n_queries=4, n_keys=4, d_k=4), inputs(rng, n_queries=1)]
    for got, expected in scaled_scores.beside(reference.scaled_scores, cases):
        agree(rescaled(got, expected), expected, axes=AXES)


@pytest.mark.clause("values")
def test_divides_by_the_root_of_d_k(scaled_scores, reference, rng):
    """The dot products are divided by the square root of d_k, to at least single precision.

    点积除以 d_k 的平方根，至少达到单精度。
    """
    small, large, plain = inputs(rng), inputs(rng), inputs(rng, d_k=7)
    cases = [
        plain,
        inputs(rng, d_k=2),
        inputs(rng, n_queries=2, n_keys=3, d_k=64),
        inputs(rng, n_queries=3, n_keys=2, d_k=1),
        (plain[0], inputs(rng, d_k=7)[1]),
        (inputs(rng, d_k=7)[0], plain[1]),
        tuple(array.astype(np.float32) for array in inputs(rng)),
    ]
    for got, expected in scaled_scores.beside(reference.scaled_scores, cases):
        agree(got, expected, axes=AXES)
    # Positive numbers, so that nothing cancels: rounding shows in the small ones, a cut in the large ones.
    cases = [tuple(np.abs(array) * 2.0**-9 + 2.0**-10 for array in small)]
    cases += [tuple(np.ceil(np.abs(array)) * 2.0**14 for array in large)]
    for got, expected in scaled_scores.beside(reference.scaled_scores, cases):
        agree(got, expected, axes=AXES, rtol=1e-5, atol=1e-12)


@pytest.mark.clause("rectangular")
def test_allows_fewer_or_more_keys_than_queries(scaled_scores, reference, rng):
    """The numbers of queries and of keys may differ: the shape is (n_queries, n_keys).

    查询数和键数可以不同：形状是 (n_queries, n_keys)。
    """
    cases = [inputs(rng, n_queries=7, n_keys=2), inputs(rng, n_queries=1, n_keys=5), inputs(rng, n_keys=1)]
    cases += [inputs(rng, n_queries=35, n_keys=40, d_k=2)]
    for got, expected in scaled_scores.beside(reference.scaled_scores, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("batch")
def test_scores_a_batch(scaled_scores, reference, rng):
    """Any number of leading batch dimensions: each item's queries meet its own keys.

    前面有任意多个批次维度时，每一项的查询只与本项的键相乘。
    """
    strided = tuple(np.swapaxes(np.swapaxes(array, 0, 1).copy(), 0, 1) for array in inputs(rng, 2))
    cases = [
        inputs(rng, 2),
        inputs(rng, 4, n_queries=4, n_keys=4, d_k=4),
        inputs(rng, 1),
        inputs(rng, 2, 3),
        inputs(rng, 1, 2, 2, n_queries=3),
        strided,
    ]
    for got, expected in scaled_scores.beside(reference.scaled_scores, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("integers")
def test_scores_whole_numbers(scaled_scores, reference, rng):
    """Whole numbers in Q, K or both give floats that lose nothing.

    Q、K 或两者都是整数时，结果是浮点数，不丢精度。
    """
    Q, K = inputs(rng)
    whole_Q, whole_K = (rng.integers(-3, 4, size=array.shape) for array in (Q, K))
    cases = [(whole_Q, whole_K), (whole_Q, K), (Q, whole_K)]
    for got, expected in scaled_scores.beside(reference.scaled_scores, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.safety  # zeros leave no trace either
@pytest.mark.clause("untouched")
def test_leaves_no_trace(scaled_scores, reference, rng):
    """A call changes neither its arguments nor NumPy's global generator, and gives the same answer again.

    调用不改动参数，也不动 NumPy 的全局随机数生成器；再调用一次，答案相同。
    """
    case = inputs(rng)
    frozen = tuple(array.copy() for array in case)
    for array in frozen:
        array.flags.writeable = False
    calls = scaled_scores.beside(reference.scaled_scores, [case, inputs(rng), frozen])
    assert not scaled_scores.effects.arguments
    assert not scaled_scores.effects.generator
    agree(calls[-1][0], calls[0][0])
