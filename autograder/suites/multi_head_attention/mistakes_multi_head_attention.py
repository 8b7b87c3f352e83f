"""What students do wrong with heads in multi_head_attention; slips in another step are in its own list."""

import numpy as np

from autograder.suites import mistake, telling
from autograder.suites.multi_head_attention.heads import masked, merge, parts, scores_of, shares, split

STEP = "multi_head_attention"


@mistake(
    STEP,
    en="Cut and joined by a reshape alone: it fits, yet parts of tokens pose as tokens. Turn two axes.",
    zh="切开和合并都只用 reshape：前后对得上，但词元的碎片冒充了词元。要交换两个轴。",
)
def cuts_and_joins_without_turning(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    def cut(part, n_heads):
        return part.reshape(*part.shape[:-2], n_heads, part.shape[-2], part.shape[-1] // n_heads)

    Q, K, V = parts(x, W_Q, W_K, W_V, n_heads, cut)
    weights = shares(masked(scores_of(Q, K), causal))
    return (weights @ V).reshape(*x.shape[:-1], -1) @ W_O, weights


@mistake(
    STEP,
    en="The heads were averaged before W_O: they stand side by side, and W_O mixes them.",
    zh="乘 W_O 之前把各头取了平均：应并排拼接，由 W_O 来混合。",
)
def averages_the_heads(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    weights = correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)[1]
    mean = (weights @ split(x @ W_V, n_heads)).mean(axis=-3)
    return np.concatenate([mean] * n_heads, axis=-1) @ W_O, weights


@mistake(
    STEP,
    en="The first head stands in for all: each head has its own part of the values.",
    zh="用第一个头代替了所有的头：每个头有自己的那一段值。",
)
def repeats_the_first_head(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    weights = correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)[1]
    first = (weights @ split(x @ W_V, n_heads))[..., 0, :, :]
    return np.concatenate([first] * n_heads, axis=-1) @ W_O, weights


@mistake(
    STEP,
    en="W_O was applied to each head before joining: join the heads first, then project once.",
    zh="拼接之前就对每个头乘了 W_O 的一块：先拼接，再整体投影一次。",
)
def projects_before_joining(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    weights = correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)[1]
    heads = weights @ split(x @ W_V, n_heads)
    d = W_Q.shape[-1] // n_heads
    return np.concatenate([head @ W_O[:d, :d] for head in np.moveaxis(heads, -3, 0)], axis=-1), weights


@mistake(
    STEP,
    en="W_O is missing: the heads side by side are multiplied by it.",
    zh="漏了 W_O：各头并排拼接之后，还要乘它。",
)
def forgets_the_last_matrix(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q, W_K, W_V, np.eye(W_V.shape[-1]), n_heads, causal)


@mistake(
    STEP,
    en="W_O is turned round, or stands on the left: the heads side by side are multiplied by it, as it is.",
    zh="W_O 转置了，或放到了左边：应是拼接的结果乘 W_O。",
)
def turns_the_last_matrix_round(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q, W_K, W_V, W_O.T, n_heads, causal)


@mistake(
    STEP,
    en="The queries of a head met the keys of another: head h is the same in Q, K and V.",
    zh="一个头的查询遇到了别的头的键：Q、K、V 里同一个编号才是同一个头。",
)
def meets_the_keys_of_other_heads(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    Q, K, V = parts(x, W_Q, W_K, W_V, n_heads)
    weights = shares(masked(scores_of(Q, K[..., ::-1, :, :]), causal))
    return merge(weights @ V) @ W_O, weights


@mistake(
    STEP,
    en="Heads of one token attended to each other: bring the heads in front, and tokens attend to tokens.",
    zh="成了同一词元的各头互相关注：要把头移到前面，让词元关注词元。",
)
def lets_the_heads_of_a_token_attend(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    Q, K, V = (np.swapaxes(part, -2, -3) for part in parts(x, W_Q, W_K, W_V, n_heads))
    weights = shares(masked(scores_of(Q, K), causal))
    return (weights @ V).reshape(*x.shape[:-1], -1) @ W_O, weights


@mistake(
    STEP,
    en="All heads share the first head's keys and values: each has its own.",
    zh="各头共用了第一个头的键和值：每个头有自己的。",
)
def shares_the_first_heads_keys_and_values(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    Q, K, V = parts(x, W_Q, W_K, W_V, n_heads)
    weights = shares(masked(scores_of(Q, K[..., :1, :, :]), causal))
    return merge(weights @ V[..., :1, :, :]) @ W_O, weights


@mistake(
    STEP,
    en="All heads share one row of weights, from queries and keys in full width: each head scores by itself.",
    zh="各头共用了一行权重，由整宽的查询和键算出：每个头要各算各的分数。",
)
def shares_one_attention(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return _shared(x, W_Q, W_K, W_V, W_O, n_heads, causal, W_Q.shape[-1] // n_heads)


@mistake(
    STEP,
    en="This is one wide attention, its values cut into heads: each head scores by itself.",
    zh="这是一个很宽的注意力，只把值切成了几段：每个头要各算各的分数。",
)
def is_one_wide_attention(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return _shared(x, W_Q, W_K, W_V, W_O, n_heads, causal, W_Q.shape[-1])


def _shared(x, W_Q, W_K, W_V, W_O, n_heads, causal, width):
    V = split(x @ W_V, n_heads)
    split(x @ W_Q, n_heads)
    scores = (x @ W_Q) @ np.swapaxes(x @ W_K, -1, -2) / np.sqrt(width)
    weights = np.repeat(shares(masked(scores, causal))[..., np.newaxis, :, :], n_heads, axis=-3)
    return merge(weights @ V) @ W_O, weights


@mistake(
    STEP,
    en="The heads are ignored: this is single attention in full width, times W_O.",
    zh="没有用 n_heads：这是整宽的单头注意力再乘 W_O。",
)
def ignores_the_heads(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    output, weights = correct(x, W_Q, W_K, W_V, W_O, 1, causal)
    return output, weights[..., 0, :, :]


@mistake(
    STEP,
    en="One head, whatever n_heads says: the weights need one matrix for each head.",
    zh="不管 n_heads 是多少，都只算了一个头：每个头都要有自己的权重矩阵。",
)
def takes_a_single_head(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q, W_K, W_V, W_O, 1, causal)


@mistake(
    STEP,
    en="The tokens were divided before the projection: every head's matrices meet all features of a token.",
    zh="投影之前就把词元切开了：每个头的投影矩阵都要遇到词元的全部特征。",
)
def splits_the_tokens_before_projecting(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    d = W_Q.shape[-1] // n_heads
    block = [slice(head * d, (head + 1) * d) for head in range(n_heads)]
    Q, K, V = (np.stack([x[..., b] @ W[b, b] for b in block], axis=-3) for W in (W_Q, W_K, W_V))
    weights = shares(masked(scores_of(Q, K), causal))
    return merge(weights @ V) @ W_O, weights


@mistake(
    STEP,
    en="The number of heads and their width have changed places.",
    zh="头的个数和头的宽度对调了。",
)
def takes_the_number_for_the_width(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    return correct(x, W_Q, W_K, W_V, W_O, W_Q.shape[-1] // n_heads, causal)


@mistake(
    STEP,
    en="Right where the heads divide the width; else uneven heads were made: raise a ValueError there.",
    zh="能整除时都对；不能整除时却做出了大小不一的头：应抛出 ValueError。",
)
def makes_uneven_heads(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    Q, K, V = (np.array_split(x @ matrix, n_heads, axis=-1) for matrix in (W_Q, W_K, W_V))
    weights = [shares(masked(scores_of(*pair), causal)) for pair in zip(Q, K, strict=True)]
    heads = [weight @ part for weight, part in zip(weights, V, strict=True)]
    return np.concatenate(heads, axis=-1) @ W_O, np.stack(weights, axis=-3)


@mistake(
    STEP,
    en="Right where the heads divide the width; else columns were dropped: raise a ValueError there.",
    zh="能整除时都对；不能整除时却丢掉了几列：应抛出 ValueError。",
)
def drops_what_is_left_over(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    W_Q, W_K, W_V = (W[..., : W.shape[-1] // n_heads * n_heads] for W in (W_Q, W_K, W_V))
    return correct(x, W_Q, W_K, W_V, W_O[: W_V.shape[-1]], n_heads, causal)


@mistake(
    STEP,
    en="The values were cut to the width of the queries: a head's values may be wider or narrower.",
    zh="值按查询的宽度来切了：一个头的值可以更宽或更窄。",
)
def cuts_the_values_like_the_queries(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    V, d_k = x @ W_V, W_Q.shape[-1] // n_heads
    V.reshape(*V.shape[:-1], n_heads, d_k)
    return correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)


@mistake(
    STEP,
    en="Right without a batch; with one, the axes of the batch and of the tokens are mixed up.",
    zh="没有批次时都对；有批次时把批次和词元的轴弄混了。",
)
def takes_the_tokens_for_the_batch(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    if x.ndim != 3:
        return correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)

    def cut(part, n_heads):
        return part.reshape(part.shape[1], n_heads, part.shape[0], -1).transpose(2, 1, 0, 3)

    Q, K, V = parts(x, W_Q, W_K, W_V, n_heads, cut)
    weights = shares(masked(scores_of(Q, K), causal))
    return np.swapaxes(weights @ V, -2, -3).reshape(*x.shape[:-1], -1) @ W_O, weights


@mistake(
    STEP,
    en="The heads were joined in reverse: head 0 stands first, where W_O expects it.",
    zh="各头拼接的顺序反了：第 0 个头排在最前，W_O 按这个顺序来。",
)
def joins_the_heads_backwards(correct, x, W_Q, W_K, W_V, W_O, n_heads, causal=False):
    weights = correct(x, W_Q, W_K, W_V, W_O, n_heads, causal)[1]
    return merge((weights @ split(x @ W_V, n_heads))[..., ::-1, :, :]) @ W_O, weights


@telling(STEP)
def all_widths_alike(rng):
    """As most models have it: what fits only where all widths are equal runs here."""
    x = rng.normal(size=(4, 6))
    return [
        (x, *(rng.normal(scale=0.5, size=(4, 6, 6))), 3),
        (x, *(rng.normal(scale=0.5, size=(4, 6, 6))), 2),
    ]
