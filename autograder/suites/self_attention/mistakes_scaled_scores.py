"""What students divide by in scaled_scores in place of the root of d_k, as changes to the right function."""

import numpy as np

from autograder.suites import mistake

STEP = "scaled_scores"
PRECEDENCE_EN = "`**` comes before `/`, so the 2 was left over"
PRECEDENCE_ZH = "`**` 先于 `/` 计算，多出来一个 2"


def d_k(Q):
    return Q.shape[-1]


@mistake(
    STEP,
    en="The scores are not scaled: something is still to be divided by the square root of d_k.",
    zh="分数没有缩放：还要除以 d_k 的平方根。",
)
def forgets_the_scale(correct, Q, K):
    return correct(Q, K) * np.sqrt(d_k(Q))


@mistake(
    STEP,
    en="You divided by d_k; the scores are divided by its square root.",
    zh="你除以了 d_k；分数应除以它的平方根。",
)
def divides_by_d_k(correct, Q, K):
    return correct(Q, K) / np.sqrt(d_k(Q))


@mistake(
    STEP,
    en="You multiplied by the square root of d_k; the scores are divided by it.",
    zh="你乘了 d_k 的平方根；分数应除以它。",
)
def multiplies_by_the_root(correct, Q, K):
    return correct(Q, K) * d_k(Q)


@mistake(
    STEP,
    en="You divided by the root of the number of keys; d_k is the length of one key, the last axis.",
    zh="你除以了键的个数的平方根；d_k 是一个键的长度，即最后一轴。",
)
def takes_the_number_of_keys(correct, Q, K):
    return correct(Q, K) * np.sqrt(d_k(Q) / K.shape[-2])


@mistake(
    STEP,
    en="You divided by the root of the number of queries; d_k is the length of one query, the last axis.",
    zh="你除以了查询个数的平方根；d_k 是一个查询的长度，即最后一轴。",
)
def takes_the_number_of_queries(correct, Q, K):
    return correct(Q, K) * np.sqrt(d_k(Q) / Q.shape[-2])


@mistake(
    STEP,
    en="d_k was read off the first axis, which is the queries' or the batch's: it is the last axis's length.",
    zh="d_k 取自第一个轴，那是查询或批次的轴：d_k 是最后一轴的长度。",
)
def reads_d_k_off_the_first_axis(correct, Q, K):
    return correct(Q, K) * np.sqrt(d_k(Q) / Q.shape[0])


@mistake(
    STEP,
    en="d_k was read off K's first axis, which is the keys' or the batch's: it is the last axis's length.",
    zh="d_k 取自 K 的第一个轴，那是键或批次的轴：d_k 是最后一轴的长度。",
)
def reads_d_k_off_the_first_axis_of_K(correct, Q, K):  # noqa: N802  the array's own name
    return correct(Q, K) * np.sqrt(d_k(Q) / K.shape[0])


@mistake(
    STEP,
    en="d_k was read off axis 1, which is the last one only without a batch: count from the end, -1.",
    zh="d_k 取自第 1 轴，只有没有批次时它才是最后一轴：从后面数，用 -1。",
)
def reads_d_k_off_axis_1(correct, Q, K):
    return correct(Q, K) * np.sqrt(d_k(Q) / K.shape[1])


@mistake(
    STEP,
    en="d_k was read off axis 1 of Q, which is the last one only without a batch: count from the end, -1.",
    zh="d_k 取自 Q 的第 1 轴，只有没有批次时它才是最后一轴：从后面数，用 -1。",
)
def reads_d_k_off_axis_1_of_Q(correct, Q, K):  # noqa: N802  the array's own name
    return correct(Q, K) * np.sqrt(d_k(Q) / Q.shape[1])


@mistake(
    STEP,
    en="The divisor 8 is that of d_k = 64: read d_k off the arrays instead.",
    zh="除数 8 只适合 d_k = 64：d_k 要从数组里读。",
)
def always_divides_by_8(correct, Q, K):
    return correct(Q, K) * np.sqrt(d_k(Q)) / 8.0


@mistake(
    STEP,
    en="The divisor 2 is that of d_k = 4: read d_k off the arrays instead.",
    zh="除数 2 只适合 d_k = 4：d_k 要从数组里读。",
)
def always_divides_by_2(correct, Q, K):
    return correct(Q, K) * np.sqrt(d_k(Q)) / 2.0


@mistake(
    STEP,
    en="The square root was cut to a whole number; keep its fraction.",
    zh="平方根被截成了整数；要保留小数。",
)
def cuts_the_root(correct, Q, K):
    return correct(Q, K) * np.sqrt(d_k(Q)) / int(np.sqrt(d_k(Q)))


@mistake(
    STEP,
    en=f"You divided by d_k and then by 2: {PRECEDENCE_EN}.",
    zh=f"你先除以 d_k，又除以 2：{PRECEDENCE_ZH}。",
)
def divides_by_d_k_and_by_2(correct, Q, K):
    return correct(Q, K) / np.sqrt(d_k(Q)) / 2


@mistake(
    STEP,
    en=f"You divided by half of d_k: {PRECEDENCE_EN}.",
    zh=f"你除以了 d_k 的一半：{PRECEDENCE_ZH}。",
)
def divides_by_half_of_d_k(correct, Q, K):
    return correct(Q, K) / np.sqrt(d_k(Q)) * 2


@mistake(
    STEP,
    en="You divided by the logarithm of d_k; the divisor is its square root.",
    zh="你除以了 d_k 的对数；除数是它的平方根。",
)
def takes_the_logarithm(correct, Q, K):
    return correct(Q, K) * np.sqrt(d_k(Q)) / np.log(d_k(Q))


@mistake(
    STEP,
    en="The scale was applied more than once.",
    zh="缩放做了不止一次。",
)
def scales_twice_over(correct, Q, K):
    return correct(Q, K) / d_k(Q)


@mistake(
    STEP,
    en="The division rounds down to whole numbers: the scores keep their fractions.",
    zh="除法向下取整了：分数要保留小数部分。",
)
def rounds_down(correct, Q, K):
    return np.floor(correct(Q, K))
