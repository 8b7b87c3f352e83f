"""What students multiply with what in scaled_scores, as changes to the right function where they can be."""

import numpy as np

from autograder.suites import mistake

STEP = "scaled_scores"


@mistake(
    STEP,
    en="The queries were multiplied with themselves: the keys do not come in at all.",
    zh="查询和自己相乘了：键根本没有用上。",
)
def scores_queries_with_queries(correct, Q, K):
    return correct(Q, Q)


@mistake(
    STEP,
    en="The keys were multiplied with themselves: the queries do not come in at all.",
    zh="键和自己相乘了：查询根本没有用上。",
)
def scores_keys_with_keys(correct, Q, K):
    return correct(K, K)


@mistake(
    STEP,
    en="The scores are turned round: queries are the rows and keys the columns, so Q stands on the left.",
    zh="分数转过来了：行是查询，列是键，所以 Q 在左边。",
)
def turns_the_scores_round(correct, Q, K):
    return np.swapaxes(correct(Q, K), -1, -2)


@mistake(
    STEP,
    en="Features were compared with features: the product has to sum over d_k, so the transposed one is K.",
    zh="这是特征和特征相乘：应当对 d_k 求和，要转置的是 K。",
)
def multiplies_features(correct, Q, K):
    return np.swapaxes(Q, -1, -2) @ K / np.sqrt(Q.shape[-1])


@mistake(
    STEP,
    en="Reshaping is not transposing: K's numbers were dealt out anew. Its last two axes change places.",
    zh="reshape 不是转置：K 的数被重新排过了；应当交换它的最后两轴。",
)
def reshapes_the_keys(correct, Q, K):
    return Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2]) / np.sqrt(Q.shape[-1])


@mistake(
    STEP,
    en="K was not transposed: its last two axes change places, so that d_k meets d_k.",
    zh="K 没有转置：要交换 K 的最后两轴，让 d_k 对上 d_k。",
)
def forgets_to_transpose(correct, Q, K):
    return Q @ K / np.sqrt(Q.shape[-1])


@mistake(
    STEP,
    en="Each query was scored with the key at its own position only; every query meets every key.",
    zh="每个查询只和同一位置的键算了分数；每个查询要和每个键都算。",
)
def scores_its_own_position_only(correct, Q, K):
    return (Q * K).sum(axis=-1) / np.sqrt(Q.shape[-1])


@mistake(
    STEP,
    en="Every item of the batch met every other one's keys: np.dot and np.inner do not know a batch, @ does.",
    zh="批次里每一项都和别项的键相乘了：np.dot 和 np.inner 不认识批次，@ 认识。",
)
def crosses_the_batch(correct, Q, K):
    return np.dot(Q, np.swapaxes(K, -1, -2)) / np.sqrt(Q.shape[-1])


@mistake(
    STEP,
    en="K.T turns round all axes of a batch: only the last two change places.",
    zh="带批次时 K.T 会倒转所有轴：只交换最后两轴。",
)
def turns_round_every_axis(correct, Q, K):
    return Q @ K.T / np.sqrt(Q.shape[-1])


@mistake(
    STEP,
    en="The scores were normalised already: softmax is a later step.",
    zh="分数已经归一化了：softmax 是后面的一步。",
)
def normalises_already(correct, Q, K):
    raised = np.exp(correct(Q, K) - correct(Q, K).max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


@mistake(
    STEP,
    en="Only directions were compared: the lengths of queries and keys count too, in a plain dot product.",
    zh="只比较了方向：普通点积里，查询和键的长度也算数。",
)
def compares_directions_only(correct, Q, K):
    cosines = correct(*(array / np.linalg.norm(array, axis=-1, keepdims=True) for array in (Q, K)))
    return cosines * np.sqrt(Q.shape[-1])
