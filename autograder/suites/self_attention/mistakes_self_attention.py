"""What students do wrong in composing self_attention; slips within a step are in that step's own list."""

import numpy as np

from autograder.suites import mistake, symptom

STEP = "self_attention"


def scores_of(x, W_Q, W_K):
    return x @ W_Q @ np.swapaxes(x @ W_K, -1, -2) / np.sqrt(W_Q.shape[-1])


def shares(scores):
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


@mistake(
    STEP,
    en="Queries and keys have changed places: row i of the weights belongs to query i, from W_Q.",
    zh="查询和键的位置对调了：权重的第 i 行属于第 i 个查询，来自 W_Q。",
)
def swaps_queries_and_keys(correct, x, W_Q, W_K, W_V, causal=False):
    return correct(x, W_K, W_Q, W_V, causal)


@mistake(
    STEP,
    en="The argument causal is ignored: with causal=True later tokens are masked.",
    zh="没有用参数 causal：causal=True 时要屏蔽后面的词元。",
)
def ignores_causal(correct, x, W_Q, W_K, W_V, causal=False):
    return correct(x, W_Q, W_K, W_V, False)


@mistake(
    STEP,
    en="Later tokens are masked always: do so only with causal=True.",
    zh="总是屏蔽后面的词元：只有 causal=True 时才屏蔽。",
)
def is_always_causal(correct, x, W_Q, W_K, W_V, causal=False):
    return correct(x, W_Q, W_K, W_V, True)


@mistake(
    STEP,
    en="Without the argument causal nothing is masked: its default is False, as in the signature.",
    zh="不传参数 causal 时不屏蔽：默认值是 False，和给出的签名一样。",
)
def is_causal_by_default(correct, x, W_Q, W_K, W_V, causal=True):
    return correct(x, W_Q, W_K, W_V, causal)


@mistake(
    STEP,
    en="The condition is turned round: later tokens are masked with causal=True, not without it.",
    zh="条件反了：causal=True 时才屏蔽后面的词元，而不是相反。",
)
def turns_causal_round(correct, x, W_Q, W_K, W_V, causal=False):
    return correct(x, W_Q, W_K, W_V, not causal)


@mistake(
    STEP,
    en="The mask came after the softmax, so rows no longer sum to 1: it belongs before, on the scores.",
    zh="掩码放在了 softmax 之后，每行的和不再是 1：应在之前，用在分数上。",
)
def masks_after_the_softmax(correct, x, W_Q, W_K, W_V, causal=False):
    weights = correct(x, W_Q, W_K, W_V, False)[1]
    weights = weights * np.tri(weights.shape[-1]) if causal else weights
    return weights @ (x @ W_V), weights


@mistake(
    STEP,
    en="Masking after the softmax is right on paper, but a large later score leaves 0/0: mask before it.",
    zh="softmax 之后再屏蔽、再归一化，理论上对；后面分数很大时会变成 0/0。应在之前屏蔽。",
)
def masks_after_the_softmax_and_divides(correct, x, W_Q, W_K, W_V, causal=False):
    weights = correct(x, W_Q, W_K, W_V, False)[1]
    if causal:
        weights = weights * np.tri(weights.shape[-1])
        weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ (x @ W_V), weights


@mistake(
    STEP,
    en="With causal=True a token may not attend to itself, so the first one has nothing: allow the diagonal.",
    zh="causal=True 时词元不能关注自己，第一个词元就无可关注：对角线要允许。",
)
def forbids_the_token_itself(correct, x, W_Q, W_K, W_V, causal=False):
    if not causal:
        return correct(x, W_Q, W_K, W_V, False)
    scores = scores_of(x, W_Q, W_K)
    weights = shares(np.where(np.tri(*scores.shape[-2:], k=-1, dtype=bool), scores, -np.inf))
    return weights @ (x @ W_V), weights


@mistake(
    STEP,
    en="The first token may not attend to itself, and so attends to all tokens: allow the diagonal.",
    zh="第一个词元不能关注自己，结果关注了所有词元：对角线要允许。",
)
def spreads_the_first_token(correct, x, W_Q, W_K, W_V, causal=False):
    if not causal:
        return correct(x, W_Q, W_K, W_V, False)
    scores = scores_of(x, W_Q, W_K)
    weights = shares(np.where(np.tri(*scores.shape[-2:], k=-1, dtype=bool), scores, -1e9))
    return weights @ (x @ W_V), weights


@mistake(
    STEP,
    en="The keys were mixed in place of the values: the output is the weights times V.",
    zh="混合的是键而不是值：输出是权重乘 V。",
)
def mixes_the_keys(correct, x, W_Q, W_K, W_V, causal=False):
    weights = correct(x, W_Q, W_K, W_V, causal)[1]
    return weights @ (x @ W_K), weights


