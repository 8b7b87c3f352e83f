"""What students do wrong in attention_backward on the way through scale, softmax and products.

Each changes the right function where it can, or exchanges one of its parts. What goes wrong with mask, order
and sizes is in `mistakes_attention_backward_around.py`.
"""

import numpy as np

from autograder.suites import mistake
from autograder.suites.why_it_works.gradients import back, turned, weights_of

STEP = "attention_backward"


def scaled(gradients, factor):
    """dQ and dK times a factor."""
    dQ, dK, dV = gradients
    return dQ * factor, dK * factor, dV


@mistake(
    STEP,
    en="The root of d_k is missing on the way back: the scores' gradient is divided by it once more.",
    zh="反向时少了 √d_k：分数的梯度还要再除以它一次。",
)
def forgets_the_scale(correct, Q, K, V, mask, d_output):
    return scaled(correct(Q, K, V, mask, d_output), np.sqrt(Q.shape[-1]))


@mistake(
    STEP,
    en="The gradient was multiplied by the root of d_k on the way back: it is divided by it.",
    zh="反向时乘了 √d_k：应当除以它。",
)
def multiplies_by_the_scale(correct, Q, K, V, mask, d_output):
    return scaled(correct(Q, K, V, mask, d_output), Q.shape[-1])


@mistake(
    STEP,
    en="On the way back it was divided by d_k: divide by its root.",
    zh="反向时除以了 d_k：应除以它的平方根。",
)
def divides_by_d_k(correct, Q, K, V, mask, d_output):
    return scaled(correct(Q, K, V, mask, d_output), 1 / np.sqrt(Q.shape[-1]))


@mistake(
    STEP,
    en="On the way back it was divided by the root of d_v: it is the width of queries and keys that counts.",
    zh="反向时除以了 √d_v：起作用的是查询和键的宽度。",
)
def divides_by_the_root_of_d_v(correct, Q, K, V, mask, d_output):
    return scaled(correct(Q, K, V, mask, d_output), np.sqrt(Q.shape[-1] / V.shape[-1]))


@mistake(
    STEP,
    en="dQ lacks the root of d_k, which dK has: it divides both.",
    zh="dQ 少除了 √d_k，dK 有：两者都要除。",
)
def forgets_the_scale_of_the_queries(correct, Q, K, V, mask, d_output):
    dQ, dK, dV = correct(Q, K, V, mask, d_output)
    return dQ * np.sqrt(Q.shape[-1]), dK, dV


@mistake(
    STEP,
    en="dK lacks the root of d_k, which dQ has: it divides both.",
    zh="dK 少除了 √d_k，dQ 有：两者都要除。",
)
def forgets_the_scale_of_the_keys(correct, Q, K, V, mask, d_output):
    dQ, dK, dV = correct(Q, K, V, mask, d_output)
    return dQ, dK * np.sqrt(Q.shape[-1]), dV


@mistake(
    STEP,
    en="The weights were made without the root of d_k: they are those of the forward pass.",
    zh="算权重时没有除以 √d_k：权重应与前向时相同。",
)
def makes_unscaled_weights(correct, Q, K, V, mask, d_output):
    return back(Q, K, V, mask, d_output, weights=weights_of(Q, K, mask, scale=1.0))


@mistake(
    STEP,
    en="The root of d_k is in neither direction: it divides the scores, and their gradient.",
    zh="前向和反向都没有 √d_k：分数要除以它，分数的梯度也要。",
)
def scales_nothing(correct, Q, K, V, mask, d_output):
    return back(Q, K, V, mask, d_output, weights=weights_of(Q, K, mask, scale=1.0), scale=1.0)


def through(*, en, zh):
    """A mistake in the way through the softmax: a function of weights and their gradient."""

    def decorate(way):
        def wrong(correct, Q, K, V, mask, d_output):
            return back(Q, K, V, mask, d_output, through=way)

        wrong.__name__ = way.__name__
        return mistake(STEP, en=en, zh=zh)(wrong)

    return decorate


@through(
    en="The average of the row was not taken off: a key counts by what it is worth beyond the average.",
    zh="没有减去这一行的平均：一个键要看它比平均多值多少。",
)
def forgets_the_average(weights, d_weights):
    return weights * d_weights


@through(
    en="The plain mean was taken off: the average is weighted by the attention weights.",
    zh="减去的是普通平均：应是按注意力权重加权的平均。",
)
def takes_the_plain_mean(weights, d_weights):
    return weights * (d_weights - d_weights.mean(axis=-1, keepdims=True))


