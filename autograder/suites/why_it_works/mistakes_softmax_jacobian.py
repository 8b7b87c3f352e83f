"""What students do wrong in softmax_jacobian, each as a change to the right function where it can be."""

import numpy as np

from autograder.suites import mistake

STEP = "softmax_jacobian"


@mistake(
    STEP,
    en="Only the diagonal is there: beside it stands what one weight loses to another, −w_i w_j.",
    zh="只有对角线：对角线之外还有一个权重让给另一个的部分 −w_i w_j。",
)
def keeps_the_diagonal_alone(correct, weights):
    return np.diag(np.diag(correct(weights)))


@mistake(
    STEP,
    en="w (1 − w) is the diagonal alone, as a row: each weight answers to every score, so J is (n, n).",
    zh="w (1 − w) 只是对角线，而且是一行：每个权重受每个分数影响，J 的形状是 (n, n)。",
)
def gives_one_number_for_each_weight(correct, weights):
    return np.diag(correct(weights))


@mistake(
    STEP,
    en="The products of two weights are not taken off the diagonal matrix.",
    zh="对角矩阵里没有减去两两权重的乘积。",
)
def forgets_the_products(correct, weights):
    return np.diag(weights * 1.0)


@mistake(
    STEP,
    en="The diagonal matrix is missing: a weight grows with its own score.",
    zh="少了对角矩阵：一个权重会随自己的分数增大。",
)
def forgets_the_diagonal(correct, weights):
    return -np.outer(weights, weights)


@mistake(
    STEP,
    en="The sign is turned round: a weight grows with its own score, so the diagonal is not negative.",
    zh="符号反了：一个权重随自己的分数增大，对角线不应为负。",
)
def turns_the_sign(correct, weights):
    return -correct(weights)


@mistake(
    STEP,
    en="The products were added: the other weights shrink when one grows, so they are subtracted.",
    zh="乘积被加上了：一个变大，其余就变小，应当减去。",
)
def adds_the_products(correct, weights):
    return np.diag(weights) + np.outer(weights, weights)


@mistake(
    STEP,
    en="Right on the diagonal, the sign turned round beside it: the other weights shrink when one grows.",
    zh="对角线对，其余位置符号反了：一个变大，其余就变小。",
)
def turns_the_sign_beside_the_diagonal(correct, weights):
    return np.abs(correct(weights))


@mistake(
    STEP,
    en="w_i (1 − w_j) everywhere: the 1 belongs on the diagonal alone.",
    zh="处处都是 w_i (1 − w_j)：那个 1 只在对角线上。",
)
def takes_1_for_delta(correct, weights):
    return np.outer(weights, 1 - weights)


@mistake(
    STEP,
    en="δ − w is the Jacobian of the softmax's logarithm: the factor w_i is missing.",
    zh="δ − w 是 softmax 的对数的雅可比矩阵：少了因子 w_i。",
)
def forgets_the_factor(correct, weights):
    return np.eye(len(weights)) - weights


@mistake(
    STEP,
    en="The identity stands where the weights belong on the diagonal.",
    zh="对角线上应是权重，却用了单位矩阵。",
)
def takes_the_identity_for_the_weights(correct, weights):
    return np.eye(len(weights)) - np.outer(weights, weights)


@mistake(
    STEP,
    en="One number, w · w, was taken off everywhere: a row times a row is no matrix; take the outer product.",
    zh="处处减去了同一个数 w · w：一行乘一行不是矩阵，要用外积。",
)
def takes_the_inner_product(correct, weights):
    return np.diag(weights) - weights @ weights


@mistake(
    STEP,
    en="One number, w · w, was taken off the diagonal: every pair of weights has a product of its own.",
    zh="对角线上减去了同一个数 w · w：每一对权重都有自己的乘积。",
)
def takes_the_inner_product_off_the_diagonal(correct, weights):
    return np.diag(weights - weights @ weights)


@mistake(
    STEP,
    en="The weights went through the softmax once more: they are weights already.",
    zh="对权重又做了一次 softmax：它们已经是权重了。",
)
def takes_weights_for_scores(correct, weights):
    raised = np.exp(weights - np.max(weights))
    return correct(raised / raised.sum())


@mistake(
    STEP,
    en="The diagonal holds w², and should hold w − w².",
    zh="对角线上是 w²，应为 w − w²。",
)
def puts_the_square_on_the_diagonal(correct, weights):
    return np.diag(2.0 * weights**2) - np.outer(weights, weights)


@mistake(
    STEP,
    en="The diagonal holds 1 − w: the factor w is missing there.",
    zh="对角线上是 1 − w：那里少了因子 w。",
)
def forgets_the_factor_on_the_diagonal(correct, weights):
    return np.diag(1.0 - weights) + correct(weights) - np.diag(np.diag(correct(weights)))


@mistake(
    STEP,
    en="The products beside the diagonal are there once, in a triangle: J is symmetric.",
    zh="对角线之外的乘积只写了一半三角：J 是对称的。",
)
def fills_one_triangle(correct, weights):
    return np.tril(correct(weights))


@mistake(
    STEP,
    en="The other triangle is missing: J is symmetric.",
    zh="缺了另一半三角：J 是对称的。",
)
def fills_the_other_triangle(correct, weights):
    return np.triu(correct(weights))


@mistake(
    STEP,
    en="The result has a dimension too many: one row (n,) gives a matrix (n, n).",
    zh="结果多了一维：一行 (n,) 给出矩阵 (n, n)。",
)
def adds_a_dimension(correct, weights):
    return correct(weights)[np.newaxis]


@mistake(
    STEP,
    en="A small number was added: where a weight is exactly 0, its row and column are exactly 0.",
    zh="加了一个很小的数：权重恰好为 0 时，它的行和列应恰好为 0。",
)
def adds_a_small_number(correct, weights):
    return correct(weights + 1e-6)
