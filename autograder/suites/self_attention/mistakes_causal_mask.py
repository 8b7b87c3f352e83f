"""What students do wrong in causal_mask, each as a change to the right function where it can be."""

import numpy as np

from autograder.suites import mistake, symptom

STEP = "causal_mask"


@mistake(
    STEP,
    en="A token may not attend to itself: the diagonal is allowed too.",
    zh="词元不能关注自己了：对角线上也是允许的。",
)
def forbids_the_token_itself(correct, n):
    return correct(n) & ~np.eye(n, dtype=bool)


@mistake(
    STEP,
    en="Each token may attend to the next one, which leaks the answer: the diagonal is the last allowed.",
    zh="每个词元都能看到下一个词元，信息泄漏了：最多允许到对角线。",
)
def allows_the_next_token(correct, n):
    return correct(n) | np.eye(n, k=1, dtype=bool)


@mistake(
    STEP,
    en="The idea is right, the convention is another: here True means may attend, not forbidden.",
    zh="思路正确，约定不同：这里 True 表示可以关注，而不是禁止。",
    convention=True,
)
def marks_the_forbidden(correct, n):
    return ~correct(n)


@mistake(
    STEP,
    en="The triangle is the upper one: tokens may look at later ones, and not at earlier ones.",
    zh="三角形取成了上三角：词元能看后面的，却不能看前面的。",
)
def looks_forward(correct, n):
    return correct(n).T


@mistake(
    STEP,
    en="The idea is right, the convention is another: here the mask is True or False, and is not added.",
    zh="思路正确，约定不同：这里的掩码是 True 或 False，不用来相加。",
    convention=True,
)
def gives_numbers_to_add(correct, n):
    return np.where(correct(n), 0.0, -np.inf)


@mistake(
    STEP,
    en="The triangle is right, the type is another: the entries are True and False here, not 1 and 0.",
    zh="三角形对了，类型不同：这里的元素是 True 和 False，不是 1 和 0。",
    convention=True,
)
def gives_ones_and_zeros(correct, n):
    return correct(n).astype(int)


@mistake(
    STEP,
    en="Every token may attend to every other: what lies above the diagonal is forbidden.",
    zh="每个词元都能关注所有词元：对角线以上应当禁止。",
)
def allows_everything(correct, n):
    return correct(n) | True


@mistake(
    STEP,
    en="No token may attend to anything: what lies on and below the diagonal is allowed.",
    zh="所有词元什么都不能关注：对角线及以下应当允许。",
)
def forbids_everything(correct, n):
    return correct(n) & False


@mistake(
    STEP,
    en="Each token may attend to itself alone; earlier tokens are allowed too.",
    zh="每个词元只能关注自己；前面的词元也是允许的。",
)
def allows_the_token_alone(correct, n):
    return correct(n) & np.eye(n, dtype=bool)


@mistake(
    STEP,
    en="Each token may attend to itself and to one token before it; all earlier ones are allowed.",
    zh="每个词元只能关注自己和前一个词元；更早的词元也都允许。",
)
def allows_one_token_before(correct, n):
    return correct(n) & np.triu(np.ones((n, n), dtype=bool), k=-1)


@mistake(
    STEP,
    en="The triangle is mirrored: column j stands for key j, from left to right.",
    zh="三角形左右反了：第 j 列对应第 j 个键，从左往右。",
)
def mirrors_the_columns(correct, n):
    return correct(n)[:, ::-1]


@mistake(
    STEP,
    en="The triangle is upside down: row i stands for query i, from the top.",
    zh="三角形上下颠倒了：第 i 行对应第 i 个查询，从上往下。",
)
def turns_the_rows_over(correct, n):
    return correct(n)[::-1]


@mistake(
    STEP,
    en="The first row is empty: the first token may attend to itself.",
    zh="第一行是空的：第一个词元可以关注自己。",
)
def leaves_the_first_row_empty(correct, n):
    mask = correct(n)
    mask[:1] = False
    return mask


@mistake(
    STEP,
    en="The last token may not attend to itself: look at where the last row ends.",
    zh="最后一个词元不能关注自己：看看最后一行在哪里结束。",
)
def forbids_the_last_token_itself(correct, n):
    mask = correct(n)
    mask[-1:, -1:] = False
    return mask


@mistake(
    STEP,
    en="The mask has one row and one column too many: its shape is (n, n).",
    zh="掩码多了一行一列：形状应为 (n, n)。",
)
def makes_it_one_too_large(correct, n):
    return correct(n + 1)


@mistake(
    STEP,
    en="The mask has axes for a batch: its shape is (n, n), and broadcasting does the rest.",
    zh="掩码带了批次轴：形状应为 (n, n)，其余交给广播。",
)
def adds_a_batch_axis(correct, n):
    return correct(n)[None]


@mistake(
    STEP,
    en="The mask came as a list of lists: it is a NumPy array.",
    zh="返回的掩码是列表套列表：应当是 NumPy 数组。",
)
def returns_lists(correct, n):
    return correct(n).tolist()


@symptom(
    STEP,
    en="The mask has the same size whatever n is: rows and columns are n each.",
    zh="不管 n 是多少，掩码大小都一样：行数和列数都应是 n。",
)
def has_a_fixed_size(calls):
    shapes = {np.shape(call.answer.value) for call in calls}
    return len(shapes) == 1 and all(isinstance(call.answer.value, np.ndarray) for call in calls)


@symptom(
    STEP,
    en="The idea is right, the convention is another: here the mask is True or False, and is not added.",
    zh="思路正确，约定不同：这里的掩码是 True 或 False，不用来相加。",
)
def gives_large_numbers_to_add(calls):
    return all(_adds(call.answer.value, call.expected) for call in calls)


def _adds(mask, expected):
    """Zeros where allowed, something very low elsewhere."""
    if not isinstance(mask, np.ndarray) or mask.dtype.kind not in "if" or mask.shape != expected.shape:
        return False
    return not mask[expected].any() and bool((mask[~expected] < -100).all())
