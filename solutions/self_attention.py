"""Self-attention in seven steps, in NumPy: the reference."""

import numpy as np


def project_qkv(x, W_Q, W_K, W_V):
    """Look at every token in three ways: as a query, as a key and as a value.

    Formula: Q = x W_Q, K = x W_K, V = x W_V ("Attention Is All You Need", 3.2.2).

    Three tokens, by hand:

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

    One token, three widths that all differ:

    >>> x = np.array([[0.5, -1.0, 2.0, 3.0]])
    >>> W_Q = np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 3.0], [1.0, -1.0]])
    >>> W_K = np.array([[0.0, 4.0], [2.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> W_V = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 1.0]])
    >>> project_qkv(x, W_Q, W_K, W_V)
    (array([[3., 2.]]), array([[0., 7.]]), array([[2.5, 5. , 4. ]]))

    A batch of two sentences, three tokens each:

    >>> x = np.array([[[1, 0], [0, 1], [2, 1]], [[0, 3], [1, 1], [-1, 0]]])
    >>> Q, K, V = project_qkv(x, np.array([[2], [1]]), np.array([[-1], [4]]), np.array([[1], [3]]))
    >>> Q[..., 0], K[..., 0], V[..., 0]
    (array([[ 2,  1,  5],
           [ 3,  3, -2]]), array([[-1,  4,  2],
           [12,  3,  1]]), array([[ 1,  3,  5],
           [ 9,  4, -1]]))
    """
    ### BEGIN SOLUTION
    return x @ W_Q, x @ W_K, x @ W_V
    ### END SOLUTION


def scaled_scores(Q, K):
    """Ask every key how well it answers every query.

    Formula: Q K^T / sqrt(d_k) ("Attention Is All You Need", equation 1, inside the softmax).

    The three tokens' queries and keys, by hand (d_k is 4, so its root is 2):

    >>> Q = np.array([[-1, -1, 1, 0], [1, 0, 0, 1], [-1, -2, 2, 1]])
    >>> K = np.array([[2, 0, 0, 1], [0, 1, 2, 0], [4, 1, 2, 2]])
    >>> scaled_scores(Q, K)
    array([[-1. ,  0.5, -1.5],
           [ 1.5,  0. ,  3. ],
           [-0.5,  1. ,  0. ]])

    Two queries, four keys, d_k 3:

    >>> Q = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, -1.0]])
    >>> K = np.array([[3.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 6.0], [1.0, 1.0, 1.0]])
    >>> scaled_scores(Q, K)
    array([[ 1.73205081,  0.        ,  6.92820323,  1.73205081],
           [ 0.        ,  1.73205081, -3.46410162,  1.15470054]])

    A batch of two, with one query and three keys each:

    >>> Q = np.array([[[2, 0, 1, 0]], [[0, 1, 0, -4]]])
    >>> K = np.array([[[1, 5, 0, 7], [0, 5, 3, 7], [2, 0, 2, 0]], [[9, 2, 9, 1], [9, 0, 9, 2], [0, 6, 0, 1]]])
    >>> first, second = scaled_scores(Q, K)
    >>> first, second
    (array([[1. , 1.5, 3. ]]), array([[-1., -4.,  1.]]))
    """
    ### BEGIN SOLUTION
    d_k = Q.shape[-1]
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)
    ### END SOLUTION


def causal_mask(n):
    """Let every token see itself and what came before it.

    Three tokens, one row for each query:

    >>> causal_mask(3)
    array([[ True, False, False],
           [ True,  True, False],
           [ True,  True,  True]])

    A single token sees itself:

    >>> causal_mask(1)
    array([[ True]])

    How many keys each of five queries may see:

    >>> causal_mask(5).sum(axis=-1)
    array([1, 2, 3, 4, 5])
    """
    ### BEGIN SOLUTION
    return np.tril(np.ones((n, n), dtype=bool))
    ### END SOLUTION


def apply_mask(scores, mask):
    """Take away the scores that a query must not use.

    The three tokens' scaled scores under the causal mask:

    >>> scores = np.array([[-1.0, 0.5, -1.5], [1.5, 0.0, 3.0], [-0.5, 1.0, 0.0]])
    >>> mask = np.array([[True, False, False], [True, True, False], [True, True, True]])
    >>> apply_mask(scores, mask)
    array([[-1. , -inf, -inf],
           [ 1.5,  0. , -inf],
           [-0.5,  1. ,  0. ]])

    Two queries, three keys, integer scores; one row of mask serves both queries:

    >>> apply_mask(np.array([[3, 0, 7], [-2, 5, 4]]), np.array([True, False, True]))
    array([[  3., -inf,   7.],
           [ -2., -inf,   4.]])

    A batch of two sentences, each with its own padding:

    >>> scores = np.array([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, 0.0, 2.5], [0.5, 8.0, -3.0]]])
    >>> mask = np.array([[[True, True, False]], [[True, False, False]]])
    >>> first, second = apply_mask(scores, mask)
    >>> first, second
    (array([[  1.,   2., -inf],
           [  4.,   5., -inf]]), array([[-1. , -inf, -inf],
           [ 0.5, -inf, -inf]]))
    """
    ### BEGIN SOLUTION
    return np.where(mask, scores, -np.inf)
    ### END SOLUTION


