"""What students do wrong in project_qkv, each as a change to the right function where it can be."""

import numpy as np

from autograder.suites import mistake, symptom

STEP = "project_qkv"


@mistake(
    STEP,
    en="K and V have changed places: the tuple is (Q, K, V), in this order.",
    zh="K 和 V 的位置对调了：元组的顺序是 (Q, K, V)。",
)
def swaps_keys_and_values(correct, x, W_Q, W_K, W_V):
    Q, K, V = correct(x, W_Q, W_K, W_V)
    return Q, V, K


@mistake(
    STEP,
    en="Q and K have changed places: the first result comes from W_Q, the second from W_K.",
    zh="Q 和 K 的位置对调了：第一个结果来自 W_Q，第二个来自 W_K。",
)
def swaps_queries_and_keys(correct, x, W_Q, W_K, W_V):
    Q, K, V = correct(x, W_Q, W_K, W_V)
    return K, Q, V


@mistake(
    STEP,
    en="Q and V have changed places: the tuple is (Q, K, V), in this order.",
    zh="Q 和 V 的位置对调了：元组的顺序是 (Q, K, V)。",
)
def swaps_queries_and_values(correct, x, W_Q, W_K, W_V):
    Q, K, V = correct(x, W_Q, W_K, W_V)
    return V, K, Q


@mistake(
    STEP,
    en="The keys were made with W_Q; they have a matrix of their own, W_K.",
    zh="键用了 W_Q 来算；键有自己的矩阵 W_K。",
)
def projects_keys_with_W_Q(correct, x, W_Q, W_K, W_V):  # noqa: N802  the matrix's own name
    return correct(x, W_Q, W_Q, W_V)


@mistake(
    STEP,
    en="The queries were made with W_K; they have a matrix of their own, W_Q.",
    zh="查询用了 W_K 来算；查询有自己的矩阵 W_Q。",
)
def projects_queries_with_W_K(correct, x, W_Q, W_K, W_V):  # noqa: N802  the matrix's own name
    return correct(x, W_K, W_K, W_V)


@mistake(
    STEP,
    en="The values were made with W_K; they have a matrix of their own, W_V.",
    zh="值用了 W_K 来算；值有自己的矩阵 W_V。",
)
def projects_values_with_W_K(correct, x, W_Q, W_K, W_V):  # noqa: N802  the matrix's own name
    return correct(x, W_Q, W_K, W_K)


@mistake(
    STEP,
    en="The values were made with W_Q; they have a matrix of their own, W_V.",
    zh="值用了 W_Q 来算；值有自己的矩阵 W_V。",
)
def projects_values_with_W_Q(correct, x, W_Q, W_K, W_V):  # noqa: N802  the matrix's own name
    return correct(x, W_Q, W_K, W_Q)


@mistake(
    STEP,
    en="V is x itself: the values are projected too, by W_V.",
    zh="V 就是 x 本身：值也要用 W_V 投影。",
)
def leaves_the_values_unprojected(correct, x, W_Q, W_K, W_V):
    Q, K, _ = correct(x, W_Q, W_K, W_V)
    return Q, K, x


@mistake(
    STEP,
    en="Q is x itself: the queries are projected too, by W_Q.",
    zh="Q 就是 x 本身：查询也要用 W_Q 投影。",
)
def leaves_the_queries_unprojected(correct, x, W_Q, W_K, W_V):
    _, K, V = correct(x, W_Q, W_K, W_V)
    return x, K, V


@mistake(
    STEP,
    en="K is x itself: the keys are projected too, by W_K.",
    zh="K 就是 x 本身：键也要用 W_K 投影。",
)
def leaves_the_keys_unprojected(correct, x, W_Q, W_K, W_V):
    Q, _, V = correct(x, W_Q, W_K, W_V)
    return Q, x, V


@mistake(
    STEP,
    en="What came back are the matrices themselves: the tokens x have to be multiplied by them.",
    zh="返回的是矩阵本身：要用词元 x 去乘它们。",
)
def returns_the_matrices(correct, x, W_Q, W_K, W_V):
    return W_Q, W_K, W_V


@mistake(
    STEP,
    en="The matrices were transposed: they have d_model rows already, as they stand on the right of x.",
    zh="矩阵被转置了：它们本来就有 d_model 行，直接放在 x 的右边。",
)
def transposes_the_matrices(correct, x, W_Q, W_K, W_V):
    return correct(x, W_Q.T, W_K.T, W_V.T)


