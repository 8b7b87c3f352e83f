"""apply_mask: forbidden scores become minus infinity, allowed ones stay.

Eight aspects share the step equally. Where the mask is read right, a large negative number instead of minus
infinity costs the two aspects that ask for infinity itself; a mask read the other way round keeps what the
first is worth, a transposed or ignored one nothing. Broadcasting, whole numbers, a score of exactly 0 and the
caller's array are a fact each.
"""

import numpy as np
import pytest

from autograder.selfcheck import agree

AXES = ("n_queries", "n_keys")
LOW = -90.0  # far below any score of these inputs: its exponential is nothing


def scores(rng, *batch, n_queries=5, n_keys=6):
    return rng.normal(scale=3.0, size=(*batch, n_queries, n_keys))


def padding(rng, *shape):
    """A mask with both values in every row."""
    half = np.arange(shape[-1]) % 2 == 0
    return rng.permuted(np.broadcast_to(half, shape), axis=-1)


def full(rng, *batch, n_queries=5, n_keys=6):
    """A mask that is neither causal nor its own transpose, forbids (0, 0) and (2, 2), and allows (0, 1)."""
    mask = padding(rng, *batch, n_queries, n_keys)
    mask[..., 2, :3], mask[..., 0, :2] = (False, True, False), (False, True)
    return mask


def sunk(got, expected):
    """A very low forbidden score counts as minus infinity here: which it is, is another aspect's fact."""
    if not isinstance(got, np.ndarray) or got.dtype.kind != "f" or got.shape != expected.shape:
        return got
    return np.where(np.isneginf(expected) & (got <= LOW), -np.inf, got)


@pytest.mark.clause("values")
def test_treats_the_two_kinds_of_entries_unlike(apply_mask, reference, rng):
    """Scores of one kind of mask entry stay as they are, and those of the other fall far below them.

    掩码的两种取值区别对待：一种处分数不变，另一种处分数降到极低。
    """
    cases = [(scores(rng), full(rng)), (scores(rng, n_queries=4), full(rng, n_queries=4))]
    for (got, expected), case in zip(apply_mask.beside(reference.apply_mask, cases), cases, strict=True):
        turned = np.where(case[1], -np.inf, case[0])
        right = turned if np.array_equal(sunk(got, turned), turned) else expected
        agree(sunk(got, right), right, axes=AXES)


@pytest.mark.clause("values")
def test_sinks_the_forbidden_scores_and_keeps_the_allowed(apply_mask, reference, rng):
    """Where the mask is False the score falls far below all others; where it is True the score stays.

    掩码为 False 处，分数远低于其他分数；为 True 处，分数不变。
    """
    square = {"n_queries": 4, "n_keys": 4}
    first, mask = scores(rng), full(rng)
    cases = [
        (first, mask),
        (first, full(rng)),
        (scores(rng), mask),
        (scores(rng, **square), full(rng, **square)),
        (scores(rng, **square), np.tri(4, dtype=bool)),
    ]
    cases += [(scores(rng).astype(np.float32), full(rng)), (scores(rng, n_keys=40), full(rng, n_keys=40))]
    for got, expected in apply_mask.beside(reference.apply_mask, cases):
        agree(sunk(got, expected), expected, axes=AXES)