def softmax(scores, axis=-1):
    """Share out a weight of 1 over the keys, by their scores.

    Formula: exp(s_j) / sum over m of exp(s_m), along `axis`.

    Two scores, by hand: e^0 is 1 and e^(ln 3) is 3, so the weights stand as 1 to 3:

    >>> softmax(np.array([0.0, np.log(3.0)]))
    array([0.25, 0.75])

    Two queries, three keys, one of them forbidden:

    >>> softmax(np.array([[-1.0, 0.5, -1.5], [1.5, 0.0, -np.inf]]))
    array([[0.16425163, 0.73612472, 0.09962365],
           [0.81757448, 0.18242552, 0.        ]])

    A batch of two, with large scores of both signs:

    >>> first, second = softmax(np.array([[[1001.0, 1000.0, 999.0]], [[-2000.0, -2000.0, -np.inf]]]))
    >>> first, second
    (array([[0.66524096, 0.24472847, 0.09003057]]), array([[0.5, 0.5, 0. ]]))

    The first axis shares out the 1 where you ask for it:

    >>> softmax(np.array([[0.0, 1.0, -np.inf], [0.0, 2.0, 5.0]]), axis=0)
    array([[0.5       , 0.26894142, 0.        ],
           [0.5       , 0.73105858, 1.        ]])
    """
    ### BEGIN SOLUTION
    highest = np.max(scores, axis=axis, keepdims=True)
    # A query that may attend to nothing has no highest score; its weights become 0, not nan.
    shifted = scores - np.where(np.isfinite(highest), highest, 0.0)
    exponentials = np.exp(shifted)
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / np.where(total > 0, total, 1.0)
    ### END SOLUTION


def weighted_sum(weights, V):
    """Mix the values, for every query in its own proportions.

    Formula: weights V ("Attention Is All You Need", equation 1, outside the softmax).

    The three tokens' values, by hand: all of the first; then three parts of the first and one of the second:

    >>> V = np.array([[0, 1, 1, 2, 3], [1, -1, 1, 0, -1], [1, 1, 3, 4, 5]])
    >>> weighted_sum(np.array([[1.0, 0.0, 0.0], [0.75, 0.25, 0.0]]), V)
    array([[0.  , 1.  , 1.  , 2.  , 3.  ],
           [0.25, 0.5 , 1.  , 1.5 , 2.  ]])

    One query, three keys, weights that do not add up to one:

    >>> weighted_sum(np.array([[2, -1, 3]]), np.array([[1, 4], [0, 5], [2, -2]]))
    array([[ 8, -3]])

    A batch of two, with one query and three keys each:

    >>> weights = np.array([[[0.5, 0.25, 0.25]], [[0.0, 0.1, 0.9]]])
    >>> V = np.array([[[4.0, 0.0], [8.0, 4.0], [0.0, 8.0]], [[7.0, 7.0], [10.0, 20.0], [30.0, 10.0]]])
    >>> first, second = weighted_sum(weights, V)
    >>> first, second
    (array([[4., 3.]]), array([[28., 11.]]))
    """
    ### BEGIN SOLUTION
    return weights @ V
    ### END SOLUTION


def self_attention(x, W_Q, W_K, W_V, causal=False):
    """Let every token gather what it needs from the others.

    Formula: softmax(Q K^T / sqrt(d_k)) V ("Attention Is All You Need", equation 1).

    The chapter's own example: 4 tokens, d_model 8, d_k 4:

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

    The three tokens, carried through the whole chain under the causal mask:

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

    A batch of two sentences, three tokens each, d_k 2 and d_v 1, under the causal mask:

    >>> x = np.array([[[1, 0], [0, 1], [2, 1]], [[0, 2], [1, 1], [-1, 0]]])
    >>> W_Q, W_K, W_V = np.array([[1, 0], [1, -1]]), np.array([[0, 2], [1, 0]]), np.array([[3], [-2]])
    >>> output, weights = self_attention(x, W_Q, W_K, W_V, causal=True)
    >>> output[..., 0]
    array([[ 3.        , -1.46479099, -1.54022428],
           [-4.        , -3.7209639 , -2.00404761]])
    """
    ### BEGIN SOLUTION
    Q, K, V = project_qkv(x, W_Q, W_K, W_V)
    scores = scaled_scores(Q, K)
    if causal:
        scores = apply_mask(scores, causal_mask(scores.shape[-1]))
    weights = softmax(scores)
    return weighted_sum(weights, V), weights
    ### END SOLUTION
