"""What students do wrong in finds_leak in choosing what to change and which rows to compare."""

import numpy as np

from autograder.suites import Seed, mistake, telling
from autograder.suites.why_it_works import attentions as known
from autograder.suites.why_it_works.detector import STEP, looks, redraw_at


@mistake(
    STEP,
    en="It says True whatever is asked: a causal mask does not leak.",
    zh="总是返回 True：因果掩码没有泄漏。",
)
def always_finds_one(correct, attention_fn, rng):
    return True


@mistake(
    STEP,
    en="It says False whatever is asked, also without a mask: look whether the two inputs differ.",
    zh="总是返回 False，没有掩码时也一样：看看两次的输入是否真的不同。",
)
def never_finds_one(correct, attention_fn, rng):
    return False


@telling(STEP)
def further_attentions(rng):
    """Leaks in one row each, across heads and sentences, very loud ones; and an output that is always 0."""
    return [(function, Seed(int(rng.integers(2**32)))) for function in known.FURTHER]


PLACES = (
    looks(
        "changes_the_last_token_alone",
        en="Only the last token was changed: a look at the next token, in an earlier row, stays hidden.",
        zh="只改了最后一个词元：前面某一行看了下一个词元，就发现不了。",
        positions=[-1],
    ),
    looks(
        "compares_the_first_row_alone",
        en="Only what follows the first token was tried: let every token be a later one once.",
        zh="只试了第一个词元之后：要让每个词元都当一次“后面的”。",
        positions=[1],
    ),
    looks(
        "tries_the_middle_alone",
        en="Only one position, in the middle, was tried: let every token be a later one once.",
        zh="只试了中间一个位置：要让每个词元都当一次“后面的”。",
        positions=[4],
    ),
    looks(
        "compares_the_changed_rows",
        en="The changed rows were compared too, and they may change: compare those before the change.",
        zh="把改动过的行也比较了，它们本来就会变：只比较改动之前的行。",
        rows=lambda position: slice(None),
    ),
    looks(
        "compares_one_row_too_many",
        en="One row too many was compared: the row at the position of the change may change.",
        zh="多比较了一行：改动处那一行本来就会变。",
        rows=lambda position: slice(0, position + 1),
    ),
    looks(
        "compares_one_row_too_few",
        en="One row too few was compared: the row just before the change counts too.",
        zh="少比较了一行：改动处的前一行也要比较。",
        rows=lambda position: slice(0, position - 1),
    ),
    looks(
        "changes_the_past",
        en="Earlier tokens were changed and later rows compared: those may depend on them. Turn it round.",
        zh="改了前面的词元、比较后面的行，它们本来就有关：要反过来。",
        change=lambda array, position, rng: redraw_at(array, np.s_[..., :position, :], rng),
        rows=lambda position: slice(position, None),
    ),
    looks(
        "changes_the_values_alone",
        en="Only V was changed: a leak through queries, keys or the denominator stays hidden.",
        zh="只改了 V：经过查询、键或分母的泄漏发现不了。",
        changed=[2],
    ),
    looks(
        "changes_the_keys_alone",
        en="Only K was changed: a leak through later values or queries stays hidden.",
        zh="只改了 K：经过后面的值或查询的泄漏发现不了。",
        changed=[1],
    ),
    looks(
        "changes_the_queries_alone",
        en="Only Q was changed: a leak through later keys or values stays hidden.",
        zh="只改了 Q：经过后面的键或值的泄漏发现不了。",
        changed=[0],
    ),
    looks(
        "leaves_the_queries",
        en="K and V were changed and Q was not: later queries may leak too.",
        zh="改了 K 和 V，没有改 Q：后面的查询也可能泄漏。",
        changed=[1, 2],
    ),
    looks(
        "leaves_the_values",
        en="Q and K were changed and V was not: later values may leak too.",
        zh="改了 Q 和 K，没有改 V：后面的值也可能泄漏。",
        changed=[0, 1],
    ),
    looks(
        "leaves_the_keys",
        en="Q and V were changed and K was not: later keys may leak too, through the denominator.",
        zh="改了 Q 和 V，没有改 K：后面的键也可能泄漏，比如经过分母。",
        changed=[0, 2],
    ),
    looks(
        "tries_one_head_and_one_sentence",
        en="The inputs have one head and one sentence: a leak in the second of either stays hidden.",
        zh="输入只有一个头、一个句子：在第二个头或第二个句子里的泄漏发现不了。",
        batch=(1, 1),
    ),
    looks(
        "tries_one_sentence",
        en="The inputs have one sentence: a leak in another item of a batch stays hidden.",
        zh="输入只有一个句子：批次中别的句子里的泄漏发现不了。",
        batch=(1, 3),
    ),
    looks(
        "tries_one_head",
        en="The inputs have one head: a leak in another head stays hidden.",
        zh="输入只有一个头：别的头里的泄漏发现不了。",
        batch=(2, 1),
    ),
)
