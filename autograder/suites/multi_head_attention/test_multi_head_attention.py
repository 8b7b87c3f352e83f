"""multi_head_attention: single attentions side by side, and one more matrix.

Eleven aspects. The expected values are those of single heads, each on its own columns of the matrices, side
by side and then times W_O: our tests hold the reference to that. One aspect is about causal=True alone and
carries three parts, one more is about leaks; the one about batches carries two. What shows only for whole
numbers or for very large scores costs that aspect. Right weights earn something where the output is wrong.
"""

import numpy as np
import pytest

from autograder.selfcheck import agree
from autograder.suites import call

AXES = (("seq_len", "d_out"), ("n_heads", "seq_len", "seq_len"))
FAR = 2.0**11  # its square, with small whole numbers added and then halved, is exact in single precision


def inputs(rng, *batch, seq_len=5, d_model=6, n_heads=2, d_k=3, d_v=4, d_out=7):
    """d_k and d_v are of one head. Scores of a few units, so that single precision inside errs by little."""
    x = rng.normal(size=(*batch, seq_len, d_model))
    widths = (n_heads * d_k, n_heads * d_k, n_heads * d_v)
    matrices = (rng.normal(scale=0.5, size=(d_model, width)) for width in widths)
    return x, *matrices, rng.normal(scale=0.5, size=(n_heads * d_v, d_out)), n_heads


def plain(rng, *batch, seq_len=4):
    """As most models have it: everything as wide as d_model."""
    return inputs(rng, *batch, seq_len=seq_len, d_model=6, n_heads=3, d_k=2, d_v=2, d_out=6)


def levels(rng, heights, sign, n=5):
    """Whole-number tokens whose scores, in both heads, lie at sign * height, a few whole numbers apart.

    The first feature is each token's height, the second is 1; queries read the one, keys the other.
    """
    x = rng.integers(-2, 3, size=(n, 6)).astype(float)
    x[:, 0], x[:, 1] = heights, 1.0
    W_Q, W_K, W_V = (rng.integers(-2, 3, size=(6, width)).astype(float) for width in (8, 8, 6))
    W_Q[:2], W_K[:2] = 0.0, 0.0
    W_Q[:, [0, 4]], W_K[:, [0, 4]] = 0.0, 0.0
    W_Q[0, [0, 4]], W_K[1, [0, 4]] = 1.0, sign
    return x, W_Q, W_K, W_V, rng.integers(-2, 3, size=(6, 3)).astype(float), 2


def pair(answer):
    """A list taken as a tuple: that it must be one is another aspect's fact."""
    return tuple(answer) if isinstance(answer, list) else answer


def member(answer, index):
    """One of the two results, where there are two."""
    return answer[index] if isinstance(answer, tuple | list) and len(answer) == 2 else answer


def ordinary(rng):
    single = inputs(rng)
    single = *(array.astype(np.float32) for array in single[:5]), single[5]
    return [
        inputs(rng),
        inputs(rng, n_heads=3, d_k=2, d_v=5),
        plain(rng),
        call(*inputs(rng), causal=False),
        single,
    ]


@pytest.mark.clause("values")
def test_weighs_every_token_in_each_head(multi_head_attention, reference, rng):
    """A head's weights are those of a single attention with its own columns of W_Q and W_K, scaled by √d_k.

    每个头的权重，等于用它自己那几列 W_Q、W_K 做单头注意力的权重，缩放用 √d_k。
    """
    for got, expected in multi_head_attention.beside(reference.multi_head_attention, ordinary(rng)):
        agree(member(got, 1), expected[1], axes=AXES[1])


@pytest.mark.clause("concatenated")
def test_projects_the_heads_side_by_side(multi_head_attention, reference, rng):
    """The output is the single heads' outputs side by side, head 0 first, and then times W_O.

    输出是各头的结果从第 0 个头起并排拼接，再乘 W_O。
    """
    for got, expected in multi_head_attention.beside(reference.multi_head_attention, ordinary(rng)):
        agree(got if isinstance(got, np.ndarray) else member(got, 0), expected[0], axes=AXES[0])


