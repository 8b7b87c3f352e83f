"""Multi-head attention in five steps, in NumPy: the reference."""

import numpy as np
from self_attention import apply_mask, causal_mask, project_qkv, scaled_scores, softmax, weighted_sum


def split_heads(x, n_heads):
    """Give every head its own columns of every token.

    The three tokens' queries for two heads of width 4, by hand:

    >>> Q = np.array([[-1, -1, 1, 0, 2, 0, 0, 1], [1, 0, 0, 1, 0, 1, 2, 0], [-1, -2, 2, 1, 4, 1, 2, 2]])
    >>> first, second = split_heads(Q, 2)
    >>> first, second
    (array([[-1, -1,  1,  0],
           [ 1,  0,  0,  1],
           [-1, -2,  2,  1]]), array([[2, 0, 0, 1],
           [0, 1, 2, 0],
           [4, 1, 2, 2]]))

    Two tokens, three heads of width 2:

    >>> first, second, third = split_heads(np.array([[3, 1, 4, 1, 5, 9], [2, 6, 5, 3, 5, 8]]), 3)
    >>> first, second, third
    (array([[3, 1],
           [2, 6]]), array([[4, 1],
           [5, 3]]), array([[5, 9],
           [5, 8]]))

    A batch of two sentences, three tokens each, two heads of width 1:

    >>> x = np.array([[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]])
    >>> first, second = split_heads(x, 2)
    >>> first[..., 0], second[..., 0]
    (array([[1, 3, 5],
           [2, 4, 6]]), array([[ 7,  9, 11],
           [ 8, 10, 12]]))
    """
    ### BEGIN SOLUTION
    width = x.shape[-1]
    if width % n_heads:
        raise ValueError(f"{n_heads} heads do not divide a width of {width}")
    blocks = x.reshape(*x.shape[:-1], n_heads, width // n_heads)
    return np.swapaxes(blocks, -2, -3)
    ### END SOLUTION


def merge_heads(x):
    """Put the heads' outputs side by side again, token by token.

    Three tokens, two heads of width 4, by hand:

    >>> first = np.array([[-1, -1, 1, 0], [1, 0, 0, 1], [-1, -2, 2, 1]])
    >>> second = np.array([[2, 0, 0, 1], [0, 1, 2, 0], [4, 1, 2, 2]])
    >>> merge_heads(np.stack([first, second]))
    array([[-1, -1,  1,  0,  2,  0,  0,  1],
           [ 1,  0,  0,  1,  0,  1,  2,  0],
           [-1, -2,  2,  1,  4,  1,  2,  2]])

    Two tokens, three heads of width 2:

    >>> merge_heads(np.array([[[3, 1], [2, 6]], [[4, 1], [5, 3]], [[5, 9], [5, 8]]]))
    array([[3, 1, 4, 1, 5, 9],
           [2, 6, 5, 3, 5, 8]])

    A batch of two sentences, three tokens each, two heads of width 1:

    >>> x = np.array([[[[1], [3], [5]], [[2], [4], [6]]], [[[7], [9], [11]], [[8], [10], [12]]]])
    >>> first, second = merge_heads(x)
    >>> first, second
    (array([[1, 2],
           [3, 4],
           [5, 6]]), array([[ 7,  8],
           [ 9, 10],
           [11, 12]]))
    """
    ### BEGIN SOLUTION
    *batch, n_heads, seq_len, d = x.shape
    return np.swapaxes(x, -2, -3).reshape(*batch, seq_len, n_heads * d)
    ### END SOLUTION


def padding_mask(lengths, seq_len):
    """Let every query see the real tokens of its sentence and none of the filling.

    Two sentences in rows of three: the first is full, the second has one token:

    >>> first, second = padding_mask(np.array([3, 1]), 3)
    >>> first, second
    (array([[ True,  True,  True]]), array([[ True, False, False]]))

    One sentence of two tokens in a row of four:

    >>> padding_mask(np.array([2]), 4)
    array([[[ True,  True, False, False]]])

    Five sentences; one of them is empty:

    >>> padding_mask(np.array([4, 0, 2, 1, 3]), 4)[:, 0]
    array([[ True,  True,  True,  True],
           [False, False, False, False],
           [ True,  True, False, False],
           [ True, False, False, False],
           [ True,  True,  True, False]])
    """
    ### BEGIN SOLUTION
    return np.arange(seq_len) < np.asarray(lengths)[:, np.newaxis, np.newaxis]
    ### END SOLUTION


def combine_masks(*masks):
    """Allow what every one of the masks allows.

    The causal mask of three tokens, and one for a sentence whose last token is filling:

    >>> causal = np.array([[True, False, False], [True, True, False], [True, True, True]])
    >>> combine_masks(causal, np.array([True, True, False]))
    array([[ True, False, False],
           [ True,  True, False],
           [ True,  True, False]])

    Three masks for two queries and four keys:

    >>> keys = np.array([[True, True, False, True]])
    >>> queries = np.array([[True], [False]])
    >>> pairs = np.array([[False, True, True, True], [True, True, True, True]])
    >>> combine_masks(keys, queries, pairs)
    array([[False,  True, False,  True],
           [False, False, False, False]])

    A batch of two sentences, with two tokens and with one, under the causal mask:

    >>> padding = np.array([[[True, True, False]], [[True, False, False]]])
    >>> first, second = combine_masks(padding, causal)
    >>> first, second
    (array([[ True, False, False],
           [ True,  True, False],
           [ True,  True, False]]), array([[ True, False, False],
           [ True, False, False],
           [ True, False, False]]))
    """
    ### BEGIN SOLUTION
    allowed = masks[0]
    for mask in masks[1:]:
        allowed = np.logical_and(allowed, mask)
    return allowed
    ### END SOLUTION


def multi_head_attention(x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    """Let every token gather what it needs in several ways at once.

    Formula: concat(head_0, ..., head_(h-1)) W_O ("Attention Is All You Need", 3.2.2).

    The three tokens and two heads, the second asking the reverse question, under the causal mask:

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

    Two tokens, three heads of width 1 with values of width 2, without a mask:

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

    A batch of two sentences, three tokens each, two heads of width 1, under the causal mask:

    >>> x = np.array([[[1, 0], [0, 1], [2, 1]], [[0, 2], [1, 1], [-1, 0]]])
    >>> W_Q, W_K, W_V = np.array([[1, 0], [1, -1]]), np.array([[0, 2], [1, 0]]), np.array([[3, 1], [-2, 1]])
    >>> W_O = np.array([[1], [2]])
    >>> output, weights = multi_head_attention(x, W_Q, W_K, W_V, W_O, 2, causal=True)
    >>> output[..., 0]
    array([[ 5.        ,  1.34470711,  3.11208276],
           [ 0.        ,  0.59601461, -0.11111669]])
    """
    ### BEGIN SOLUTION
    Q, K, V = (split_heads(part, n_heads) for part in project_qkv(x, W_Q, W_K, W_V))
    scores = scaled_scores(Q, K)
    if causal:
        scores = apply_mask(scores, causal_mask(scores.shape[-1]))
    weights = softmax(scores)
    return merge_heads(weighted_sum(weights, V)) @ W_O, weights
    ### END SOLUTION
