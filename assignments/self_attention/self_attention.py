"""Self-attention

Write each function, then run: python -m selfcheck
"""

import numpy as np


def project_qkv(x, W_Q, W_K, W_V):
    """Three views of every token.

    - x (..., seq_len, d_model): one row for each token.
    - W_Q (d_model, d_k), W_K (d_model, d_k), W_V (d_model, d_v): the three matrices, shared
      by the whole batch.
    - Returns a tuple of three arrays, in this order: Q (..., seq_len, d_k), K (...,
      seq_len, d_k), V (..., seq_len, d_v).
    - Each of the three is x times its own matrix, and nothing is added.
    - seq_len, d_model, d_k and d_v may all differ, and each may be 1.
    - Any number of batch dimensions may stand in front, also none; every sentence of a
      batch is projected as if it were alone.
    - Integer arrays are fine, also beside floats, and no fraction is cut off; whole results
      may come back as integers or floats.
    - The numbers are right to single precision at least, for float32 arrays too; half
      precision is not enough.
    - The same arguments give the same answer on every call.
    - No argument is changed (it may be read-only), and NumPy's global random generator is
      neither used nor reseeded.

    >>> x = np.array([[1, 0], [0, 1], [2, 1]])
    >>> W_Q = np.array([[-1, -1, 1, 0], [1, 0, 0, 1]])
    >>> W_K = np.array([[2, 0, 0, 1], [0, 1, 2, 0]])
    >>> W_V = np.array([[0, 1, 1, 2, 3], [1, -1, 1, 0, -1]])
    >>> Q, K, V = project_qkv(x, W_Q, W_K, W_V)
    >>> Q
    array([[-1, -1,  1,  0],
           [ 1,  0,  0,  1],
           [-1, -2,  2,  1]])
    >>> K
    array([[2, 0, 0, 1],
           [0, 1, 2, 0],
           [4, 1, 2, 2]])
    >>> V
    array([[ 0,  1,  1,  2,  3],
           [ 1, -1,  1,  0, -1],
           [ 1,  1,  3,  4,  5]])

    >>> x = np.array([[0.5, -1.0, 2.0, 3.0]])
    >>> W_Q = np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 3.0], [1.0, -1.0]])
    >>> W_K = np.array([[0.0, 4.0], [2.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> W_V = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 1.0]])
    >>> project_qkv(x, W_Q, W_K, W_V)
    (array([[3., 2.]]), array([[0., 7.]]), array([[2.5, 5. , 4. ]]))

    >>> x = np.array([[[1, 0], [0, 1], [2, 1]], [[0, 3], [1, 1], [-1, 0]]])
    >>> Q, K, V = project_qkv(x, np.array([[2], [1]]), np.array([[-1], [4]]), np.array([[1], [3]]))
    >>> Q[..., 0], K[..., 0], V[..., 0]
    (array([[ 2,  1,  5],
           [ 3,  3, -2]]), array([[-1,  4,  2],
           [12,  3,  1]]), array([[ 1,  3,  5],
           [ 9,  4, -1]]))
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def scaled_scores(Q, K):
    """How well each key answers each query.

    - Q (..., n_queries, d_k): the queries, one row each.
    - K (..., n_keys, d_k): the keys, one row each, with the same batch dimensions as Q.
    - Returns scores (..., n_queries, n_keys): row i, column j is query i's dot product with
      key j, divided by the square root of d_k.
    - n_queries, n_keys and d_k may all differ, and each may be 1; d_k is read off the
      arrays.
    - Any number of batch dimensions may stand in front, also none; every item of a batch is
      scored as if it were alone.
    - Integer arrays are fine and give floats; no fraction is cut off.
    - The numbers are right to single precision at least, for float32 arrays too; half
      precision is not enough.
    - The same arguments give the same answer on every call.
    - No argument is changed (it may be read-only), and NumPy's global random generator is
      neither used nor reseeded.

    >>> Q = np.array([[-1, -1, 1, 0], [1, 0, 0, 1], [-1, -2, 2, 1]])
    >>> K = np.array([[2, 0, 0, 1], [0, 1, 2, 0], [4, 1, 2, 2]])
    >>> scaled_scores(Q, K)
    array([[-1. ,  0.5, -1.5],
           [ 1.5,  0. ,  3. ],
           [-0.5,  1. ,  0. ]])

    >>> Q = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, -1.0]])
    >>> K = np.array([[3.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 6.0], [1.0, 1.0, 1.0]])
    >>> scaled_scores(Q, K)
    array([[ 1.73205081,  0.        ,  6.92820323,  1.73205081],
           [ 0.        ,  1.73205081, -3.46410162,  1.15470054]])

    >>> Q = np.array([[[2, 0, 1, 0]], [[0, 1, 0, -4]]])
    >>> K = np.array([[[1, 5, 0, 7], [0, 5, 3, 7], [2, 0, 2, 0]], [[9, 2, 9, 1], [9, 0, 9, 2], [0, 6, 0, 1]]])
    >>> first, second = scaled_scores(Q, K)
    >>> first, second
    (array([[1. , 1.5, 3. ]]), array([[-1., -4.,  1.]]))
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def causal_mask(n):
    """Who may look at whom.

    - n: how many tokens there are; an integer, 1 or more.
    - Returns mask (n, n): row i, column j is True where query i may attend to key j, which
      is on and below the diagonal. True = may attend.
    - Its dtype is bool: not 0 and 1, not 0 and −∞.
    - Any size works, 1 included.
    - The same n gives the same mask on every call, and NumPy's global random generator is
      left alone.

    >>> causal_mask(3)
    array([[ True, False, False],
           [ True,  True, False],
           [ True,  True,  True]])

    >>> causal_mask(1)
    array([[ True]])

    >>> causal_mask(5).sum(axis=-1)
    array([1, 2, 3, 4, 5])
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def apply_mask(scores, mask):
    """Forbidden means minus infinity.

    - scores (..., n_queries, n_keys): one score for each pair.
    - mask: boolean, True = may attend; its shape broadcasts against that of scores.
    - Returns masked (..., n_queries, n_keys): a forbidden score, where the mask is False,
      has become −∞ exactly.
    - An allowed score, where the mask is True, is the number that it was, also where it is
      0 or negative.
    - Any mask is followed as it stands, not only a causal one: every pair is decided by its
      own entry.
    - The mask may be smaller, as long as it broadcasts: (n_keys,), (n_queries, n_keys),
      (batch, 1, n_keys).
    - Integer scores are fine and give floats, since no integer is −∞.
    - Where a query may attend to nothing, its whole row is −∞, and other rows do not change
      with it.
    - The numbers keep single precision at least, for float32 arrays too; half precision is
      not enough.
    - The same arguments give the same answer on every call.
    - No argument is changed (it may be read-only): the scores that were passed in keep
      their numbers. NumPy's global random generator is left alone.

    >>> scores = np.array([[-1.0, 0.5, -1.5], [1.5, 0.0, 3.0], [-0.5, 1.0, 0.0]])
    >>> mask = np.array([[True, False, False], [True, True, False], [True, True, True]])
    >>> apply_mask(scores, mask)
    array([[-1. , -inf, -inf],
           [ 1.5,  0. , -inf],
           [-0.5,  1. ,  0. ]])

    >>> apply_mask(np.array([[3, 0, 7], [-2, 5, 4]]), np.array([True, False, True]))
    array([[  3., -inf,   7.],
           [ -2., -inf,   4.]])

    >>> scores = np.array([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, 0.0, 2.5], [0.5, 8.0, -3.0]]])
    >>> mask = np.array([[[True, True, False]], [[True, False, False]]])
    >>> first, second = apply_mask(scores, mask)
    >>> first, second
    (array([[  1.,   2., -inf],
           [  4.,   5., -inf]]), array([[-1. , -inf, -inf],
           [ 0.5, -inf, -inf]]))
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def softmax(scores, axis=-1):
    """Each query shares out a 1.

    - scores (..., n_queries, n_keys): one row for each query; a single row, of one
      dimension, is enough.
    - axis: the axis along which the 1 is shared out; the last one unless told otherwise.
    - Returns weights (..., n_queries, n_keys), in the shape of scores: the exponential of
      each score over the sum of the exponentials along axis.
    - Any axis may be asked for, by its number from the front or from the back.
    - Any number of dimensions works, from one up, and any length, from 1 up; every row is
      normalised as if it were alone.
    - Any finite scores are fine, however large, however small, and however far apart the
      rows are.
    - A score of −∞ gets a weight of exactly 0, and the others share the 1.
    - Where all scores along axis are −∞, the weights are all zeros or all nan (a warning is
      fine), never uniform; other rows are right as ever.
    - Integer scores are fine and give floats.
    - The numbers are right to single precision at least, for float32 arrays too; half
      precision is not enough.
    - The weights sum to 1 along axis, and none is negative.
    - The same arguments give the same answer on every call.
    - No argument is changed (it may be read-only), and NumPy's global random generator is
      neither used nor reseeded.

    >>> softmax(np.array([0.0, np.log(3.0)]))
    array([0.25, 0.75])

    >>> softmax(np.array([[-1.0, 0.5, -1.5], [1.5, 0.0, -np.inf]]))
    array([[0.16425163, 0.73612472, 0.09962365],
           [0.81757448, 0.18242552, 0.        ]])

    >>> first, second = softmax(np.array([[[1001.0, 1000.0, 999.0]], [[-2000.0, -2000.0, -np.inf]]]))
    >>> first, second
    (array([[0.66524096, 0.24472847, 0.09003057]]), array([[0.5, 0.5, 0. ]]))

    >>> softmax(np.array([[0.0, 1.0, -np.inf], [0.0, 2.0, 5.0]]), axis=0)
    array([[0.5       , 0.26894142, 0.        ],
           [0.5       , 0.73105858, 1.        ]])
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def weighted_sum(weights, V):
    """Mix the values.

    - weights (..., n_queries, n_keys): one row for each query.
    - V (..., n_keys, d_v): one row for each key, with the same batch dimensions as weights.
    - Returns output (..., n_queries, d_v): row i is the sum of the rows of V, each times
      its weight in row i.
    - n_queries, n_keys and d_v may all differ, and each may be 1.
    - Any number of batch dimensions may stand in front, also none; every item of a batch is
      mixed as if it were alone.
    - The weights are taken as they are: they need not sum to 1, may be negative or 0, and
      are not normalised again.
    - Integer arrays are fine, also beside floats, and no fraction is cut off; whole results
      may come back as integers or floats.
    - The numbers are right to single precision at least, for float32 arrays too; half
      precision is not enough.
    - The same arguments give the same answer on every call.
    - No argument is changed (it may be read-only), and NumPy's global random generator is
      neither used nor reseeded.

    >>> V = np.array([[0, 1, 1, 2, 3], [1, -1, 1, 0, -1], [1, 1, 3, 4, 5]])
    >>> weighted_sum(np.array([[1.0, 0.0, 0.0], [0.75, 0.25, 0.0]]), V)
    array([[0.  , 1.  , 1.  , 2.  , 3.  ],
           [0.25, 0.5 , 1.  , 1.5 , 2.  ]])

    >>> weighted_sum(np.array([[2, -1, 3]]), np.array([[1, 4], [0, 5], [2, -2]]))
    array([[ 8, -3]])

    >>> weights = np.array([[[0.5, 0.25, 0.25]], [[0.0, 0.1, 0.9]]])
    >>> V = np.array([[[4.0, 0.0], [8.0, 4.0], [0.0, 8.0]], [[7.0, 7.0], [10.0, 20.0], [30.0, 10.0]]])
    >>> first, second = weighted_sum(weights, V)
    >>> first, second
    (array([[4., 3.]]), array([[28., 11.]]))
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def self_attention(x, W_Q, W_K, W_V, causal=False):
    """The whole chain.

    - x (..., seq_len, d_model): one row for each token.
    - W_Q (d_model, d_k), W_K (d_model, d_k), W_V (d_model, d_v): the three matrices, shared
      by the whole batch.
    - causal: False, every token may attend to all; True, each to itself and to earlier ones
      only.
    - Returns a tuple of both, in this order: output (..., seq_len, d_v), and the weights
      (..., seq_len, seq_len) that made it.
    - The weights are the softmax, over the keys, of the scaled scores; the output is the
      weighted sum of the values.
    - seq_len, d_model, d_k and d_v may all differ, and each may be 1.
    - Any number of batch dimensions may stand in front, also none; sentences of a batch do
      not see each other.
    - With causal=True, every weight above the diagonal is exactly 0 and each row sums to 1
      over what is left; with causal=False, nothing is masked.
    - With causal=True, changing later tokens, by however much, leaves a token's output and
      weights as they were; changing a token that it may see does count.
    - Large scores are fine, also where rows lie far apart: no nan, no inf.
    - Integer arrays are fine, also beside floats.
    - The numbers are right to single precision at least, for float32 arrays too; half
      precision is not enough.
    - The same arguments give the same answer on every call: nothing is dropped or drawn at
      random.
    - No argument is changed (it may be read-only), and NumPy's global random generator is
      neither used nor reseeded.

    >>> x = np.random.RandomState(0).randn(4, 8)
    >>> draw = np.random.RandomState(42)
    >>> W_Q, W_K, W_V = [draw.randn(8, 4) * 0.1 for _ in range(3)]
    >>> output, weights = self_attention(x, W_Q, W_K, W_V)
    >>> output.shape
    (4, 4)
    >>> weights.sum(axis=-1)
    array([1., 1., 1., 1.])
    >>> weights
    array([[0.28944532, 0.27640767, 0.21470758, 0.21943943],
           [0.27973603, 0.26346955, 0.22278129, 0.23401312],
           [0.22952881, 0.23924998, 0.27277227, 0.25844893],
           [0.25064595, 0.25290717, 0.25198439, 0.24446249]])
    >>> output
    array([[ 0.04677251,  0.26415232, -0.00519982,  0.02163045],
           [ 0.04590661,  0.26756372, -0.00552639,  0.03138204],
           [ 0.04294599,  0.26601363, -0.01938748,  0.07725167],
           [ 0.04424023,  0.2651726 , -0.0142652 ,  0.05729209]])

    >>> x = np.array([[1, 0], [0, 1], [2, 1]])
    >>> W_Q = np.array([[-1, -1, 1, 0], [1, 0, 0, 1]])
    >>> W_K = np.array([[2, 0, 0, 1], [0, 1, 2, 0]])
    >>> W_V = np.array([[0, 1, 1, 2, 3], [1, -1, 1, 0, -1]])
    >>> output, weights = self_attention(x, W_Q, W_K, W_V, causal=True)
    >>> weights
    array([[1.        , 0.        , 0.        ],
           [0.81757448, 0.18242552, 0.        ],
           [0.14024438, 0.62853172, 0.2312239 ]])
    >>> output
    array([[ 0.        ,  1.        ,  1.        ,  2.        ,  3.        ],
           [ 0.18242552,  0.63514895,  1.        ,  1.63514895,  2.2702979 ],
           [ 0.85975562, -0.25706344,  1.4624478 ,  1.20538436,  0.94832092]])

    >>> x = np.array([[[1, 0], [0, 1], [2, 1]], [[0, 2], [1, 1], [-1, 0]]])
    >>> W_Q, W_K, W_V = np.array([[1, 0], [1, -1]]), np.array([[0, 2], [1, 0]]), np.array([[3], [-2]])
    >>> output, weights = self_attention(x, W_Q, W_K, W_V, causal=True)
    >>> output[..., 0]
    array([[ 3.        , -1.46479099, -1.54022428],
           [-4.        , -3.7209639 , -2.00404761]])
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError
