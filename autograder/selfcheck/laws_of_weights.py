"""Laws of softmax and weighted_sum."""

from __future__ import annotations

import numpy as np

from .lawbook import BATCH, BATCHES, D_V, KEYS, QUERIES, close, draw, equal_items, frozen, law, single, whole

LAWS: dict = {}

S = draw(QUERIES, KEYS, scale=2.0)
WEIGHTS, V = draw(QUERIES, KEYS, seed=5), draw(KEYS, D_V, seed=6)


@law(
    LAWS, "softmax",
    en="The weights sum to 1 along the axis that was asked for, for any number of dimensions.",
    zh="无论几维，权重沿所要求的轴求和为 1。",
)  # fmt: skip
def _(f):
    for shape in ((KEYS,), (QUERIES, KEYS), (BATCH, QUERIES, KEYS), (3, BATCH, QUERIES, KEYS)):
        scores = draw(*shape, scale=2.0)
        for axis in range(-len(shape), len(shape)):
            weights = np.asarray(f(scores, axis) if axis else f(scores, axis=axis))
            if weights.shape != shape or not close(
                weights.sum(axis=axis), np.ones_like(scores.sum(axis=axis))
            ):
                return False
        if not close(f(scores), f(scores, axis=-1)):
            return False
    return True


@law(
    LAWS, "softmax",
    en="A score that is higher by ln 2 gets twice the weight, whatever the signs.",
    zh="分数高出 ln 2，权重就是两倍，与正负无关。",
)  # fmt: skip
def _(f):
    scores = np.array(S)
    scores[:, 1] = scores[:, 0] + np.log(2.0)
    weights = np.asarray(f(frozen(scores)))
    scores[:, 2] = scores[:, 0] - 20 * np.log(2.0)
    tiny = np.asarray(f(frozen(scores)))
    rest = close(tiny[:, 2] * 2.0**20, tiny[:, 0])  # a millionth of another weight is no 0
    return rest and close(weights[:, 1], 2 * weights[:, 0]) and bool(np.all(weights > 0))


@law(
    LAWS, "softmax",
    en="Adding the same number to all scores of a row changes nothing, not even 1000 or -1000.",
    zh="给一行的所有分数加上同一个数，结果不变，加 1000 或 -1000 也一样。",
)  # fmt: skip
def _(f):
    shifts = np.array([1000.0, -1000.0, 3.0, -0.5, 0.0])[:, None]
    return close(f(frozen(S + shifts)), f(S))


@law(
    LAWS, "softmax",
    en="Each row is its own affair: a row of huge scores does not change the others.",
    zh="各行互不影响：某一行分数极大，其他行不变。",
)  # fmt: skip
def _(f):
    loud = np.array(S)
    loud[0] = [1e6, 1e6, 1e6 - 1, 0.0, -1e6, 1e6 - 2]
    weights = np.asarray(f(frozen(loud)))
    return close(weights[1:], np.asarray(f(S))[1:]) and bool(np.isfinite(weights).all())


@law(
    LAWS, "softmax",
    en="A score of -inf gets a weight of exactly 0, and the others share the 1.",
    zh="-inf 的权重恰好是 0，其余分享这个 1。",
)  # fmt: skip
def _(f):
    scores = np.array(S)
    scores[:, 4] = -np.inf
    weights = np.asarray(f(frozen(scores)))
    return bool((weights[:, 4] == 0).all()) and close(np.delete(weights, 4, 1), f(frozen(np.delete(S, 4, 1))))


@law(
    LAWS, "softmax",
    en="A row of -inf alone gives zeros or nan, never uniform weights, and leaves the other rows alone.",
    zh="整行都是 -inf 时得到全 0 或全 nan，绝不是平均分配，并且不影响其他行。",
)  # fmt: skip
def _(f):
    scores = np.array(S)
    scores[1] = -np.inf
    weights, others = np.asarray(f(frozen(scores))), np.arange(QUERIES) != 1
    empty = bool((weights[1] == 0).all() or np.isnan(weights[1]).all())
    return empty and close(weights[others], np.asarray(f(S))[others])


