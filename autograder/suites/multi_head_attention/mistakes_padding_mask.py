"""What students do wrong in padding_mask, each as a change to the right function where it can be."""

import numpy as np

from autograder.suites import mistake

STEP = "padding_mask"


@mistake(
    STEP,
    en="The mask marks the filling: right in itself, and here True means may attend.",
    zh="想法正确，只是标出的是补上去的词元：这里 True 表示允许看。",
    convention=True,
)
def marks_the_filling(correct, lengths, seq_len):
    return ~correct(lengths, seq_len)


@mistake(
    STEP,
    en="The right places, as 0 and 1: here the mask is of True and False.",
    zh="位置都对，只是用了 0 和 1：这里的掩码要用 True 和 False。",
    convention=True,
)
def gives_ones_and_zeros(correct, lengths, seq_len):
    return correct(lengths, seq_len).astype(int)


@mistake(
    STEP,
    en="The right places, as 0 and minus infinity to be added: here the mask is of True and False.",
    zh="位置都对，只是用了要相加的 0 和负无穷：这里的掩码要用 True 和 False。",
    convention=True,
)
def gives_numbers_to_add(correct, lengths, seq_len):
    return np.where(correct(lengths, seq_len), 0.0, -np.inf)


@mistake(
    STEP,
    en="One token too many is allowed: a sentence of three has the keys 0, 1 and 2.",
    zh="多允许了一个词元：长度为 3 的句子，键是 0、1、2。",
)
def allows_one_too_many(correct, lengths, seq_len):
    return correct(lengths + 1, seq_len)


@mistake(
    STEP,
    en="One token too few is allowed: a sentence of three has the keys 0, 1 and 2.",
    zh="少允许了一个词元：长度为 3 的句子，键是 0、1、2。",
)
def allows_one_too_few(correct, lengths, seq_len):
    return correct(lengths - 1, seq_len)


@mistake(
    STEP,
    en="The filling is taken to stand in front: real tokens come first.",
    zh="把补上去的词元当成在前面了：真实词元在前。",
)
def fills_in_front(correct, lengths, seq_len):
    return correct(lengths, seq_len)[..., ::-1]


@mistake(
    STEP,
    en="The axis of queries is missing: without it the batch would be taken for the queries.",
    zh="少了查询的轴：没有它，批次会被当成查询。",
)
def forgets_the_axis_of_queries(correct, lengths, seq_len):
    return correct(lengths, seq_len)[:, 0]


@mistake(
    STEP,
    en="The mask is turned round: it forbids queries, and keys are to be forbidden.",
    zh="掩码的方向反了：不许看的应是键，不是查询。",
)
def masks_the_queries(correct, lengths, seq_len):
    return np.swapaxes(correct(lengths, seq_len), -1, -2)


@mistake(
    STEP,
    en="Filling is forbidden as a query too, which leaves empty rows: forbid it as a key alone.",
    zh="补上去的词元作为查询也被屏蔽了，会留下空行：只屏蔽键。",
)
def masks_queries_and_keys(correct, lengths, seq_len):
    keys = correct(lengths, seq_len)
    return keys & np.swapaxes(keys, -1, -2)


@mistake(
    STEP,
    en="Everything is right, and written out for every query: here one row serves them all, by broadcasting.",
    zh="都对，只是给每个查询都写了一行：这里只要一行，靠广播供所有查询用。",
    convention=True,
)
def writes_a_row_for_each_query(correct, lengths, seq_len):
    return np.repeat(correct(lengths, seq_len), seq_len, axis=1)


@mistake(
    STEP,
    en="Everything is right, with an axis of heads added: here the shape is (batch, 1, seq_len).",
    zh="都对，只是多加了头的轴：这里的形状是 (batch, 1, seq_len)。",
    convention=True,
)
def adds_an_axis_for_heads(correct, lengths, seq_len):
    return correct(lengths, seq_len)[:, np.newaxis]


@mistake(
    STEP,
    en="Batch and queries have changed places: the axis of length 1 is the second.",
    zh="批次和查询的轴对调了：长度为 1 的轴是第二个。",
)
def puts_the_batch_second(correct, lengths, seq_len):
    return np.swapaxes(correct(lengths, seq_len), 0, 1)


@mistake(
    STEP,
    en="All sentences got the length of the longest: each has its own.",
    zh="所有句子都用了最长的长度：各用各的长度。",
)
def takes_the_longest(correct, lengths, seq_len):
    return correct(np.full_like(lengths, lengths.max()), seq_len)


@mistake(
    STEP,
    en="All sentences got the length of the first: each has its own.",
    zh="所有句子都用了第一句的长度：各用各的长度。",
)
def takes_the_first(correct, lengths, seq_len):
    return correct(np.full_like(lengths, lengths[0]), seq_len)


@mistake(
    STEP,
    en="Only the last real token is allowed: all of them are.",
    zh="只允许看最后一个真实词元：真实词元都允许看。",
)
def marks_the_last_token(correct, lengths, seq_len):
    return correct(lengths, seq_len) & ~correct(lengths - 1, seq_len)


@mistake(
    STEP,
    en="The mask is as wide as the longest sentence: it is as wide as seq_len.",
    zh="掩码的宽度取了最长句子的长度：应为 seq_len。",
)
def is_as_wide_as_the_longest(correct, lengths, seq_len):
    return correct(lengths, int(lengths.max()))


@mistake(
    STEP,
    en="Everything is allowed: filling, which begins where a sentence's length ends, must be forbidden.",
    zh="全都允许看了：句子长度之后是补上去的词元，要屏蔽。",
)
def allows_everything(correct, lengths, seq_len):
    return np.ones_like(correct(lengths, seq_len))


@mistake(
    STEP,
    en="Nothing is allowed: the real tokens must be.",
    zh="什么都不许看了：真实词元要允许看。",
)
def forbids_everything(correct, lengths, seq_len):
    return np.zeros_like(correct(lengths, seq_len))


@mistake(
    STEP,
    en="An empty sentence got one token: a length of 0 forbids the whole row.",
    zh="空句子也允许看一个词元：长度为 0 时整行都不许看。",
)
def gives_empty_sentences_a_token(correct, lengths, seq_len):
    return correct(np.maximum(lengths, 1), seq_len)


@mistake(
    STEP,
    en="The lengths were sorted, in place even: row b belongs to sentence b.",
    zh="长度排了序，而且直接改动了参数：第 b 行属于第 b 个句子。",
)
def sorts_the_lengths_in_place(correct, lengths, seq_len):
    lengths.sort()
    return correct(lengths, seq_len)


@mistake(
    STEP,
    en="The lengths were sorted: row b belongs to sentence b.",
    zh="长度排了序：第 b 行属于第 b 个句子。",
)
def sorts_the_lengths(correct, lengths, seq_len):
    return correct(np.sort(lengths), seq_len)