@mistake(
    STEP,
    en="The matrices stand on the left of x; tokens are rows here, so x stands on the left.",
    zh="矩阵写在了 x 的左边；这里词元是行，所以 x 在左边。",
)
def multiplies_from_the_left(correct, x, W_Q, W_K, W_V):
    return W_Q @ x, W_K @ x, W_V @ x


@mistake(
    STEP,
    en="Transposing an array with a batch turns round all its axes, the batch too: keep x as it is.",
    zh="对带批次的数组用 .T 会把所有轴都倒过来，连批次轴也倒：不要转置 x。",
)
def turns_round_every_axis(correct, x, W_Q, W_K, W_V):
    return tuple((matrix.T @ x.T).T for matrix in (W_Q, W_K, W_V))


@mistake(
    STEP,
    en="x was multiplied entry by entry; a projection is a matrix product.",
    zh="x 做的是逐元素相乘；投影是矩阵乘法。",
)
def multiplies_entry_by_entry(correct, x, W_Q, W_K, W_V):
    return x * W_Q, x * W_K, x * W_V


@mistake(
    STEP,
    en="The batch was summed away: each item of a batch keeps its own Q, K and V.",
    zh="批次被加掉了：批次里每一项都有自己的 Q、K、V。",
)
def sums_over_the_batch(correct, x, W_Q, W_K, W_V):
    return tuple(array.reshape(-1, *array.shape[-2:]).sum(axis=0) for array in correct(x, W_Q, W_K, W_V))


@mistake(
    STEP,
    en="The projections were chained: all three start from x, not from one another.",
    zh="投影串在了一起：三个投影都从 x 出发，而不是一个接一个。",
)
def chains_the_projections(correct, x, W_Q, W_K, W_V):
    Q = x @ W_Q
    K = Q @ W_K
    return Q, K, K @ W_V


@mistake(
    STEP,
    en="The tokens were added to their projections: no residual belongs here.",
    zh="投影结果又加上了 x：这里没有残差。",
)
def adds_the_tokens(correct, x, W_Q, W_K, W_V):
    return tuple(x + array for array in correct(x, W_Q, W_K, W_V))


@mistake(
    STEP,
    en="The scale was applied here already; dividing by the root of d_k is the next step's work.",
    zh="这里已经做了缩放；除以 d_k 的平方根是下一步的事。",
)
def scales_the_queries(correct, x, W_Q, W_K, W_V):
    Q, K, V = correct(x, W_Q, W_K, W_V)
    return Q / np.sqrt(W_Q.shape[-1]), K, V


@mistake(
    STEP,
    en="Three arrays in one were returned, which breaks as soon as V has another width: return a tuple.",
    zh="返回的是叠成一个的数组，V 的宽度一变就出错：请返回元组。",
)
def stacks_the_three(correct, x, W_Q, W_K, W_V):
    return np.stack(correct(x, W_Q, W_K, W_V))


@mistake(
    STEP,
    en="The numbers are right, and came as a list: here three results are returned as a tuple.",
    zh="数值都对，只是返回了列表：这里约定用元组返回三个结果。",
    convention=True,
)
def returns_a_list(correct, x, W_Q, W_K, W_V):
    return list(correct(x, W_Q, W_K, W_V))


@mistake(
    STEP,
    en="Only Q was returned; the step gives all three, Q, K and V.",
    zh="只返回了 Q；这一步要返回 Q、K、V 三个。",
)
def returns_the_queries_alone(correct, x, W_Q, W_K, W_V):
    return correct(x, W_Q, W_K, W_V)[0]


@mistake(
    STEP,
    en="The results were written into an array of x's own type, so whole numbers in x cut off all fractions.",
    zh="结果写进了和 x 同类型的数组，x 是整数时小数部分全被截掉。",
)
def cuts_off_fractions(correct, x, W_Q, W_K, W_V):
    return tuple(array.astype(x.dtype) for array in correct(x, W_Q, W_K, W_V))


@symptom(
    STEP,
    en="The answer does not depend on the matrices passed in: use them, and draw none inside.",
    zh="结果和传入的矩阵无关：请使用传入的矩阵，不要在函数里另外生成。",
)
def ignores_the_matrices(calls):
    """Same tokens and shapes, other matrices, same Q."""
    queries = {}
    for call in calls:
        if isinstance(call.answer.value, tuple) and isinstance(call.answer.value[0], np.ndarray):
            key = call.args[0].tobytes(), *(array.shape for array in call.args)
            queries.setdefault(key, {})[call.args[1].tobytes()] = call.answer.value[0].tobytes()
    return any(len(seen) > 1 and len(set(seen.values())) == 1 for seen in queries.values())