@pytest.mark.clause("order")
def test_does_not_care_in_which_order_heads_come(multi_head_attention, reference, rng):
    """Heads in another order, with W_O's rows reordered alike, give the same output and reordered weights.

    换一种顺序排列各头，W_O 的行也同样换，输出不变，权重只换顺序。
    """
    x, W_Q, W_K, W_V, W_O, _ = inputs(rng, n_heads=3, d_k=2, d_v=4)
    order = [2, 0, 1]
    columns = [np.concatenate([np.arange(h * d, (h + 1) * d) for h in order]) for d in (2, 2, 4)]
    moved = [matrix[:, each] for matrix, each in zip((W_Q, W_K, W_V), columns, strict=True)]
    cases = [(x, W_Q, W_K, W_V, W_O, 3), (x, *moved, W_O[columns[2]], 3)]
    (_, expected), (got, _) = multi_head_attention.beside(reference.multi_head_attention, cases)
    agree(pair(got), (expected[0], expected[1][order]), axes=AXES)


@pytest.mark.clause("widths")
def test_returns_output_and_weights_of_any_width(multi_head_attention, reference, rng):
    """The answer is a tuple (output, weights), whatever seq_len, d_model, n_heads and the widths are.

    无论 seq_len、d_model、n_heads 和各宽度是多少，都返回元组 (output, weights)。
    """
    cases = [
        inputs(rng, d_k=5, d_v=2, d_out=3),
        inputs(rng, n_heads=1, d_out=1),
        inputs(rng, seq_len=1, d_k=1, d_v=1),
        inputs(rng, seq_len=3, n_heads=3, d_k=3, d_v=2),
        inputs(rng, seq_len=2, d_model=7, n_heads=4, d_k=2, d_v=6),
    ]
    for got, expected in multi_head_attention.beside(reference.multi_head_attention, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("batch")
def test_attends_within_each_item_of_a_batch(multi_head_attention, reference, rng):
    """Tokens attend within their own sequence, also where a batch is as large as seq_len or n_heads.

    词元只关注本序列的词元，批次大小恰好等于 seq_len 或 n_heads 时也一样。
    """
    x, *rest = inputs(rng, 2)
    strided = np.swapaxes(np.swapaxes(x, 0, 1).copy(), 0, 1)
    cases = [
        (x, *rest),
        call(*inputs(rng, 5), True),
        call(*plain(rng, 3), causal=True),
        plain(rng, 3, seq_len=3),
        inputs(rng, 1),
        call(*inputs(rng, 2, 3), causal=True),
        call(strided, *rest, causal=True),
    ]
    for got, expected in multi_head_attention.beside(reference.multi_head_attention, cases):
        agree(pair(got), expected, axes=AXES)


@pytest.mark.clause("causal")
def test_attends_to_nothing_later_in_any_head(multi_head_attention, reference, rng):
    """With causal=True each token attends, in every head, to itself and to earlier tokens only.

    causal=True 时，在每个头里，词元都只关注自己和更早的词元。
    """
    cases = [inputs(rng), plain(rng), inputs(rng, seq_len=1), inputs(rng, seq_len=8, n_heads=4, d_k=1, d_v=2)]
    cases = [*(call(*case, causal=True) for case in cases), call(*inputs(rng), True)]
    for got, expected in multi_head_attention.beside(reference.multi_head_attention, cases):
        agree(pair(got), expected, axes=AXES)
        agree(np.triu(got[1], k=1), np.triu(expected[1], k=1), axes=AXES[1], atol=0.0)  # exactly 0


@pytest.mark.clause("no_leak")
def test_is_deaf_to_later_tokens_however_large(multi_head_attention, reference, rng):
    """With causal=True, a position's output and weights stay as they are, however the tokens after it change.

    causal=True 时，改动某个位置之后的词元，哪怕改得极大，该位置的输出和权重也不变。
    """
    x, *rest = levels(rng, FAR, -FAR)
    moderate, *others = inputs(rng)
    cases, upto = [call(x, *rest, causal=True), call(moderate, *others, causal=True)], [5, 5]
    for position in range(1, 5):
        for start, matrices, size in ((x, rest, FAR), (moderate, others, 1e3)):
            changed = start.copy()
            changed[position:, 2:] += rng.choice([-size, size], size=changed[position:, 2:].shape)
            changed[position:, :2] *= rng.choice([-1.0, 1.0])
            cases.append(call(changed, *matrices, causal=True))
            upto.append(position)
    pairs = multi_head_attention.beside(reference.multi_head_attention, cases)
    for (got, expected), seen in zip(pairs, upto, strict=True):
        agree(until(pair(got), seen), until(expected, seen), axes=AXES)


def until(answer, seen):
    """The rows of the tokens that came before the change."""
    arrays = isinstance(answer, tuple) and all(isinstance(one, np.ndarray) and one.ndim > 1 for one in answer)
    return tuple(array[..., :seen, :] for array in answer) if arrays else answer


@pytest.mark.clause("stable")
def test_stays_finite_for_scores_of_any_size(multi_head_attention, reference, rng):
    """Scores of any size give the right weights, also where one token's scores lie far from another's.

    分数再大再小都给出正确的权重，不同词元的分数相差很远也一样。
    """
    near, far = levels(rng, 2000.0, 1.0), levels(rng, np.array([4e6, 0.0, -4e6, 2000.0, -2000.0]), 1.0)
    for got, expected in multi_head_attention.beside(reference.multi_head_attention, [near, far]):
        agree(pair(got), expected, axes=AXES)


@pytest.mark.clause("integers")
def test_attends_over_whole_numbers(multi_head_attention, reference, rng):
    """Whole numbers in x or in the matrices give the same answer as floats of that value.

    x 或矩阵里是整数时，答案和同值的浮点数一样。
    """
    x, *matrices, n_heads = inputs(rng)
    whole_x = rng.integers(-2, 3, size=x.shape)
    whole = [rng.integers(-1, 2, size=matrix.shape) for matrix in matrices]
    cases = [(whole_x, *matrices, n_heads), (whole_x, *whole, n_heads), (x, *whole, n_heads)]
    for got, expected in multi_head_attention.beside(reference.multi_head_attention, cases):
        agree(pair(got), expected, axes=AXES)


@pytest.mark.safety  # a function that always raises passes this
@pytest.mark.clause("divides")
def test_refuses_heads_that_do_not_divide_the_widths(multi_head_attention, rng):
    """Where n_heads does not divide the width of the queries or of the values, it raises a ValueError.

    n_heads 不能整除查询或值的宽度时，抛出 ValueError。
    """
    fits = inputs(rng, d_model=12, n_heads=2, d_k=3, d_v=4)
    uneven = inputs(rng, d_model=12, n_heads=1, d_k=9, d_v=8)
    values = inputs(rng, d_model=12, n_heads=1, d_k=8, d_v=9)
    for answer in multi_head_attention.many([(*fits[:5], 4), (*uneven[:5], 2), (*values[:5], 2)]):
        assert answer.error is not None and answer.error.name == "ValueError"


@pytest.mark.safety  # zeros leave no trace either
@pytest.mark.clause("untouched")
def test_leaves_no_trace(multi_head_attention, reference, rng):
    """A call changes neither its arguments nor NumPy's global generator, and gives the same answer again.

    调用不改动参数，也不动 NumPy 的全局随机数生成器；再调用一次，答案相同。
    """
    *case, n_heads = inputs(rng)
    frozen = [array.copy() for array in case]
    for array in frozen:
        array.flags.writeable = False
    cases = [call(*case, n_heads, causal=True), inputs(rng), call(*frozen, n_heads, causal=True)]
    calls = multi_head_attention.beside(reference.multi_head_attention, cases)
    assert not multi_head_attention.effects.arguments
    assert not multi_head_attention.effects.generator
    agree(calls[-1][0], calls[0][0])
