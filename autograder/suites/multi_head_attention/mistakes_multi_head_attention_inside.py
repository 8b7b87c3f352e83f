"""What students do wrong within each head of multi_head_attention: scale, mask, softmax, values."""

import numpy as np

from autograder.suites import mistake, symptom
from autograder.suites.multi_head_attention.heads import masked, merge, parts, scores_of, shares, split

STEP = "multi_head_attention"


@mistake(
    STEP,
    en="Queries and keys have changed places: row i of the weights belongs to query i, from W_Q.",
    zh="查询和键的位置对调了：权重的第 i 行属于第 i 个查询，来自 W_Q。",
)
def swaps_queries_and_keys(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_K, W_Q, W_V, W_O, n_heads, causal)


@mistake(
    STEP,
    en="The scores are not scaled: divide them by the root of a head's width.",
    zh="分数没有缩放：要除以一个头的宽度的平方根。",
)
def forgets_the_scale(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q * np.sqrt(W_Q.shape[-1] // n_heads), W_K, W_V, W_O, n_heads, causal)


@mistake(
    STEP,
    en="The scores were divided by a head's width, or scaled twice: it takes its square root, once.",
    zh="分数除以了头的宽度，或缩放了两次：只除一次，除以它的平方根。",
)
def divides_by_d_k(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q / np.sqrt(W_Q.shape[-1] // n_heads), W_K, W_V, W_O, n_heads, causal)


@mistake(
    STEP,
    en="The root of the width of all heads together was taken: what counts is the width of one head.",
    zh="用了所有头合起来的宽度的平方根：应看一个头的宽度。",
)
def takes_the_width_of_all_heads(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q / np.sqrt(n_heads), W_K, W_V, W_O, n_heads, causal)


@mistake(
    STEP,
    en="The root of d_model was taken: what counts is the width of one head's queries.",
    zh="用了 d_model 的平方根：应看一个头的查询的宽度。",
)
def takes_the_width_of_the_model(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    ratio = W_Q.shape[-1] // n_heads / x.shape[-1]
    return correct(x, W_Q * np.sqrt(ratio), W_K, W_V, W_O, n_heads, causal)


@mistake(
    STEP,
    en="The root of the number of heads was taken: what counts is the width of one head's queries.",
    zh="用了头的个数的平方根：应看一个头的查询的宽度。",
)
def takes_the_number_of_heads(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q * np.sqrt(W_Q.shape[-1] // n_heads / n_heads), W_K, W_V, W_O, n_heads, causal)


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


def attended(x, W_Q, W_K, W_V, W_O, n_heads, weigh):
    """The answer with weights made by `weigh` from each head's scores."""
    Q, K, V = parts(x, W_Q, W_K, W_V, n_heads)
    weights = weigh(scores_of(Q, K))
    return merge(weights @ V) @ W_O, weights


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
    en="The forbidden scores became 0, and 0 has a weight: fill in minus infinity.",
    zh="不许看的分数填成了 0，而 0 也有权重：要填负无穷。",
)
def fills_with_zero(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    def weigh(scores):
        return shares(np.where(np.tri(scores.shape[-1], dtype=bool) | (not causal), scores, 0.0))

    return attended(x, W_Q, W_K, W_V, W_O, n_heads, weigh)


@mistake(
    STEP,
    en="The softmax ran over the heads: each query shares out its 1 over the keys, in each head.",
    zh="softmax 沿头求和了：在每个头里，每个查询沿键分一个 1。",
)
def normalises_over_the_heads(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return attended(x, W_Q, W_K, W_V, W_O, n_heads, lambda scores: shares(masked(scores, causal), axis=-3))


@mistake(
    STEP,
    en="The softmax ran over the queries: each query shares out its 1 over the keys.",
    zh="softmax 沿查询求和了：每个查询沿键分一个 1。",
)
def normalises_over_queries(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return attended(x, W_Q, W_K, W_V, W_O, n_heads, lambda scores: shares(masked(scores, causal), axis=-2))


@mistake(
    STEP,
    en="Exponentials of large scores overflow: take the largest score of each row away first.",
    zh="分数大时指数会溢出：每行先减去最大的分数。",
)
def forgets_to_shift(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    def weigh(scores):
        raised = np.exp(masked(scores, causal))
        return raised / raised.sum(axis=-1, keepdims=True)

    return attended(x, W_Q, W_K, W_V, W_O, n_heads, weigh)


@mistake(
    STEP,
    en="The keys were mixed in place of the values: a head's output is its weights times its part of V.",
    zh="混合的是键而不是值：头的输出是权重乘它那一段 V。",
)
def mixes_the_keys(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    weights = correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)[1]
    return merge(weights @ split(x @ W_K, n_heads)) @ W_O, weights


@mistake(
    STEP,
    en="The tokens were added to the output: no residual belongs here.",
    zh="输出又加上了 x：这里没有残差。",
)
def adds_the_tokens(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    output, weights = correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)
    return output + x, weights


@symptom(
    STEP,
    en="Later tokens come through the mask: a small or finite fill is too weak, minus infinity is not.",
    zh="后面的词元透过了掩码：填充值太小或有限都不够，要用负无穷。",
)
def lets_later_tokens_through(calls):
    """Some weight lies above the diagonal of a causal call, although most of it is gone."""
    causal = [call for call in calls if (*call.args, call.kwargs.get("causal", False))[6]]
    pairs = [(call.answer.value, call.expected) for call in causal if call.answer.outcome == "returned"]
    fits = [(got[1], right[1]) for got, right in pairs if np.shape(got[1]) == right[1].shape]
    above = [np.triu(np.nan_to_num(weights), k=1).sum() / weights.shape[-3] for weights, _ in fits]
    return bool(above) and 0.0 < max(above) < 0.1
