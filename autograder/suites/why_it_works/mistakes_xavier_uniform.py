"""What students do wrong in xavier_uniform, each as a change to the right function where it can be."""

import numpy as np

from autograder.suites import Seed, mistake, symptom

STEP = "xavier_uniform"


def bound_of(fan_in, fan_out):
    return np.sqrt(6 / (fan_in + fan_out))


@mistake(
    STEP,
    en="The 6 under the root became a 3: that is half the variance.",
    zh="根号下的 6 写成了 3：方差只剩一半。",
)
def takes_3_for_6(correct, fan_in, fan_out, rng):
    return correct(fan_in, fan_out, rng) / np.sqrt(2)


@mistake(
    STEP,
    en="The bound √(3 / fan_in) is LeCun's rule, for the way forward alone: Xavier's looks at both fans.",
    zh="√(3 / fan_in) 是 LeCun 的规则，只管前向：Xavier 的界由 fan_in 和 fan_out 共同决定。",
)
def takes_lecuns_rule(correct, fan_in, fan_out, rng):
    return correct(fan_in, fan_out, rng) * np.sqrt((fan_in + fan_out) / (2 * fan_in))


@mistake(
    STEP,
    en="The standard deviation √(2 / (fan_in + fan_out)) was taken for the bound, which is √3 times that.",
    zh="把标准差 √(2 / (fan_in + fan_out)) 当成了界；界是它的 √3 倍。",
)
def takes_the_deviation_for_the_bound(correct, fan_in, fan_out, rng):
    return correct(fan_in, fan_out, rng) / np.sqrt(3)


@mistake(
    STEP,
    en="The root is missing: the bound is the root of 6 / (fan_in + fan_out).",
    zh="少了开方：界是 6 / (fan_in + fan_out) 的平方根。",
)
def forgets_the_root(correct, fan_in, fan_out, rng):
    return correct(fan_in, fan_out, rng) * bound_of(fan_in, fan_out)


@mistake(
    STEP,
    en="The fans were averaged under a 6: it is their sum that stands there.",
    zh="6 的下面用了两个 fan 的平均：那里应是二者之和。",
)
def averages_the_fans(correct, fan_in, fan_out, rng):
    return correct(fan_in, fan_out, rng) * np.sqrt(2)


@mistake(
    STEP,
    en="The bound looks at fan_in alone, as in He's rule: Xavier's looks at both.",
    zh="界里只有 fan_in，那是 He 的规则：Xavier 用的是二者之和。",
)
def looks_at_fan_in_alone(correct, fan_in, fan_out, rng):
    return correct(fan_in, fan_out, rng) * np.sqrt((fan_in + fan_out) / fan_in)


@mistake(
    STEP,
    en="The bound looks at fan_out alone: Xavier's looks at both.",
    zh="界里只有 fan_out：Xavier 用的是二者之和。",
)
def looks_at_fan_out_alone(correct, fan_in, fan_out, rng):
    return correct(fan_in, fan_out, rng) * np.sqrt((fan_in + fan_out) / fan_out)


@mistake(
    STEP,
    en="The bound is 1 / √fan_in, as in many libraries' linear layers: Xavier's has a 6 and both fans.",
    zh="界用了 1 / √fan_in，许多库的线性层是这样：Xavier 的界里是 6 和两个 fan。",
)
def takes_the_usual_default(correct, fan_in, fan_out, rng):
    return correct(fan_in, fan_out, rng) * np.sqrt((fan_in + fan_out) / (6 * fan_in))


@mistake(
    STEP,
    en="The fans were multiplied: it is their sum that stands under the 6.",
    zh="两个 fan 相乘了：6 的下面应是二者之和。",
)
def multiplies_the_fans(correct, fan_in, fan_out, rng):
    return correct(fan_in, fan_out, rng) * np.sqrt((fan_in + fan_out) / (fan_in * fan_out))


@mistake(
    STEP,
    en="The fans have changed places: there is one row for each number that goes in.",
    zh="fan_in 和 fan_out 对调了：每个输入的数占一行。",
)
def swaps_the_fans(correct, fan_in, fan_out, rng):
    return correct(fan_out, fan_in, rng)


@mistake(
    STEP,
    en="A normal distribution of the right variance: here it is the uniform one, which stays within bounds.",
    zh="方差对，但用的是正态分布：这里要用均匀分布，它不会越界。",
)
def draws_from_a_bell(correct, fan_in, fan_out, rng):
    return rng.normal(0.0, bound_of(fan_in, fan_out) / np.sqrt(3), (fan_in, fan_out))


