"""What students do wrong in apply_mask, each as a change to the right function where it can be."""

import numpy as np

from autograder.suites import mistake, symptom

STEP = "apply_mask"
LARGE_EN = (
    "A large negative number is often used, and here it is minus infinity, which no score can go below."
)
LARGE_ZH = "很多代码用一个很大的负数；这里约定用负无穷，任何分数都不会比它更低。"
MOVED = {
    "en": "The mask was used as 0 and 1 to add or subtract, which moves scores by 1 and forbids nothing.",
    "zh": "掩码被当成 0 和 1 加上或减掉了，分数只差 1，什么也没屏蔽。",
}


@mistake(STEP, en=LARGE_EN, zh=LARGE_ZH, convention=True)
def fills_with_a_large_number(correct, scores, mask):
    masked = correct(scores, mask)
    return np.where(np.isneginf(masked), -1e9, masked)


@mistake(
    STEP,
    en="The idea is right, the convention is another: True means may attend here, and False is masked.",
    zh="思路正确，约定不同：这里 True 表示可以关注，屏蔽的是 False。",
    convention=True,
)
def masks_where_it_is_true(correct, scores, mask):
    return correct(scores, ~mask)


@mistake(
    STEP,
    en="0 times infinity is nan, at every allowed place: choose between score and infinity instead.",
    zh="0 乘无穷得 nan，每个允许的位置都如此：应在分数和负无穷之间二选一。",
)
def multiplies_by_infinity(correct, scores, mask):
    return scores + (1 - mask) * -np.inf


@mistake(
    STEP,
    en="Forbidden scores became 0, and the exponential of 0 is 1, not nothing: it takes minus infinity.",
    zh="被屏蔽的分数变成了 0，而 0 的指数是 1，不是“没有”：要用负无穷。",
)
def fills_with_zero(correct, scores, mask):
    return np.where(mask, scores, 0.0)


@mistake(
    STEP,
    en="The sign of infinity is wrong: a forbidden score falls, it does not rise.",
    zh="无穷的符号反了：被屏蔽的分数应当降到最低，而不是升到最高。",
)
def fills_with_plus_infinity(correct, scores, mask):
    return np.where(mask, scores, np.inf)


@mistake(
    STEP,
    en="Forbidden scores became nan, which the softmax spreads over the row: it takes minus infinity.",
    zh="被屏蔽的分数成了 nan，softmax 会把它传到整行：要用负无穷。",
)
def fills_with_nan(correct, scores, mask):
    return np.where(mask, scores, np.nan)


@mistake(
    STEP,
    en="The scores came back unmasked: a function that makes a new array changes nothing by itself.",
    zh="返回的分数没有屏蔽：返回新数组的函数不会改动原数组，别丢掉结果。",
)
def hands_the_scores_back(correct, scores, mask):
    return scores


@mistake(
    STEP,
    en="The mask was transposed: its rows are queries and its columns keys, as in the scores.",
    zh="掩码被转置了：它的行是查询，列是键，和分数一样。",
)
def transposes_the_mask(correct, scores, mask):
    return correct(scores, np.swapaxes(mask, -1, -2) if np.ndim(mask) > 1 else mask)


@mistake(
    STEP,
    en="A mask over the keys was applied to the queries: a mask (n_keys,) forbids columns, not rows.",
    zh="针对键的掩码用到了查询上：(n_keys,) 的掩码屏蔽的是列，不是行。",
)
def masks_the_queries(correct, scores, mask):
    return correct(scores, mask[:, None] if mask.ndim == 1 else mask)


@mistake(STEP, **MOVED)
def subtracts_the_mask(correct, scores, mask):
    return scores - (1.0 - mask)


@mistake(STEP, **MOVED)
def adds_the_mask(correct, scores, mask):
    return scores + mask


@mistake(
    STEP,
    en="The mask passed in is ignored and a causal one used instead.",
    zh="没有用传入的掩码，而是用了因果掩码。",
)
def always_masks_causally(correct, scores, mask):
    return correct(scores, np.tri(*scores.shape[-2:], dtype=bool))


@mistake(
    STEP,
    en="The diagonal is spared: where the mask forbids a token itself, that is meant too.",
    zh="对角线没有屏蔽：掩码禁止词元关注自己时，也要照做。",
)
def spares_the_diagonal(correct, scores, mask):
    return correct(scores, mask | np.eye(*scores.shape[-2:], dtype=bool))


@mistake(
    STEP,
    en="The scores were normalised too: softmax is the next step.",
    zh="还顺带做了归一化：softmax 是下一步。",
)
def normalises_already(correct, scores, mask):
    masked = correct(scores, mask)
    raised = np.exp(masked - masked.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


@mistake(
    STEP,
    en="Forbidden scores were left out, and the shape is lost: they stay, as minus infinity.",
    zh="被屏蔽的分数被删掉了，形状也丢了：它们要留在原位，变成负无穷。",
)
def drops_the_forbidden(correct, scores, mask):
    return scores[..., np.broadcast_to(mask, scores.shape[-2:])]


@mistake(
    STEP,
    en="A key that is forbidden to one query was forbidden to all: each row of the mask is its own.",
    zh="对一个查询禁止的键，对所有查询都禁止了：掩码的每一行各管各的。",
)
def blanks_whole_columns(correct, scores, mask):
    return correct(scores, mask.all(axis=-2, keepdims=True) if mask.ndim > 1 else mask)


@mistake(
    STEP,
    en="A query with one forbidden key lost all its keys: each entry of the mask is its own.",
    zh="查询只要有一个键被禁止，就失去了所有的键：掩码的每个元素各管各的。",
)
def blanks_whole_rows(correct, scores, mask):
    return correct(scores, mask.all(axis=-1, keepdims=True))


@mistake(
    STEP,
    en="An allowed score of exactly 0 was masked as well: ask the mask, not the score.",
    zh="允许的分数恰好为 0 时也被屏蔽了：要看掩码，不要看分数。",
)
def masks_every_zero(correct, scores, mask):
    return correct(scores, mask & (scores != 0))


@mistake(
    STEP,
    en="A row without any allowed key was left open: it is minus infinity throughout.",
    zh="没有任何允许键的行没有屏蔽：整行都应是负无穷。",
)
def leaves_empty_rows_open(correct, scores, mask):
    return correct(scores, mask | ~mask.any(axis=-1, keepdims=True))


@mistake(
    STEP,
    en="Allowed scores became 0: they keep their value.",
    zh="允许的分数变成了 0：它们应保持原值。",
)
def forgets_the_scores(correct, scores, mask):
    return np.where(mask, 0.0, -np.inf) + np.zeros(scores.shape)


@mistake(
    STEP,
    en="The result was made a whole number like the scores, and no whole number is minus infinity.",
    zh="结果和分数一样成了整数，而整数没有负无穷。",
)
def keeps_whole_numbers(correct, scores, mask):
    return correct(scores, mask).astype(scores.dtype)


@mistake(
    STEP,
    en="The mask served as an index into the scores passed in: those are changed now, nothing is broadcast.",
    zh="把掩码当作下标，直接改写了传入的 scores：参数被改动了，掩码也没有广播。",
)
def writes_into_the_scores(correct, scores, mask):
    scores[~mask] = -np.inf
    return scores


@symptom(STEP, en=LARGE_EN, zh=LARGE_ZH)
def fills_with_some_large_number(calls):
    """Finite numbers where minus infinity belongs, or added there, and nothing else wrong."""
    moderate = [call for call in calls if np.abs(call.args[0]).max() < 1e3]
    found = [_depth(call) for call in moderate if call.answer.outcome == "returned"]
    return bool(found) and None not in found and any(found)


def _depth(call):
    """Whether the forbidden scores are finite and low; None where something else is wrong."""
    got, expected = call.answer.value, call.expected
    if not isinstance(got, np.ndarray) or got.dtype.kind not in "if" or got.shape != expected.shape:
        return None
    forbidden = np.isneginf(expected)
    if not np.allclose(got[~forbidden], expected[~forbidden], rtol=1e-4) or (got[forbidden] > -90).any():
        return None
    return bool(np.isfinite(got[forbidden]).any())


@symptom(
    STEP,
    en="The mask is used without broadcasting: let NumPy stretch it to the scores, in place of an index.",
    zh="掩码没有广播：让 NumPy 把它扩展到分数的形状，不要直接拿来作下标。",
)
def does_not_broadcast(calls):
    """Masks of the scores' own shape go well on floats, shorter ones do not."""
    full = [call for call in calls if _is_full(call)]
    other = [call for call in calls if not _is_full(call) and call.args[0].dtype.kind == "f"]
    return bool(full) and all(map(_right, full)) and not all(map(_right, other))


def _is_full(call):
    scores, mask = call.args
    return scores.shape == mask.shape and scores.ndim == 2 and scores.dtype.kind == "f"


def _right(call):
    got = call.answer.value
    return (
        isinstance(got, np.ndarray) and got.shape == call.expected.shape and np.allclose(got, call.expected)
    )
