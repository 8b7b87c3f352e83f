"""Where the numbers of the handouts come from: the worked example, the slips, and four measurements.

A block of numbers in a handout follows a comment `<!-- numbers: expression -->`, evaluated in `NAMES`;
a number in a sentence has its line in `SAID`. Nothing here is typed from the text.
"""

import importlib.util
from functools import cache

import numpy as np

from autograder.layout import KIT

_SPEC = importlib.util.spec_from_file_location("reference", KIT / "solutions" / "self_attention.py")
reference = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(reference)
softmax = reference.softmax

x = np.array([[1, 0], [0, 1], [2, 1]])
W_Q = np.array([[-1, -1, 1, 0], [1, 0, 0, 1]])
W_K = np.array([[2, 0, 0, 1], [0, 1, 2, 0]])
W_V = np.array([[0, 1, 1, 2, 3], [1, -1, 1, 0, -1]])
Q, K, V = reference.project_qkv(x, W_Q, W_K, W_V)
scores = reference.scaled_scores(Q, K)
mask = reference.causal_mask(3)
masked = reference.apply_mask(scores, mask)
weights = softmax(masked)
output = reference.weighted_sum(weights, V)
free = softmax(scores)  # the weights without a mask


def beside(*matrices):
    """Matrices set side by side, as the text prints them."""
    return np.hstack(matrices)


def chapter():
    """The arguments of the chapter's demonstration."""
    tokens = np.random.RandomState(0).randn(4, 8)
    draw = np.random.RandomState(42)
    return tokens, *(draw.randn(8, 4) * 0.1 for _ in range(3))


def slips():
    """Row 1 (chases) of the causal weights: right, then with one slip after another."""
    dots, hidden = Q @ K.T, ~mask

    def under(values, allowed=mask):
        return softmax(np.where(allowed, values, -np.inf))

    return [
        wrong[1]
        for wrong in (
            weights,
            under(dots),
            under(dots / 4),
            under(dots / np.sqrt(2)),
            under(scores.T),
            free,
            softmax(np.where(hidden, 0, scores)),
            np.where(mask, free, 0),
            under(scores, mask.T),
            softmax(masked, axis=0),
        )
    ]


_OTHER = np.array([[0, 2, 0, 1, 0], [1, 0, 1, 0, 2]])
W_O = np.zeros((10, 2))
W_O[[3, 4, 5, 6], [0, 1, 0, 1]] = [1, 1, 1, -1]


def _heads():
    """Two heads; the second one asks the reverse question and has values of its own."""
    matrices = ((W_Q, W_K, W_V), (W_K, W_Q, _OTHER))
    return [reference.self_attention(x, *of_head, causal=True) for of_head in matrices]


def head_weights():
    return [head[1] for head in _heads()]


def merged_heads():
    return beside(*(head[0] for head in _heads()))


@cache
def dot_products(d_k, n_keys):
    """4000 queries against keys of their own, all entries standard normal: rows of dot products."""
    draw = np.random.default_rng(0)
    queries = draw.standard_normal((4000, 1, d_k))
    keys = draw.standard_normal((4000, n_keys, d_k))
    return np.einsum("nqd,nkd->nk", queries, keys)


def share_saturated(rows):
    return np.mean(rows.max(axis=-1) > 0.99)


@cache
def why_scale_table():
    """For each d_k and denominator: spread, median largest weight, share of rows above 0.99."""
    table = []
    for d_k in (4, 64, 512):
        for name, denominator in (("1", 1), ("root", np.sqrt(d_k)), ("d_k", d_k)):
            scaled = dot_products(d_k, 10) / denominator
            rows = softmax(scaled)
            shown = [d_k] + [1] * (name == "1")
            table.append([*shown, scaled.std(), np.median(rows.max(axis=-1)), share_saturated(rows)])
    return table


@cache
def temperature_table():
    """Denominators, mean entropies and mean largest weights, d_k 64 and 16 keys."""
    denominators = (1, 4, 8, 16, 64)
    tables = [softmax(dot_products(64, 16) / denominator) for denominator in denominators]
    entropies = [-np.where(w > 0, w * np.log(np.where(w > 0, w, 1)), 0).sum(axis=-1).mean() for w in tables]
    return denominators, entropies, [w.max(axis=-1).mean() for w in tables]


@cache
def own_key_wins(d_k):
    """The share of 16 random tokens that score themselves highest where W_Q = W_K."""
    tokens = np.random.default_rng(0).standard_normal((500, 16, d_k))
    return np.mean((tokens @ tokens.swapaxes(-1, -2)).argmax(axis=-1) == np.arange(16))


