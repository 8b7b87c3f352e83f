"""What students do wrong in combine_masks, each as a change to the right function where it can be."""

from functools import reduce

import numpy as np

from autograder.suites import mistake

STEP = "combine_masks"


@mistake(
    STEP,
    en="What any mask allows is allowed: it must be allowed by all of them.",
    zh="只要有一个掩码允许就允许了：必须全部允许。",
)
def allows_what_any_allows(correct, *masks):
    return reduce(np.logical_or, masks)


@mistake(
    STEP,
    en="Allowed is what an odd number of masks allow: it must be all of them.",
    zh="用了异或：必须所有掩码都允许。",
)
def allows_what_only_one_allows(correct, *masks):
    return reduce(np.logical_xor, masks)


@mistake(
    STEP,
    en="Only the first two masks count: there may be any number of them.",
    zh="只用了前两个掩码：掩码可以有任意多个。",
)
def takes_the_first_two(correct, *masks):
    return correct(*masks[:2])


@mistake(
    STEP,
    en="Only the last two masks count: what the earlier ones forbid got lost on the way.",
    zh="只用了最后两个掩码：前面禁止的在途中丢了。",
)
def takes_the_last_two(correct, *masks):
    return correct(*masks[-2:])


@mistake(
    STEP,
    en="Only the first and the last mask count: those between are left out.",
    zh="只用了第一个和最后一个掩码：中间的漏掉了。",
)
def takes_the_first_and_last(correct, *masks):
    return correct(masks[0], masks[-1])


@mistake(
    STEP,
    en="The answer is turned round: True is where all allow it, not where one forbids.",
    zh="结果反了：全部允许处才是 True，而不是有一个禁止处。",
)
def marks_the_forbidden(correct, *masks):
    return ~correct(*masks)


@mistake(
    STEP,
    en="The right places, as 0 and 1: here the mask is of True and False.",
    zh="位置都对，只是用了 0 和 1：这里的掩码要用 True 和 False。",
    convention=True,
)
def gives_ones_and_zeros(correct, *masks):
    return correct(*masks).astype(int)


@mistake(
    STEP,
    en="The masks were added, which counts how many allow it: all of them must.",
    zh="把掩码相加了，得到的是有几个允许：必须全部允许。",
)
def counts_the_masks(correct, *masks):
    return reduce(np.add, [mask.astype(int) for mask in masks])


@mistake(
    STEP,
    en="Masks of one shape alone are combined: padding and causal masks differ, and are broadcast.",
    zh="只能合并形状相同的掩码：填充掩码和因果掩码形状不同，要广播。",
)
def asks_for_one_shape(correct, *masks):
    return np.all(np.array(masks), axis=0)


@mistake(
    STEP,
    en="The first mask was changed in place: it is the caller's, so make a new one.",
    zh="直接改动了第一个掩码：它是调用者的，请生成新的。",
)
def writes_into_the_first_mask(correct, *masks):
    first = masks[0]
    for mask in masks[1:]:
        first &= mask
    return first


@mistake(
    STEP,
    en="The result keeps the first mask's shape: the masks are broadcast against each other.",
    zh="结果保持了第一个掩码的形状：各掩码应互相广播。",
)
def keeps_the_first_shape(correct, *masks):
    return np.logical_and(masks[0], np.broadcast_to(correct(*masks), masks[0].shape))


@mistake(
    STEP,
    en="All axes were joined to a single True or False: combine the masks entry by entry.",
    zh="所有元素合成了一个 True 或 False：要逐元素合并。",
)
def joins_everything(correct, *masks):
    return bool(correct(*masks).all())


@mistake(
    STEP,
    en="Only the first mask counts: what the others forbid is forbidden too.",
    zh="只用了第一个掩码：其他掩码禁止的也不许看。",
)
def takes_the_first_alone(correct, *masks):
    return masks[0]


@mistake(
    STEP,
    en="Only the last mask counts: what the others forbid is forbidden too.",
    zh="只用了最后一个掩码：其他掩码禁止的也不许看。",
)
def takes_the_last_alone(correct, *masks):
    return masks[-1]


@mistake(
    STEP,
    en="Nothing is allowed: what all masks allow must be.",
    zh="什么都不许看了：全部掩码都允许的要允许看。",
)
def forbids_everything(correct, *masks):
    return np.zeros_like(correct(*masks))


@mistake(
    STEP,
    en="Everything is allowed: what one mask forbids must be forbidden.",
    zh="全都允许看了：有一个掩码禁止就不许看。",
)
def allows_everything(correct, *masks):
    return np.ones_like(correct(*masks))
