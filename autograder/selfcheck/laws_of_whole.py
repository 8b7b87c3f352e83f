"""Laws of self_attention: what holds of the whole chain, whichever way it is written."""

from __future__ import annotations

import numpy as np

from .lawbook import BATCH, D_K, D_V, MODEL, QUERIES, close, draw, equal_items, frozen, law, whole
from .stream import watched_stream

LAWS: dict = {}

TOKENS = QUERIES
X = draw(TOKENS, MODEL)
W = tuple(draw(MODEL, width, seed=seed, scale=0.4) for seed, width in ((2, D_K), (3, D_K), (4, D_V)))
W_Q, W_K, W_V = W
TWICE = frozen(2 * W_V)


@law(
    LAWS, "self_attention",
    en="It returns (output, weights): output (5, 8) for d_v 8, weights (5, 5) for five tokens.",
    zh="返回 (output, weights)：d_v 为 8 时 output 是 (5, 8)，五个词元的 weights 是 (5, 5)。",
)  # fmt: skip
def _(f):
    shapes = [(TOKENS, D_V), (TOKENS, TOKENS)]
    results = [f(X, *W), f(X, *W, causal=True), f(X, *W, True)]
    return all(isinstance(r, tuple) and [np.shape(m) for m in r] == shapes for r in results)


@law(
    LAWS, "self_attention",
    en="Each query's weights sum to 1, with and without the causal mask.",
    zh="每个查询的权重之和为 1，有没有因果掩码都一样。",
)  # fmt: skip
def _(f):
    rows = [np.asarray(f(X, *W, causal=causal)[1]).sum(axis=-1) for causal in (False, True)]
    return all(close(row, np.ones(TOKENS)) for row in rows)


@law(
    LAWS, "self_attention",
    en="Under the causal mask no weight is on a later token; without it some is.",
    zh="有因果掩码时后面的词元权重为 0；没有掩码时则不为 0。",
)  # fmt: skip
def _(f):
    later = np.triu_indices(TOKENS, 1)
    free = np.asarray(f(frozen(X * 2.5), *W)[1])  # a millionth is some
    loud = frozen(X * 4096)  # scores of both signs, far beyond a million
    chosen = [(X, W_K), (loud, W_K), (loud, frozen(-W_Q))]
    masked = [np.asarray(f(x, W_Q, keys, W_V, causal=True)[1])[later] for x, keys in chosen]
    return bool(all((weights == 0).all() for weights in masked) and (free > 0).all())


@law(
    LAWS, "self_attention",
    en="Under the causal mask the future does not matter: earlier rows stay, however large later tokens are.",
    zh="有因果掩码时未来无关紧要：后面的词元无论多大，前面各行不变。",
)  # fmt: skip
def _(f):
    plain = f(X, *W, causal=True)
    for size in (1.0, 1e5):
        other = np.array(X)
        other[3:] = size * draw(TOKENS - 3, MODEL, seed=9)
        if not all(close(a[:3], b[:3]) for a, b in zip(f(frozen(other), *W, causal=True), plain)):
            return False
    return True


@law(
    LAWS, "self_attention",
    en="The last token sees all, so the causal mask changes nothing for it.",
    zh="最后一个词元能看到全部，因果掩码对它没有影响。",
)  # fmt: skip
def _(f):
    free, masked = f(X, *W), f(X, *W, causal=True)
    return all(close(a[-1], b[-1]) for a, b in zip(free, masked))


@law(
    LAWS, "self_attention",
    en="Without a mask, permuting the tokens permutes output and weights likewise.",
    zh="没有掩码时，打乱词元的顺序，输出和权重也随之打乱。",
)  # fmt: skip
def _(f):
    order = np.array([3, 0, 4, 1, 2])
    output, weights = f(X, *W)
    moved, shares = f(frozen(X[order]), *W)
    return close(moved, np.asarray(output)[order]) and close(shares, np.asarray(weights)[order][:, order])


@law(
    LAWS, "self_attention",
    en="The output is linear in W_V, and the weights do not depend on it.",
    zh="输出对 W_V 是线性的，权重与它无关。",
)  # fmt: skip
def _(f):
    other = draw(MODEL, D_V, seed=11, scale=0.4)
    (a, weights), (b, _), (both, same) = (f(X, W_Q, W_K, m) for m in (W_V, other, frozen(W_V + other)))
    return close(both, np.asarray(a) + b) and close(same, weights) and not close(a, b)