@law(
    LAWS, "softmax",
    en="Along axis 0 it does to columns what it does to rows along the last axis.",
    zh="沿第 0 轴对列做的，与沿最后一轴对行做的相同。",
)  # fmt: skip
def _(f):
    return close(f(S, axis=0), np.asarray(f(frozen(S.T))).T)


@law(
    LAWS, "softmax",
    en="Whole numbers give the same as the same numbers written as floats.",
    zh="整数与写成浮点数的同样的数结果相同。",
)  # fmt: skip
def _(f):
    scores = whole(QUERIES, KEYS)
    return close(f(scores), f(frozen(scores.astype(float))))


@law(
    LAWS, "softmax",
    en="Single precision (float32) gives the same as double precision, but for rounding.",
    zh="单精度（float32）与双精度的结果相同，只差舍入误差。",
)  # fmt: skip
def _(f):
    return close(f(single(S)), f(S))


@law(
    LAWS, "weighted_sum",
    en="weights (5, 6) and V (6, 8) give output (5, 8).",
    zh="weights (5, 6) 和 V (6, 8) 得到 output (5, 8)。",
)  # fmt: skip
def _(f):
    return np.shape(f(WEIGHTS, V)) == (QUERIES, D_V)


@law(
    LAWS, "weighted_sum",
    en="All the weight on one key gives that key's value.",
    zh="权重全放在一个键上，就得到那个键的值。",
)  # fmt: skip
def _(f):
    keys, many, moved = [3, 0, 5, 2, 2], draw(40, D_V), np.roll(np.arange(40), 1)
    alone = close(f(frozen(np.eye(40)[moved]), many), many[moved])  # as many queries as keys
    return alone and close(f(frozen(np.eye(KEYS)[keys]), V), V[keys])


@law(
    LAWS, "weighted_sum",
    en="A query whose weights are all 0 gets zeros, and the other rows stay where they are.",
    zh="权重全为 0 的查询得到全 0 的一行，其他行留在原处。",
)  # fmt: skip
def _(f):
    weights = np.array(WEIGHTS)
    weights[2] = 0.0
    expected = np.array(f(WEIGHTS, V))
    expected[2] = 0.0
    return close(f(frozen(weights), V), expected)


@law(
    LAWS, "weighted_sum",
    en="The output is linear in the weights, which need not sum to 1, and linear in V.",
    zh="输出对权重是线性的（权重之和不必为 1），对 V 也是线性的。",
)  # fmt: skip
def _(f):
    other, more = draw(QUERIES, KEYS, seed=8), draw(KEYS, D_V, seed=9)
    plain = np.asarray(f(WEIGHTS, V))
    tiny = close(f(frozen(WEIGHTS * 2.0**-30), frozen(V * 2.0**30)), plain)
    tiny = tiny and close(np.asarray(f(WEIGHTS, frozen(V * 2.0**-30))) * 2.0**30, plain)
    in_weights = tiny and close(f(frozen(WEIGHTS + other), V), plain + f(other, V))
    return in_weights and close(f(WEIGHTS, frozen(V + more)), plain + f(WEIGHTS, more))


@law(
    LAWS, "weighted_sum",
    en="A batch gives what its items give one by one.",
    zh="一个批次的结果与逐项计算的结果相同。",
)  # fmt: skip
def _(f):
    return all(equal_items(f, draw(*axes, QUERIES, KEYS), draw(*axes, KEYS, D_V)) for axes in BATCHES)


@law(
    LAWS, "weighted_sum",
    en="Whole numbers in V or in the weights give the same as the same numbers written as floats.",
    zh="V 或权重中的整数与写成浮点数的同样的数结果相同。",
)  # fmt: skip
def _(f):
    values, counts = whole(KEYS, D_V), whole(QUERIES, KEYS)
    floats = f(WEIGHTS, frozen(values.astype(float))), f(frozen(counts.astype(float)), V)
    return close(f(WEIGHTS, values), floats[0]) and close(f(counts, V), floats[1])
