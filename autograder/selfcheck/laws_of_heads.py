"""Laws of the steps of multi-head attention."""

from __future__ import annotations

import numpy as np

from .lawbook import BATCH, MODEL, QUERIES, close, draw, equal_items, frozen, law, whole

LAWS: dict = {}

TOKENS, HEADS, D_K, D_V, D_OUT = QUERIES, 3, 2, 6, 8
X = draw(TOKENS, MODEL)
WIDE = draw(TOKENS, HEADS * D_V)
W_Q, W_K = (draw(MODEL, HEADS * D_K, seed=seed, scale=0.4) for seed in (2, 3))
W_V, W_O = draw(MODEL, HEADS * D_V, seed=4, scale=0.4), draw(HEADS * D_V, D_OUT, seed=5, scale=0.4)
W = (W_Q, W_K, W_V, W_O)


@law(
    LAWS, "split_heads",
    en="Each head keeps all tokens and takes neighbouring columns: head 1 of 3 has columns 6 to 11 of 18.",
    zh="每个头保留全部词元，取相邻的列：3 个头、18 列时，头 1 取第 6 到 11 列。",
)  # fmt: skip
def _(f):
    heads = np.asarray(f(WIDE, HEADS))
    if heads.shape != (HEADS, TOKENS, D_V):
        return False
    return all(close(heads[h], WIDE[:, h * D_V : (h + 1) * D_V]) for h in range(HEADS))


@law(
    LAWS, "split_heads",
    en="Permuting the tokens permutes them in each head and does nothing else.",
    zh="打乱词元，每个头里的词元也同样打乱，别无变化。",
)  # fmt: skip
def _(f):
    order = np.array([3, 0, 4, 1, 2])
    return close(f(frozen(WIDE[order]), HEADS), np.asarray(f(WIDE, HEADS))[:, order])


@law(
    LAWS, "split_heads",
    en="A batch gives what its sentences give one by one.",
    zh="一个批次的结果与逐个句子计算的结果相同。",
)  # fmt: skip
def _(f):
    flat, deep = draw(BATCH, TOKENS, HEADS * D_V), draw(4, BATCH, TOKENS, HEADS * D_V)
    return equal_items(f, flat, shared=(HEADS,)) and equal_items(f, deep, shared=(HEADS,))


@law(
    LAWS, "merge_heads",
    en="Each token's row is its rows in all heads, one after the other.",
    zh="每个词元的一行由它在各个头里的行依次拼接而成。",
)  # fmt: skip
def _(f):
    heads = draw(HEADS, TOKENS, D_V)
    merged = np.asarray(f(heads))
    if merged.shape != (TOKENS, HEADS * D_V):
        return False
    return all(close(merged[:, h * D_V : (h + 1) * D_V], heads[h]) for h in range(HEADS))


@law(
    LAWS, "merge_heads",
    en="A batch gives what its sentences give one by one.",
    zh="一个批次的结果与逐个句子计算的结果相同。",
)  # fmt: skip
def _(f):
    return equal_items(f, draw(BATCH, HEADS, TOKENS, D_V)) and equal_items(
        f, draw(4, BATCH, HEADS, TOKENS, D_V)
    )


@law(
    LAWS, "multi_head_attention",
    en="It returns output (5, 8) and weights (3, 5, 5), which sum to 1 for each query of each head.",
    zh="返回 output (5, 8) 和 weights (3, 5, 5)，每个头里每个查询的权重之和为 1。",
)  # fmt: skip
def _(f):
    for result in (f(X, *W, HEADS), f(X, *W, HEADS, True)):
        if not isinstance(result, tuple) or [np.shape(m) for m in result] != [
            (TOKENS, D_OUT),
            (HEADS, TOKENS, TOKENS),
        ]:
            return False
        if not close(np.asarray(result[1]).sum(axis=-1), np.ones((HEADS, TOKENS))):
            return False
    return True


@law(
    LAWS, "multi_head_attention",
    en="With the causal mask no head looks at later tokens, and these do not matter, however large.",
    zh="有因果掩码时任何头都不看后面的词元，后面的词元再大也无关紧要。",
)  # fmt: skip
def _(f):
    plain = f(X, *W, HEADS, causal=True)
    above = np.triu(np.ones((TOKENS, TOKENS), bool), 1)
    for size in (1.0, 1e5):
        other = np.array(X)
        other[3:] = size * draw(TOKENS - 3, MODEL, seed=9)
        output, weights = f(frozen(other), *W, HEADS, causal=True)
        if (
            not close(np.asarray(output)[:3], np.asarray(plain[0])[:3])
            or (np.asarray(weights)[:, above] != 0).any()
        ):
            return False
    free = np.asarray(f(X, *W, HEADS)[1])
    return bool((free > 0).all())


