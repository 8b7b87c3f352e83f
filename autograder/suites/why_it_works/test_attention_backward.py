"""attention_backward: the gradients of queries, keys and values.

The reference agrees with central differences. Each gradient has an aspect of its own, and is paid whatever
the others are.
"""

import numpy as np
import pytest

from autograder.selfcheck import agree
from autograder.suites.why_it_works.checks import agree_all, agree_traceless
from autograder.suites.why_it_works.gradients import AXES, allowed, inputs, member, ordinary


def agree_on(attention_backward, reference, cases, members=(0, 1, 2), **tolerance):
    for got, expected in attention_backward.beside(reference.attention_backward, cases):
        for index in members:
            agree(member(got, index), expected[index], axes=AXES[index], **tolerance)


@pytest.mark.clause("d_q")
def test_gives_the_gradient_of_the_queries(attention_backward, reference, rng):
    """dQ says how the loss answers to each number of Q.

    dQ 是损失对 Q 中每个数的导数。
    """
    agree_on(attention_backward, reference, ordinary(rng), members=[0])


@pytest.mark.clause("d_k")
def test_gives_the_gradient_of_the_keys(attention_backward, reference, rng):
    """dK says how the loss answers to each number of K; over the keys of a sentence it sums to 0.

    dK 是损失对 K 中每个数的导数；沿一个句子的各个键求和为 0。
    """
    agree_on(attention_backward, reference, ordinary(rng), members=[1])


@pytest.mark.clause("d_v")
def test_gives_the_gradient_of_the_values(attention_backward, reference, rng):
    """dV says how the loss answers to each number of V.

    dV 是损失对 V 中每个数的导数。
    """
    agree_on(attention_backward, reference, ordinary(rng), members=[2])


@pytest.mark.clause("mask")
def test_sends_nothing_through_forbidden_pairs(attention_backward, reference, rng):
    """Forbidden pairs carry no gradient, whatever shape the mask is broadcast from.

    不许看的地方没有梯度，掩码由什么形状广播而来都一样。
    """
    masks = [np.tri(5, 6, dtype=bool), allowed(rng, 1, 6), np.eye(5, 6, dtype=bool), allowed(rng, 5, 6)]
    square = inputs(rng, n_queries=4, n_keys=4, d_k=4, d_v=4, mask=allowed(rng, 4, 4))
    agree_on(attention_backward, reference, [square, *(inputs(rng, mask=mask) for mask in masks)])


@pytest.mark.clause("batch")
def test_treats_each_item_of_a_batch_by_itself(attention_backward, reference, rng):
    """Any number of batch dimensions may stand in front, with one mask for all or one for each.

    前面可以有任意多个批次轴，掩码可以共用，也可以各用各的。
    """
    masks = [allowed(rng, 5, 5, 6), np.tri(5, 6, dtype=bool), allowed(rng, 2, 1, 1, 6)]
    cases = [inputs(rng, 2), inputs(rng, 2, 3), inputs(rng, 4, n_queries=4, n_keys=4, d_k=4, d_v=4)]
    cases += [inputs(rng, *batch, mask=mask) for batch, mask in zip(((5,), (3,), (2, 2)), masks, strict=True)]
    agree_on(attention_backward, reference, cases)


@pytest.mark.clause("shapes")
def test_returns_three_gradients_of_any_width(attention_backward, reference, rng):
    """The answer is a tuple (dQ, dK, dV), each as large as what it belongs to, whatever the sizes are.

    返回元组 (dQ, dK, dV)，各与所对应的数组同样大小，尺寸任意。
    """
    sizes = [(1, 6, 3, 4), (5, 1, 3, 4), (2, 7, 1, 5), (3, 4, 6, 2), (4, 3, 9, 1)]
    cases = [inputs(rng, n_queries=q, n_keys=k, d_k=d, d_v=v) for q, k, d, v in sizes]
    agree_all(attention_backward, reference.attention_backward, cases, AXES)


@pytest.mark.clause("zeros")
def test_moves_nothing_that_meets_only_zeros(attention_backward, reference, rng):
    """Where Q and K are 0, so are exactly dQ and dK, and dV is not; where Q alone is 0, so is dK alone.

    Q、K 全为 0 时，dQ、dK 恰好为 0，dV 不为 0；只有 Q 全为 0 时，只有 dK 恰好为 0。
    """
    cases = [inputs(rng, scale=0.0), (np.zeros((5, 3)), *inputs(rng)[1:]), inputs(rng, 2, scale=0.0)]
    agree_on(attention_backward, reference, cases, atol=1e-15)


@pytest.mark.clause("stable")
def test_takes_large_scores_and_whole_numbers(attention_backward, reference, rng):
    """Large scores are fine, no nan and no infinity, and so are whole numbers.

    分数很大也没有 nan 和无穷；整数也可以。
    """
    cases = [inputs(rng, scale=60.0), inputs(rng, 2, scale=60.0, mask=np.tri(5, 6, dtype=bool))]
    cases += [tuple(part if part is None else np.rint(3 * part).astype(int) for part in inputs(rng))]
    Q, K = np.array([[-1e6, 0.0], [0.0, 1e6]]), np.array([[1e6, 0.0], [0.0, 1.0], [0.0, 0.0]])
    V, d_output = inputs(rng, n_queries=2, n_keys=3)[2::2]
    cases += [(Q, K, V, np.tri(2, 3, dtype=bool), d_output)]  # a score of -1e12 is allowed, 0 is not
    agree_on(attention_backward, reference, cases, rtol=1e-4, atol=1e-5)  # steep: rounding grows


@pytest.mark.safety  # zeros leave no trace either
@pytest.mark.clause("untouched")
def test_leaves_no_trace(attention_backward, reference, rng):
    """A call changes no argument and no global generator, and gives the same answer again.

    调用不改动任何参数和全局随机数生成器；再调用一次，答案相同。
    """
    case = inputs(rng, mask=allowed(rng, 5, 6))
    for part in case:
        part.flags.writeable = False
    agree_traceless(attention_backward, reference.attention_backward, [case, inputs(rng), case])
