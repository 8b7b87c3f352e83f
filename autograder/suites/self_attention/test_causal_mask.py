"""causal_mask: which query may attend to which key.

Five aspects, of which the direction counts double. That the triangle is told from the rest is a fact of its
own, so the other convention (True = forbidden) keeps half the step, and numbers to be added a third; ones and
zeros cost one share. A wrong triangle, or one size only, costs the whole step.
"""

import numpy as np
import pytest

from autograder.selfcheck import agree

AXES = ("n_queries", "n_keys")


def numbers(mask):
    """The entries as numbers, whatever their dtype: that they must be bool is another aspect's fact."""
    return mask.astype(float) if isinstance(mask, np.ndarray) and mask.dtype.kind in "biuf" else mask


@pytest.mark.clause("values")
def test_tells_later_keys_from_the_others(causal_mask, reference):
    """What lies above the diagonal is marked otherwise than what lies on and below it.

    对角线以上的标记，和对角线及以下的不同。
    """
    for got, expected in causal_mask.beside(reference.causal_mask, [(5,), (3,), (6,)]):
        fits = isinstance(got, np.ndarray) and got.shape == expected.shape
        agree(got == got[0, 0] if fits else got, expected, axes=AXES)


@pytest.mark.clause("values")
def test_allows_each_query_itself_and_what_came_before(causal_mask, reference):
    """Query i may attend to keys 0 to i and to no later key.

    第 i 个查询可以关注第 0 到第 i 个键，不能关注更后面的键。
    """
    for got, expected in causal_mask.beside(reference.causal_mask, [(5,), (3,), (2,), (5,), (6,)]):
        agree(numbers(got), numbers(expected), axes=AXES)


@pytest.mark.clause("any_size")
def test_fits_any_number_of_tokens(causal_mask, reference):
    """The mask has n rows and n columns for every n, a single token included.

    对任意 n（包括 1）都是 n 行 n 列。
    """
    for got, expected in causal_mask.beside(reference.causal_mask, [(1,), (4,), (17,), (8,), (260,)]):
        agree(numbers(got), numbers(expected), axes=AXES)


@pytest.mark.safety  # a mask of nothing but True is boolean too
@pytest.mark.clause("boolean")
def test_is_boolean(causal_mask, reference):
    """The entries are True and False (dtype bool), not numbers.

    元素是 True 和 False（dtype 为 bool），不是数。
    """
    for got, _ in causal_mask.beside(reference.causal_mask, [(3,), (1,), (7,)]):
        assert isinstance(got, np.ndarray) and got.dtype == bool


@pytest.mark.safety  # a constant is repeatable too
@pytest.mark.clause("repeatable")
def test_gives_the_same_mask_again(causal_mask, reference):
    """The same n gives the same mask again, and NumPy's global generator does not move.

    同一个 n 再次给出同一个掩码，也不动 NumPy 的全局随机数生成器。
    """
    first, _, again = (got for got, _ in causal_mask.beside(reference.causal_mask, [(3,), (6,), (3,)]))
    assert not causal_mask.effects.generator
    agree(again, first)