@law(
    LAWS, "multi_head_attention",
    en="Permuting the tokens permutes output and weights likewise.",
    zh="打乱词元的顺序，输出和权重也随之打乱。",
)  # fmt: skip
def _(f):
    order = np.array([3, 0, 4, 1, 2])
    output, weights = f(X, *W, HEADS)
    moved, shares = f(frozen(X[order]), *W, HEADS)
    return close(moved, np.asarray(output)[order]) and close(
        shares, np.asarray(weights)[:, order][:, :, order]
    )


@law(
    LAWS, "multi_head_attention",
    en="The heads are separate: changing one head's columns of W_Q or W_K changes that head's weights alone.",
    zh="各个头互相独立：改动某个头在 W_Q 或 W_K 中的列，只改变那个头的权重。",
)  # fmt: skip
def _(f):
    plain = np.asarray(f(X, *W, HEADS)[1])
    for role in (0, 1):
        for head in range(HEADS):
            other = [np.array(w) for w in W]
            other[role][:, head * D_K : (head + 1) * D_K] += 0.5 * draw(MODEL, D_K, seed=13)
            weights = np.asarray(f(X, *map(frozen, other), HEADS)[1])
            changed = [not close(weights[h], plain[h]) for h in range(HEADS)]
            if changed != [h == head for h in range(HEADS)]:
                return False
    return True


@law(
    LAWS, "multi_head_attention",
    en="The output is the sum of what each head sends through its own rows of W_O.",
    zh="输出等于各个头分别经过 W_O 中自己那几行之后相加。",
)  # fmt: skip
def _(f):
    total = np.asarray(f(X, *W, HEADS)[0])
    parts = []
    for head in range(HEADS):
        alone, values = np.zeros_like(W_O), np.zeros_like(W_V)
        rows = slice(head * D_V, (head + 1) * D_V)
        alone[rows], values[:, rows] = W_O[rows], W_V[:, rows]
        parts.append(np.asarray(f(X, W_Q, W_K, frozen(values), frozen(alone), HEADS)[0]))
    return close(sum(parts), total) and not close(parts[0], parts[1])


@law(
    LAWS, "multi_head_attention",
    en="A head's weights are those of the same head run alone, with n_heads 1.",
    zh="每个头的权重与单独运行这个头（n_heads 为 1）时相同。",
)  # fmt: skip
def _(f):
    weights = np.asarray(f(X, *W, HEADS, causal=True)[1])
    for head in range(HEADS):
        keys, values = slice(head * D_K, (head + 1) * D_K), slice(head * D_V, (head + 1) * D_V)
        mine = (frozen(w[:, c]) for w, c in ((W_Q, keys), (W_K, keys), (W_V, values)))
        alone = np.asarray(f(X, *mine, frozen(W_O[values]), 1, causal=True)[1])
        if not close(alone.reshape(TOKENS, TOKENS), weights[head]):
            return False
    return True


@law(
    LAWS, "multi_head_attention",
    en="A batch gives what its sentences give one by one.",
    zh="一个批次的结果与逐个句子计算的结果相同。",
)  # fmt: skip
def _(f):
    for causal in (False, True):
        for batch in (draw(BATCH, TOKENS, MODEL), draw(4, BATCH, TOKENS, MODEL)):
            if not equal_items(lambda x, c=causal: f(x, *W, HEADS, causal=c), batch):
                return False
    return True


@law(
    LAWS, "multi_head_attention",
    en="Whole numbers in x give the same as the same numbers written as floats.",
    zh="x 中的整数与写成浮点数的同样的数结果相同。",
)  # fmt: skip
def _(f):
    tokens = whole(TOKENS, MODEL)
    return close(f(tokens, *W, HEADS), f(frozen(tokens.astype(float)), *W, HEADS))


@law(
    LAWS, "multi_head_attention",
    en="Zeros that pad each head's W_Q and W_K to four times the width halve all differences of scores.",
    zh="用零把每个头在 W_Q 和 W_K 中的部分补到四倍宽，分数之差全部减半。",
)  # fmt: skip
def _(f):
    parts = [np.asarray(w).reshape(MODEL, HEADS, D_K) for w in (W_Q, W_K)]
    wide = [frozen(np.pad(p, ((0, 0), (0, 0), (0, 3 * D_K))).reshape(MODEL, -1)) for p in parts]
    plain, padded = (np.log(f(X, *pair, W_V, W_O, HEADS)[1]) for pair in ((W_Q, W_K), wide))
    return close(2 * (padded - padded[..., :1]), plain - plain[..., :1])


@law(
    LAWS, "split_heads",
    en="Heads that do not divide the width are refused with an exception.",
    zh="头数不能整除宽度时抛出异常。",
)  # fmt: skip
def _(f):
    return refuses(f, WIDE, 4)


@law(
    LAWS, "multi_head_attention",
    en="Heads that do not divide the width are refused with an exception.",
    zh="头数不能整除宽度时抛出异常。",
)  # fmt: skip
def _(f):
    return refuses(f, X, *W, 4)


def refuses(f, *arguments) -> bool:
    try:
        f(*arguments)
    except Exception:
        return True
    return False