@law(
    LAWS, "self_attention",
    en="Where all tokens are alike, each output is that token's value.",
    zh="所有词元相同时，每个输出就是那个词元的值。",
)  # fmt: skip
def _(f):
    row = X[:1]
    twin, _ = f(frozen(np.repeat(row, TOKENS, axis=0)), *W)
    alone, _ = f(frozen(row), *W)
    return close(twin, np.repeat(alone, TOKENS, axis=0))


@law(
    LAWS, "self_attention",
    en="A token whose query is 0 attends to all tokens alike; W_Q asks and W_K answers.",
    zh="查询为 0 的词元平均地看所有词元；W_Q 负责提问，W_K 负责回答。",
)  # fmt: skip
def _(f):
    tokens, asks = np.array(X), np.zeros((MODEL, D_K))
    tokens[:, -1] = 0.0
    tokens[0, -1] = asks[-1] = 2.0  # only token 0 has the feature that W_Q looks at
    weights = np.asarray(f(frozen(tokens), frozen(asks), W_K, W_V)[1])
    return close(weights[1:], np.full((TOKENS - 1, TOKENS), 1 / TOKENS)) and not close(weights[0], weights[1])


@law(
    LAWS, "self_attention",
    en="The weights depend on W_Q and on W_K.",
    zh="权重既依赖 W_Q，也依赖 W_K。",
)  # fmt: skip
def _(f):
    plain, other = np.asarray(f(X, *W)[1]), draw(MODEL, D_K, seed=12, scale=0.4)
    return not close(f(X, other, W_K, W_V)[1], plain) and not close(f(X, W_Q, other, W_V)[1], plain)


@law(
    LAWS, "self_attention",
    en="Zeros that pad W_Q and W_K to four times the width (d_k 3 to 12) halve all differences of scores.",
    zh="用零把 W_Q 和 W_K 补到四倍宽（d_k 从 3 到 12），分数之差全部减半。",
)  # fmt: skip
def _(f):
    wide = [frozen(np.pad(w, ((0, 0), (0, 3 * D_K)))) for w in (W_Q, W_K)]
    plain, padded = (np.log(f(X, *pair, W_V)[1]) for pair in ((W_Q, W_K), wide))
    return close(2 * (padded - padded[:, :1]), plain - plain[:, :1])


@law(
    LAWS, "self_attention",
    en="A batch gives what its sentences give one by one, however different their sizes.",
    zh="一个批次的结果与逐个句子计算的结果相同，数值大小相差再大也一样。",
)  # fmt: skip
def _(f):
    sizes = np.array([1.0, 40.0])[:, None, None]
    for causal in (False, True):
        for batch in (frozen(draw(BATCH, TOKENS, MODEL) * sizes), draw(3, BATCH, TOKENS, MODEL)):
            if not equal_items(lambda x, c=causal: f(x, *W, causal=c), batch):
                return False
    return True


@law(
    LAWS, "self_attention",
    en="Scores in the thousands give no nan.",
    zh="分数上千也不会出现 nan。",
)  # fmt: skip
def _(f):
    tokens = frozen(X * np.array([100.0, 1.0, 1.0, 30.0, 1.0])[:, None])
    results = [member for causal in (False, True) for member in f(tokens, *W, causal=causal)]
    return all(bool(np.isfinite(member).all()) for member in results)


@law(
    LAWS, "self_attention",
    en="Whole numbers in x give the same as the same numbers written as floats.",
    zh="x 中的整数与写成浮点数的同样的数结果相同。",
)  # fmt: skip
def _(f):
    tokens = whole(TOKENS, MODEL)
    return close(f(tokens, *W), f(frozen(tokens.astype(float)), *W))


@law(
    LAWS, "self_attention",
    en="The same arguments give the same answer again, and the global random generator does not move.",
    zh="同样的参数再算一次结果相同，也不动用全局随机数生成器。",
)  # fmt: skip
def _(f):
    with watched_stream() as moved:
        same = close(f(X, *W), f(X, *W)) and close(f(X, *W, causal=True), f(X, *W, causal=True))
    return same and not moved
