"""softmax_jacobian: one row of weights, and how each answers to each score.

Most of the step is about the numbers, asked where all weights count, where some are 0 and where there is
only one. The diagonal alone, or the outer product alone, keeps nothing but the edges that it has right.
"""

import numpy as np
import pytest

from autograder.suites.why_it_works.checks import agree_all, agree_traceless

AXES = ("n", "n")


def weights(rng, n):
    """A row of weights in which each counts."""
    return (rng.dirichlet(np.full(n, 3.0)),)


@pytest.mark.clause("values")
def test_says_how_each_weight_answers_to_each_score(softmax_jacobian, reference, rng):
    """Entry (i, j) is the derivative of weight i by score j.

    第 (i, j) 个元素是第 i 个权重对第 j 个分数的导数。
    """
    cases = [weights(rng, n) for n in (5, 6, 3)]
    agree_all(softmax_jacobian, reference.softmax_jacobian, cases, AXES, atol=1e-9)


@pytest.mark.clause("any_length")
def test_takes_any_number_of_weights(softmax_jacobian, reference, rng):
    """A row may hold any number of weights, also one or two.

    一行可以有任意多个权重，也可以只有一两个。
    """
    cases = [weights(rng, n) for n in (2, 1, 17, 40)]
    agree_all(softmax_jacobian, reference.softmax_jacobian, cases, AXES, atol=1e-9)


@pytest.mark.clause("zeros")
def test_does_not_answer_where_a_weight_is_zero(softmax_jacobian, reference, rng):
    """A weight of exactly 0 has a row and a column of exactly 0, and the others keep their numbers.

    权重恰好为 0 时，它的一行一列都恰好为 0，其余数值照常。
    """
    one, two = weights(rng, 6)[0], weights(rng, 5)[0]
    one[[1, 4]], two[0] = 0.0, 0.0
    cases = [(row / row.sum(),) for row in (one, two)] + [(np.array([0.0, 1.0, 0.0]),)]
    agree_all(softmax_jacobian, reference.softmax_jacobian, cases, AXES, rtol=1e-5, atol=1e-12)


@pytest.mark.clause("precision")
def test_takes_single_precision_and_whole_numbers(softmax_jacobian, reference, rng):
    """Weights in float32, or whole ones, are fine.

    float32 的权重、整数的权重都可以。
    """
    cases = [(weights(rng, 5)[0].astype(np.float32),), (np.array([0.25, 0.5, 0.25], dtype=np.float32),)]
    cases = [*cases, (np.array([0, 0, 1, 0]),)]
    agree_all(softmax_jacobian, reference.softmax_jacobian, cases, AXES)


@pytest.mark.safety  # zeros leave no trace either
@pytest.mark.clause("untouched")
def test_leaves_no_trace(softmax_jacobian, reference, rng):
    """A call changes neither the weights nor NumPy's global generator, and gives the same answer again.

    调用不改动权重，也不动 NumPy 的全局随机数生成器；再调用一次，答案相同。
    """
    case, frozen = weights(rng, 5), weights(rng, 4)[0]
    frozen.flags.writeable = False
    agree_traceless(softmax_jacobian, reference.softmax_jacobian, [case, (frozen,), case])
