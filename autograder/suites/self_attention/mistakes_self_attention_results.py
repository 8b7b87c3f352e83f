"""What students return from self_attention in place of the tuple (output, weights)."""

import numpy as np

from autograder.suites import mistake

STEP = "self_attention"


def scores_of(x, W_Q, W_K):
    return x @ W_Q @ np.swapaxes(x @ W_K, -1, -2) / np.sqrt(W_Q.shape[-1])


@mistake(
    STEP,
    en="Output and weights have changed places: the answer is (output, weights).",
    zh="输出和权重的位置对调了：返回的应是 (output, weights)。",
)
def returns_the_weights_first(correct, x, W_Q, W_K, W_V, causal=False):
    return correct(x, W_Q, W_K, W_V, causal)[::-1]


@mistake(
    STEP,
    en="Only the output was returned: the answer is both, (output, weights).",
    zh="只返回了输出：应返回两个，(output, weights)。",
)
def returns_the_output_alone(correct, x, W_Q, W_K, W_V, causal=False):
    return correct(x, W_Q, W_K, W_V, causal)[0]


@mistake(
    STEP,
    en="Only the weights were returned: the answer is both, (output, weights).",
    zh="只返回了权重：应返回两个，(output, weights)。",
)
def returns_the_weights_alone(correct, x, W_Q, W_K, W_V, causal=False):
    return correct(x, W_Q, W_K, W_V, causal)[1]


@mistake(
    STEP,
    en="Everything is right, and came as a list: here the two results are returned as a tuple.",
    zh="结果都对，只是返回了列表：这里约定用元组返回两个结果。",
    convention=True,
)
def returns_a_list(correct, x, W_Q, W_K, W_V, causal=False):
    return list(correct(x, W_Q, W_K, W_V, causal))


@mistake(
    STEP,
    en="The returned weights are not those that made the output: the mask is missing in them.",
    zh="返回的权重不是算出输出的那些：其中没有掩码。",
)
def returns_unmasked_weights(correct, x, W_Q, W_K, W_V, causal=False):
    return correct(x, W_Q, W_K, W_V, causal)[0], correct(x, W_Q, W_K, W_V, False)[1]


@mistake(
    STEP,
    en="The scores were returned in place of the weights.",
    zh="返回的是分数，不是权重。",
)
def returns_the_scores(correct, x, W_Q, W_K, W_V, causal=False):
    scores = scores_of(x, W_Q, W_K)
    masked = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf) if causal else scores
    return correct(x, W_Q, W_K, W_V, causal)[0], masked
