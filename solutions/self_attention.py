"""Self-attention in seven steps, in NumPy: the reference."""

import numpy as np


def project_qkv(x, W_Q, W_K, W_V):
    """
    >>> x = np.array([[1, 0], [0, 1], [2, 1]])
    >>> Q, K, V = project_qkv(x, np.array([[-1], [1]]), np.array([[2], [0]]), np.array([[0, 3], [1, -1]]))
    >>> V
    array([[ 0,  3],
           [ 1, -1],
           [ 1,  5]])
    """
    ### BEGIN SOLUTION
    return x @ W_Q, x @ W_K, x @ W_V
    ### END SOLUTION


def scaled_scores(Q, K):
    ### BEGIN SOLUTION
    d_k = Q.shape[-1]
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)
    ### END SOLUTION


def causal_mask(n):
    ### BEGIN SOLUTION
    return np.tril(np.ones((n, n), dtype=bool))
    ### END SOLUTION


def apply_mask(scores, mask):
    ### BEGIN SOLUTION
    return np.where(mask, scores, -np.inf)
    ### END SOLUTION


def softmax(scores, axis=-1):
    ### BEGIN SOLUTION
    highest = np.max(scores, axis=axis, keepdims=True)
    # A query that may attend to nothing has no highest score; its weights become 0, not nan.
    shifted = scores - np.where(np.isfinite(highest), highest, 0.0)
    exponentials = np.exp(shifted)
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / np.where(total > 0, total, 1.0)
    ### END SOLUTION


def weighted_sum(weights, V):
    ### BEGIN SOLUTION
    return weights @ V
    ### END SOLUTION


def self_attention(x, W_Q, W_K, W_V, causal=False):
    ### BEGIN SOLUTION
    Q, K, V = project_qkv(x, W_Q, W_K, W_V)
    scores = scaled_scores(Q, K)
    if causal:
        scores = apply_mask(scores, causal_mask(scores.shape[-1]))
    weights = softmax(scores)
    return weighted_sum(weights, V), weights
    ### END SOLUTION
