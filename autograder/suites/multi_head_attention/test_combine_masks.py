"""combine_masks: what every one of the masks allows.

Three aspects about the entries. Taking the first two masks alone, or masks of one shape alone, costs one of
them; an "or" costs them all.
"""

import numpy as np
import pytest

from autograder.selfcheck import agree

AXES = ("n_queries", "n_keys")


def mask(rng, *shape):
    """True and False, about two of three allowed, with both in every row and in every column."""
    return rng.permutation(np.arange(np.prod(shape)) % 3 != 0).reshape(shape)


def numbers(mask):
    """The entries as numbers, whatever their dtype: that they must be bool is another aspect's fact."""
    return mask.astype(float) if isinstance(mask, np.ndarray) and mask.dtype.kind in "biuf" else mask


def causal(n):
    return np.tri(n, dtype=bool)


@pytest.mark.clause("values")
def test_allows_what_both_masks_allow(combine_masks, reference, rng):
    """A query may attend to a key where both masks allow it, and nowhere else.

    两个掩码都允许的地方才允许看，别处都不许看。
    """
    cases = [
        (mask(rng, 4, 6), mask(rng, 4, 6)),
        (causal(5), mask(rng, 5, 5)),
        (mask(rng, 5, 5), causal(5)),
        (mask(rng, 2, 3, 4), mask(rng, 2, 3, 4)),
        (mask(rng, 7), mask(rng, 7)),
    ]
    for got, expected in combine_masks.beside(reference.combine_masks, cases):
        agree(numbers(got), numbers(expected), axes=AXES)


@pytest.mark.clause("any_number")
def test_combines_any_number_of_masks(combine_masks, reference, rng):
    """Three masks or more count all alike, and a single mask stands for itself.

    三个或更多的掩码同样都算；只有一个时，就是它自己。
    """
    cases = [
        [mask(rng, 4, 6) for _ in range(3)],
        [mask(rng, 5, 5) for _ in range(4)],
        [causal(4), mask(rng, 4, 4), np.ones((4, 4), dtype=bool)],
        [np.ones((4, 4), dtype=bool), mask(rng, 4, 4), mask(rng, 4, 4)],
        [mask(rng, 3, 4)],
    ]
    for got, expected in combine_masks.beside(reference.combine_masks, cases):
        agree(numbers(got), numbers(expected), axes=AXES)


@pytest.mark.clause("broadcast")
def test_broadcasts_the_masks(combine_masks, reference, rng):
    """Masks of other shapes are broadcast: padding (batch, 1, n) with causal (n, n), and an axis of heads.

    形状不同的掩码会广播：填充掩码 (batch, 1, n) 与因果掩码 (n, n)，多出注意力头的轴也行。
    """
    cases = [
        (mask(rng, 3, 1, 5), causal(5)),
        (causal(5), mask(rng, 3, 1, 5)),
        (mask(rng, 5), causal(5)),
        (mask(rng, 2, 1, 1, 4), causal(4)),
        (mask(rng, 2, 3, 4, 4), mask(rng, 2, 1, 1, 4)),
        (mask(rng, 4, 1), mask(rng, 1, 6)),
        (mask(rng, 5, 1, 5), mask(rng, 5, 5)),
    ]
    for got, expected in combine_masks.beside(reference.combine_masks, cases):
        agree(numbers(got), numbers(expected), axes=AXES)


@pytest.mark.safety  # a mask of nothing but True is boolean too
@pytest.mark.clause("boolean")
def test_is_boolean(combine_masks, reference, rng):
    """The entries are True and False (dtype bool), not numbers.

    元素是 True 和 False（dtype 为 bool），不是数。
    """
    cases = [(mask(rng, 4, 6), mask(rng, 4, 6)), (mask(rng, 5, 5), causal(5), mask(rng, 5, 5))]
    for got, _ in combine_masks.beside(reference.combine_masks, cases):
        assert isinstance(got, np.ndarray) and got.dtype == bool


@pytest.mark.safety  # one of the masks handed back leaves no trace either
@pytest.mark.clause("untouched")
def test_leaves_no_trace(combine_masks, reference, rng):
    """A call changes none of the masks nor NumPy's global generator, and gives the same answer again.

    调用不改动任何掩码，也不动 NumPy 的全局随机数生成器；再调用一次，答案相同。
    """
    case = mask(rng, 4, 4), causal(4), mask(rng, 4, 4)
    frozen = tuple(array.copy() for array in case)
    for array in frozen:
        array.flags.writeable = False
    calls = combine_masks.beside(reference.combine_masks, [case, (mask(rng, 2, 4), mask(rng, 2, 4)), frozen])
    assert not combine_masks.effects.arguments
    assert not combine_masks.effects.generator
    agree(calls[-1][0], calls[0][0])
