"""softmax: what must hold of any softmax over one axis.

Nine aspects share the step equally. An unstable softmax, or an ignored argument, loses one of them; `axis=1`
where -1 is meant two. A wrong axis by default keeps only what is asked for by the argument; another formula
keeps nothing, nor does half precision, which is wrong in the third digit. So that each fact is paid for once,
all but `axis` and `any_dimensions` use two dimensions and the default axis, and minus infinity has aspects of
its own: more dimensions are only asked to do the same to it as two.
"""

import numpy as np
import pytest

from autograder.selfcheck import agree
from autograder.suites import call

AXES = ("n_queries", "n_keys")


def scores(rng, *shape):
    return rng.normal(scale=3.0, size=shape)


def near(rng, *levels, n_keys=6):
    """Small whole numbers on top of one level a row: exact in single precision too."""
    return np.array(levels)[:, None] + rng.permuted(np.tile(np.arange(n_keys), (len(levels), 1)), axis=-1)


def hidden_at(rng, *shape):
    """Scores in which each row has some keys at minus infinity, and one that is left."""
    cut = scores(rng, *shape)
    cut[rng.permuted(np.broadcast_to(np.arange(shape[-1]) % 3 == 0, shape), axis=-1)] = -np.inf
    return cut


def settled(got, scores):
    """nan in a row without any key counts as 0 there: the contract allows both."""
    if not isinstance(got, np.ndarray) or got.dtype.kind != "f" or got.shape != scores.shape:
        return got
    return np.where(np.isneginf(scores).all(axis=-1, keepdims=True) & np.isnan(got), 0.0, got)


@pytest.mark.clause("values")
def test_gives_each_row_its_weights(softmax, reference, rng):
    """Each weight is the exponential of its score as a share of its row's, to at least single precision.

    每个权重是该分数的指数在本行指数之和中的份额，至少达到单精度。
    """
    falling = rng.permuted(np.tile(np.linspace(-14.0, 0.0, 8), (3, 1)), axis=-1)  # weights down to 1e-6
    cases = [scores(rng, 5, 6), scores(rng, 5, 6), scores(rng, 4, 4), -np.abs(scores(rng, 3, 7)), falling]
    cases += [np.zeros((2, 3))]
    for got, expected in softmax.beside(reference.softmax, [(case,) for case in cases]):
        agree(got, expected, axes=AXES, rtol=1e-5, atol=1e-10)  # a small weight is a weight
    single = scores(rng, 5, 6).astype(np.float32)
    agree(softmax(single), reference.softmax(single), axes=AXES)


@pytest.mark.clause("axis")
def test_normalises_over_the_axis_asked_for(softmax, reference, rng):
    """The argument axis says which axis is normalised, counted from either end.

    参数 axis 决定沿哪个轴归一化，可以从前数，也可以从后数。
    """
    flat, deep = scores(rng, 4, 4), scores(rng, 2, 5, 6)
    cases = [call(flat, axis=0), call(scores(rng, 5, 6), 0), call(deep, axis=1), call(deep, axis=-2)]
    cases += [call(deep, axis=0), call(deep, 2), call(flat, axis=-1), call(scores(rng, 6, 5), axis=0)]
    for got, expected in softmax.beside(reference.softmax, cases):
        agree(got, expected)


@pytest.mark.clause("any_dimensions")
def test_takes_any_number_of_dimensions(softmax, reference, rng):
    """One dimension or more, a single key included: without axis, the last is normalised.

    一维或更多维都行，只有一个键也行；不给 axis 时沿最后一轴归一化。
    """
    strided, hidden = np.swapaxes(scores(rng, 2, 6, 5), -1, -2), hidden_at(rng, 2, 3, 4)
    hidden[0, 1] = hidden[1, 2] = -np.inf
    shapes = [(6,), (2, 5, 6), (4, 4, 4), (2, 3, 4, 5), (1, 2, 1, 2, 3), (3, 1), (1, 6), (12, 40)]
    cases = [*(scores(rng, *shape) for shape in shapes), strided, *hidden, hidden]
    *calls, first, second, both = softmax.beside(reference.softmax, [(case,) for case in cases])
    for got, expected in calls:
        agree(got, expected)
    agree(settled(both[0], hidden), together(first[0], second[0], hidden, both[1]))


