"""Laws of the experiments: starting values, saturation, temperature, and a test for leaks."""

from __future__ import annotations

import numpy as np

from .lawbook import BATCH, KEYS, QUERIES, close, draw, frozen, law
from .laws_of_gradients import attention, weights_of

LAWS: dict = {}

SCORES = draw(QUERIES, KEYS, scale=2.0)


def generator(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def entropies(weights):
    return -(weights * np.log(weights + (weights == 0))).sum(axis=-1)


@law(
    LAWS, "xavier_uniform",
    en="The matrix is (fan_in, fan_out), and its largest entry comes close to the bound and not beyond.",
    zh="矩阵的形状是 (fan_in, fan_out)，最大的元素接近界而不越界。",
)  # fmt: skip
def _(f):
    for fan_in, fan_out in ((50, 100), (7, 900), (900, 7)):
        W = np.asarray(f(fan_in, fan_out, generator()))
        share = np.abs(W).max() ** 2 * (fan_in + fan_out) / 6  # of the bound, squared
        if W.shape != (fan_in, fan_out) or not 0.96 < share < 1 + 1e-6:
            return False
    return True


@law(
    LAWS, "xavier_uniform",
    en="Each quarter of the range between the bounds holds about a quarter of the entries.",
    zh="两个界之间的范围分成四段，每段约有四分之一的元素。",
)  # fmt: skip
def _(f):
    W = np.asarray(f(90, 110, generator()))
    shares = np.histogram(W, 4, (-(0.03**0.5), 0.03**0.5))[0] / W.size
    return bool(np.all(np.abs(shares - 0.25) < 0.03)) and len(np.unique(W)) > 0.98 * W.size


@law(
    LAWS, "xavier_uniform",
    en="One seed gives one matrix, another seed another, and the same generator goes on to another.",
    zh="同一种子给出同样的矩阵，另一种子给出另一个；同一个生成器接着用，也给出另一个。",
)  # fmt: skip
def _(f):
    rng = generator(5)
    first, second = f(6, 4, rng), f(6, 4, rng)
    return close(first, f(6, 4, generator(5))) and not close(first, second) and not close(
        first, f(6, 4, generator(6))
    )  # fmt: skip


@law(
    LAWS, "saturation",
    en="Unscaled rows are nearer to saturation than scaled ones, in all four figures.",
    zh="不缩放的行比缩放的行更接近饱和，四个数都是如此。",
)  # fmt: skip
def _(f):
    wild, calm = (np.array(f(256, 6, 200, generator(), scaled)) for scaled in (False, True))
    return wild.shape == (4,) and bool(((wild - calm) * [-1, 1, 1, -1] > [0.5, 0.2, 0.3, 0.1]).all())


@law(
    LAWS, "saturation",
    en="For one row of two keys all four figures follow from the larger weight.",
    zh="只有一行、两个键时，四个数都由较大的权重决定。",
)  # fmt: skip
def _(f):
    for seed in range(3):
        entropy, largest, share, norm = map(float, f(3, 2, 1, generator(seed), True))
        expected = entropies(np.array([largest, 1 - largest])), largest > 0.99, 2 * largest * (1 - largest)
        if not close(np.array([entropy, share, norm]), np.array(expected)):
            return False
    return True


@law(
    LAWS, "temperature_softmax",
    en="Half the temperature gives what twice the scores give.",
    zh="温度减半，等于分数加倍。",
)  # fmt: skip
def _(f):
    return close(f(SCORES, 0.5), f(frozen(2 * SCORES), 1.0)) and close(f(SCORES, 1.0), weights_of(SCORES))


@law(
    LAWS, "temperature_softmax",
    en="The higher the temperature, the larger each row's entropy.",
    zh="温度越高，每行的熵越大。",
)  # fmt: skip
def _(f):
    found = [entropies(np.asarray(f(SCORES, t))) for t in (0.5, 1.0, 2.0, 4.0)]
    return all(bool((b > a).all()) for a, b in zip(found, found[1:]))


@law(
    LAWS, "temperature_softmax",
    en="Small temperatures and scores of any size give weights that sum to 1, also in a batch.",
    zh="温度很小、分数再大再小，权重之和也是 1，批次也一样。",
)  # fmt: skip
def _(f):
    apart = frozen(np.array([[1e3, 0.0, -1e3], [-1e5, -1e5, -1e5]]))
    for scores, temperature in (
        (apart, 0.5),
        (SCORES, 1e-9),
        (draw(BATCH, QUERIES, KEYS), 3.0),
        (SCORES[0], 3),
    ):
        if not close(np.asarray(f(scores, temperature)).sum(axis=-1), np.ones(np.shape(scores)[:-1])):
            return False
    return True


def _causal(Q, K, V, width=1):
    there = np.tri(Q.shape[-2], k=width - 1, dtype=bool)
    return attention(Q, K, V, there)


@law(
    LAWS, "finds_leak",
    en="A causal mask has no leak; no mask, one that is off by one, and one after the softmax have.",
    zh="因果掩码没有泄漏；没有掩码、错一位、或用在 softmax 之后，都有泄漏。",
)  # fmt: skip
def _(f):
    def after(Q, K, V):
        scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
        return weights_of(scores) * np.tri(Q.shape[-2]) @ V

    leaking = (lambda Q, K, V: attention(Q, K, V, None), lambda Q, K, V: _causal(Q, K, V, 2), after)
    return f(_causal, generator()) in (False, np.False_) and all(
        f(function, generator()) in (True, np.True_) for function in leaking
    )


@law(
    LAWS, "finds_leak",
    en="An attention that returns (output, weights) is judged as well.",
    zh="返回 (output, weights) 的注意力也能判断。",
)  # fmt: skip
def _(f):
    return bool(f(lambda Q, K, V: (_causal(Q, K, V, 2), None), generator())) and not f(
        lambda Q, K, V: (_causal(Q, K, V), None), generator()
    )
