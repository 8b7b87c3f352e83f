"""Inputs for attention_backward, and its parts that a mistake can exchange; for suite and mistakes alone."""

import numpy as np

AXES = (("n_queries", "d_k"), ("n_keys", "d_k"), ("n_keys", "d_v"))


def inputs(rng, *batch, n_queries=5, n_keys=6, d_k=3, d_v=4, scale=1.0, mask=None):
    """Q, K, V, the mask and the gradient of the output."""
    Q, K = (rng.normal(scale=scale, size=(*batch, n, d_k)) for n in (n_queries, n_keys))
    return Q, K, rng.normal(size=(*batch, n_keys, d_v)), mask, rng.normal(size=(*batch, n_queries, d_v))


def allowed(rng, *shape):
    """A mask with about half the pairs: for every query some, and some not."""
    mask = rng.random(shape) < 0.5
    mask[..., 0] |= ~mask.any(axis=-1)
    mask[..., -1] &= ~mask[..., :-1].all(axis=-1)
    return mask


def ordinary(rng):
    return [inputs(rng), inputs(rng, n_queries=4, n_keys=4, d_k=5), inputs(rng, n_keys=3, d_v=1)]


def member(answer, index):
    """One of the three gradients, where there are three."""
    return answer[index] if isinstance(answer, tuple | list) and len(answer) == 3 else answer


def turned(x):
    return np.swapaxes(x, -1, -2)


def weights_of(Q, K, mask, scale=None):
    scores = Q @ turned(K) / (np.sqrt(Q.shape[-1]) if scale is None else scale)
    scores = scores if mask is None else np.where(mask, scores, -np.inf)
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


def through_softmax(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))


def back(Q, K, V, mask, d_output, *, weights=None, through=through_softmax, scale=None):
    """The three gradients, with other weights, another way through the softmax, or another scale."""
    weights = weights_of(Q, K, mask) if weights is None else weights
    d_scores = through(weights, d_output @ turned(V)) / (np.sqrt(Q.shape[-1]) if scale is None else scale)
    return d_scores @ K, turned(d_scores) @ Q, turned(weights) @ d_output
