"""What students do wrong in temperature_softmax, each as a change to the right function where it can be."""

import numpy as np

from autograder.suites import mistake

STEP = "temperature_softmax"


def shares(scores):
    """As most write it: other than the given softmax where a row holds nan or infinity."""
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


def both(*, en, zh):
    """A mistake in what goes into the softmax, by the given one and by one's own, in a tuple."""

    def decorate(change):
        def by_the_given(correct, scores, temperature):
            return correct(change(scores, temperature), 1.0)

        def by_ones_own(correct, scores, temperature):
            return shares(change(scores, temperature))

        by_the_given.__name__, by_ones_own.__name__ = change.__name__, f"{change.__name__}_itself"
        return tuple(mistake(STEP, en=en, zh=zh)(wrong) for wrong in (by_the_given, by_ones_own))

    return decorate


@mistake(
    STEP,
    en="The scores were multiplied by the temperature: dividing by a higher one is what flattens.",
    zh="分数乘了温度：除以更高的温度，权重才更平。",
)
def multiplies_by_the_temperature(correct, scores, temperature):
    return correct(scores, 1 / temperature)


@mistake(
    STEP,
    en="The temperature is ignored, or cancels: it has to divide the scores before the exponential.",
    zh="温度没起作用，或者被约掉了：要在取指数之前除分数。",
)
def ignores_the_temperature(correct, scores, temperature):
    return correct(scores, 1.0)


@mistake(
    STEP,
    en="The weights were divided by the temperature: they no longer sum to 1. Divide the scores.",
    zh="除的是权重：加起来不再是 1。应当除分数。",
)
def divides_the_weights(correct, scores, temperature):
    return correct(scores, 1.0) / temperature


@mistake(
    STEP,
    en="The weights were multiplied by the temperature: they no longer sum to 1. Divide the scores.",
    zh="权重乘了温度：加起来不再是 1。应当除分数。",
)
def multiplies_the_weights(correct, scores, temperature):
    return correct(scores, 1.0) * temperature


@mistake(
    STEP,
    en="The scores were divided by the root of the temperature: here it is the temperature itself.",
    zh="除以了温度的平方根：这里就除以温度本身。",
)
def divides_by_the_root(correct, scores, temperature):
    return correct(scores, np.sqrt(temperature))


@mistake(
    STEP,
    en="The scores were divided by the square of the temperature: here it is the temperature itself.",
    zh="除以了温度的平方：这里就除以温度本身。",
)
def divides_by_the_square(correct, scores, temperature):
    return correct(scores, temperature**2)


@mistake(
    STEP,
    en="The weights were raised to the power of the temperature, which sharpens: divide the scores.",
    zh="对权重取了温度次幂，温度越高反而越尖：应当除分数。",
)
def raises_to_the_temperature(correct, scores, temperature):
    raised = correct(scores, 1.0) ** temperature
    return raised / raised.sum(axis=-1, keepdims=True)


@mistake(
    STEP,
    en="The scores were divided by the root of the number of keys too: here the temperature alone divides.",
    zh="还除以了键的个数的平方根：这里只除以温度。",
)
def scales_by_the_number_of_keys(correct, scores, temperature):
    return correct(scores, temperature * np.sqrt(np.shape(scores)[-1]))


@mistake(
    STEP,
    en="Columns were normalised: each query shares out its 1 over the keys, the last axis.",
    zh="归一化的是列：每个查询把 1 分给各个键，键是最后一轴。",
)
def normalises_over_queries(correct, scores, temperature):
    return np.swapaxes(correct(np.swapaxes(scores, -1, -2), temperature), -1, -2)


@mistake(
    STEP,
    en="Axis 0 was normalised: it is the last axis, the keys.",
    zh="归一化的是第 0 轴：应沿最后一轴，即键。",
)
def takes_axis_0(correct, scores, temperature):
    return np.swapaxes(correct(np.swapaxes(scores, 0, -1), temperature), 0, -1)


@mistake(
    STEP,
    en="Axis 1 is the last one only without a batch: take -1.",
    zh="只有没有批次时第 1 轴才是最后一轴：用 -1。",
)
def takes_axis_1(correct, scores, temperature):
    return np.swapaxes(correct(np.swapaxes(scores, 1, -1), temperature), 1, -1)


@mistake(
    STEP,
    en="The whole array was made to sum to 1: each row shares out a 1 of its own.",
    zh="让整个数组加起来等于 1 了：每一行各自分一个 1。",
)
def normalises_the_whole(correct, scores, temperature):
    return correct(np.ravel(scores), temperature).reshape(np.shape(scores))


@mistake(
    STEP,
    en="Large scores or small temperatures overflow in the exponential: subtract each row's maximum first.",
    zh="分数很大或温度很小时，指数溢出：先减去本行的最大值。",
)
def overflows_in_the_exponential(correct, scores, temperature):
    raised = np.exp(scores / temperature)
    return raised / raised.sum(axis=-1, keepdims=True)


@mistake(
    STEP,
    en="One maximum was subtracted for all rows: rows far below it vanish. Each row has its own.",
    zh="所有行减去了同一个最大值：远低于它的行会消失。每行用自己的最大值。",
)
def subtracts_one_maximum_for_all(correct, scores, temperature):
    divided = scores / temperature
    raised = np.exp(divided - divided.max())
    return raised / raised.sum(axis=-1, keepdims=True)


@mistake(
    STEP,
    en="The maximum was subtracted after the exponential's argument was made, undivided: divide both.",
    zh="减去的最大值没有除以温度：先除再减，或者两者都除。",
)
def subtracts_the_undivided_maximum(correct, scores, temperature):
    raised = np.exp(scores / temperature - np.max(scores, axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


@mistake(
    STEP,
    en="The largest score got all the weight: at a moderate temperature every key has its share.",
    zh="权重全给了最大的分数：温度适中时每个键都有一份。",
)
def gives_all_to_the_largest(correct, scores, temperature):
    return correct(scores, 1e-9)


@mistake(
    STEP,
    en="All keys have the same weight: at a moderate temperature the scores still count.",
    zh="所有键的权重相同：温度适中时分数仍起作用。",
)
def gives_all_the_same(correct, scores, temperature):
    return np.full(np.shape(scores), 1 / np.shape(scores)[-1])


@mistake(
    STEP,
    en="The exponentials were not divided by their sum: the weights of a row have to sum to 1.",
    zh="指数没有除以它们的和：每行权重加起来应等于 1。",
)
def forgets_to_normalise(correct, scores, temperature):
    divided = scores / temperature
    return np.exp(divided - divided.max(axis=-1, keepdims=True))


@both(
    en="The division was one of whole numbers: fractions of a score count.",
    zh="用了整除：分数的小数部分也算数。",
)
def divides_without_fractions(scores, temperature):
    return scores // temperature


@mistake(
    STEP,
    en="The temperature was made a whole number: 1/2 would be 0.",
    zh="把温度取成了整数：1/2 会变成 0。",
)
def takes_a_whole_temperature(correct, scores, temperature):
    return correct(scores, max(int(temperature), 1))


@both(
    en="The weights came with their sign turned round: the largest score gets the smallest weight.",
    zh="符号反了：最大的分数得到了最小的权重。",
)
def turns_the_signs(scores, temperature):
    return -np.asarray(scores) / temperature


@mistake(
    STEP,
    en="A score of minus infinity got some weight: it stands for a forbidden key, whose weight is exactly 0.",
    zh="负无穷的分数得到了权重：它表示不许看的键，权重应恰好为 0。",
)
def fills_minus_infinity(correct, scores, temperature):
    return correct(np.maximum(scores, -10.0), temperature)
