"""What students do wrong in softmax about the maximum: none subtracted, the wrong one, or in the wrong place.

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
    en="The maximum was taken along another axis, so the scores of one row were shifted unequally.",
    zh="最大值沿另一个轴取了，同一行的分数减去的数不一样。",
)
def shifts_along_another_axis(correct, scores, axis=-1):
    raised = np.exp(scores - np.max(scores, axis=0, keepdims=True))
    return raised / raised.sum(axis=axis, keepdims=True)


@mistake(
    STEP,
    en="Only the numerator was shifted: subtract the maximum in the denominator too.",
    zh="只有分子减了最大值：分母也要减。",
)
def shifts_the_numerator_only(correct, scores, axis=-1):
    return np.exp(scores - np.max(scores, axis=axis, keepdims=True)) / np.exp(scores).sum(
        axis=axis, keepdims=True
    )


@mistake(
    STEP,
    en="The maximum was subtracted after the exponential; it belongs before it, from the scores.",
    zh="最大值在取指数之后才减；应在取指数之前从分数里减。",
)
def shifts_after_the_exponential(correct, scores, axis=-1):
    raised = np.exp(scores)
    raised = raised - np.max(raised, axis=axis, keepdims=True)
    return raised / raised.sum(axis=axis, keepdims=True)


@mistake(
    STEP,
    en="What is subtracted from each row is not its maximum: large scores stay large, and one −∞ spoils it.",
    zh="每行减去的不是它的最大值：大的分数仍然很大，有一个 −∞ 就整行出错。",
)
def shifts_by_another_number(correct, scores, axis=-1):
    raised = np.exp(scores - np.mean(scores, axis=axis, keepdims=True))
    return raised / raised.sum(axis=axis, keepdims=True)


@mistake(
    STEP,
    en="The scores were divided by their maximum, which changes the weights; subtract it.",
    zh="分数除以了最大值，权重就变了；应当减去它。",
)
def divides_by_the_maximum(correct, scores, axis=-1):
    raised = np.exp(scores / np.max(scores, axis=axis, keepdims=True))
    return raised / raised.sum(axis=axis, keepdims=True)


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