@pytest.mark.clause("minus_infinity")
def test_fills_with_minus_infinity(apply_mask, reference, rng):
    """A forbidden score is exactly minus infinity, however low the allowed ones are.

    被屏蔽的分数恰好是负无穷，无论允许的分数多低。
    """
    cases = [
        (scores(rng), full(rng)),
        (scores(rng) * 1e6, full(rng)),
        (scores(rng, n_keys=2), padding(rng, 5, 2)),
    ]
    for got, expected in apply_mask.beside(reference.apply_mask, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("allowed_unchanged")
def test_keeps_an_allowed_score_whatever_it_is(apply_mask, reference, rng):
    """An allowed score keeps its value, be it 0, negative, tiny or very large.

    允许的分数保持原值，无论是 0、负数、极小还是极大。
    """
    values = rng.permuted(
        np.array([[0.0, -7.0, 3e-7, 1e30, -1e30, 12345.678, -0.25, 0.0, 2e-30]] * 2), axis=-1
    )
    mask = np.ones((2, 10), dtype=bool)
    mask[:, 4] = False
    cases = [
        (np.insert(values, 4, 2.5, axis=-1), mask),
        (np.zeros((3, 4)), padding(rng, 3, 4)),
        (scores(rng), np.ones((5, 6), dtype=bool)),
    ]
    for got, expected in apply_mask.beside(reference.apply_mask, cases):
        agree(sunk(got, expected), expected, axes=AXES, rtol=1e-5, atol=0.0)  # tiny scores count too


@pytest.mark.clause("broadcast")
def test_broadcasts_the_mask(apply_mask, reference, rng):
    """A mask with fewer axes, or axes of length 1 as in (batch, 1, n_keys), is broadcast against the scores.

    轴更少或长度为 1 的掩码会广播到分数上，例如填充掩码 (batch, 1, n_keys)。
    """
    queries = scores(rng, 2, 3, n_queries=6), np.swapaxes(padding(rng, 1, 6), -1, -2)
    cases = [
        (scores(rng), padding(rng, 6)),
        (scores(rng, n_queries=4, n_keys=4), padding(rng, 4)),
        (scores(rng, 2), full(rng)),
        (scores(rng, 2), padding(rng, 2, 1, 6)),
        (scores(rng, 2), full(rng, 2)),
        (scores(rng, 2, 3), padding(rng, 2, 1, 1, 6)),
        (scores(rng, 2, 3), full(rng, 3)),
        (scores(rng, 1, n_queries=1), padding(rng, 1, 1, 6)),
        (np.swapaxes(scores(rng, 1, 2, 2, n_queries=4, n_keys=3), -1, -2), padding(rng, 4)),
        (queries[0], np.broadcast_to(queries[1], queries[0].shape)),
        queries,
    ]
    *calls, stretched, short = apply_mask.beside(reference.apply_mask, cases)
    for got, expected in calls:
        agree(sunk(got, expected), expected, axes=AXES)
    agree(sunk(short[0], short[1]), like(stretched, short[1]), axes=AXES)


def like(call, expected):
    """The answer for a mask of full size: what becomes of a row without any key in it is another fact."""
    got = sunk(*call)
    return got if isinstance(got, np.ndarray) and got.shape == expected.shape else expected


@pytest.mark.clause("integers")
def test_masks_whole_numbers(apply_mask, reference, rng):
    """Scores that are whole numbers come back as floats, since only a float can be minus infinity.

    整数分数返回浮点数，因为只有浮点数能是负无穷。
    """
    whole = rng.integers(1, 10, size=(5, 6))
    for got, expected in apply_mask.beside(reference.apply_mask, [(whole, full(rng)), (-whole, full(rng))]):
        agree(sunk(got, expected), expected, axes=AXES)


@pytest.mark.clause("empty_row")
def test_masks_a_whole_row(apply_mask, reference, rng):
    """A query that may attend to nothing gets minus infinity throughout, and no other row changes for it.

    什么都不能关注的查询，整行都是负无穷，其他行不受影响。
    """
    one, first = full(rng), full(rng)
    one[3], first[:2] = False, False
    cases = [(scores(rng), one), (scores(rng), first), (scores(rng), np.zeros((5, 6), dtype=bool))]
    cases += [(scores(rng, n_keys=1), np.arange(5)[:, None] != 2)]
    for got, expected in apply_mask.beside(reference.apply_mask, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.safety  # the input handed back leaves no trace either
@pytest.mark.clause("untouched")
def test_leaves_no_trace(apply_mask, reference, rng):
    """A call changes neither scores nor mask nor NumPy's global generator, and gives the same answer again.

    调用不改动分数和掩码，也不动 NumPy 的全局随机数生成器；再调用一次，答案相同。
    """
    case = scores(rng), full(rng)
    frozen = tuple(array.copy() for array in case)
    for array in frozen:
        array.flags.writeable = False
    calls = apply_mask.beside(reference.apply_mask, [case, (scores(rng), full(rng)), frozen])
    assert not apply_mask.effects.arguments
    assert not apply_mask.effects.generator
    agree(calls[-1][0], calls[0][0])
