"""weighted_sum: each query's mixture of the values.

Six aspects share the step equally. Mixing by the wrong weights, or something else than V, fails every one
that compares numbers; a slip that shows only for weights that do not sum to 1, for a batch or for whole
numbers costs that aspect.
"""

import numpy as np
import pytest

from autograder.selfcheck import agree

AXES = ("n_queries", "d_v")


def inputs(rng, *batch, n_queries=5, n_keys=6, d_v=4):
    """Weights that sum to 1 in every row, some of them small, and values."""
    weights = rng.permuted(np.broadcast_to(0.4 ** np.arange(n_keys), (*batch, n_queries, n_keys)), axis=-1)
    weights = weights * rng.uniform(0.5, 1.0, size=weights.shape)
    return weights / weights.sum(axis=-1, keepdims=True), rng.normal(size=(*batch, n_keys, d_v))


@pytest.mark.clause("values")
def test_mixes_the_values_by_the_weights(weighted_sum, reference, rng):
    """Row i of the output is the rows of V, each times query i's weight for it, summed, to single precision.

    输出第 i 行是 V 的各行按第 i 个查询的权重相加，至少达到单精度。
    """
    first, (weights, V) = inputs(rng), inputs(rng, n_keys=9)
    cases = [
        first,
        (first[0], inputs(rng)[1]),
        (inputs(rng)[0], first[1]),
        inputs(rng, n_queries=4, n_keys=4, d_v=4),
        inputs(rng, n_keys=12),
        tuple(array.astype(np.float32) for array in inputs(rng)),
    ]
    for got, expected in weighted_sum.beside(reference.weighted_sum, cases):
        agree(got, expected, axes=AXES)
    small = weights, np.abs(V) * 2.0**-9 + 2.0**-10  # positive, so that nothing cancels and rounding shows
    for got, expected in weighted_sum.beside(reference.weighted_sum, [small]):
        agree(got, expected, axes=AXES, rtol=1e-5, atol=1e-12)


@pytest.mark.clause("rectangular")
def test_allows_any_numbers_of_queries_and_keys(weighted_sum, reference, rng):
    """The numbers of queries and keys and the width of V may all differ, a single one included.

    查询数、键数和 V 的宽度可以各不相同，也可以是 1。
    """
    cases = [
        inputs(rng, n_queries=1),
        inputs(rng, n_keys=1),
        inputs(rng, d_v=1),
        inputs(rng, n_queries=7, n_keys=2),
        inputs(rng, n_queries=35, n_keys=40, d_v=20),
    ]
    for got, expected in weighted_sum.beside(reference.weighted_sum, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("batch")
def test_mixes_within_each_item_of_a_batch(weighted_sum, reference, rng):
    """Any number of leading batch dimensions: each item's weights mix its own values.

    前面有任意多个批次维度时，每一项的权重只混合本项的值。
    """
    strided = tuple(np.swapaxes(np.swapaxes(array, 0, 1).copy(), 0, 1) for array in inputs(rng, 2))
    cases = [
        inputs(rng, 2),
        inputs(rng, 4, n_queries=4, n_keys=4, d_v=4),
        inputs(rng, 1),
        inputs(rng, 2, 3),
        inputs(rng, 1, 2, 2, n_queries=3),
        strided,
    ]
    for got, expected in weighted_sum.beside(reference.weighted_sum, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("unnormalised")
def test_uses_the_weights_as_they_are(weighted_sum, reference, rng):
    """Weights that do not sum to 1 are used as they are: negative, above 1, or all 0 in a row.

    权重之和不是 1 时照原样使用：负的、大于 1 的、整行为 0 的都一样。
    """
    weights, V = rng.normal(size=(5, 6)), inputs(rng)[1]
    weights[3] = 0.0
    scale = 10.0 ** -rng.permuted(np.arange(9.0))  # no weight is too small to matter beside a large value
    cases = [(weights, V), (inputs(rng)[0] * 3.0, V), (np.abs(weights) * 1e4, np.abs(V))]
    cases += [(scale * np.ones((2, 9)), np.diag(1 / scale)), (rng.integers(-3, 4, size=(5, 6)), V)]
    for got, expected in weighted_sum.beside(reference.weighted_sum, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("integers")
def test_mixes_whole_numbers(weighted_sum, reference, rng):
    """Whole numbers in the weights or in V lose nothing.

    权重或 V 里是整数时，结果同样准确。
    """
    weights, V = inputs(rng)
    whole_weights = np.eye(6, dtype=int)[rng.permutation(6)[:5]]  # they sum to 1 as well
    whole_V = rng.integers(-5, 6, size=V.shape)
    cases = [(weights, whole_V), (whole_weights, V), (whole_weights, whole_V)]
    for got, expected in weighted_sum.beside(reference.weighted_sum, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.safety  # zeros leave no trace either
@pytest.mark.clause("untouched")
def test_leaves_no_trace(weighted_sum, reference, rng):
    """A call changes neither its arguments nor NumPy's global generator, and gives the same answer again.

    调用不改动参数，也不动 NumPy 的全局随机数生成器；再调用一次，答案相同。
    """
    case = inputs(rng)
    frozen = tuple(array.copy() for array in case)
    for array in frozen:
        array.flags.writeable = False
    calls = weighted_sum.beside(reference.weighted_sum, [case, inputs(rng), frozen])
    assert not weighted_sum.effects.arguments
    assert not weighted_sum.effects.generator
    agree(calls[-1][0], calls[0][0])