@through(
    en="The sum of the gradients was taken off: it has to be weighted by the attention weights.",
    zh="减去的是梯度之和：应先按注意力权重加权。",
)
def takes_the_plain_sum(weights, d_weights):
    return weights * (d_weights - d_weights.sum(axis=-1, keepdims=True))


@through(
    en="The average runs over the queries: each query's row has one of its own, over the keys.",
    zh="平均是沿查询取的：应在每个查询的一行里沿键取。",
)
def averages_over_the_queries(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(axis=-2, keepdims=True))


@through(
    en="One average was taken over the whole array: each query's row has one of its own.",
    zh="对整个数组只取了一个平均：每个查询的一行各有一个。",
)
def averages_over_everything(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum())


@through(
    en="w (1 − w), entry by entry, is the Jacobian's diagonal: a weight answers to every score of its row.",
    zh="逐元素的 w (1 − w) 只是雅可比矩阵的对角线：一个权重受本行每个分数影响。",
)
def takes_the_diagonal(weights, d_weights):
    return weights * (1 - weights) * d_weights


@through(
    en="The factor of the weights is missing in front of (gradient − average).",
    zh="（梯度 − 平均）前面少乘了权重。",
)
def forgets_the_weights(weights, d_weights):
    return d_weights - (weights * d_weights).sum(axis=-1, keepdims=True)


@through(
    en="The softmax was passed over on the way back: the weights' gradient is not the scores'.",
    zh="反向时跳过了 softmax：权重的梯度不是分数的梯度。",
)
def passes_over_the_softmax(weights, d_weights):
    return d_weights


@through(
    en="The average was added: it is taken off.",
    zh="平均被加上了：应当减去。",
)
def adds_the_average(weights, d_weights):
    return weights * (d_weights + (weights * d_weights).sum(axis=-1, keepdims=True))


@through(
    en="The sign of the scores' gradient is turned round: gradient minus average, in this order.",
    zh="分数的梯度符号反了：应是梯度减平均。",
)
def turns_the_sign_of_the_scores(weights, d_weights):
    return weights * ((weights * d_weights).sum(axis=-1, keepdims=True) - d_weights)


@through(
    en="The average lost its axis, so rows were given other rows' averages: keep the axis when summing.",
    zh="求平均时丢了轴，于是用了别的行的平均：求和时保留该轴。",
)
def loses_the_axis_of_the_average(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(axis=-1))


@mistake(
    STEP,
    en="dQ was made with Q: the gradient at the queries carries the keys.",
    zh="dQ 用了 Q：查询的梯度里应是键。",
)
def makes_d_q_with_queries(correct, Q, K, V, mask, d_output):
    _, dK, dV = correct(Q, K, V, mask, d_output)
    return _d_scores(Q, K, V, mask, d_output) @ Q, dK, dV


@mistake(
    STEP,
    en="dK was made with K: the gradient at the keys carries the queries.",
    zh="dK 用了 K：键的梯度里应是查询。",
)
def makes_d_k_with_keys(correct, Q, K, V, mask, d_output):
    dQ, _, dV = correct(Q, K, V, mask, d_output)
    return dQ, turned(_d_scores(Q, K, V, mask, d_output)) @ K, dV


@mistake(
    STEP,
    en="dK needs the scores' gradient turned round: its rows are keys.",
    zh="算 dK 要把分数的梯度转置：它的每一行是一个键。",
)
def forgets_to_turn_for_the_keys(correct, Q, K, V, mask, d_output):
    dQ, _, dV = correct(Q, K, V, mask, d_output)
    return dQ, _d_scores(Q, K, V, mask, d_output) @ Q, dV


@mistake(
    STEP,
    en="dQ needs the scores' gradient as it is: its rows are queries already.",
    zh="算 dQ 时分数的梯度不用转置：它的每一行已经是一个查询。",
)
def turns_for_the_queries(correct, Q, K, V, mask, d_output):
    _, dK, dV = correct(Q, K, V, mask, d_output)
    return turned(_d_scores(Q, K, V, mask, d_output)) @ K, dK, dV


@mistake(
    STEP,
    en="dV needs the weights turned round: row j collects what all queries took from value j.",
    zh="算 dV 要把权重转置：第 j 行汇集所有查询从值 j 取走的部分。",
)
def forgets_to_turn_for_the_values(correct, Q, K, V, mask, d_output):
    dQ, dK, _ = correct(Q, K, V, mask, d_output)
    return dQ, dK, weights_of(Q, K, mask) @ d_output


def _d_scores(Q, K, V, mask, d_output):
    weights, d_weights = weights_of(Q, K, mask), d_output @ turned(V)
    inner = (weights * d_weights).sum(axis=-1, keepdims=True)
    return weights * (d_weights - inner) / np.sqrt(Q.shape[-1])