@mistake(
    STEP,
    en="The tokens x were mixed in place of the values: the output is the weights times V.",
    zh="混合的是词元 x 而不是值：输出是权重乘 V。",
)
def mixes_the_tokens(correct, x, W_Q, W_K, W_V, causal=False):
    weights = correct(x, W_Q, W_K, W_V, causal)[1]
    return weights @ x, weights


@mistake(
    STEP,
    en="The scores were divided by d_k, or scaled twice: it takes the square root of d_k, once.",
    zh="分数除以了 d_k，或缩放了两次：只除一次，除以 d_k 的平方根。",
)
def divides_by_d_k(correct, x, W_Q, W_K, W_V, causal=False):
    return correct(x, W_Q / np.sqrt(W_Q.shape[-1]), W_K, W_V, causal)


@mistake(
    STEP,
    en="The root of d_model was taken: the scores are divided by the root of d_k, the width of a query.",
    zh="用了 d_model 的平方根：分数应除以 d_k 的平方根，即查询的宽度。",
)
def takes_the_width_of_the_model(correct, x, W_Q, W_K, W_V, causal=False):
    return correct(x, W_Q * np.sqrt(W_Q.shape[-1] / x.shape[-1]), W_K, W_V, causal)


@mistake(
    STEP,
    en="The mask's size was read off the first axis of x, which may be the batch: count from the end.",
    zh="掩码的大小取自 x 的第一个轴，有批次时那是批次：要从后面数。",
)
def takes_the_batch_for_the_length(correct, x, W_Q, W_K, W_V, causal=False):
    if not causal:
        return correct(x, W_Q, W_K, W_V, False)
    scores = scores_of(x, W_Q, W_K)
    weights = shares(np.where(np.tri(x.shape[0], dtype=bool), scores, -np.inf))
    return weights @ (x @ W_V), weights


@mistake(
    STEP,
    en="The mask's size was read off axis 1 of x, which is the width without a batch: count from the end.",
    zh="掩码的大小取自 x 的第 1 轴，没有批次时那是宽度：要从后面数。",
)
def takes_the_width_for_the_length(correct, x, W_Q, W_K, W_V, causal=False):
    if not causal:
        return correct(x, W_Q, W_K, W_V, False)
    scores = scores_of(x, W_Q, W_K)
    weights = shares(np.where(np.tri(x.shape[1], dtype=bool), scores, -np.inf))
    return weights @ (x @ W_V), weights


@mistake(
    STEP,
    en="The output was averaged over the tokens: it has one row for each of them.",
    zh="输出对词元求了平均：每个词元应各有一行输出。",
)
def averages_the_output(correct, x, W_Q, W_K, W_V, causal=False):
    output, weights = correct(x, W_Q, W_K, W_V, causal)
    return output.mean(axis=-2), weights


@mistake(
    STEP,
    en="The tokens were added to the output: no residual belongs here.",
    zh="输出又加上了 x：这里没有残差。",
)
def adds_the_tokens(correct, x, W_Q, W_K, W_V, causal=False):
    output, weights = correct(x, W_Q, W_K, W_V, causal)
    return output + x, weights


@mistake(
    STEP,
    en="The tokens were centred first, and in place: x is used as it is, and never changed.",
    zh="先把词元减了均值，还改动了 x 本身：x 要照原样使用，也不要修改。",
)
def centres_the_tokens_in_place(correct, x, W_Q, W_K, W_V, causal=False):
    x -= x.mean(axis=-1, keepdims=True)
    return correct(x, W_Q, W_K, W_V, causal)


@mistake(
    STEP,
    en="The tokens were centred or normalised first: x is used as it is.",
    zh="先对词元做了减均值或归一化：x 要照原样使用。",
)
def centres_the_tokens(correct, x, W_Q, W_K, W_V, causal=False):
    return correct(x - x.mean(axis=-1, keepdims=True), W_Q, W_K, W_V, causal)


@symptom(
    STEP,
    en="Later tokens come through the mask: a small or finite fill is too weak, minus infinity is not.",
    zh="后面的词元透过了掩码：填充值太小或有限都不够，要用负无穷。",
)
def lets_later_tokens_through(calls):
    """Right without causal; with it some weight lies above the diagonal, although the mask was tried."""
    plain = [call for call in calls if not _causal(call)]
    leaking = [call for call in calls if _causal(call) and _leaks(call)]
    return bool(leaking) and all(map(_right, plain))


def _causal(call):
    return bool((*call.args, call.kwargs.get("causal", False))[4])


def _pair(call):
    got = call.answer.value
    fits = isinstance(got, tuple) and len(got) == 2 and all(isinstance(array, np.ndarray) for array in got)
    return fits and all(array.shape == right.shape for array, right in zip(got, call.expected, strict=True))


def _leaks(call):
    return _pair(call) and bool(np.triu(np.nan_to_num(call.answer.value[1]), k=1).any())


def _right(call):
    pairs = zip(call.answer.value, call.expected, strict=True) if _pair(call) else ()
    return bool(pairs) and all(np.allclose(array, right, rtol=1e-4, atol=1e-5) for array, right in pairs)
