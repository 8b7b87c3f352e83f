"""Why attention works, in six experiments, in NumPy: the reference."""

import numpy as np
from self_attention import apply_mask, scaled_scores, softmax


def xavier_uniform(fan_in, fan_out, rng):
    """Draw a matrix through which numbers pass without growing or shrinking.

    Formula: uniform on ±sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio 2010, equation 16).

    2 + 4 makes 6, so the bound is 1; three hundred matrices come close to it:

    >>> rng = np.random.default_rng(7)
    >>> W = np.stack([xavier_uniform(2, 4, rng) for _ in range(300)])
    >>> np.round(np.array([W.min(), W.max(), W.std()]), 1)
    array([-1. ,  1. ,  0.6])

    400 + 200 makes 600, so the bound is 0.1:

    >>> W = xavier_uniform(400, 200, np.random.default_rng(7))
    >>> np.round(np.array([W[:, 0].size, W[0].size, W.min() * 10, W.max() * 10, W.std() * 10]), 1)
    array([400. , 200. ,  -1. ,   1. ,   0.6])

    Two generators of one seed give the same; one generator goes on to other numbers:

    >>> rng, twin = np.random.default_rng(1), np.random.default_rng(1)
    >>> W_Q, W_K, same = xavier_uniform(3, 5, rng), xavier_uniform(3, 5, rng), xavier_uniform(3, 5, twin)
    >>> np.array([np.array_equal(W_Q, same), np.array_equal(W_Q, W_K)])
    array([ True, False])
    """
    ### BEGIN SOLUTION
    bound = np.sqrt(6 / (fan_in + fan_out))
    return rng.uniform(-bound, bound, size=(fan_in, fan_out))
    ### END SOLUTION


def softmax_jacobian(weights):
    """Say how each weight of a row answers to each score of it.

    Formula: J_ij = dw_i/ds_j = w_i (δ_ij − w_j).

    Two weights, by hand: 3/4 · 1/4 is 3/16:

    >>> softmax_jacobian(np.array([0.75, 0.25]))
    array([[ 0.1875, -0.1875],
           [-0.1875,  0.1875]])

    Three weights, one of which is 0 and stays so:

    >>> softmax_jacobian(np.array([0.8, 0.0, 0.2]))
    array([[ 0.16,  0.  , -0.16],
           [ 0.  ,  0.  ,  0.  ],
           [-0.16,  0.  ,  0.16]])

    Four weights:

    >>> softmax_jacobian(np.array([0.4, 0.3, 0.2, 0.1]))
    array([[ 0.24, -0.12, -0.08, -0.04],
           [-0.12,  0.21, -0.06, -0.03],
           [-0.08, -0.06,  0.16, -0.02],
           [-0.04, -0.03, -0.02,  0.09]])
    """
    ### BEGIN SOLUTION
    return np.diag(weights) - np.outer(weights, weights)
    ### END SOLUTION


