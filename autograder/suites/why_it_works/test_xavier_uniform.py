"""xavier_uniform: bounds, spread and source of the numbers.

Chance is held to bounds that a right answer misses once in more than a thousand million draws. A wrong bound
costs the first aspect, another distribution than the uniform one the second, and two fans that have changed
places the third; what does not draw from the generator loses the fourth, and a constant loses all.
"""

import numpy as np
import pytest

from autograder.selfcheck import agree
from autograder.suites.why_it_works.checks import seeds

AXES = ("fan_in", "fan_out")
BINS = 8


def cases(rng, *sizes):
    """Each pair of fans with a generator of its own."""
    return [(*fans, seed) for fans, seed in zip(sizes, seeds(rng, len(sizes)), strict=True)]


def drawn(calls, cases):
    """What was drawn, in units of the bound: an array of floats of the right shape."""
    for (got, expected), (fan_in, fan_out, _) in zip(calls, cases, strict=True):
        agree(got * 0, expected * 0, axes=AXES)
        yield got / np.sqrt(6 / (fan_in + fan_out))


@pytest.mark.clause("bound")
def test_reaches_from_bound_to_bound(xavier_uniform, reference, rng):
    """The entries reach from minus to plus √(6 / (fan_in + fan_out)), and none lies beyond.

    元素分布在正负 √(6 / (fan_in + fan_out)) 之间，两端都接近，一个也不越界。
    """
    asked = cases(rng, (60, 80), (5, 400), (400, 5), (3, 900))
    for got in drawn(xavier_uniform.beside(reference.xavier_uniform, asked), asked):
        agree(np.array([got.min(), got.max()]), np.array([-1.0, 1.0]), atol=0.04, rtol=0.0)
        agree(got, np.clip(got, -1.0, 1.0), axes=AXES, rtol=1e-6, atol=0.0)


@pytest.mark.clause("uniform")
def test_spreads_evenly(xavier_uniform, reference, rng):
    """Every part between the bounds is equally likely, and each entry is drawn by itself.

    两个界之间处处机会均等，每个元素各自抽取。
    """
    asked = cases(rng, (60, 80), (80, 60))
    for got in drawn(xavier_uniform.beside(reference.xavier_uniform, asked), asked):
        scaled = got / np.abs(got).max()  # the bound itself is another aspect's fact
        shares = np.histogram(scaled, BINS, (-1.0, 1.0))[0] / got.size
        agree(shares, np.full(BINS, 1 / BINS), atol=0.032, rtol=0.0)  # 6.7 standard deviations
        agree(
            len(np.unique(got)) / got.size, 1.0, atol=0.01, rtol=0.0
        )  # even single precision rarely repeats
        agree(
            np.corrcoef(got)[np.triu_indices(len(got), 1)], np.zeros(len(got) * (len(got) - 1) // 2), atol=0.9
        )


@pytest.mark.safety  # any numbers of chance have a shape
@pytest.mark.clause("shape")
def test_has_one_row_for_each_input(xavier_uniform, reference, rng):
    """The matrix is (fan_in, fan_out), whatever the two are, and no two entries are equal.

    矩阵的形状是 (fan_in, fan_out)，大小任意；没有两个元素相等。
    """
    asked = cases(rng, (1, 1), (1, 7), (5, 3), (3, 5), (12, 2), (4, 1))
    for got in drawn(xavier_uniform.beside(reference.xavier_uniform, asked), asked):
        agree(len(np.unique(got)), got.size)


@pytest.mark.clause("generator")
def test_draws_from_the_generator_alone(xavier_uniform, reference, rng):
    """Generators of one seed give the same matrix, those of two seeds give two that differ everywhere.

    同一种子的生成器给出同样的矩阵；不同种子给出的矩阵处处不同。
    """
    (*_, one), (*_, other) = cases(rng, (6, 9), (6, 9))
    asked = [(6, 9, one), (6, 9, other), (6, 9, one), (6, 9, other)]
    first, second, again, fourth = drawn(xavier_uniform.beside(reference.xavier_uniform, asked), asked)
    agree(again, first, axes=AXES)
    agree(fourth, second, axes=AXES)
    agree(first == second, np.zeros((6, 9), dtype=bool), axes=AXES)
    agree(len(np.unique(first)), first.size)


@pytest.mark.safety  # zeros leave no trace either
@pytest.mark.clause("untouched")
def test_leaves_the_global_generator_alone(xavier_uniform, rng):
    """NumPy's global generator is neither used nor reseeded.

    不使用也不重设 NumPy 的全局随机数生成器。
    """
    xavier_uniform.many(cases(rng, (5, 7), (6, 2)))
    assert not xavier_uniform.effects.generator
