"""What students return from multi_head_attention in place of the tuple (output, weights)."""

import numpy as np

from autograder.suites import mistake
from autograder.suites.multi_head_attention.heads import masked, parts, scores_of

STEP = "multi_head_attention"


@mistake(
    STEP,
    en="Output and weights have changed places: the answer is (output, weights).",
    zh="输出和权重的位置对调了：返回的应是 (output, weights)。",
)
def returns_the_weights_first(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)[::-1]


@mistake(
    STEP,
    en="Only the output was returned: the answer is both, (output, weights).",
    zh="只返回了输出：应返回两个，(output, weights)。",
)
def returns_the_output_alone(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)[0]


@mistake(
    STEP,
    en="Only the weights were returned: the answer is both, (output, weights).",
    zh="只返回了权重：应返回两个，(output, weights)。",
)
def returns_the_weights_alone(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)[1]


@mistake(
    STEP,
    en="Everything is right, and came as a list: here the two results are returned as a tuple.",
    zh="结果都对，只是返回了列表：这里约定用元组返回两个结果。",
    convention=True,
)
def returns_a_list(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return list(correct(x, W_Q, W_K, W_V, W_O, n_heads, causal))


@mistake(
    STEP,
    en="The output is right; the weights are the mean over the heads, and here each head's own are returned.",
    zh="输出都对；权重却是各头的平均，这里要返回每个头自己的权重。",
    convention=True,
)
def returns_mean_weights(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    output, weights = correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)
    return output, weights.mean(axis=-3)


@mistake(
    STEP,
    en="The output is right; with a batch the weights' heads come first, and here the batch does.",
    zh="输出都对；有批次时权重的头排在了最前，这里要求批次在最前。",
    convention=True,
)
def puts_the_heads_before_the_batch(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    output, weights = correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)
    return output, np.moveaxis(weights, -3, 0)


@mistake(
    STEP,
    en="The output is right; the weights' heads stand behind the queries, and here they stand before them.",
    zh="输出都对；权重里头的轴排在了查询后面，这里要求排在查询前面。",
    convention=True,
)
def puts_the_queries_before_the_heads(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    output, weights = correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)
    return output, np.swapaxes(weights, -2, -3)


@mistake(
    STEP,
    en="Only the last head's weights were returned: every head has its own, on an axis of heads.",
    zh="只返回了最后一个头的权重：每个头都有自己的权重，要有头的轴。",
)
def returns_the_last_heads_weights(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    output, weights = correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)
    return output, weights[..., -1, :, :]


@mistake(
    STEP,
    en="Only the first head's weights were returned: every head has its own, on an axis of heads.",
    zh="只返回了第一个头的权重：每个头都有自己的权重，要有头的轴。",
)
def returns_the_first_heads_weights(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    output, weights = correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)
    return output, weights[..., 0, :, :]


@mistake(
    STEP,
    en="The heads' weights stand side by side in one matrix: they have an axis of their own.",
    zh="各头的权重拼成了一个矩阵：头要有自己的轴。",
)
def joins_the_weights(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    output, weights = correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)
    return output, np.concatenate(np.moveaxis(weights, -3, 0), axis=-1)


@mistake(
    STEP,
    en="The returned weights are not those that made the output: the mask is missing in them.",
    zh="返回的权重不是算出输出的那些：其中没有掩码。",
)
def returns_unmasked_weights(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return (
        correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)[0],
        correct(x, W_Q, W_K, W_V, W_O, n_heads, False)[1],
    )


@mistake(
    STEP,
    en="The scores were returned in place of the weights.",
    zh="返回的是分数，不是权重。",
)
def returns_the_scores(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    Q, K, _ = parts(x, W_Q, W_K, W_V, n_heads)
    return correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)[0], masked(scores_of(Q, K), causal)
