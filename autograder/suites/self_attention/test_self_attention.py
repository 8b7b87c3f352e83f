"""self_attention: the six steps composed.

Nine aspects. Two of them are about causal=True and carry four of the eleven parts, so a mask that is ignored,
or always there, costs about half the step. Right weights earn something where the output is wrong. A slip
that shows only for a batch, for whole numbers or for very large scores costs that aspect. The steps inside
are the student's own or the reference's, whichever earns more, so a mistake in one of them is paid for once,
in its own step.
"""

import numpy as np
import pytest

from autograder.selfcheck import agree
from autograder.suites import call

AXES = (("seq_len", "d_v"), ("seq_len", "seq_len"))
FAR = 2.0**11  # its square, with small whole numbers added and then halved, is exact in single precision


def inputs(rng, *batch, seq_len=5, d_model=7, d_k=3, d_v=4):
    """Scores of a few units, so that single precision inside errs by less than the tolerance."""
    x = rng.normal(size=(*batch, seq_len, d_model))
    return x, *(rng.normal(scale=0.4, size=(d_model, width)) for width in (d_k, d_k, d_v))


def chapter():
    """The chapter's own example: seed 42, weights in the order W_Q, W_K, W_V."""
    draw = np.random.RandomState(42).randn
    matrices = [draw(8, 4) * 0.1 for _ in range(3)]
    return np.random.RandomState(0).randn(4, 8), *matrices


def levels(rng, heights, sign, n=5):
    """Whole-number tokens whose scores lie at sign * height, a few whole numbers apart.

    The first feature is each token's height, the second is 1; queries read the one, keys the other.
    """
    x = rng.integers(-2, 3, size=(n, 5)).astype(float)
    x[:, 0], x[:, 1] = heights, 1.0
    W_Q, W_K, W_V = (rng.integers(-2, 3, size=(5, width)).astype(float) for width in (4, 4, 3))
    W_Q[:2], W_K[:2] = 0.0, 0.0
    W_Q[:, 0], W_K[:, 0] = 0.0, 0.0
    W_Q[0, 0], W_K[1, 0] = 1.0, sign
    return x, W_Q, W_K, W_V


def pair(answer):
    """A list taken as a tuple: that it must be one is another aspect's fact."""
    return tuple(answer) if isinstance(answer, list) else answer


def ordinary(rng):
    """Ordinary numbers, every axis of another length."""
    first, other = inputs(rng), inputs(rng)
    return [first, (first[0], *other[1:]), (other[0], *first[1:]), call(*other, causal=False)]


def single(rng):
    return tuple(array.astype(np.float32) for array in inputs(rng))


def member(answer, index):
    """One of the two results, where there are two."""
    return answer[index] if isinstance(answer, tuple | list) and len(answer) == 2 else answer


@pytest.mark.clause("values")
def test_weighs_every_token(self_attention, reference, rng):
    """Without causal, the weights are softmax(Q Kᵀ / √d_k), in the chapter's own example too.

    不加因果掩码时，权重是 softmax(Q Kᵀ / √d_k)，本章的例子也如此。
    """
    cases = [*ordinary(rng), chapter(), inputs(rng, seq_len=4, d_model=4, d_k=4, d_v=4), single(rng)]
    for got, expected in self_attention.beside(reference.self_attention, cases):
        agree(member(got, 1), expected[1], axes=AXES[1])


@pytest.mark.clause("values")
def test_mixes_the_values(self_attention, reference, rng):
    """Without causal, the output is the values mixed by those weights, in the chapter's own example too.

    不加因果掩码时，输出是按这些权重混合的值，本章的例子也如此。
    """
    cases = [*ordinary(rng), chapter(), inputs(rng, seq_len=4, d_model=4, d_k=4, d_v=4), single(rng)]
    for got, expected in self_attention.beside(reference.self_attention, cases):
        agree(got if isinstance(got, np.ndarray) else member(got, 0), expected[0], axes=AXES[0])


