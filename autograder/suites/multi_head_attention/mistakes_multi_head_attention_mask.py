"""What students do wrong with the mask in multi_head_attention."""

import numpy as np

from autograder.suites import mistake, symptom
from autograder.suites.multi_head_attention.heads import attended, masked, shares
from autograder.suites.self_attention.mistakes import right

STEP = "multi_head_attention"


def causal(call):
    return bool((*call.args, call.kwargs.get("causal", False))[6])


def pair(call):
    """Whether the answer is two arrays of the right shapes."""
    got = call.answer.value
    fits = isinstance(got, tuple) and len(got) == 2
    return fits and all(np.shape(a) == b.shape for a, b in zip(got, call.expected, strict=True))


@mistake(
    STEP,
    en="The argument causal is ignored: with causal=True later tokens are masked.",
    zh="没有用参数 causal：causal=True 时要屏蔽后面的词元。",
)
def ignores_causal(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q, W_K, W_V, W_O, n_heads, False)


@mistake(
    STEP,
    en="Later tokens are masked always: do so only with causal=True.",
    zh="总是屏蔽后面的词元：只有 causal=True 时才屏蔽。",
)
def is_always_causal(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q, W_K, W_V, W_O, n_heads, True)


@mistake(
    STEP,
    en="The condition is turned round: later tokens are masked with causal=True, not without it.",
    zh="条件反了：causal=True 时才屏蔽后面的词元，而不是相反。",
)
def turns_causal_round(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q, W_K, W_V, W_O, n_heads, not causal)


@mistake(
    STEP,
    en="The mask is upside down: with causal=True a token may see itself and earlier ones, not later ones.",
    zh="掩码上下颠倒了：causal=True 时只能看自己和更早的词元，不能看后面的。",
)
def looks_ahead(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    def weigh(scores):
        allowed = np.tri(scores.shape[-1], dtype=bool).T | (not causal)
        return shares(np.where(allowed, scores, -np.inf))

    return attended(x, W_Q, W_K, W_V, W_O, n_heads, weigh)


@mistake(
    STEP,
    en="Only the first head is masked: with causal=True all of them are.",
    zh="只屏蔽了第一个头：causal=True 时所有的头都要屏蔽。",
)
def masks_the_first_head_alone(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    def weigh(scores):
        later = np.arange(n_heads)[:, np.newaxis, np.newaxis] > 0
        return shares(np.where(later | (not causal) | np.tri(scores.shape[-1], dtype=bool), scores, -np.inf))

    return attended(x, W_Q, W_K, W_V, W_O, n_heads, weigh)


@mistake(
    STEP,
    en="The mask came after the softmax, so rows no longer sum to 1: it belongs before, on the scores.",
    zh="掩码放在了 softmax 之后，每行的和不再是 1：应在之前，用在分数上。",
)
def masks_after_the_softmax(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    def weigh(scores):
        return shares(scores) * (np.tri(scores.shape[-1]) if causal else 1.0)

    return attended(x, W_Q, W_K, W_V, W_O, n_heads, weigh)


@mistake(
    STEP,
    en="Masking after the softmax is right on paper, but a large later score leaves 0/0: mask before it.",
    zh="softmax 之后再屏蔽、再归一化，理论上对；后面分数很大时会变成 0/0。应在之前屏蔽。",
)
def masks_after_the_softmax_and_divides(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    def weigh(scores):
        weights = shares(scores) * (np.tri(scores.shape[-1]) if causal else 1.0)
        return weights / weights.sum(axis=-1, keepdims=True)

    return attended(x, W_Q, W_K, W_V, W_O, n_heads, weigh)


@mistake(
    STEP,
    en="With causal=True a token may not attend to itself, so the first one has nothing: allow the diagonal.",
    zh="causal=True 时词元不能关注自己，第一个词元就无可关注：对角线要允许。",
)
def forbids_the_token_itself(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return attended(x, W_Q, W_K, W_V, W_O, n_heads, lambda scores: shares(masked(scores, causal, k=-1)))


@mistake(
    STEP,
    en="With causal=True a token sees the next one too: the mask stops at the diagonal.",
    zh="causal=True 时还能看到下一个词元：掩码应止于对角线。",
)
def allows_the_next_token(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return attended(x, W_Q, W_K, W_V, W_O, n_heads, lambda scores: shares(masked(scores, causal, k=1)))


@mistake(
    STEP,
    en="The mask's size was read off the first axis of x, which may be the batch: count from the end.",
    zh="掩码的大小取自 x 的第一个轴，有批次时那是批次：要从后面数。",
)
def takes_the_batch_for_the_length(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    def weigh(scores):
        return shares(np.where(np.tri(x.shape[0], dtype=bool), scores, -np.inf) if causal else scores)

    return attended(x, W_Q, W_K, W_V, W_O, n_heads, weigh)


@mistake(
    STEP,
    en="The forbidden scores became 0, and 0 has a weight: fill in minus infinity.",
    zh="不许看的分数填成了 0，而 0 也有权重：要填负无穷。",
)
def fills_with_zero(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    def weigh(scores):
        return shares(np.where(np.tri(scores.shape[-1], dtype=bool) | (not causal), scores, 0.0))

    return attended(x, W_Q, W_K, W_V, W_O, n_heads, weigh)


@symptom(
    STEP,
    en="Later tokens come through the mask: a small or finite fill is too weak, minus infinity is not.",
    zh="后面的词元透过了掩码：填充值太小或有限都不够，要用负无穷。",
)
def lets_later_tokens_through(calls):
    """Right without causal; with it some weight lies above the diagonal, although the mask was tried."""
    calls = [call for call in calls if call.expected is not None]
    leaks = [
        np.triu(np.nan_to_num(call.answer.value[1]), k=1).any()
        for call in calls
        if causal(call) and pair(call)
    ]
    return any(leaks) and all(right(call) for call in calls if not causal(call))
