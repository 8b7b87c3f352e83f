"""Laws of the gradients: the softmax's Jacobian, and the way back through attention.

One of them is a gradient checker: central differences of attention itself.
"""

from __future__ import annotations

import numpy as np

from .lawbook import BATCH, D_K, D_V, KEYS, QUERIES, close, draw, equal_items, frozen, law

LAWS: dict = {}

Q, K, V = draw(QUERIES, D_K), draw(KEYS, D_K, seed=1), draw(KEYS, D_V, seed=2)
D_OUTPUT = draw(QUERIES, D_V, seed=3)
MASK = frozen(np.tri(QUERIES, KEYS, dtype=bool))
ROW = frozen(np.array([0.5, 0.2, 0.05, 0.25]))
STEP = 1e-5  # of central differences: their error is about its square


def weights_of(scores):
    return np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))


def attention(q, k, v, mask):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    return weights_of(scores if mask is None else np.where(mask, scores, -np.inf)) @ v


def differences(function, array):
    """The derivatives of a number at every entry of an array, by central differences."""
    array, found = np.array(array, dtype=float), np.zeros(np.shape(array))
    for index in np.ndindex(*array.shape):
        kept = array[index]
        array[index] = kept + STEP
        above = function(array)
        array[index] = kept - STEP
        found[index] = (above - function(array)) / (2 * STEP)
        array[index] = kept
    return found


@law(
    LAWS, "softmax_jacobian",
    en="It agrees with central differences: column j says what happens when score j is raised a little.",
    zh="与中心差分一致：第 j 列说明第 j 个分数稍微增大时会怎样。",
)  # fmt: skip
def _(f):
    for row in (ROW, weights_of(draw(KEYS, scale=2.0))):
        scores = np.log(row)
        by_trial = [differences(lambda s, i=i: weights_of(s)[i], scores) for i in range(len(row))]
        if not close(f(frozen(row)), np.array(by_trial)):
            return False
    return True


@law(
    LAWS, "softmax_jacobian",
    en="Rows and columns sum to 0, and a row that is all on one key has nothing but zeros.",
    zh="每行每列之和为 0；权重全在一个键上时，全是 0。",
)  # fmt: skip
def _(f):
    J, one = np.asarray(f(ROW)), np.asarray(f(frozen([0.0, 1.0, 0.0])))
    sums = close(J.sum(axis=0), np.zeros(4)) and close(J.sum(axis=1), np.zeros(4))
    return sums and bool(J.any()) and one.shape == (3, 3) and not one.any()


def _agrees(f, q, k, v, mask, d_output) -> bool:
    """The gradient checker: the three gradients against central differences."""
    arrays = [q, k, v]
    found = f(*arrays, mask, d_output)
    if not isinstance(found, tuple) or len(found) != 3:
        return False
    for index, gradient in enumerate(found):

        def loss(array, index=index):
            return (attention(*arrays[:index], array, *arrays[index + 1 :], mask) * d_output).sum()

        if not close(gradient, differences(loss, arrays[index])):
            return False
    return True


@law(
    LAWS, "attention_backward",
    en="dQ, dK and dV agree with central differences, for 5 queries, 6 keys, d_k 3 and d_v 8.",
    zh="dQ、dK、dV 与中心差分一致：5 个查询、6 个键，d_k 为 3，d_v 为 8。",
)  # fmt: skip
def _(f):
    return _agrees(f, Q, K, V, None, D_OUTPUT)


@law(
    LAWS, "attention_backward",
    en="They agree with central differences under a mask too (True = may attend).",
    zh="有掩码时也与中心差分一致（True = 允许看）。",
)  # fmt: skip
def _(f):
    padded = frozen(np.array([[True, True, True, False, True, False]]))
    return _agrees(f, Q, K, V, MASK, D_OUTPUT) and _agrees(f, Q, K, V, padded, D_OUTPUT)


@law(
    LAWS, "attention_backward",
    en="Over the keys dK sums to 0, since each row of the scores' gradient does.",
    zh="沿各个键，dK 之和为 0，因为分数的梯度每行之和为 0。",
)  # fmt: skip
def _(f):
    dK = np.asarray(f(Q, K, V, MASK, D_OUTPUT)[1])
    return close(dK.sum(axis=-2), np.zeros(D_K)) and bool(dK.any())


@law(
    LAWS, "attention_backward",
    en="A batch gives what its sentences give one by one.",
    zh="一个批次的结果与逐个句子计算的结果相同。",
)  # fmt: skip
def _(f):
    sizes = ((QUERIES, D_K), (KEYS, D_K), (KEYS, D_V), (QUERIES, D_V))
    for mask in (None, MASK):
        batch = [draw(BATCH, *size, seed=seed) for seed, size in enumerate(sizes)]
        if not equal_items(lambda q, k, v, d, m=mask: f(q, k, v, m, d), *batch):
            return False
    return True


@law(
    LAWS, "attention_backward",
    en="With queries and keys of zeros dQ and dK are exactly 0, and large scores give no nan.",
    zh="查询和键全为 0 时，dQ 和 dK 恰好为 0；分数很大也没有 nan。",
)  # fmt: skip
def _(f):
    dQ, dK, dV = map(np.asarray, f(frozen(0 * Q), frozen(0 * K), V, None, D_OUTPUT))
    large = f(frozen(500 * Q), frozen(500 * K), V, None, D_OUTPUT)
    finite = all(np.isfinite(np.asarray(part)).all() for part in large)
    return finite and not dQ.any() and not dK.any() and bool(dV.any())