@pytest.mark.clause("widths")
def test_returns_output_and_weights_of_any_width(self_attention, reference, rng):
    """The answer is a tuple (output, weights), whatever seq_len, d_model, d_k and d_v are.

    无论 seq_len、d_model、d_k、d_v 是多少，都返回元组 (output, weights)。
    """
    cases = [inputs(rng, d_k=6, d_v=2), inputs(rng, seq_len=1), inputs(rng, seq_len=2, d_k=1, d_v=1)]
    cases += [inputs(rng, seq_len=9, d_model=2, d_v=11), inputs(rng, seq_len=40, d_model=10, d_k=2, d_v=3)]
    for got, expected in self_attention.beside(reference.self_attention, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("batch")
def test_attends_within_each_item_of_a_batch(self_attention, reference, rng):
    """Any number of leading batch dimensions: tokens attend within their own sequence, with causal too.

    前面有任意多个批次维度时，词元只关注本序列的词元，加因果掩码时也一样。
    """
    x, *matrices = inputs(rng, 2)
    strided = np.swapaxes(np.swapaxes(x, 0, 1).copy(), 0, 1)
    cases = [
        (x, *matrices),
        call(*inputs(rng, 2, 3), causal=True),
        call(*inputs(rng, 1), causal=True),
        call(*inputs(rng, 5), True),
        inputs(rng, 1, 2, 2, seq_len=3),
        call(strided, *matrices, causal=True),
    ]
    for got, expected in self_attention.beside(reference.self_attention, cases):
        agree(pair(got), expected, axes=AXES)


def unanswering(rng):
    """Token 2's key is 0, and so are its scores: a score of 0 is not a forbidden one."""
    x, W_Q, W_K, W_V = inputs(rng)
    x[2], W_K[0] = np.eye(7)[0], 0.0
    return x, W_Q, W_K, W_V


@pytest.mark.clause("causal")
def test_attends_to_nothing_later_when_causal(self_attention, reference, rng):
    """With causal=True each token attends to itself and to earlier tokens only, in output and in weights.

    causal=True 时，每个词元只关注自己和更早的词元，输出和权重都如此。
    """
    cases = [
        inputs(rng),
        chapter(),
        inputs(rng, seq_len=6),
        inputs(rng, seq_len=1),
        inputs(rng, seq_len=9, d_k=2),
    ]
    cases += [unanswering(rng)]
    cases = [*(call(*case, causal=True) for case in cases), call(*inputs(rng), True)]
    for got, expected in self_attention.beside(reference.self_attention, cases):
        agree(pair(got), expected, axes=AXES)
        agree(np.triu(got[1], k=1), np.triu(expected[1], k=1), axes=AXES[1], atol=0.0)  # exactly 0


@pytest.mark.clause("no_leak")
def test_is_deaf_to_later_tokens_however_large(self_attention, reference, rng):
    """With causal=True, a position's output and weights stay as they are, however the tokens after it change.

    causal=True 时，改动某个位置之后的词元，哪怕改得极大，该位置的输出和权重也不变。
    """
    x, *matrices = levels(rng, FAR, -FAR)
    moderate, *others = inputs(rng)
    cases, upto = [call(x, *matrices, causal=True), call(moderate, *others, causal=True)], [5, 5]
    for position in range(1, 5):
        for start, rest, size in ((x, matrices, FAR), (moderate, others, 1e3)):
            changed = start.copy()
            later = rng.choice([-size, size], size=changed[position:, 2:].shape)
            changed[position:, 2:] += later
            changed[position:, :2] *= rng.choice([-1.0, 1.0])
            cases.append(call(changed, *rest, causal=True))
            upto.append(position)
    for (got, expected), seen in zip(
        self_attention.beside(reference.self_attention, cases), upto, strict=True
    ):
        agree(until(pair(got), seen), until(expected, seen), axes=AXES)


def until(answer, seen):
    """The rows of the tokens that came before the change."""
    if not isinstance(answer, tuple) or not all(
        isinstance(array, np.ndarray) and array.ndim for array in answer
    ):
        return answer
    return tuple(array[:seen] for array in answer)


@pytest.mark.clause("stable")
def test_stays_finite_for_scores_of_any_size(self_attention, reference, rng):
    """Scores of any size give the right weights, also where one token's scores lie far from another's.

    分数再大再小都给出正确的权重，不同词元的分数相差很远也一样。
    """
    near, far = levels(rng, 2000.0, 1.0), levels(rng, np.array([4e6, 0.0, -4e6, 2000.0, -2000.0]), 1.0)
    for got, expected in self_attention.beside(reference.self_attention, [near, far]):
        agree(pair(got), expected, axes=AXES)


@pytest.mark.clause("integers")
def test_attends_over_whole_numbers(self_attention, reference, rng):
    """Whole numbers in x or in the matrices give the same answer as floats of that value.

    x 或矩阵里是整数时，答案和同值的浮点数一样。
    """
    x, *matrices = inputs(rng)
    whole_x = rng.integers(-1, 2, size=x.shape)
    whole = [rng.integers(-1, 2, size=matrix.shape) for matrix in matrices]
    cases = [(whole_x, *matrices), (whole_x, *whole), (x * 0.4, *whole), call(whole_x, *whole, causal=True)]
    for got, expected in self_attention.beside(reference.self_attention, cases):
        agree(pair(got), expected, axes=AXES)


@pytest.mark.safety  # zeros leave no trace either
@pytest.mark.clause("untouched")
def test_leaves_no_trace(self_attention, reference, rng):
    """A call changes neither its arguments nor NumPy's global generator, and gives the same answer again.

    调用不改动参数，也不动 NumPy 的全局随机数生成器；再调用一次，答案相同。
    """
    case = inputs(rng)
    frozen = tuple(array.copy() for array in case)
    for array in frozen:
        array.flags.writeable = False
    cases = [call(*case, causal=True), call(*inputs(rng)), call(*frozen, causal=True)]
    calls = self_attention.beside(reference.self_attention, cases)
    assert not self_attention.effects.arguments
    assert not self_attention.effects.generator
    agree(calls[-1][0], calls[0][0])