@cache
def derivative_norm(denominator):
    """Median Frobenius norm of the softmax's derivative, d_k 512 and 10 keys."""
    rows = softmax(dot_products(512, 10) / denominator)
    derivative = rows[:, :, None] * (np.eye(10) - rows[:, None, :])
    return np.median(np.sqrt((derivative**2).sum(axis=(1, 2))))


@cache
def query_gradients(denominator):
    """Norms of the gradient that reaches a query, d_k 512 and 10 keys, for a random one at the weights."""
    draw = np.random.default_rng(0)
    queries, keys = draw.standard_normal((4000, 1, 512)), draw.standard_normal((4000, 10, 512))
    rows = softmax(np.einsum("nqd,nkd->nk", queries, keys) / denominator)
    arriving = draw.standard_normal(rows.shape)
    d_scores = rows * (arriving - (rows * arriving).sum(axis=-1, keepdims=True)) / denominator
    return np.linalg.norm(np.einsum("nk,nkd->nd", d_scores, keys), axis=-1)


def gradients(start_q, start_k, steps):
    """Norms of the loss's gradients at W_Q, W_K, W_V in each step of gradient descent on the example."""
    matrices = [start_q.astype(float), start_k.astype(float), W_V.astype(float)]
    target, norms = np.ones((3, 5)), []
    for _ in range(steps):
        queries, keys, values = (x @ matrix for matrix in matrices)
        rows = softmax(queries @ keys.T / 2)
        d_output = rows @ values - target
        d_rows = d_output @ values.T
        d_scores = rows * (d_rows - (d_rows * rows).sum(axis=-1, keepdims=True)) / 2
        found = [x.T @ d_scores @ keys, x.T @ d_scores.T @ queries, x.T @ rows.T @ d_output]
        norms.append([np.linalg.norm(gradient) for gradient in found])
        matrices = [matrix - 0.01 * gradient for matrix, gradient in zip(matrices, found, strict=True)]
    return np.array(norms)


_EXAMPLE = {
    "4.482": lambda: np.exp(scores[1, 0]),
    "5.482": lambda: np.exp(masked[1]).sum(),
    "0.818": lambda: weights[1, 0],
    "0.182": lambda: weights[1, 1],
    "0.635": lambda: output[1, 1],
    "1.635": lambda: output[1, 3],
    "2.270": lambda: output[1, 4],
    "1.5": lambda: scores[1, 0],
}
_FILLED = softmax(np.array([0.0, 1.0]))

# section -> number as it is said -> where it comes from
SAID = {
    "one example": _EXAMPLE,
    "project_qkv": {
        "56 %": lambda: own_key_wins(4),
        "99 %": lambda: own_key_wins(16),
        "100 %": lambda: own_key_wins(64),
        "6 %": lambda: 1 / 16,
    },
    "scaled_scores": {"3.0": lambda: scores[1, 2], "1.0": lambda: scores[2, 1]},
    "apply_mask": {
        "0.269": lambda: _FILLED[0],
        "0.731": lambda: _FILLED[1],
        "0.164": lambda: np.where(mask, free, 0).sum(axis=-1)[0],
        "0.214": lambda: np.where(mask, free, 0).sum(axis=-1)[1],
    },
    "softmax": {
        "1.958": lambda: weights.sum(axis=0)[0],
        "0.811": lambda: weights.sum(axis=0)[1],
        "0.231": lambda: weights.sum(axis=0)[2],
    },
    "weighted_sum": {"0.818": _EXAMPLE["0.818"], "0.182": _EXAMPLE["0.182"]},
    "self_attention": {},
    "why_scale": {
        "0.99": lambda: 0.99,
        "0.347": lambda: derivative_norm(np.sqrt(512)),
        "0.0003": lambda: derivative_norm(1),
    },
    "often told": {
        "2.773": lambda: np.log(16),
        "0.303": lambda: np.median(query_gradients(np.sqrt(512))),
        "0.003": lambda: np.median(query_gradients(1)),
        "0.322": lambda: query_gradients(np.sqrt(512)).mean(),
        "1.231": lambda: query_gradients(1).mean(),
        "70 %": lambda: share_saturated(softmax(dot_products(512, 10))),
        "0.99": lambda: 0.99,
    },
}
NAMES = {name: value for name, value in globals().items() if not name.startswith("_")}
NAMES |= {"self_attention": reference.self_attention}
