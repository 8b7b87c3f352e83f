"""Laws of causal_mask and apply_mask."""

from __future__ import annotations

import numpy as np

from .lawbook import BATCH, BATCHES, KEYS, QUERIES, close, draw, equal_items, frozen, law, whole

LAWS: dict = {}

S = draw(QUERIES, KEYS)
MASK = frozen(np.random.default_rng(1).random((QUERIES, KEYS)) < 0.6)


@law(
    LAWS, "causal_mask",
    en="The mask is an (n, n) array of True and False for any n.",
    zh="对任意 n，掩码都是由 True 和 False 组成的 (n, n) 数组。",
)  # fmt: skip
def _(f):
    masks = {n: f(n) for n in (1, 2, 3, 5, 8)}
    return all(m.dtype == bool and m.shape == (n, n) for n, m in masks.items())


@law(
    LAWS, "causal_mask",
    en="Every token may attend to itself, and the last one to all.",
    zh="每个词元都可以看自己，最后一个可以看全部。",
)  # fmt: skip
def _(f):
    return all(f(n).diagonal().all() and f(n)[-1].all() for n in (1, 2, 3, 6))


@law(
    LAWS, "causal_mask",
    en="No token may attend to a later one, and each sees one more than the token before it.",
    zh="任何词元都不能看后面的；每个词元比前一个多看一个。",
)  # fmt: skip
def _(f):
    above = any(f(n)[i, i + 1 :].any() for n in (2, 3, 6) for i in range(n))
    return not above and all(f(n).sum() == n * (n + 1) // 2 for n in (6, 300))


@law(
    LAWS, "causal_mask",
    en="A shorter sentence's mask is the corner of a longer one's.",
    zh="短句的掩码就是长句掩码的左上角。",
)  # fmt: skip
def _(f):
    return all(np.array_equal(f(n), f(300)[:n, :n]) for n in (1, 2, 3, 4, 5, 6, 10, 20, 299))


@law(
    LAWS, "apply_mask",
    en="Where the mask is True the score comes back as it was; where it is False it is -inf.",
    zh="掩码为 True 处分数原样返回，为 False 处是 -inf。",
)  # fmt: skip
def _(f):
    for scores in (S, frozen(S * 2.0**30), frozen(S * 2.0**-30)):
        result, size = np.asarray(f(scores, MASK)), scores.max()
        if not close(result[MASK] / size, scores[MASK] / size) or (result[~MASK] != -np.inf).any():
            return False
    return True


@law(
    LAWS, "apply_mask",
    en="A mask that is True everywhere changes nothing, and a score of exactly 0 stays 0.",
    zh="全为 True 的掩码什么都不改变，恰好为 0 的分数仍是 0。",
)  # fmt: skip
def _(f):
    scores = np.array(S)
    scores[:, 1] = 0.0
    return close(f(frozen(scores), frozen(np.ones((QUERIES, KEYS), bool))), scores)


@law(
    LAWS, "apply_mask",
    en="A mask is broadcast: a row (6,) serves every query, a column (5, 1) every key, (2, 1, 6) a batch.",
    zh="掩码会广播：一行 (6,) 适用于每个查询，一列 (5, 1) 适用于每个键，(2, 1, 6) 适用于批次。",
)  # fmt: skip
def _(f):
    batch, padding = draw(BATCH, QUERIES, KEYS), np.array(MASK[:BATCH, None])
    column = close(f(S, frozen(MASK[:, :1])), f(S, frozen(np.tile(MASK[:, :1], KEYS))))
    row = column and close(f(S, frozen(MASK[0])), f(S, frozen(np.tile(MASK[0], (QUERIES, 1)))))
    return row and close(f(batch, frozen(padding)), f(batch, frozen(np.repeat(padding, QUERIES, axis=1))))


@law(
    LAWS, "apply_mask",
    en="A batch gives what its items give one by one.",
    zh="一个批次的结果与逐项计算的结果相同。",
)  # fmt: skip
def _(f):
    shapes = [(*axes, QUERIES, KEYS) for axes in BATCHES]
    return all(equal_items(f, draw(*s), frozen(draw(*s, seed=2) < 0.3)) for s in shapes)


@law(
    LAWS, "apply_mask",
    en="Whole-number scores give floats, with the same values.",
    zh="整数分数得到浮点数，值不变。",
)  # fmt: skip
def _(f):
    scores = whole(QUERIES, KEYS)
    return close(f(scores, MASK), f(frozen(scores.astype(float)), MASK))


@law(
    LAWS, "apply_mask",
    en="A query that may attend to nothing has only -inf, and the other rows do not change.",
    zh="什么都不能看的查询整行是 -inf，其他行不变。",
)  # fmt: skip
def _(f):
    mask = np.array(MASK)
    mask[2] = False
    result = np.asarray(f(S, frozen(mask)))
    others = np.arange(QUERIES) != 2
    return bool((result[2] == -np.inf).all()) and close(result[others], np.asarray(f(S, MASK))[others])
