"""What students do wrong within each head of multi_head_attention: scale, softmax, values."""

import numpy as np

from autograder.suites import mistake
from autograder.suites.multi_head_attention.heads import attended, masked, merge, shares, split

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
    en="The scores were multiplied by the root of a head's width: they are divided by it.",
    zh="分数乘了头的宽度的平方根：应当除以它。",
)
def multiplies_by_the_root(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q * (W_Q.shape[-1] // n_heads), W_K, W_V, W_O, n_heads, causal)


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
    en="One largest score was taken for everything, and rows far below it vanish: take it row by row.",
    zh="最大值是对所有分数一起取的，比它低很多的行会消失：要逐行取。",
)
def takes_one_maximum_for_all(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    def weigh(scores):
        raised = np.exp(masked(scores, causal) - masked(scores, causal).max())
        return raised / raised.sum(axis=-1, keepdims=True)

    return attended(x, W_Q, W_K, W_V, W_O, n_heads, weigh)


@mistake(
    STEP,
    en="All keys got the same weight: the scores must decide.",
    zh="所有键的权重都一样：要由分数来定。",
)
def weighs_all_alike(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return attended(
        x, W_Q, W_K, W_V, W_O, n_heads, lambda scores: np.full(scores.shape, 1 / scores.shape[-1])
    )


@mistake(
    STEP,
    en="The tokens were centred first, and in place: x is used as it is, and never changed.",
    zh="先把词元减了均值，还改动了 x 本身：x 要照原样使用，也不要修改。",
)
def centres_the_tokens_in_place(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    x -= x.mean(axis=-1, keepdims=True)
    return correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)


@mistake(
    STEP,
    en="The tokens were centred or normalised first: x is used as it is.",
    zh="先对词元做了减均值或归一化：x 要照原样使用。",
)
def centres_the_tokens(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x - x.mean(axis=-1, keepdims=True), W_Q, W_K, W_V, W_O, n_heads, causal)


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


@mistake(
    STEP,
    en="The values of a head went to another: head h is the same in Q, K and V.",
    zh="一个头用了别的头的值：Q、K、V 里同一个编号才是同一个头。",
)
def mixes_the_values_of_other_heads(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    weights = correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)[1]
    return merge(weights @ split(x @ W_V, n_heads)[..., ::-1, :, :]) @ W_O, weights
