"""What students do wrong in softmax, each as a change to the right function where it can be."""

import numpy as np

from autograder.suites import mistake, telling

STEP = "softmax"


@mistake(
    STEP,
    en="The argument axis is ignored: both the maximum and the sum are taken along it.",
    zh="没有用参数 axis：最大值与和都要沿它来取。",
)
def ignores_the_axis(correct, scores, axis=-1):
    return correct(scores, -1)


@mistake(
    STEP,
    en="Axis 1 is the last one only without a batch: use the argument axis, which counts from the end.",
    zh="只有没有批次时第 1 轴才是最后一轴：要用参数 axis，它从后面数。",
)
def always_takes_axis_1(correct, scores, axis=-1):
    return correct(scores, 1)


@mistake(
    STEP,
    en="Axis 1 is the last one only without a batch: without the argument axis, it is -1.",
    zh="只有没有批次时第 1 轴才是最后一轴：不给 axis 时应为 -1。",
)
def takes_axis_1_by_default(correct, scores, axis=1):
    return correct(scores, axis)


@mistake(
    STEP,
    en="Columns were normalised: each query shares out its 1 over the keys, which is the last axis.",
    zh="归一化的是列：每个查询把 1 分给各个键，键是最后一轴。",
)
def normalises_over_queries(correct, scores, axis=-2):
    return correct(scores, axis)


@mistake(
    STEP,
    en="Columns are always normalised: without the argument axis it is the last axis, the keys.",
    zh="总是对列归一化：不给 axis 时应沿最后一轴，即键。",
)
def always_normalises_over_queries(correct, scores, axis=-1):
    return correct(scores, -2)


@mistake(
    STEP,
    en="Axis 0 was normalised: without the argument axis it is the last axis, the keys.",
    zh="归一化的是第 0 轴：不给 axis 时应沿最后一轴，即键。",
)
def takes_axis_0_by_default(correct, scores, axis=0):
    return correct(scores, axis)


@mistake(
    STEP,
    en="Axis 0 is always normalised: use the argument axis; without it, it is the last axis, the keys.",
    zh="总是沿第 0 轴归一化：要用参数 axis；不给时应沿最后一轴，即键。",
)
def always_takes_axis_0(correct, scores, axis=-1):
    return correct(scores, 0)


@mistake(
    STEP,
    en="The whole array was made to sum to 1: each row shares out a 1 of its own.",
    zh="让整个数组加起来等于 1 了：每一行各自分一个 1。",
)
def normalises_the_whole(correct, scores, axis=-1):
    raised = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return raised / raised.sum()


@mistake(
    STEP,
    en="The sum lost its axis, so rows were divided by other rows' sums: keep the axis when summing.",
    zh="求和时丢了轴，于是行除以了别的行的和：求和时要保留该轴。",
)
def loses_the_axis_of_the_sum(correct, scores, axis=-1):
    raised = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return raised / raised.sum(axis=axis)


@mistake(
    STEP,
    en="Transposing twice works in two dimensions only: keep the axis of the sum instead.",
    zh="转置两次只在二维时对：求和时保留该轴即可。",
)
def transposes_twice(correct, scores, axis=-1):
    raised = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return (raised.T / raised.sum(axis=axis)).T


@mistake(
    STEP,
    en="Logarithms came back: one exponential is still to be taken.",
    zh="返回的是对数：还差一次取指数。",
)
def returns_logarithms(correct, scores, axis=-1):
    shifted = scores - np.max(scores, axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


@mistake(
    STEP,
    en="There is no exponential in it: scores may be negative, weights may not.",
    zh="没有取指数：分数可以是负的，权重不可以。",
)
def forgets_the_exponential(correct, scores, axis=-1):
    return scores / np.sum(scores, axis=axis, keepdims=True)


@mistake(
    STEP,
    en="The exponentials were not divided by their sum: the weights have to sum to 1.",
    zh="没有除以指数之和：权重加起来应等于 1。",
)
def forgets_to_normalise(correct, scores, axis=-1):
    return np.exp(scores - np.max(scores, axis=axis, keepdims=True))


@mistake(
    STEP,
    en="The exponentials were divided by their number, not by their sum.",
    zh="指数除以了个数，而不是除以它们的和。",
)
def divides_by_the_number(correct, scores, axis=-1):
    return np.exp(scores - np.max(scores, axis=axis, keepdims=True)) / scores.shape[axis]


@mistake(
    STEP,
    en="The rows have length 1, not sum 1: divide by the sum, not by the norm.",
    zh="每行的长度是 1，而不是和为 1：要除以和，不是除以范数。",
)
def divides_by_the_norm(correct, scores, axis=-1):
    weights = correct(scores, axis)
    return weights / np.linalg.norm(weights, axis=axis, keepdims=True)


@mistake(
    STEP,
    en="All weight went to the largest score; softmax gives every key its share.",
    zh="所有权重都给了最大的分数；softmax 给每个键都分一份。",
)
def gives_all_to_the_largest(correct, scores, axis=-1):
    largest = (scores == np.max(scores, axis=axis, keepdims=True)).astype(float)
    return largest / largest.sum(axis=axis, keepdims=True)


@mistake(
    STEP,
    en="The signs of the scores were dropped: a negative score gets less weight than a positive one.",
    zh="分数的符号丢了：负的分数权重更小，不该和正的一样。",
)
def drops_the_signs(correct, scores, axis=-1):
    sizes = np.abs(scores)
    raised = np.exp(sizes - np.max(sizes, axis=axis, keepdims=True))
    return raised / raised.sum(axis=axis, keepdims=True)


@mistake(
    STEP,
    en="The largest score got the smallest weight: a sign is turned round.",
    zh="最大的分数得到了最小的权重：有个符号反了。",
)
def turns_the_signs(correct, scores, axis=-1):
    return correct(-scores, axis)


@mistake(
    STEP,
    en="The division ended up inside the exponential: look at the parentheses.",
    zh="除法写进了指数里面：检查括号。",
)
def exponentiates_the_ratio(correct, scores, axis=-1):
    return np.exp(scores / np.exp(scores).sum(axis=axis, keepdims=True))


@mistake(
    STEP,
    en="The softmax was taken twice, which flattens the weights.",
    zh="做了两次 softmax，权重被抹平了。",
)
def normalises_twice(correct, scores, axis=-1):
    once = correct(scores, axis)
    return np.where(once.sum(axis=axis, keepdims=True) > 0, correct(once, axis), 0.0)


@mistake(
    STEP,
    en="The base is 2: the exponential is that of e.",
    zh="底数用了 2：指数函数的底是 e。",
)
def takes_powers_of_2(correct, scores, axis=-1):
    return correct(scores * np.log(2.0), axis)


@mistake(
    STEP,
    en="Each score was put through a logistic function by itself: the keys have to share one 1.",
    zh="每个分数单独过了 sigmoid：所有键要一起分一个 1。",
)
def weighs_each_by_itself(correct, scores, axis=-1):
    return 1 / (1 + np.exp(-scores.astype(float)))


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


@telling(STEP)
def square_scores(rng):
    """There a lost axis gives numbers instead of an exception."""
    return [(rng.normal(scale=3.0, size=(5, 5)),), (rng.normal(scale=3.0, size=(4, 4, 4)),)]
