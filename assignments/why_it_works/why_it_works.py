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
    """Where training begins.

    - fan_in, fan_out: integers, 1 or more.
    - rng: a NumPy Generator.
    - Returns W (fan_in, fan_out), floats; any sizes, also 1.
    - Every entry lies between −a and a, with a = √(6 / (fan_in + fan_out)), and entries
      come close to both ends.
    - Entries are uniform between the two: no part of the range is likelier than another,
      and each entry is drawn by itself.
    - All chance comes from rng: generators of one seed give the same matrix, and another
      seed, or the same generator asked again, gives another.
    - NumPy's global random generator is neither used nor reseeded.

    >>> rng = np.random.default_rng(7)
    >>> W = np.stack([xavier_uniform(2, 4, rng) for _ in range(300)])
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
    """Each weight answers to every score.

    - weights (n,): one row of weights; they sum to 1, and none is negative.
    - Returns J (n, n): row i, column j is the derivative of weight i by score j.
    - n may be any number from 1 up; for a single weight, J is [[0]].
    - A weight of exactly 0 gives a row and a column of exactly 0; a row with a single 1
      gives nothing but zeros.
    - Arrays of float32 and of integers (0 and 1) are fine, and the numbers are right to
      single precision at least.
    - weights is not changed (it may be read-only), the same argument gives the same answer
      on every call, and NumPy's global random generator is neither used nor reseeded.

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
    """The gradient on its way back.

    - Q (..., n_queries, d_k), K (..., n_keys, d_k), V (..., n_keys, d_v): queries, keys and
      values, with the same batch dimensions.
    - mask: boolean, True = may attend; its shape broadcasts against (..., n_queries,
      n_keys), and every query may attend to one key at least. None means no mask.
    - d_output (..., n_queries, d_v): the gradient of the loss at the output of softmax(Q Kᵀ
      / √d_k) V, masked.
    - Returns a tuple of three arrays, in this order: dQ, dK, dV, each in the shape of Q, K,
      V. n_queries, n_keys, d_k and d_v may all differ, and each may be 1.
    - dQ is the gradient of the loss at Q: central differences agree with it.
    - dK is the gradient at K; since each row of dS sums to 0, adding the same vector to all
      keys changes nothing, and dK sums to 0 over the keys.
    - dV is the gradient at V.
    - Forbidden pairs carry no gradient: a key that nobody may attend to gets a dK and a dV
      of exactly 0, and a query with one key alone a dQ of 0.
    - Any number of batch dimensions may stand in front, also none; every item of a batch is
      treated as if it were alone.
    - Where Q and K are all 0, dQ and dK are exactly 0 and dV is not; where Q alone is 0, dK
      alone is.
    - Large scores are fine: no nan, no inf.
    - Integer arrays are fine, also beside floats.
    - No argument is changed (it may be read-only), the same arguments give the same answer
      on every call, and NumPy's global random generator is neither used nor reseeded.

    >>> Q = np.array([[-1, -1, 1, 0], [1, 0, 0, 1], [-1, -2, 2, 1]])
    >>> K = np.array([[2, 0, 0, 1], [0, 1, 2, 0], [4, 1, 2, 2]])
    >>> V = np.array([[0, 1, 1, 2, 3], [1, -1, 1, 0, -1], [1, 1, 3, 4, 5]])
    >>> dQ, dK, dV = attention_backward(Q, K, V, np.tri(3, dtype=bool), np.ones((3, 5)))
    >>> dQ
    array([[ 0.        ,  0.        ,  0.        ,  0.        ],
           [ 1.04402516, -0.52201258, -1.04402516,  0.52201258],
           [ 4.91331478, -0.19502067, -0.39004133,  2.45665739]])
    >>> dK
    array([[ 0.32699192, -0.39004133,  0.39004133,  0.71703325],
           [ 0.80382645,  2.65167806, -2.65167806, -1.84785161],
           [-1.13081836, -2.26163672,  2.26163672,  1.13081836]])
    >>> dV[:, 0]
    array([1.95781886, 0.81095724, 0.2312239 ])

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
    """Measure what the root is for.

    - d_k, n_keys, n_rows: the width of queries and keys, the keys of each row, the rows of
      weights; integers, 1 or more.
    - rng: a NumPy Generator. Queries and keys have independent standard normal entries
      drawn from it. All rows may share one set of keys, or each row may have keys of its
      own: both are fine.
    - scaled: True, the scores are divided by the root of d_k; False, they are not.
    - Returns a tuple of four numbers, in this order: the first is the mean over the rows of
      the entropy, −Σ w ln w with the natural logarithm; a weight of 0 adds 0.
    - The second is the mean over the rows of the largest weight.
    - The third is the share of the rows, from 0 to 1, whose largest weight is above 0.99.
    - The fourth is the median over the rows of the size of the softmax's Jacobian, the root
      of the sum of its squared entries.
    - Any sizes work, from 1 up; with one key the four numbers are 0, 1, 1 and 0.
    - All chance comes from rng: generators of one seed give the same numbers, another seed
      gives others.
    - NumPy's global random generator is neither used nor reseeded.

    >>> wild = saturation(512, 10, 1000, np.random.default_rng(0), scaled=False)
    >>> np.abs(np.array(wild) - [0.11, 0.955, 0.72, 0.0]) < 0.04
    array([ True,  True,  True,  True])

    >>> calm = saturation(512, 10, 1000, np.random.default_rng(0), scaled=True)
    >>> np.abs(np.array(calm) - [1.93, 0.32, 0.0, 0.347]) < 0.04
    array([ True,  True,  True,  True])

    >>> np.array(saturation(8, 1, 3, np.random.default_rng(0), scaled=True))
    array([0., 1., 1., 0.])
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def temperature_softmax(scores, temperature):
    """Flatter or sharper.

    - scores (..., n_queries, n_keys): one row for each query; a single row, of one
      dimension, is enough; every row has one finite score at least.
    - temperature: a positive number.
    - Returns weights (..., n_queries, n_keys), in the shape of scores: the softmax, along
      the keys, of the scores divided by the temperature; at temperature 1 the plain
      softmax.
    - In every row, a higher temperature gives flatter weights: the entropy grows and the
      largest weight shrinks.
    - Very low and very high temperatures and very large scores are fine: no nan; the
      weights go towards one key alone, or towards equal shares.
    - A score of −∞ has a weight of exactly 0 at every temperature.
    - Any number of dimensions works, from one up.
    - Integer scores and an integer temperature are fine and give floats.
    - No argument is changed (it may be read-only), the same arguments give the same answer
      on every call, and NumPy's global random generator is neither used nor reseeded.

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
    """A test that you write.

    - attention_fn: a function of Q, K (batch, n_heads, seq_len, d_k) and V (batch, n_heads,
      seq_len, d_v).
    - rng: a NumPy Generator; all inputs that you try are drawn from it.
    - Returns True if attention_fn leaks, and False if not (a bool, not 1 or 0): without a
      mask it leaks, under a causal mask it does not; a mean over all tokens leaks, a mean
      over those so far does not. A leak is an output of some token that changes when Q, K
      or V of later tokens change. Every leak you are asked to find shows, by 1e-6 or more,
      in standard normal inputs of 2 sentences, 3 heads, 8 tokens, d_k 4 and d_v 5.
    - A leak may be anywhere: only to the next token, only from the far future, only in one
      row. A window that looks back is none.
    - It may be in one head alone, in one sentence of the batch alone, or in one column of
      the output alone.
    - It may come through later Q alone, later K alone (also only through the softmax's
      denominator), or later V alone.
    - A leak may be small, from 1e-6 on; a difference below 1e-12 is rounding, and none.
    - attention_fn returns the output (batch, n_heads, seq_len, d_v), or a tuple of output
      and weights; both are fine, and so is an output of another width.
    - At most 500 calls, with arrays of at most 4096 numbers and axes of at most 64;
      generators of one seed give the same answer, what attention_fn returned is not
      changed, and NumPy's global random generator is neither used nor reseeded.

    >>> so_far = lambda Q, K, V: np.cumsum(V, axis=-2) / np.arange(1, V.shape[-2] + 1)[:, np.newaxis]
    >>> everything = lambda Q, K, V: np.zeros_like(V) + V.mean(axis=-2, keepdims=True)
    >>> np.array([finds_leak(f, np.random.default_rng(0)) for f in (so_far, everything)])
    array([False,  True])

    >>> next_one = lambda Q, K, V: (V + np.roll(V, -1, axis=-2)) / 2
    >>> back = lambda Q, K, V: V + V[..., :1, :]
    >>> np.array([finds_leak(f, np.random.default_rng(0)) for f in (next_one, back)])
    array([ True, False])

    >>> last_head = lambda Q, K, V: np.stack([*V.swapaxes(0, 1)[:-1], everything(Q, K, V)[:, -1]], axis=1)
    >>> each_head = lambda Q, K, V: np.stack([*V.swapaxes(0, 1)[:-1], so_far(Q, K, V)[:, -1]], axis=1)
    >>> np.array([finds_leak(f, np.random.default_rng(0)) for f in (each_head, last_head)])
    array([False,  True])
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError
