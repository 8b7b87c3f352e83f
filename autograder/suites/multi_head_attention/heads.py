"""Multi-head attention in pieces that a mistake can exchange; for the lists of mistakes alone."""

import numpy as np


def split(x, n_heads):
    """Raises ValueError where the heads do not divide, as any reshape does."""
    return np.swapaxes(x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads), -2, -3)


def merge(heads):
    turned = np.swapaxes(heads, -2, -3)
    return turned.reshape(*turned.shape[:-2], -1)


def scores_of(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])


def shares(scores, axis=-1):
    raised = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return raised / raised.sum(axis=axis, keepdims=True)


def masked(scores, causal, k=0):
    """The scores under the causal mask; its diagonal may be another."""
    return np.where(np.tri(*scores.shape[-2:], k=k, dtype=bool), scores, -np.inf) if causal else scores


def parts(x, W_Q, W_K, W_V, n_heads, cut=split):
    """Queries, keys and values of each head."""
    return tuple(cut(x @ matrix, n_heads) for matrix in (W_Q, W_K, W_V))


def attended(x, W_Q, W_K, W_V, W_O, n_heads, weigh):
    """The answer with weights made by `weigh` from each head's scores."""
    Q, K, V = parts(x, W_Q, W_K, W_V, n_heads)
    weights = weigh(scores_of(Q, K))
    return merge(weights @ V) @ W_O, weights
