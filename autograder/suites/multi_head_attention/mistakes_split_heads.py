"""What students do wrong in split_heads, each as a change to the right function where it can be."""

import numpy as np

from autograder.suites import mistake, telling

STEP = "split_heads"


@mistake(
    STEP,
    en="Cut by a reshape alone: parts of a token pose as other tokens. Cut the columns, then turn two axes.",
    zh="只用 reshape 切，同一词元的几段冒充了别的词元：先切列，再交换两个轴。",
)
def cuts_without_turning(correct, x, n_heads):
    *batch, n_heads, seq_len, d = correct(x, n_heads).shape
    scraps = x.reshape(*batch, n_heads, seq_len, d)
    return correct(np.swapaxes(scraps, -2, -3).reshape(x.shape), n_heads)


@mistake(
    STEP,
    en="The axis of heads was left behind the tokens: bring it in front of them.",
    zh="头的轴留在了词元的轴后面：要移到词元的轴前面。",
)
def leaves_the_heads_behind_the_tokens(correct, x, n_heads):
    return np.swapaxes(correct(x, n_heads), -2, -3)


@mistake(
    STEP,
    en="The columns were dealt out in turn: a head takes neighbouring columns, one block.",
    zh="列是轮流分给各头的：每个头应取相邻的一段列。",
)
def deals_the_columns_in_turn(correct, x, n_heads):
    width = x.shape[-1]
    order = np.arange(width).reshape(-1, n_heads).T.ravel() if width % n_heads == 0 else slice(None)
    return correct(x[..., order], n_heads)


@mistake(
    STEP,
    en="The number of heads and their width have changed places.",
    zh="头的个数和头的宽度对调了。",
)
def takes_the_number_for_the_width(correct, x, n_heads):
    return correct(x, x.shape[-1] // n_heads) if x.shape[-1] % n_heads == 0 else correct(x, n_heads)


@mistake(
    STEP,
    en="Each head came out turned round: its rows are tokens, its columns are features.",
    zh="每个头都被转置了：行是词元，列是特征。",
)
def turns_each_head_round(correct, x, n_heads):
    return np.swapaxes(correct(x, n_heads), -1, -2)


@mistake(
    STEP,
    en="All axes were turned round: only tokens and heads change places.",
    zh="所有的轴都倒过来了：只有词元和头换位置。",
)
def turns_all_axes_round(correct, x, n_heads):
    return np.swapaxes(correct(x, n_heads), -2, -3).T


@mistake(
    STEP,
    en="The heads came out in reverse: head 0 takes the first columns.",
    zh="各头的顺序反了：第 0 个头取最前面的列。",
)
def counts_the_heads_backwards(correct, x, n_heads):
    return correct(x, n_heads)[..., ::-1, :, :]


@mistake(
    STEP,
    en="Every head got all the columns: each takes a block of its own.",
    zh="每个头都拿到了全部的列：各头应只取自己的一段。",
)
def gives_each_head_all_columns(correct, x, n_heads):
    return np.repeat(x[..., np.newaxis, :, :], correct(x, n_heads).shape[-3], axis=-3)


@mistake(
    STEP,
    en="The tokens were divided among the heads: every head keeps all tokens, and takes some of the columns.",
    zh="把词元分给了各头：每个头都要保留全部词元，只分列。",
)
def divides_the_tokens(correct, x, n_heads):
    *batch, seq_len, width = x.shape
    return x.reshape(*batch, n_heads, seq_len // n_heads, width)


@mistake(
    STEP,
    en="Batch and heads were folded into one axis: often used, and here the batch stays in front.",
    zh="批次和头合成了一个轴：这种做法很多，但这里要求批次留在头的前面。",
    convention=True,
)
def folds_the_batch_into_the_heads(correct, x, n_heads):
    right = correct(x, n_heads)
    return right.reshape(-1, *right.shape[-2:])


@mistake(
    STEP,
    en="The heads are right without a batch; with one they came first, and here the batch stays in front.",
    zh="没有批次时都对；有批次时头跑到了最前面，这里要求批次在前。",
    convention=True,
)
def puts_the_heads_before_the_batch(correct, x, n_heads):
    return np.moveaxis(correct(x, n_heads), -3, 0)


@mistake(
    STEP,
    en="Everything is right, and came as a list: here the heads are one array.",
    zh="结果都对，只是返回了列表：这里约定用一个数组装下所有的头。",
    convention=True,
)
def returns_a_list(correct, x, n_heads):
    return list(np.moveaxis(correct(x, n_heads), -3, 0))


@mistake(
    STEP,
    en="Columns left over were dropped in silence: raise a ValueError where the heads do not divide them.",
    zh="多出来的列被悄悄丢掉了：不能整除时要抛出 ValueError。",
)
def drops_what_is_left_over(correct, x, n_heads):
    return correct(x[..., : x.shape[-1] // n_heads * n_heads], n_heads)


@mistake(
    STEP,
    en="Axes are counted from the front: with a batch, others change places. Count from the end.",
    zh="轴是从前面数的：有批次时，换位的成了批次。要从后面数。",
)
def counts_axes_from_the_front(correct, x, n_heads):
    blocks = np.swapaxes(correct(x, n_heads), -2, -3)
    return np.swapaxes(blocks, 0, 1)


@mistake(
    STEP,
    en="Axes are counted from the front, for one batch: with none, or several, other axes change places.",
    zh="轴按恰好一个批次从前面数：没有批次或有几个时，换的就是别的轴。要从后面数。",
)
def counts_on_one_batch(correct, x, n_heads):
    blocks = np.swapaxes(correct(x, n_heads), -2, -3)
    return np.swapaxes(blocks, 1, 2)


@telling(STEP)
def squares(rng):
    """Where as many tokens as heads let a division of the tokens run."""
    return [(rng.normal(size=(4, 8)), 4), (rng.normal(size=(6, 6)), 2), (rng.normal(size=(2, 4, 4)), 2)]
