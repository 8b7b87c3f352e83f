"""temperature_softmax: a softmax that is flattened or sharpened.

The rule turned round, the most widespread error, keeps only what the temperature does not touch.
"""

from itertools import pairwise

import numpy as np
import pytest

from autograder.selfcheck import agree
from autograder.suites import call
from autograder.suites.why_it_works.checks import agree_all, agree_traceless

AXES = ("n_queries", "n_keys")


def scores(rng, *shape):
    return rng.normal(scale=3.0, size=shape)


def entropies(weights):
    return -(weights * np.log(np.where(weights > 0, weights, 1.0))).sum(axis=-1)


@pytest.mark.clause("values")
def test_divides_the_scores_by_the_temperature(temperature_softmax, reference, rng):
    """Each row's weights are the softmax of its scores divided by the temperature; at 1, the plain one.

    每行的权重是分数除以温度后的 softmax；温度为 1 就是普通的 softmax。
    """
    cases = [(scores(rng, 5, 6), t) for t in (2.0, 0.5, 1.0, 3.7)]
    cases.append(call(scores(rng, 4, 4), temperature=1.5))
    agree_all(temperature_softmax, reference.temperature_softmax, cases, AXES, rtol=1e-5, atol=1e-9)


@pytest.mark.clause("rule")
def test_flattens_as_the_temperature_rises(temperature_softmax, reference, rng):
    """With every rise of the temperature each row's entropy grows and its largest weight falls.

    温度每升高一次，每行的熵都变大，最大权重都变小。
    """
    rows = scores(rng, 5, 6)
    cases, rising = [(rows, t) for t in (0.5, 1.0, 2.0, 4.0, 8.0)], []
    for got, expected in temperature_softmax.beside(reference.temperature_softmax, cases):
        agree(got * 0, expected * 0, axes=AXES)
        rising.append(np.stack([entropies(got), -got.max(axis=-1)]))
    for before, after in pairwise(rising):
        agree(after > before, np.ones_like(before, dtype=bool))


@pytest.mark.clause("extremes")
def test_stays_finite_at_any_temperature(temperature_softmax, reference, rng):
    """No nan at very small or very large temperatures, nor for scores of any size.

    温度极小或极大、分数再大再小，都不出现 nan。
    """
    apart = np.array([[1e3, -1e3, 0.0], [-1e6, -1e6, -1e6 + 1], [5.0, 5.0, 5.0]])
    cases = [(scores(rng, 5, 6), t) for t in (1e-3, 1e-12, 1e3, 1e9)] + [(apart, 0.25), (apart, 4.0)]
    cases += [(scores(rng, 5, 6) * t, t) for t in (1e-9, 1e9)]  # neither end is a bound
    agree_all(temperature_softmax, reference.temperature_softmax, cases, AXES)


@pytest.mark.clause("minus_infinity")
def test_leaves_hidden_keys_without_weight(temperature_softmax, reference, rng):
    """A score of minus infinity has a weight of exactly 0 at every temperature.

    分数为负无穷时，任何温度下权重都恰好为 0。
    """
    hidden = scores(rng, 5, 6)
    hidden[rng.permuted(np.broadcast_to(np.arange(6) % 3 == 0, (5, 6)), axis=-1)] = -np.inf
    cases = [(hidden, t) for t in (0.2, 2.0, 50.0, 1e12)]
    agree_all(temperature_softmax, reference.temperature_softmax, cases, AXES, rtol=1e-5, atol=0.0)


@pytest.mark.clause("any_dimensions")
def test_takes_any_number_of_dimensions(temperature_softmax, reference, rng):
    """One row or a batch of any shape: always along the last axis.

    一行也好，任意形状的批次也好，总是沿最后一轴。
    """
    shapes = [(6,), (2, 5, 6), (4, 4, 4), (2, 3, 4, 5), (5, 1), (1, 7)]
    cases = [(scores(rng, *shape), 1.7) for shape in shapes]
    agree_all(temperature_softmax, reference.temperature_softmax, cases, AXES)


@pytest.mark.clause("integers")
def test_takes_whole_numbers(temperature_softmax, reference, rng):
    """Whole scores and a whole temperature are fine.

    整数分数、整数温度都可以。
    """
    cases = [(rng.integers(-5, 6, size=(5, 6)), t) for t in (2, 0.5, 3)]
    agree_all(temperature_softmax, reference.temperature_softmax, cases, AXES)


@pytest.mark.safety  # the input handed back leaves no trace either
@pytest.mark.clause("untouched")
def test_leaves_no_trace(temperature_softmax, reference, rng):
    """A call changes neither the scores nor NumPy's global generator, and gives the same answer again.

    调用不改动分数，也不动 NumPy 的全局随机数生成器；再调用一次，答案相同。
    """
    frozen = scores(rng, 5, 6)
    frozen.flags.writeable = False
    cases = [(frozen, 2.0), (scores(rng, 3, 4), 0.5), (frozen, 2.0)]
    agree_traceless(temperature_softmax, reference.temperature_softmax, cases)
