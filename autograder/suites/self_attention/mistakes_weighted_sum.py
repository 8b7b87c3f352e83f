"""What students do wrong in weighted_sum, each as a change to the right function where it can be."""

import numpy as np

from autograder.suites import mistake

STEP = "weighted_sum"


@mistake(
    STEP,
    en="The weights were transposed: their rows are queries, and their columns meet the rows of V.",
    zh="权重被转置了：它的行是查询，它的列对应 V 的行。",
)
def transposes_the_weights(correct, weights, V):
    return correct(np.swapaxes(weights, -1, -2), V)


@mistake(
    STEP,
    en="V stands on the left of the weights; the weights stand on the left, since they mix the rows of V.",
    zh="V 写在了权重的左边；权重要混合 V 的行，所以权重在左边。",
)
def multiplies_the_other_way_round(correct, weights, V):
    return V @ weights


@mistake(
    STEP,
    en="The output is transposed: its rows are queries.",
    zh="输出转置了：它的行是查询。",
)
def turns_the_output_round(correct, weights, V):
    return np.swapaxes(correct(weights, V), -1, -2)


@mistake(
    STEP,
    en="The weights and V were multiplied entry by entry; a weighted sum is a matrix product.",
    zh="权重和 V 做了逐元素相乘；加权求和是矩阵乘法。",
)
def multiplies_entry_by_entry(correct, weights, V):
    return weights * V


@mistake(
    STEP,
    en="The weights do not come in: this is the plain mean of the values.",
    zh="没有用到权重：这是值的普通平均。",
)
def averages_the_values(correct, weights, V):
    return correct(np.full(weights.shape, 1 / weights.shape[-1]), V)


@mistake(
    STEP,
    en="The weights do not come in: this is the plain sum of the values.",
    zh="没有用到权重：这是值的普通求和。",
)
def adds_up_the_values(correct, weights, V):
    return correct(np.ones(weights.shape), V)


@mistake(
    STEP,
    en="The batch was summed away: each item of a batch has its own output.",
    zh="批次被加掉了：批次里每一项都有自己的输出。",
)
def sums_over_the_batch(correct, weights, V):
    output = correct(weights, V)
    return output if output.ndim == 2 else output.sum(axis=0)


@mistake(
    STEP,
    en="Every item of the batch met every other one's values: np.dot does not know a batch, @ does.",
    zh="批次里每一项都用上了别项的值：np.dot 不认识批次，@ 认识。",
)
def crosses_the_batch(correct, weights, V):
    return np.dot(weights, V)


@mistake(
    STEP,
    en="The weights were divided by their sum: take them as they are.",
    zh="权重又除以了它们的和：照原样使用即可。",
)
def normalises_the_weights(correct, weights, V):
    return correct(weights / weights.sum(axis=-1, keepdims=True), V)


@mistake(
    STEP,
    en="The softmax was taken again: these weights are ready to use.",
    zh="又做了一次 softmax：这些权重可以直接用。",
)
def takes_the_softmax_again(correct, weights, V):
    raised = np.exp(weights - weights.max(axis=-1, keepdims=True))
    return correct(raised / raised.sum(axis=-1, keepdims=True), V)


@mistake(
    STEP,
    en="The sum was divided by the number of keys: the weights see to that already.",
    zh="和又除以了键的个数：权重已经管了这件事。",
)
def divides_by_the_number_of_keys(correct, weights, V):
    return correct(weights, V) / V.shape[-2]


@mistake(
    STEP,
    en="Only the value with the largest weight was taken: all of them are mixed.",
    zh="只取了权重最大的那个值：应当把所有的值都混合起来。",
)
def takes_the_heaviest_value(correct, weights, V):
    return np.take_along_axis(V, weights.argmax(axis=-1)[..., None], axis=-2)


@mistake(
    STEP,
    en="The result was written into an array of V's type, so whole numbers in V cut off all fractions.",
    zh="结果写进了和 V 同类型的数组，V 是整数时小数部分全被截掉。",
)
def cuts_off_fractions(correct, weights, V):
    return correct(weights, V).astype(V.dtype)


@mistake(
    STEP,
    en="The result was written into an array of the weights' type, so whole weights cut off all fractions.",
    zh="结果写进了和权重同类型的数组，权重是整数时小数部分全被截掉。",
)
def cuts_off_fractions_as_the_weights(correct, weights, V):
    return correct(weights, V).astype(weights.dtype)


@mistake(
    STEP,
    en="Only the last key counts: in the loop each product replaces the sum, and should be added to it.",
    zh="只有最后一个键算数：循环里每次都覆盖了结果，应当累加。",
)
def overwrites_the_sum(correct, weights, V):
    return weights[..., -1:] * V[..., -1:, :]


@mistake(
    STEP,
    en="The queries were summed as well: the output has one row for each of them.",
    zh="连查询也加起来了：输出里每个查询各占一行。",
)
def sums_over_the_queries(correct, weights, V):
    return correct(weights, V).sum(axis=-2)


@mistake(
    STEP,
    en="Reshaping is not transposing: V's numbers were dealt out anew.",
    zh="reshape 不是转置：V 的数被重新排过了。",
)
def reshapes_the_values(correct, weights, V):
    return correct(weights, np.swapaxes(V.reshape(*V.shape[:-2], V.shape[-1], V.shape[-2]), -1, -2))


@mistake(
    STEP,
    en="Small weights were dropped: each one counts, however small.",
    zh="小的权重被丢掉了：权重再小也要算。",
)
def drops_small_weights(correct, weights, V):
    return correct(np.where(weights < 1e-2, 0.0, weights), V)