@mistake(
    STEP,
    en="A normal distribution whose deviation is the bound: draw uniformly between minus and plus the bound.",
    zh="用了以界为标准差的正态分布：这里是在正负界之间均匀抽取。",
)
def takes_the_bound_for_the_deviation(correct, fan_in, fan_out, rng):
    return rng.normal(0.0, bound_of(fan_in, fan_out), (fan_in, fan_out))


@mistake(
    STEP,
    en="A normal distribution was cut off at the bounds: between them, everything should be equally likely.",
    zh="把正态分布在界上截断了：两个界之间应处处机会均等。",
)
def cuts_a_bell_off(correct, fan_in, fan_out, rng):
    bound = bound_of(fan_in, fan_out)
    return np.clip(rng.normal(0.0, bound / np.sqrt(3), (fan_in, fan_out)), -bound, bound)


@mistake(
    STEP,
    en="Standard normal numbers times a constant: the spread has to follow from the two fans.",
    zh="标准正态数乘了一个常数：散布程度应由两个 fan 决定。",
)
def takes_a_tenth_of_a_bell(correct, fan_in, fan_out, rng):
    return 0.1 * rng.standard_normal((fan_in, fan_out))


@mistake(
    STEP,
    en="The range begins at 0: it reaches from minus the bound to plus the bound.",
    zh="范围从 0 开始了：应从负的界到正的界。",
)
def begins_at_zero(correct, fan_in, fan_out, rng):
    return (correct(fan_in, fan_out, rng) + bound_of(fan_in, fan_out)) / 2


@mistake(
    STEP,
    en="All entries are positive: half of them should lie below 0.",
    zh="所有元素都是正的：应有一半在 0 以下。",
)
def drops_the_signs(correct, fan_in, fan_out, rng):
    return np.abs(correct(fan_in, fan_out, rng))


@mistake(
    STEP,
    en="The numbers lie between 0 and 1, or -1 and 1: the bound is not in them.",
    zh="这些数在 0 到 1 或 -1 到 1 之间：没有用上界。",
)
def forgets_the_bound(correct, fan_in, fan_out, rng):
    return correct(fan_in, fan_out, rng) / bound_of(fan_in, fan_out)


@mistake(
    STEP,
    en="One number was drawn for all entries: each is drawn by itself, so say the size.",
    zh="只抽了一个数给所有元素：每个元素各自抽取，要说明 size。",
)
def draws_once_for_all(correct, fan_in, fan_out, rng):
    bound = bound_of(fan_in, fan_out)
    return np.full((fan_in, fan_out), rng.uniform(-bound, bound))


@mistake(
    STEP,
    en="One row was drawn for all rows: each entry is drawn by itself.",
    zh="只抽了一行，每行都用它：每个元素各自抽取。",
)
def repeats_one_row(correct, fan_in, fan_out, rng):
    bound = bound_of(fan_in, fan_out)
    return np.tile(rng.uniform(-bound, bound, fan_out), (fan_in, 1))


@mistake(
    STEP,
    en="The numbers came in one row: they belong into a matrix (fan_in, fan_out).",
    zh="得到的是一长行数：应是形状为 (fan_in, fan_out) 的矩阵。",
)
def leaves_them_in_a_row(correct, fan_in, fan_out, rng):
    return correct(fan_in, fan_out, rng).ravel()


@mistake(
    STEP,
    en="It begins with zeros: then queries and keys never get a gradient. Draw from rng.",
    zh="用 0 开始了：那样查询和键永远得不到梯度。要从 rng 抽取。",
)
def begins_with_zeros(correct, fan_in, fan_out, rng):
    return np.zeros((fan_in, fan_out))


@symptom(
    STEP,
    en="Evenly drawn, between other bounds: compute the bound for fan_in 2 and fan_out 4, where it is 1.",
    zh="抽得均匀，但界不对：先算 fan_in 为 2、fan_out 为 4 时的界，它是 1。",
)
def takes_another_bound(calls):
    """Between the largest entry's two signs the numbers are spread evenly, and it is not at the bound."""
    wide = [call for call in calls if isinstance(call.args[2], Seed) and call.args[0] * call.args[1] > 1000]
    ratios = [np.abs(call.answer.value).max() / bound_of(*call.args[:2]) for call in wide]
    evenly = [np.mean((call.answer.value / np.abs(call.answer.value).max()) ** 2) for call in wide]
    return (
        bool(wide)
        and not all(0.9 < ratio < 1.0 + 1e-9 for ratio in ratios)
        and np.allclose(evenly, 1 / 3, atol=0.06)
    )
