"""What students do wrong in the four figures of saturation, each in the place of the right one."""

import numpy as np

from autograder.suites.why_it_works import figures as parts
from autograder.suites.why_it_works.figures import wrong


@wrong(
    en="The entropy is in bits: take the natural logarithm.",
    zh="熵用的是比特：请取自然对数。",
)
def takes_bits(right, weights, arguments):
    return right[0] / np.log(2), *right[1:]


@wrong(
    en="The entropy lacks its minus: logarithms of weights are negative, entropy is not.",
    zh="熵少了负号：权重的对数是负的，熵不是。",
)
def forgets_the_minus(right, weights, arguments):
    return -right[0], *right[1:]


@wrong(
    en="The entropy was divided by ln n_keys: here it is not a share of the largest one.",
    zh="熵除以了 ln n_keys：这里不要化成占最大值的比例。",
)
def takes_a_share_of_the_entropy(right, weights, arguments):
    return right[0] / np.log(arguments[1]) if arguments[1] > 1 else np.nan, *right[1:]


@wrong(
    en="The median of the entropies was taken: the first figure is their mean.",
    zh="熵取了中位数：第一个数是平均。",
)
def takes_the_median_entropy(right, weights, arguments):
    return np.median(parts.entropies(weights)), *right[1:]


@wrong(
    en="The entropies were added up: the first figure is their mean over the rows.",
    zh="熵加在了一起：第一个数是各行的平均。",
)
def adds_up_the_entropies(right, weights, arguments):
    return parts.entropies(weights).sum(), *right[1:]


@wrong(
    en="Mean over all weights of −w ln w: the entropy of a row is the sum over its keys.",
    zh="对所有权重的 −w ln w 取了平均：一行的熵是沿键求和。",
)
def averages_over_the_keys(right, weights, arguments):
    return right[0] / arguments[1], *right[1:]


@wrong(
    en="0 · ln 0 gave nan: a weight of exactly 0 adds nothing to the entropy.",
    zh="0 · ln 0 得到了 nan：恰好为 0 的权重对熵没有贡献。",
)
def takes_the_logarithm_of_zero(right, weights, arguments):
    return -(weights * np.log(weights)).sum(axis=-1).mean(), *right[1:]


@wrong(
    en="A small number was added under the logarithm, and shifts the entropy: put a 1 where a weight is 0.",
    zh="对数里加了一个小数，熵就偏了：权重为 0 处换成 1。",
)
def adds_under_the_logarithm(right, weights, arguments):
    return -(weights * np.log(weights + 1e-3)).sum(axis=-1).mean(), *right[1:]


@wrong(
    en="The median of the largest weights was taken: the second figure is their mean.",
    zh="最大权重取了中位数：第二个数是平均。",
)
def takes_the_median_largest(right, weights, arguments):
    return right[0], np.median(weights.max(axis=-1)), *right[2:]


@wrong(
    en="The largest weight of all rows was taken: the second figure is the mean of each row's largest.",
    zh="取了所有行中最大的权重：第二个数是各行最大权重的平均。",
)
def takes_the_largest_of_all(right, weights, arguments):
    return right[0], weights.max(), *right[2:]


@wrong(
    en="The third figure has another threshold: rows count whose largest weight is above 0.99.",
    zh="第三个数用了别的阈值：数的是最大权重超过 0.99 的行。",
)
def counts_above_09(right, weights, arguments):
    return *right[:2], (weights.max(axis=-1) > 0.9).mean(), right[3]


@wrong(
    en="The third figure is a number of rows: divide by n_rows.",
    zh="第三个数成了行数：要除以 n_rows。",
)
def counts_the_rows(right, weights, arguments):
    return *right[:2], (weights.max(axis=-1) > 0.99).sum(), right[3]


@wrong(
    en="The third figure is in per cent: a share lies between 0 and 1.",
    zh="第三个数是百分数：比例在 0 和 1 之间。",
)
def gives_per_cent(right, weights, arguments):
    return *right[:2], 100 * right[2], right[3]


@wrong(
    en="The third figure counts single weights: it is the share of rows.",
    zh="第三个数数的是单个权重：应是行的比例。",
)
def counts_the_weights(right, weights, arguments):
    return *right[:2], (weights > 0.99).mean(), right[3]


@wrong(
    en="The third figure counts the rows below 0.99: those above are meant.",
    zh="第三个数数的是不到 0.99 的行：要数超过的。",
)
def counts_the_rows_below(right, weights, arguments):
    return *right[:2], 1 - right[2], right[3]


@wrong(
    en="The mean of the norms was taken: a few rows rule it. The fourth figure is the median.",
    zh="范数取了平均，它由少数几行决定：第四个数是中位数。",
)
def takes_the_mean_norm(right, weights, arguments):
    return *right[:3], parts.norms(weights).mean()


@wrong(
    en="The spectral norm was taken: the Frobenius norm is the root of the sum of all squares.",
    zh="取了谱范数：弗罗贝尼乌斯范数是所有平方和的平方根。",
)
def takes_the_spectral_norm(right, weights, arguments):
    return *right[:3], np.median(np.linalg.norm(parts.jacobians(weights), 2, axis=(-1, -2)))


@wrong(
    en="The norm is that of the diagonal alone: the whole Jacobian counts.",
    zh="范数只算了对角线：应算整个雅可比矩阵。",
)
def takes_the_norm_of_the_diagonal(right, weights, arguments):
    return *right[:3], np.median(np.linalg.norm(weights * (1 - weights), axis=-1))


@wrong(
    en="The norm lacks its root: it is the root of the sum of squares.",
    zh="范数少了开方：它是平方和的平方根。",
)
def forgets_the_root_of_the_norm(right, weights, arguments):
    return *right[:3], np.median(parts.norms(weights) ** 2)


@wrong(
    en="The norm is that of the weights: the one of their Jacobian is asked for.",
    zh="算的是权重的范数：要的是雅可比矩阵的范数。",
)
def takes_the_norm_of_the_weights(right, weights, arguments):
    return *right[:3], np.median(np.linalg.norm(weights, axis=-1))


@wrong(
    en="Entropy and largest weight have changed places.",
    zh="熵和最大权重的位置对调了。",
)
def swaps_the_first_two(right, weights, arguments):
    return right[1], right[0], *right[2:]


@wrong(
    en="The last two have changed places: the share comes before the norm.",
    zh="后两个数的位置对调了：比例在前，范数在后。",
)
def swaps_the_last_two(right, weights, arguments):
    return *right[:2], right[3], right[2]


@wrong(
    en="The figures are right, as an array: return a tuple of four numbers.",
    zh="数值都对，只是成了数组：要返回四个数的元组。",
)
def returns_an_array(right, weights, arguments):
    return np.array(right)


@wrong(
    en="The figures are right, as a list: return a tuple of four numbers.",
    zh="数值都对，只是成了列表：要返回四个数的元组。",
)
def returns_a_list(right, weights, arguments):
    return list(right)
