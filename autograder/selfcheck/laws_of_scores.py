"""Laws of project_qkv and scaled_scores."""

from __future__ import annotations

import numpy as np

from .lawbook import (
    BATCHES,
    D_K,
    D_V,
    KEYS,
    MODEL,
    QUERIES,
    close,
    draw,
    equal_items,
    frozen,
    law,
    single,
    whole,
)

LAWS: dict = {}

X, Y = draw(QUERIES, MODEL), draw(QUERIES, MODEL, seed=1)
W = (draw(MODEL, D_K, seed=2), draw(MODEL, D_K, seed=3), draw(MODEL, D_V, seed=4))
Q, K = draw(QUERIES, D_K), draw(KEYS, D_K)


@law(
    LAWS, "project_qkv",
    en="x (5, 7) with W (7, 3), (7, 3) and (7, 8) gives a tuple of (5, 3), (5, 3) and (5, 8).",
    zh="x (5, 7) 和形状为 (7, 3)、(7, 3)、(7, 8) 的 W 得到由 (5, 3)、(5, 3)、(5, 8) 组成的元组。",
)  # fmt: skip
def _(f):
    result = f(X, *W)
    shapes = [(QUERIES, D_K), (QUERIES, D_K), (QUERIES, D_V)]
    return isinstance(result, tuple) and [np.shape(member) for member in result] == shapes


@law(
    LAWS, "project_qkv",
    en="Each of Q, K and V follows its own matrix: doubling W_K doubles K and leaves Q and V alone.",
    zh="Q、K、V 各随自己的矩阵：W_K 加倍只让 K 加倍，Q 和 V 不变。",
)  # fmt: skip
def _(f):
    plain = f(X, *W)
    for role in range(3):
        doubled = f(X, *(frozen(2 * w) if i == role else w for i, w in enumerate(W)))
        if not close(doubled, tuple(2 * m if i == role else m for i, m in enumerate(plain))):
            return False
    return True


@law(
    LAWS, "project_qkv",
    en="A W that only moves features about moves the features of x, and does not turn them round.",
    zh="只搬动特征的 W 就按同样的方式搬动 x 的特征，不会反过来。",
)  # fmt: skip
def _(f):
    places = np.roll(np.arange(MODEL), 2)
    moves = frozen(np.eye(MODEL)[:, places])
    as_many = draw(MODEL, MODEL)  # tokens as features: x and W have one shape
    return all(close(m, x[:, places]) for x in (X, as_many) for m in f(x, moves, moves, moves))


@law(
    LAWS, "project_qkv",
    en="Projecting is linear: sums give sums, and a billionth of x gives a billionth, not 0.",
    zh="投影是线性的：和的投影等于投影之和；x 缩小到十亿分之一，投影也缩小到十亿分之一，而不是 0。",
)  # fmt: skip
def _(f):
    plain = f(X, *W)
    tiny = tuple(np.asarray(member) * 2.0**30 for member in f(frozen(X * 2.0**-30), *W))
    return close(tiny, plain) and close(f(frozen(X + Y), *W), tuple(a + b for a, b in zip(plain, f(Y, *W))))


@law(
    LAWS, "project_qkv",
    en="A batch gives what its sentences give one by one.",
    zh="一个批次的结果与逐个句子计算的结果相同。",
)  # fmt: skip
def _(f):
    return all(equal_items(f, draw(*axes, QUERIES, MODEL), shared=W) for axes in BATCHES)


@law(
    LAWS, "project_qkv",
    en="Whole numbers in x or in the W give the same as the same numbers written as floats.",
    zh="x 或各个 W 中的整数与写成浮点数的同样的数结果相同。",
)  # fmt: skip
def _(f):
    tokens, moves = whole(QUERIES, MODEL), [whole(*w.shape) for w in W]
    floats = f(frozen(tokens.astype(float)), *W), f(X, *(frozen(m.astype(float)) for m in moves))
    return close(f(tokens, *W), floats[0]) and close(f(X, *moves), floats[1])


@law(
    LAWS, "project_qkv",
    en="Single precision (float32) gives the same as double precision, but for rounding.",
    zh="单精度（float32）与双精度的结果相同，只差舍入误差。",
)  # fmt: skip
def _(f):
    thirds = frozen(X / 3)  # sixteenths alone are products that half precision holds as well
    return close(f(*map(single, (thirds, *W))), f(thirds, *W))


@law(
    LAWS, "scaled_scores",
    en="Q (5, 3) and K (6, 3) give scores (5, 6): a row for each query, a column for each key.",
    zh="Q (5, 3) 和 K (6, 3) 得到分数 (5, 6)：每个查询一行，每个键一列。",
)  # fmt: skip
def _(f):
    return np.shape(f(Q, K)) == (QUERIES, KEYS)


@law(
    LAWS, "scaled_scores",
    en="Changing one key changes one column of scores, and changing one query one row.",
    zh="改动一个键只改变一列分数，改动一个查询只改变一行。",
)  # fmt: skip
def _(f):
    other_key, other_query, plain = np.array(K), np.array(Q), np.array(f(Q, K))
    other_key[2] += 1
    other_query[3] += 1
    column = np.array(f(Q, frozen(other_key))) != plain
    row = np.array(f(frozen(other_query), K)) != plain
    return (
        column[:, 2].any()
        and row[3].any()
        and not np.delete(column, 2, 1).any()
        and not np.delete(row, 3, 0).any()
    )


@law(
    LAWS, "scaled_scores",
    en="Asking the other way round, with Q and K exchanged, gives the transposed scores.",
    zh="Q 与 K 互换，得到转置的分数。",
)  # fmt: skip
def _(f):
    return close(f(K, Q), np.swapaxes(f(Q, K), -1, -2))


@law(
    LAWS, "scaled_scores",
    en="Padding Q and K with zeros to four times the width (d_k 3 to 12) halves the scores.",
    zh="用零把 Q 和 K 补到四倍宽（d_k 从 3 到 12），分数减半。",
)  # fmt: skip
def _(f):
    for width in (D_K, 2, 1):
        narrow = [frozen(a[:, :width]) for a in (Q, K)]
        wide = [frozen(np.pad(a, ((0, 0), (0, 3 * width)))) for a in narrow]
        if not close(2 * np.asarray(f(*wide)), f(*narrow)):
            return False
    return True


@law(
    LAWS, "scaled_scores",
    en="Scores are linear in the queries: sums score sums, a million times as much scores so.",
    zh="分数对查询是线性的：两个查询之和得到分数之和，查询放大一百万倍，分数也放大一百万倍。",
)  # fmt: skip
def _(f):
    other = draw(QUERIES, D_K, seed=7)
    plain = np.asarray(f(Q, K))
    sizes = [np.asarray(f(frozen(Q * size), K)) / size for size in (2.0**20, 2.0**-20)]
    return close(f(frozen(Q + other), K), plain + f(other, K)) and all(close(s, plain) for s in sizes)


@law(
    LAWS, "scaled_scores",
    en="A batch gives what its items give one by one.",
    zh="一个批次的结果与逐项计算的结果相同。",
)  # fmt: skip
def _(f):
    return all(equal_items(f, draw(*axes, QUERIES, D_K), draw(*axes, KEYS, D_K)) for axes in BATCHES)


@law(
    LAWS, "scaled_scores",
    en="Whole numbers give the same as the same numbers written as floats.",
    zh="整数与写成浮点数的同样的数结果相同。",
)  # fmt: skip
def _(f):
    queries, keys = whole(QUERIES, D_K), whole(KEYS, D_K)
    return close(f(queries, keys), f(frozen(queries.astype(float)), frozen(keys.astype(float))))
