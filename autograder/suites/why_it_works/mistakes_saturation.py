"""What students do wrong in saturation before anything is measured: in drawing, scaling and sharing out."""

import numpy as np

from autograder.suites.why_it_works import figures as parts
from autograder.suites.why_it_works.figures import again, wrong


@wrong(
    en="The scale is turned round: scaled=True divides by the root of d_k, scaled=False does not.",
    zh="缩放反了：scaled=True 时才除以 √d_k，scaled=False 时不除。",
)
def turns_scaled_round(right, weights, arguments):
    return again(arguments, scaled=not arguments[4])


@wrong(
    en="It is always scaled: with scaled=False the scores stay as they are.",
    zh="总是缩放：scaled=False 时分数保持原样。",
)
def always_scales(right, weights, arguments):
    return again(arguments, scaled=True)


@wrong(
    en="It is never scaled: with scaled=True the scores are divided by the root of d_k.",
    zh="从不缩放：scaled=True 时分数要除以 √d_k。",
)
def never_scales(right, weights, arguments):
    return again(arguments, scaled=False)


@wrong(
    en="Scaled scores were divided by d_k: divide by its root.",
    zh="缩放时除以了 d_k：应除以它的平方根。",
)
def divides_by_d_k(right, weights, arguments):
    d_k, n_keys, n_rows, rng, scaled = arguments
    Q, K = parts.drawn(d_k, n_keys, n_rows, rng)
    return parts.figures(parts.shares(Q @ K.T / (d_k if scaled else 1.0)))


@wrong(
    en="Scaled scores were divided by the root of the number of keys: it is the width d_k that counts.",
    zh="缩放时除以了键的个数的平方根：起作用的是宽度 d_k。",
)
def scales_by_the_number_of_keys(right, weights, arguments):
    d_k, n_keys, n_rows, rng, scaled = arguments
    Q, K = parts.drawn(d_k, n_keys, n_rows, rng)
    return parts.figures(parts.shares(Q @ K.T / (np.sqrt(n_keys) if scaled else 1.0)))


@wrong(
    en="The softmax runs over the rows: each row shares out its 1 over the keys.",
    zh="softmax 沿着各行做了：应在每一行里把 1 分给各个键。",
)
def normalises_over_queries(right, weights, arguments):
    return parts.figures(parts.weights_of(*arguments, axis=0))


@wrong(
    en="Queries and keys were drawn between 0 and 1: their entries have mean 0 and variance 1.",
    zh="查询和键在 0 到 1 之间抽取：它们的元素均值为 0、方差为 1。",
)
def draws_between_0_and_1(right, weights, arguments):
    d_k, n_keys, n_rows, rng, scaled = arguments
    Q, K = rng.random((n_rows, d_k)), rng.random((n_keys, d_k))
    return parts.figures(parts.shares(Q @ K.T / (np.sqrt(d_k) if scaled else 1.0)))


@wrong(
    en="Queries and keys were drawn uniformly between -1 and 1, with variance 1/3: draw normal numbers.",
    zh="查询和键在 -1 到 1 之间均匀抽取，方差是 1/3：要用标准正态。",
)
def draws_between_minus_1_and_1(right, weights, arguments):
    d_k, n_keys, n_rows, rng, scaled = arguments
    Q, K = rng.uniform(-1, 1, (n_rows, d_k)), rng.uniform(-1, 1, (n_keys, d_k))
    return parts.figures(parts.shares(Q @ K.T / (np.sqrt(d_k) if scaled else 1.0)))


@wrong(
    en="Scaled scores were multiplied by d_k to undo the scale: multiply by its root.",
    zh="为了取消缩放，把分数乘了 d_k：应乘它的平方根。",
)
def undoes_too_much(right, weights, arguments):
    d_k, n_keys, n_rows, rng, scaled = arguments
    Q, K = parts.drawn(d_k, n_keys, n_rows, rng)
    return parts.figures(parts.shares(Q @ K.T / np.sqrt(d_k) * (1.0 if scaled else d_k)))


@wrong(
    en="Queries and keys were drawn a tenth as large: their entries have variance 1.",
    zh="查询和键只抽了十分之一大：它们的元素方差为 1。",
)
def draws_a_tenth(right, weights, arguments):
    d_k, n_keys, n_rows, rng, scaled = arguments
    Q, K = parts.drawn(d_k, n_keys, n_rows, rng)
    return parts.figures(parts.shares(Q @ K.T / 100 / (np.sqrt(d_k) if scaled else 1.0)))