def attention_backward(Q, K, V, mask, d_output):
    """Carry the gradient of a loss from attention's output back to queries, keys and values.

    Formula: dS = W ∘ (G − rowsum(W ∘ G)), with W the weights and G = d_output Vᵀ.

    The three tokens under the causal mask, and the loss is the sum of the output:

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

    Two queries, three keys, no mask, and the gradient of one output number:

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

    A batch of two, with two queries and two keys of width 1; the second has one key alone, and nothing
    to choose:

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
    ### BEGIN SOLUTION
    scores = scaled_scores(Q, K)
    weights = softmax(scores if mask is None else apply_mask(scores, mask))
    d_weights = d_output @ np.swapaxes(V, -1, -2)
    inner = (weights * d_weights).sum(axis=-1, keepdims=True)
    d_scores = weights * (d_weights - inner) / np.sqrt(Q.shape[-1])
    d_V = np.swapaxes(weights, -1, -2) @ d_output
    return d_scores @ K, np.swapaxes(d_scores, -1, -2) @ Q, d_V
    ### END SOLUTION


def saturation(d_k, n_keys, n_rows, rng, scaled):
    """Measure how far the softmax of random queries and keys is from sharing out.

    A thousand queries of width 512 and ten keys, without the scale, come to within 0.04 of these:

    >>> wild = saturation(512, 10, 1000, np.random.default_rng(0), scaled=False)
    >>> np.abs(np.array(wild) - [0.11, 0.955, 0.72, 0.0]) < 0.04
    array([ True,  True,  True,  True])

    The same with the scale:

    >>> calm = saturation(512, 10, 1000, np.random.default_rng(0), scaled=True)
    >>> np.abs(np.array(calm) - [1.93, 0.32, 0.0, 0.347]) < 0.04
    array([ True,  True,  True,  True])

    With a single key there is nothing to share out:

    >>> np.array(saturation(8, 1, 3, np.random.default_rng(0), scaled=True))
    array([0., 1., 1., 0.])
    """
    ### BEGIN SOLUTION
    Q, K = rng.standard_normal((n_rows, d_k)), rng.standard_normal((n_keys, d_k))
    weights = softmax(scaled_scores(Q, K) if scaled else Q @ K.T)
    entropies = -(weights * np.log(np.where(weights > 0, weights, 1.0))).sum(axis=-1)
    largest = weights.max(axis=-1)
    norms = [np.linalg.norm(softmax_jacobian(row)) for row in weights]
    return entropies.mean(), largest.mean(), (largest > 0.99).mean(), np.median(norms)
    ### END SOLUTION


def temperature_softmax(scores, temperature):
    """Share out a weight of 1 over the keys, more evenly or less.

    Formula: softmax(scores / temperature).

    Scores of 0 and ln 4 stand as 1 to 4; at temperature 2 as 1 to 2, at 1/2 as 1 to 16:

    >>> scores = np.array([0.0, np.log(4.0)])
    >>> temperature_softmax(scores, 2.0), temperature_softmax(scores, 0.5)
    (array([0.33333333, 0.66666667]), array([0.05882353, 0.94117647]))

    The scores of mouse, divided by 2 as the root of d_k does, and by 64:

    >>> temperature_softmax(np.array([-1, 2, 0]), 2), temperature_softmax(np.array([-1, 2, 0]), 64)
    (array([0.14024438, 0.62853172, 0.2312239 ]), array([0.32639859, 0.34206279, 0.33153862]))

    A batch of two rows with two queries each, one of which may not look at its last key:

    >>> scores = np.array([[[0.0, 2.0, 4.0], [3.0, 3.0, -np.inf]], [[1.0, 0.0, 0.0], [0.0, 4.0, 2.0]]])
    >>> first, second = temperature_softmax(scores, 2.0)
    >>> first, second
    (array([[0.09003057, 0.24472847, 0.66524096],
           [0.5       , 0.5       , 0.        ]]), array([[0.45186276, 0.27406862, 0.27406862],
           [0.09003057, 0.66524096, 0.24472847]]))
    """
    ### BEGIN SOLUTION
    return softmax(scores / temperature)
    ### END SOLUTION


def finds_leak(attention_fn, rng):
    """Find out whether an attention lets any token see a later one.

    It may be called 500 times at most, with arrays of at most 4096 numbers and axes of at most 64.

    The mean of what came so far does not leak, the mean of everything does:

    >>> so_far = lambda Q, K, V: np.cumsum(V, axis=-2) / np.arange(1, V.shape[-2] + 1)[:, np.newaxis]
    >>> everything = lambda Q, K, V: np.zeros_like(V) + V.mean(axis=-2, keepdims=True)
    >>> np.array([finds_leak(f, np.random.default_rng(0)) for f in (so_far, everything)])
    array([False,  True])

    A look at the next token leaks, a look back does not:

    >>> next_one = lambda Q, K, V: (V + np.roll(V, -1, axis=-2)) / 2
    >>> back = lambda Q, K, V: V + V[..., :1, :]
    >>> np.array([finds_leak(f, np.random.default_rng(0)) for f in (next_one, back)])
    array([ True, False])

    With two heads or more, a leak in the last one alone:

    >>> last_head = lambda Q, K, V: np.stack([*V.swapaxes(0, 1)[:-1], everything(Q, K, V)[:, -1]], axis=1)
    >>> each_head = lambda Q, K, V: np.stack([*V.swapaxes(0, 1)[:-1], so_far(Q, K, V)[:, -1]], axis=1)
    >>> np.array([finds_leak(f, np.random.default_rng(0)) for f in (each_head, last_head)])
    array([False,  True])
    """
    ### BEGIN SOLUTION
    batch, n_heads, seq_len = 2, 3, 8
    widths = (4, 4, 5)  # of queries, keys and values
    inputs = [rng.standard_normal((batch, n_heads, seq_len, width)) for width in widths]

    def output(*arrays):
        result = attention_fn(*arrays)
        return result[0] if isinstance(result, tuple) else result

    before = output(*inputs)
    for first in range(1, seq_len):
        changed = [array.copy() for array in inputs]
        for array in changed:
            array[..., first:, :] = rng.standard_normal(array[..., first:, :].shape)
        difference = np.abs(output(*changed) - before)[..., :first, :]
        if not difference.max() < 1e-9:  # and not a mere rounding
            return True
    return False
    ### END SOLUTION
