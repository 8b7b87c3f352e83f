"""saturation: four figures of chance, held to bounds.

Each figure has an aspect of its own, without and with the scale. Expected are the means over many thousand
rows (our tests draw them anew). Each tolerance is six and a half standard deviations or more for the rows
asked here, with keys in common or not: a right answer misses one in less than a draw of a thousand million.
"""

import math

import numpy as np
import pytest

from autograder.selfcheck import agree
from autograder.suites.why_it_works.checks import seeds
from autograder.suites.why_it_works.figures import CALM, D_K, N_KEYS, WILD


def figure(answer, index):
    """One of the four, where there are four; as a plain number, where it is one."""
    found = answer[index] if np.shape(answer) == (4,) else answer
    return float(found) if np.ndim(found) == 0 else found


def figures(saturation, rng, index, *many):
    """One of the figures for each number of rows, and whether it is scaled."""
    drawn = zip(seeds(rng, len(many)), many, strict=True)
    return [figure(saturation(D_K, N_KEYS, rows, seed, scaled), index) for seed, (rows, scaled) in drawn]


@pytest.mark.clause("entropy")
def test_measures_the_mean_entropy(saturation, rng):
    """The first figure is the mean over the rows of the entropy −Σ w ln w, with the natural logarithm.

    第一个数是各行的熵 −Σ w ln w 的平均，用自然对数。
    """
    wild, calm = figures(saturation, rng, 0, (400, False), (100, True))
    agree(wild, WILD[0], atol=0.08, rtol=0.0)
    agree(calm, CALM[0], atol=0.15, rtol=0.0)


@pytest.mark.clause("largest")
def test_measures_the_mean_largest_weight(saturation, rng):
    """The second figure is the mean over the rows of the largest weight.

    第二个数是各行最大权重的平均。
    """
    wild, calm = figures(saturation, rng, 1, (400, False), (100, True))
    agree(wild, WILD[1], atol=0.04, rtol=0.0)
    agree(calm, CALM[1], atol=0.08, rtol=0.0)


@pytest.mark.clause("share")
def test_measures_the_share_of_saturated_rows(saturation, rng):
    """The third figure is the share of rows whose largest weight is above 0.99.

    第三个数是最大权重超过 0.99 的行所占的比例。
    """
    wild, calm = figures(saturation, rng, 2, (900, False), (20, True))
    agree(wild, WILD[2], atol=0.098, rtol=0.0)
    agree(calm, CALM[2], atol=0.01, rtol=0.0)


@pytest.mark.clause("norm")
def test_measures_the_median_norm_of_the_jacobian(saturation, rng):
    """The fourth figure is the median over the rows of the size of the softmax's Jacobian.

    第四个数是各行 softmax 雅可比矩阵大小的中位数。
    """
    wild, calm = figures(saturation, rng, 3, (400, False), (100, True))
    agree(math.log10(max(wild, 1e-300)), math.log10(WILD[3]), atol=1.85, rtol=0.0)  # it spreads widely
    agree(calm, CALM[3], atol=0.016, rtol=0.0)


@pytest.mark.clause("sizes")
def test_takes_any_sizes(saturation, rng):
    """A tuple of four finite numbers comes back for any sizes; for a single key they are 0, 1, 1 and 0.

    无论尺寸如何，都返回由四个有限数组成的元组；只有一个键时是 0、1、1、0。
    """
    one, two, three = seeds(rng, 3)
    agree(saturation(7, 1, 5, one, True), (0.0, 1.0, 1.0, 0.0), atol=1e-9)
    entropy, largest, share, norm = saturation(1, 2, 1, two, True)
    agree([share, norm], [float(largest > 0.99), 2 * largest * (1 - largest)], atol=1e-9)
    agree(entropy, -sum(w * math.log(w) for w in (largest, 1 - largest) if w > 0), atol=1e-9)
    agree(np.isfinite(saturation(60_000, 16, 8, three, False)).all(), np.True_)  # some weights are exactly 0


@pytest.mark.safety  # so do any four numbers of chance
@pytest.mark.clause("generator")
def test_draws_from_the_generator_alone(saturation, rng):
    """Generators of one seed give the same figures, those of two seeds give two entropies.

    同一种子的生成器给出同样的数；不同种子给出的熵不同。
    """
    one, other = seeds(rng, 2)
    first, second, again = (saturation(8, 5, 6, seed, True) for seed in (one, other, one))
    agree(again, first)
    agree(np.isfinite([first, second]).all(), np.True_)
    assert not np.isclose(figure(first, 0), figure(second, 0), rtol=1e-6)


@pytest.mark.safety  # a constant leaves no trace either
@pytest.mark.clause("untouched")
def test_leaves_the_global_generator_alone(saturation, rng):
    """NumPy's global generator is neither used nor reseeded.

    不使用也不重设 NumPy 的全局随机数生成器。
    """
    saturation(6, 4, 3, *seeds(rng, 1), False)
    assert not saturation.effects.generator
