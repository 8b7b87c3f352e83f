"""What students do wrong in merge_heads, each as a change to the right function where it can be."""

import numpy as np

from autograder.suites import mistake, telling

STEP = "merge_heads"


@mistake(
    STEP,
    en="Joined by a reshape alone: one token's row holds other tokens' numbers. Turn two axes first.",
    zh="只用 reshape 合并，一个词元的行里混进了别的词元：先交换两个轴，再合并。",
)
def joins_without_turning(correct, x):
    *batch, n_heads, seq_len, d = x.shape
    rows = x.reshape(*batch, seq_len, n_heads, d)
    return correct(np.swapaxes(rows, -2, -3))


@mistake(
    STEP,
    en="The heads' numbers alternate: all of head 0's come first, then all of head 1's.",
    zh="各头的数交错排列了：应先是第 0 个头的全部，再是第 1 个头的全部。",
)
def alternates_the_heads(correct, x):
    return np.moveaxis(x, -3, -1).reshape(correct(x).shape)


@mistake(
    STEP,
    en="The heads came in reverse: head 0's numbers stand first.",
    zh="各头的顺序反了：第 0 个头的数排在最前。",
)
def counts_the_heads_backwards(correct, x):
    return correct(x[..., ::-1, :, :])


@mistake(
    STEP,
    en="The heads are behind the tokens and still apart: their two last axes become one.",
    zh="头已移到词元后面，但还没合并：最后两个轴要合成一个。",
)
def keeps_the_heads_apart(correct, x):
    return np.swapaxes(x, -2, -3)


@mistake(
    STEP,
    en="The heads were averaged: nothing of them is lost, they stand side by side.",
    zh="把各头取了平均：一个数都不能丢，各头要并排放。",
)
def averages_the_heads(correct, x):
    return x.mean(axis=-3)


@mistake(
    STEP,
    en="The heads were added up: nothing of them is lost, they stand side by side.",
    zh="把各头加在了一起：一个数都不能丢，各头要并排放。",
)
def adds_the_heads(correct, x):
    return x.sum(axis=-3)


@mistake(
    STEP,
    en="The heads stand below each other: a token has one row, with all heads in it.",
    zh="各头上下叠放了：每个词元只有一行，里面是所有的头。",
)
def stacks_the_heads(correct, x):
    return np.concatenate(np.moveaxis(x, -3, 0), axis=-2)


@mistake(
    STEP,
    en="Only one head came back: all of them belong in the row.",
    zh="只返回了一个头：一行里应有所有的头。",
)
def returns_the_first_head(correct, x):
    return x[..., 0, :, :]


@mistake(
    STEP,
    en="Only the last head came back: all of them belong in the row.",
    zh="只返回了最后一个头：一行里应有所有的头。",
)
def returns_the_last_head(correct, x):
    return x[..., -1, :, :]


@mistake(
    STEP,
    en="Rows and columns are turned round: a row belongs to a token.",
    zh="行和列颠倒了：一行属于一个词元。",
)
def turns_the_result_round(correct, x):
    return np.swapaxes(correct(x), -1, -2)


@mistake(
    STEP,
    en="Axes are counted from the front: with a batch, others change places. Count from the end.",
    zh="轴是从前面数的：有批次时，换的是别的轴。要从后面数。",
)
def counts_axes_from_the_front(correct, x):
    return np.swapaxes(x, 0, 1).reshape(correct(x).shape)


@mistake(
    STEP,
    en="Axes are counted from the front, for one batch: with none, or several, other axes change places.",
    zh="轴按恰好一个批次从前面数：没有批次或有几个时，换的就是别的轴。要从后面数。",
)
def counts_on_one_batch(correct, x):
    return np.swapaxes(x, 1, 2).reshape(correct(x).shape)


@mistake(
    STEP,
    en="All axes before the last were joined: the batch stays in front, and only the heads are joined.",
    zh="最后一个轴之前的轴都合并了：批次要留在前面，只合并各头。",
)
def folds_the_batch_in(correct, x):
    right = correct(x)
    return right.reshape(-1, right.shape[-1])


@telling(STEP)
def even(rng):
    """Where axes are as long as each other, so that whatever changes places runs."""
    return [(rng.normal(size=(3, 3, 3)),), (rng.normal(size=(2, 2, 2, 2)),)]