def together(first, second, scores, expected):
    """The answers to two items as one batch: what becomes of minus infinity in them is another fact."""
    alone = [settled(got, one) for got, one in zip((first, second), scores, strict=True)]
    fits = all(isinstance(got, np.ndarray) and got.shape == scores.shape[1:] for got in alone)
    return np.stack(alone) if fits else expected


@pytest.mark.clause("stable")
def test_stays_finite_for_scores_of_any_size(softmax, reference, rng):
    """Scores of any size give the right weights, also where rows, or the scores of one row, lie far apart.

    分数再大再小都给出正确的权重，行与行之间、一行之内相差很远也一样。
    """
    spread = rng.permuted(np.array([[1000.0, 999.0, 0.0, -1000.0, 998.0, -5.0]] * 2), axis=-1)
    hidden = near(rng, -1e6, 1e6)
    hidden[:, 2] = -np.inf
    cases = [
        (near(rng, 1e3, -1e3, 0.0),),
        (near(rng, 1e6, 0.0, -1e6),),
        (spread,),
        (hidden,),
        (np.array([[0.0, 1e30, -1e30], [-1e30, -1e6, 1e6]]),),
    ]
    for got, expected in softmax.beside(reference.softmax, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("minus_infinity")
def test_gives_minus_infinity_no_weight(softmax, reference, rng):
    """A score of minus infinity gets a weight of exactly 0, and the other keys share the 1.

    负无穷的分数，权重恰好为 0；其余的键分完这个 1。
    """
    lone = np.array([[-np.inf, 2.0, -np.inf], [0.5, -np.inf, -1.0]])
    cases = [(hidden_at(rng, 5, 6),), (lone,), (hidden_at(rng, 6, 6),)]
    for got, expected in softmax.beside(reference.softmax, cases):
        agree(got, expected, axes=AXES, rtol=1e-5, atol=0.0)  # exactly 0 where 0 is expected


@pytest.mark.clause("empty_row")
def test_gives_a_row_without_keys_no_weights(softmax, reference, rng):
    """A row of nothing but minus infinity gives nan or zeros, and the other rows are as ever.

    整行都是负无穷时得到 nan 或 0，其他行照常。
    """
    one, two = scores(rng, 5, 6), scores(rng, 4, 3)
    one[3], two[:2] = -np.inf, -np.inf
    for (got, expected), case in zip(
        softmax.beside(reference.softmax, [(one,), (two,)]), (one, two), strict=True
    ):
        agree(settled(got, case), settled(expected, case), axes=AXES)


@pytest.mark.clause("integers")
def test_weighs_whole_numbers(softmax, reference, rng):
    """Scores that are whole numbers give the same weights as floats of that value.

    整数分数给出的权重，和同值的浮点数一样。
    """
    cases = [(rng.integers(-5, 6, size=(5, 6)),), (rng.integers(-9, 0, size=(3, 4)),)]
    for got, expected in softmax.beside(reference.softmax, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.safety  # the input handed back leaves no trace either
@pytest.mark.clause("untouched")
def test_leaves_the_scores_alone(softmax, reference, rng):
    """A call changes neither the scores nor NumPy's global generator.

    调用不改动分数，也不动 NumPy 的全局随机数生成器。
    """
    frozen = scores(rng, 5, 6)
    frozen.flags.writeable = False
    softmax.beside(reference.softmax, [(scores(rng, 5, 6),), (hidden_at(rng, 5, 6),), (frozen,)])
    assert not softmax.effects.arguments
    assert not softmax.effects.generator


@pytest.mark.safety  # a constant is repeatable too
@pytest.mark.clause("repeatable")
def test_gives_the_same_weights_again(softmax, reference, rng):
    """The same scores give the same weights again, whatever was asked in between.

    同样的分数再次给出同样的权重，不管中间算过什么。
    """
    case = scores(rng, 5, 6)
    cases = [(case,), (scores(rng, 5, 6),), (scores(rng, 4, 3),), (case.copy(),)]
    calls = softmax.beside(reference.softmax, cases)
    agree(calls[-1][0], calls[0][0])
