"""Multi-head attention

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


def split_heads(x, n_heads):
    """Every head its own columns.

    - x (..., seq_len, width): one row for each token, all heads' columns side by side.
    - n_heads: how many heads; an integer, 1 or more. The width of one head is d = width /
      n_heads.
    - Returns heads (..., n_heads, seq_len, d): head h has every token, and of it the
      columns h·d to (h+1)·d − 1, with their numbers and their dtype as they are.
    - Any number of heads works: 1, one for each column, as many as there are tokens.
    - Any number of batch dimensions may stand in front, also none, and they stay in front;
      a batch may be as large as n_heads or seq_len.
    - Nothing is lost, doubled or moved to another token: the heads side by side are x
      again.
    - Where n_heads does not divide the width, a ValueError is raised.
    - The same arguments give the same answer on every call.
    - x is not changed (it may be read-only), and NumPy's global random generator is neither
      used nor reseeded.

    >>> Q = np.array([[-1, -1, 1, 0, 2, 0, 0, 1], [1, 0, 0, 1, 0, 1, 2, 0], [-1, -2, 2, 1, 4, 1, 2, 2]])
    >>> first, second = split_heads(Q, 2)
    >>> first, second
    (array([[-1, -1,  1,  0],
           [ 1,  0,  0,  1],
           [-1, -2,  2,  1]]), array([[2, 0, 0, 1],
           [0, 1, 2, 0],
           [4, 1, 2, 2]]))

    >>> first, second, third = split_heads(np.array([[3, 1, 4, 1, 5, 9], [2, 6, 5, 3, 5, 8]]), 3)
    >>> first, second, third
    (array([[3, 1],
           [2, 6]]), array([[4, 1],
           [5, 3]]), array([[5, 9],
           [5, 8]]))

    >>> x = np.array([[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]])
    >>> first, second = split_heads(x, 2)
    >>> first[..., 0], second[..., 0]
    (array([[1, 3, 5],
           [2, 4, 6]]), array([[ 7,  9, 11],
           [ 8, 10, 12]]))
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def merge_heads(x):
    """The heads side by side again.

    - x (..., n_heads, seq_len, d): the heads' outputs.
    - Returns merged (..., seq_len, n_heads*d): a token's row holds its d numbers from head
      0, then those from head 1, and so on, unchanged.
    - n_heads, seq_len and d are read off the array; they may all differ, and each may be 1.
    - Any number of batch dimensions may stand in front, also none, and they stay in front;
      a batch may be as large as n_heads or seq_len.
    - It undoes split_heads: what was split into heads comes back as it was.
    - The same argument gives the same answer on every call.
    - x is not changed (it may be read-only), and NumPy's global random generator is neither
      used nor reseeded.

    >>> first = np.array([[-1, -1, 1, 0], [1, 0, 0, 1], [-1, -2, 2, 1]])
    >>> second = np.array([[2, 0, 0, 1], [0, 1, 2, 0], [4, 1, 2, 2]])
    >>> merge_heads(np.stack([first, second]))
    array([[-1, -1,  1,  0,  2,  0,  0,  1],
           [ 1,  0,  0,  1,  0,  1,  2,  0],
           [-1, -2,  2,  1,  4,  1,  2,  2]])

    >>> merge_heads(np.array([[[3, 1], [2, 6]], [[4, 1], [5, 3]], [[5, 9], [5, 8]]]))
    array([[3, 1, 4, 1, 5, 9],
           [2, 6, 5, 3, 5, 8]])

    >>> x = np.array([[[[1], [3], [5]], [[2], [4], [6]]], [[[7], [9], [11]], [[8], [10], [12]]]])
    >>> first, second = merge_heads(x)
    >>> first, second
    (array([[1, 2],
           [3, 4],
           [5, 6]]), array([[ 7,  8],
           [ 9, 10],
           [11, 12]]))
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def padding_mask(lengths, seq_len):
    """Filling is nobody's business.

    - lengths (batch,): how many real tokens each sentence has; integers from 0 to seq_len.
    - seq_len: how long the rows are; an integer, 1 or more.
    - Returns mask (batch, 1, seq_len), whatever batch and seq_len are: one row for each
      sentence, which serves all of its queries.
    - In the row of a sentence the first keys are True, as many as its length says, and all
      later ones are False. True = may attend.
    - A sentence as long as seq_len has True throughout; one of length 0 has False
      throughout.
    - Put to use, it gives filling a weight of 0, and every real token finds what it would
      if its sentence stood alone.
    - Its dtype is bool: not 0 and 1, not 0 and −∞.
    - The same arguments give the same mask on every call.
    - lengths is not changed (it may be read-only), and NumPy's global random generator is
      neither used nor reseeded.

    >>> first, second = padding_mask(np.array([3, 1]), 3)
    >>> first, second
    (array([[ True,  True,  True]]), array([[ True, False, False]]))

    >>> padding_mask(np.array([2]), 4)
    array([[[ True,  True, False, False]]])

    >>> padding_mask(np.array([4, 0, 2, 1, 3]), 4)[:, 0]
    array([[ True,  True,  True,  True],
           [False, False, False, False],
           [ True,  True, False, False],
           [ True, False, False, False],
           [ True,  True,  True, False]])
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def combine_masks(*masks):
    """Allowed by all.

    - *masks: bool arrays, one or more; their shapes broadcast against each other. True =
      may attend.
    - Returns a mask of the shape that they broadcast to: True where both masks, or all of
      them, are True, and False elsewhere.
    - There may be any number of masks, and all count; a single one stands for itself.
    - Their shapes may differ, in the number of axes too: padding (batch, 1, n) and causal
      (n, n), or with an axis of heads.
    - The result's dtype is bool.
    - The same arguments give the same answer on every call.
    - No mask is changed (they may be read-only), and NumPy's global random generator is
      neither used nor reseeded.

    >>> causal = np.array([[True, False, False], [True, True, False], [True, True, True]])
    >>> combine_masks(causal, np.array([True, True, False]))
    array([[ True, False, False],
           [ True,  True, False],
           [ True,  True, False]])

    >>> keys = np.array([[True, True, False, True]])
    >>> queries = np.array([[True], [False]])
    >>> pairs = np.array([[False, True, True, True], [True, True, True, True]])
    >>> combine_masks(keys, queries, pairs)
    array([[False,  True, False,  True],
           [False, False, False, False]])

    >>> padding = np.array([[[True, True, False]], [[True, False, False]]])
    >>> first, second = combine_masks(padding, causal)
    >>> first, second
    (array([[ True, False, False],
           [ True,  True, False],
           [ True,  True, False]]), array([[ True, False, False],
           [ True, False, False],
           [ True, False, False]]))
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError


def multi_head_attention(x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    """All of it together.

    - x (..., seq_len, d_model): one row for each token.
    - W_Q (d_model, n_heads*d_k), W_K (d_model, n_heads*d_k), W_V (d_model, n_heads*d_v):
      all heads' matrices side by side, head 0 first.
    - W_O (n_heads*d_v, d_out): mixes the heads.
    - n_heads: how many heads; an integer, 1 or more.
    - causal: False, every token may attend to all; True, each to itself and to earlier ones
      only.
    - Returns a tuple of both, in this order, whatever the widths are: output (..., seq_len,
      d_out), and the weights (..., n_heads, seq_len, seq_len) that made it. seq_len,
      d_model, n_heads, d_k, d_v and d_out may all differ, and each may be 1; d_model need
      not be a multiple of n_heads.
    - Each head's weights are the softmax, over the keys, of its own scores, divided by the
      root of d_k, the width of one head.
    - The output is the heads' weighted sums side by side, head 0 first, times W_O; nothing
      is added.
    - Heads in another order, with W_O's rows in that order too, give the same output.
    - Any number of batch dimensions may stand in front, also none; sentences do not see
      each other, also where a batch is as large as seq_len or n_heads.
    - With causal=True, in every head, every weight above the diagonal is exactly 0 and each
      row sums to 1 over what is left; with causal=False, nothing is masked.
    - With causal=True, changing later tokens, by however much, leaves a token's output and
      weights as they were.
    - Large scores are fine, also where rows lie far apart: no nan, no inf.
    - Integer arrays are fine, also beside floats.
    - Where n_heads does not divide the width of W_Q and W_K, or that of W_V, a ValueError
      is raised.
    - The numbers are right to single precision at least, for float32 arrays too; half
      precision is not enough.
    - The same arguments give the same answer on every call: nothing is dropped or drawn at
      random.
    - No argument is changed (it may be read-only), and NumPy's global random generator is
      neither used nor reseeded.

    >>> x = np.array([[1, 0], [0, 1], [2, 1]])
    >>> W_Q = np.array([[-1, -1, 1, 0, 2, 0, 0, 1], [1, 0, 0, 1, 0, 1, 2, 0]])
    >>> W_K = np.array([[2, 0, 0, 1, -1, -1, 1, 0], [0, 1, 2, 0, 1, 0, 0, 1]])
    >>> W_V = np.array([[0, 1, 1, 2, 3, 0, 2, 0, 1, 0], [1, -1, 1, 0, -1, 1, 0, 1, 0, 2]])
    >>> W_O = np.zeros((10, 2))
    >>> W_O[[3, 4, 5, 6], [0, 1, 0, 1]] = [1, 1, 1, -1]
    >>> output, weights = multi_head_attention(x, W_Q, W_K, W_V, W_O, 2, causal=True)
    >>> first, second = weights
    >>> first, second
    (array([[1.        , 0.        , 0.        ],
           [0.81757448, 0.18242552, 0.        ],
           [0.14024438, 0.62853172, 0.2312239 ]]), array([[1.        , 0.        , 0.        ],
           [0.62245933, 0.37754067, 0.        ],
           [0.01047133, 0.94259941, 0.04692926]]))
    >>> output
    array([[2.        , 1.        ],
           [2.01268962, 1.02537924],
           [2.19491302, 0.73966121]])

    >>> x = np.array([[1, 0, 2, -1], [0, 1, 1, 0]])
    >>> W_Q = np.array([[1, 0, 2], [0, 1, 0], [1, 1, 0], [0, 2, 1]])
    >>> W_K = np.array([[0, 1, 1], [2, 0, 1], [1, 0, -1], [0, 1, 0]])
    >>> W_V = np.array([[1, 0, 2, 0, 0, 1], [0, 3, 0, 1, 2, 0], [1, 0, 0, 2, 1, 0], [0, 1, 1, 0, 0, 4]])
    >>> W_O = np.array([[1, 0, 0], [0, 2, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 0, 2]])
    >>> output, weights = multi_head_attention(x, W_Q, W_K, W_V, W_O, 3)
    >>> weights[:, 0]
    array([[0.04742587, 0.95257413],
           [0.5       , 0.5       ],
           [0.26894142, 0.73105858]])
    >>> output
    array([[1.59485175, 9.12059301, 4.61741005],
           [2.03788284, 7.34846863, 3.        ]])

    >>> x = np.array([[[1, 0], [0, 1], [2, 1]], [[0, 2], [1, 1], [-1, 0]]])
    >>> W_Q, W_K, W_V = np.array([[1, 0], [1, -1]]), np.array([[0, 2], [1, 0]]), np.array([[3, 1], [-2, 1]])
    >>> W_O = np.array([[1], [2]])
    >>> output, weights = multi_head_attention(x, W_Q, W_K, W_V, W_O, 2, causal=True)
    >>> output[..., 0]
    array([[ 5.        ,  1.34470711,  3.11208276],
           [ 0.        ,  0.59601461, -0.11111669]])
    """
    # YOUR CODE HERE 在此写代码
    raise NotImplementedError
