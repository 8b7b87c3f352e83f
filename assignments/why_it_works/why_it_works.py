"""Why attention works

Write each function, then run: python -m selfcheck
"""

import numpy as np

# Given: the functions of self_attention, solved. Run this; nothing in it is graded.


def project_qkv(x, W_Q, W_K, W_V):
    """Look at every token in three ways: as a query, as a key and as a value."""
    return x @ W_Q, x @ W_K, x @ W_V


def scaled_scores(Q, K):
    """Ask every key how well it answers every query."""
    d_k = Q.shape[-1]
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)


def causal_mask(n):
    """Let every token see itself and what came before it."""
    return np.tril(np.ones((n, n), dtype=bool))


def apply_mask(scores, mask):
    """Take away the scores that a query must not use."""
    return np.where(mask, scores, -np.inf)


def softmax(scores, axis=-1):
    """Share out a weight of 1 over the keys, by their scores."""
    highest = np.max(scores, axis=axis, keepdims=True)
    # A query that may attend to nothing has no highest score; its weights become 0, not nan.
    shifted = scores - np.where(np.isfinite(highest), highest, 0.0)
    exponentials = np.exp(shifted)
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / np.where(total > 0, total, 1.0)


def weighted_sum(weights, V):
    """Mix the values, for every query in its own proportions."""
    return weights @ V


def self_attention(x, W_Q, W_K, W_V, causal=False):
    """Let every token gather what it needs from the others."""
    Q, K, V = project_qkv(x, W_Q, W_K, W_V)
    scores = scaled_scores(Q, K)
    if causal:
        scores = apply_mask(scores, causal_mask(scores.shape[-1]))
    weights = softmax(scores)
    return weighted_sum(weights, V), weights


def xavier_uniform(fan_in, fan_out, rng):
    """TODO: what it gives.

    - x (..., n): TODO: what it is.
    - Returns y (..., n): TODO: what it is.
    - Any number of batch dimensions may stand in front, also none.
    - The same arguments give the same answer on every call.
    - No argument is changed, and NumPy's global generator is left alone.

    >>> rng = np.random.default_rng(7)
    >>> W = np.stack([xavier_uniform(2, 4, rng) for _ in range(1000)])
    >>> np.round(np.array([W.min(), W.max(), W.std()]), 1)
    array([-1. ,  1. ,  0.6])

    >>> W = xavier_uniform(400, 200, np.random.default_rng(7))
    >>> np.round(np.array([W[:, 0].size, W[0].size, W.min() * 10, W.max() * 10, W.std() * 10]), 1)
    array([400. , 200. ,  -1. ,   1. ,   0.6])

    >>> rng, twin = np.random.default_rng(1), np.random.default_rng(1)
    >>> W_Q, W_K, same = xavier_uniform(3, 5, rng), xavier_uniform(3, 5, rng), xavier_uniform(3, 5, twin)
    >>> np.array([np.array_equal(W_Q, same), np.array_equal(W_Q, W_K)])
    array([ True, False])
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def softmax_jacobian(weights):
    """TODO: what it gives.

    - x (..., n): TODO: what it is.
    - Returns y (..., n): TODO: what it is.
    - Any number of batch dimensions may stand in front, also none.
    - The same arguments give the same answer on every call.
    - No argument is changed, and NumPy's global generator is left alone.

    >>> softmax_jacobian(np.array([0.75, 0.25]))
    array([[ 0.1875, -0.1875],
           [-0.1875,  0.1875]])

    >>> softmax_jacobian(np.array([0.8, 0.0, 0.2]))
    array([[ 0.16,  0.  , -0.16],
           [ 0.  ,  0.  ,  0.  ],
           [-0.16,  0.  ,  0.16]])

    >>> softmax_jacobian(np.array([0.4, 0.3, 0.2, 0.1]))
    array([[ 0.24, -0.12, -0.08, -0.04],
           [-0.12,  0.21, -0.06, -0.03],
           [-0.08, -0.06,  0.16, -0.02],
           [-0.04, -0.03, -0.02,  0.09]])
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def attention_backward(Q, K, V, mask, d_output):
    """TODO: what it gives.

    - x (..., n): TODO: what it is.
    - Returns y (..., n): TODO: what it is.
    - Any number of batch dimensions may stand in front, also none.
    - The same arguments give the same answer on every call.
    - No argument is changed, and NumPy's global generator is left alone.

    >>> Q = np.array([[-1, -1, 1, 0], [1, 0, 0, 1], [-1, -2, 2, 1]])
    >>> K = np.array([[2, 0, 0, 1], [0, 1, 2, 0], [4, 1, 2, 2]])
    >>> V = np.array([[0, 1, 1, 2, 3], [1, -1, 1, 0, -1], [1, 1, 3, 4, 5]])
    >>> dQ, dK, dV = attention_backward(Q, K, V, np.tri(3, dtype=bool), np.ones((3, 5)))
    >>> dQ
    array([[ 0.        ,  0.        ,  0.        ,  0.        ],
           [ 1.04402516, -0.52201258, -1.04402516,  0.52201258],
           [ 4.91331478, -0.19502067, -0.39004133,  2.45665739]])
    >>> dK, dV[:, 0]
    (array([[ 0.32699192, -0.39004133,  0.39004133,  0.71703325],
           [ 0.80382645,  2.65167806, -2.65167806, -1.84785161],
           [-1.13081836, -2.26163672,  2.26163672,  1.13081836]]), array([1.95781886, 0.81095724, 0.2312239 ]))

    >>> Q, K = np.array([[1.0, 2.0], [0.0, -1.0]]), np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]])
    >>> V, d_output = np.array([[3.0], [1.0], [0.5]]), np.array([[1.0], [-2.0]])
    >>> dQ, dK, dV = attention_backward(Q, K, V, None, d_output)
    >>> dQ, dK, dV
    (array([[ 0.43885712, -0.28571659],
           [-1.28095599,  0.79545638]]), array([[ 0.28571659,  1.36688956],
           [-0.13257606, -0.57510889],
           [-0.15314053, -0.79178067]]), array([[-0.75872461],
           [ 0.00697969],
           [-0.24825508]]))

    >>> Q, K = np.array([[[1.0], [2.0]], [[3.0], [1.0]]]), np.array([[[1.0], [0.0]], [[2.0], [1.0]]])
    >>> V, d_output = np.array([[[1.0, 0.0], [0.0, 3.0]], [[2.0, 1.0], [1.0, 1.0]]]), np.ones((2, 2, 2))
    >>> mask = np.array([[[True, True]], [[True, False]]])
    >>> first, second, third = attention_backward(Q, K, V, mask, d_output)
    >>> first[..., 0], second[..., 0], third[..., 0]
    (array([[-0.39322387, -0.20998717],
           [ 0.        ,  0.        ]]), array([[-0.81319821,  0.81319821],
           [ 0.        ,  0.        ]]), array([[1.61185566, 0.38814434],
           [2.        , 0.        ]]))
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def saturation(d_k, n_keys, n_rows, rng, scaled):
    """TODO: what it gives.

    - x (..., n): TODO: what it is.
    - Returns y (..., n): TODO: what it is.
    - Any number of batch dimensions may stand in front, also none.
    - The same arguments give the same answer on every call.
    - No argument is changed, and NumPy's global generator is left alone.

    >>> wild = saturation(512, 10, 1000, np.random.default_rng(0), scaled=False)
    >>> calm = saturation(512, 10, 1000, np.random.default_rng(0), scaled=True)
    >>> np.abs(np.array(wild) - [0.11, 0.955, 0.72, 0.0]) < 0.04
    array([ True,  True,  True,  True])
    >>> np.abs(np.array(calm) - [1.93, 0.32, 0.0, 0.347]) < 0.04
    array([ True,  True,  True,  True])

    >>> np.array(saturation(8, 1, 3, np.random.default_rng(0), scaled=True))
    array([0., 1., 1., 0.])
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def temperature_softmax(scores, temperature):
    """TODO: what it gives.

    - x (..., n): TODO: what it is.
    - Returns y (..., n): TODO: what it is.
    - Any number of batch dimensions may stand in front, also none.
    - The same arguments give the same answer on every call.
    - No argument is changed, and NumPy's global generator is left alone.

    >>> scores = np.array([0.0, np.log(4.0)])
    >>> temperature_softmax(scores, 2.0), temperature_softmax(scores, 0.5)
    (array([0.33333333, 0.66666667]), array([0.05882353, 0.94117647]))

    >>> temperature_softmax(np.array([-1, 2, 0]), 2), temperature_softmax(np.array([-1, 2, 0]), 64)
    (array([0.14024438, 0.62853172, 0.2312239 ]), array([0.32639859, 0.34206279, 0.33153862]))

    >>> scores = np.array([[[0.0, 2.0, 4.0], [3.0, 3.0, -np.inf]], [[1.0, 0.0, 0.0], [0.0, 4.0, 2.0]]])
    >>> first, second = temperature_softmax(scores, 2.0)
    >>> first, second
    (array([[0.09003057, 0.24472847, 0.66524096],
           [0.5       , 0.5       , 0.        ]]), array([[0.45186276, 0.27406862, 0.27406862],
           [0.09003057, 0.66524096, 0.24472847]]))
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def finds_leak(attention_fn, rng):
    """TODO: what it gives.

    - x (..., n): TODO: what it is.
    - Returns y (..., n): TODO: what it is.
    - Any number of batch dimensions may stand in front, also none.
    - The same arguments give the same answer on every call.
    - No argument is changed, and NumPy's global generator is left alone.

    >>> so_far = lambda Q, K, V: np.cumsum(V, axis=-2) / np.arange(1, V.shape[-2] + 1)[:, np.newaxis]
    >>> everything = lambda Q, K, V: np.zeros_like(V) + V.mean(axis=-2, keepdims=True)
    >>> next_one = lambda Q, K, V: (V + np.roll(V, -1, axis=-2)) / 2
    >>> np.array([finds_leak(f, np.random.default_rng(0)) for f in (so_far, everything, next_one)])
    array([False,  True,  True])
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError
