"""How students make a softmax that is right on ordinary scores and breaks down on others.

Imitated literally, since what overflows cannot be made from the right answer.
"""

import numpy as np

from autograder.suites import mistake, symptom

STEP = "softmax"
UNSTABLE_EN = (
    "Large scores overflow in the exponential, very low ones vanish: subtract each row's maximum first."
)
UNSTABLE_ZH = "大的分数会让指数溢出，很小的分数会让它变成 0：先减去本行的最大值。"


@mistake(STEP, en=UNSTABLE_EN, zh=UNSTABLE_ZH)
def forgets_to_shift(correct, scores, axis=-1):
    raised = np.exp(scores)
    return raised / raised.sum(axis=axis, keepdims=True)


@mistake(
    STEP,
    en="A small number added to the sum does not stop an overflow: subtract each row's maximum first.",
    zh="在分母上加一个小数只是掩盖了溢出：应先减去本行的最大值。",
)
def adds_a_small_number(correct, scores, axis=-1):
    raised = np.exp(scores)
    return raised / (raised.sum(axis=axis, keepdims=True) + 1e-8)


@mistake(
    STEP,
    en="Replacing nan by 0 hides an overflow and takes all weight from that row: subtract its maximum first.",
    zh="把 nan 换成 0 掩盖了溢出，让整行失去权重：应先减去本行的最大值。",
)
def replaces_nan(correct, scores, axis=-1):
    return np.nan_to_num(forgets_to_shift.wrong(correct, scores, axis))


@mistake(
    STEP,
    en="Clipped scores become equal, and so do their weights: subtract each row's maximum instead.",
    zh="截断后分数变得一样，权重也就一样了：应改为减去本行的最大值。",
)
def clips_the_scores(correct, scores, axis=-1):
    return correct(np.clip(scores, -50, 50), axis)


@mistake(
    STEP,
    en="One maximum for the whole array leaves nothing of a row far below it: each row has its own.",
    zh="整个数组共用一个最大值，远低于它的行就什么都不剩：每行减自己的最大值。",
)
def shifts_by_one_maximum(correct, scores, axis=-1):
    raised = np.exp(scores - np.max(scores))
    return raised / raised.sum(axis=axis, keepdims=True)


@mistake(
    STEP,
    en="The result was written into an array of whole numbers, so all weights but 1 became 0.",
    zh="结果写进了整数数组，除了 1 以外的权重都变成 0。",
)
def cuts_off_fractions(correct, scores, axis=-1):
    return correct(scores, axis).astype(scores.dtype)


@mistake(
    STEP,
    en="A row without any key got equal weights: it has nothing to attend to, so nan or zeros are right.",
    zh="没有任何键的行得到了相等的权重：它无可关注，应为 nan 或 0。",
)
def spreads_an_empty_row(correct, scores, axis=-1):
    return correct(np.where(np.isneginf(scores), -1e30, scores), axis)


@symptom(STEP, en=UNSTABLE_EN, zh=UNSTABLE_ZH)
def breaks_down_on_large_scores(calls):
    """Ordinary scores go well, also with minus infinity; large ones do not."""
    small = [call for call in calls if _largest(call) < 100]
    large = [call for call in calls if _largest(call) >= 100]
    return bool(small) and all(map(_right, small)) and not all(map(_right, large))


def _largest(call):
    return np.max(np.abs(call.args[0][np.isfinite(call.args[0])]), initial=0.0)


def _right(call):
    got = call.answer.value
    if not isinstance(got, np.ndarray) or got.dtype.kind != "f" or got.shape != call.expected.shape:
        return False
    close = np.isclose(got, call.expected, rtol=1e-4)
    return bool((close | (np.isnan(got) & (call.expected == 0))).all())
