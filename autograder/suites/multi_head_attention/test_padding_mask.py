"""padding_mask: real tokens may be attended to, filling may not.

Three aspects about the entries; one of them puts the mask to use and compares with the sentences alone. That
the mask has an axis of length 1 for the queries, and that it is of True and False, is a fact each.
"""

import numpy as np
import pytest

from autograder.selfcheck import agree

AXES = ("batch", "1", "seq_len")


def numbers(mask):
    """The entries as numbers, whatever their dtype: that they must be bool is another aspect's fact."""
    return mask.astype(float) if isinstance(mask, np.ndarray) and mask.dtype.kind in "biuf" else mask


def rows(mask):
    """One row for each sentence, whatever axes stand in between: the shape is another aspect's fact."""
    mask = numbers(mask)
    if isinstance(mask, np.ndarray) and mask.ndim > 2 and mask.size == mask.shape[0] * mask.shape[-1]:
        return mask.reshape(mask.shape[0], mask.shape[-1])
    if isinstance(mask, np.ndarray) and mask.ndim == 3 and (mask == mask[:, :1]).all():
        return mask[:, 0]
    return mask


def lengths(rng, batch=4, seq_len=6):
    """Lengths that differ, none of them full or empty, and seq_len."""
    return rng.permutation(np.arange(batch) % (seq_len - 1) + 1), seq_len


@pytest.mark.clause("values")
def test_allows_the_real_tokens_of_each_sentence(padding_mask, reference, rng):
    """In each sentence the first so many keys are allowed as its length says, and all later ones forbidden.

    每个句子里，长度是多少，前多少个键就允许看，后面的都不许看。
    """
    cases = [lengths(rng), lengths(rng, 3, 9), lengths(rng, 5, 5), lengths(rng, 6, 6), (np.array([2]), 3)]
    for got, expected in padding_mask.beside(reference.padding_mask, cases):
        agree(rows(got), rows(expected), axes=AXES[::2])


@pytest.mark.clause("full_and_empty")
def test_knows_full_and_empty_sentences(padding_mask, reference, rng):
    """A sentence as long as seq_len is allowed whole; one of length 0 is forbidden whole.

    句子长度等于 seq_len 时全部允许看；长度为 0 时全部不许看。
    """
    cases = [(np.array([4, 0, 2]), 4), (np.array([0, 1, 1]), 1), (np.array([5, 5, 3, 0, 1]), 5)]
    for got, expected in padding_mask.beside(reference.padding_mask, cases):
        agree(rows(got), rows(expected), axes=AXES[::2])


@pytest.mark.safety  # any array of that shape passes this
@pytest.mark.clause("one_row")
def test_has_one_row_for_all_queries(padding_mask, reference, rng):
    """The shape is (batch, 1, seq_len), whatever batch and seq_len are.

    形状是 (batch, 1, seq_len)，batch 和 seq_len 取多少都一样。
    """
    cases = [lengths(rng), lengths(rng, 1, 5), lengths(rng, 7, 3), lengths(rng, 4, 4), (np.array([1, 1]), 1)]
    for got, expected in padding_mask.beside(reference.padding_mask, cases):
        agree(numbers(got) * 0.0, numbers(expected) * 0.0, axes=AXES)


@pytest.mark.clause("no_weight")
def test_gives_filling_no_weight_and_lets_it_disturb_nobody(padding_mask, reference, rng):
    """Under it filling gets weight 0, and each real token gathers what it would if its sentence stood alone.

    用上它，补上去的词元权重为 0；真实词元的结果与句子单独计算时相同。
    """
    many, seq_len = lengths(rng, 4, 6)
    x, y = rng.normal(size=(2, 4, seq_len, 3))
    x[np.arange(seq_len) >= many[:, np.newaxis]] *= 100.0
    for got, _ in padding_mask.beside(reference.padding_mask, [(many, seq_len)]):
        weights = shares(np.where(as_mask(got), x @ x.swapaxes(-1, -2), -np.inf))
        for i, n in enumerate(many):
            alone = shares(x[i, :n] @ x[i, :n].T)
            agree(weights[i, :, n:], np.zeros((seq_len, seq_len - n)), axes=("n_queries", "filling"))
            agree((weights @ y)[i, :n], alone @ y[i, :n], axes=("n_queries", "d_v"))


def as_mask(mask):
    """The mask as it is meant, where it is of numbers or has no axis for the queries."""
    mask = numbers(mask) > 0
    return mask[:, np.newaxis] if mask.ndim == 2 else mask


def shares(scores):
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


@pytest.mark.safety  # a mask of nothing but True is boolean too
@pytest.mark.clause("boolean")
def test_is_boolean(padding_mask, reference, rng):
    """The entries are True and False (dtype bool), not numbers.

    元素是 True 和 False（dtype 为 bool），不是数。
    """
    cases = [lengths(rng), lengths(rng, 1, 3), (np.array([0, 2]), 2)]
    for got, _ in padding_mask.beside(reference.padding_mask, cases):
        assert isinstance(got, np.ndarray) and got.dtype == bool


@pytest.mark.safety  # a constant leaves no trace either
@pytest.mark.clause("untouched")
def test_leaves_no_trace(padding_mask, reference, rng):
    """A call changes neither lengths nor NumPy's global generator, and gives the same mask again.

    调用不改动 lengths，也不动 NumPy 的全局随机数生成器；再调用一次，掩码相同。
    """
    many, seq_len = lengths(rng)
    frozen = many.copy()
    frozen.flags.writeable = False
    calls = padding_mask.beside(
        reference.padding_mask, [(many, seq_len), lengths(rng, 3, 4), (frozen, seq_len)]
    )
    assert not padding_mask.effects.arguments
    assert not padding_mask.effects.generator
    agree(calls[-1][0], calls[0][0])
