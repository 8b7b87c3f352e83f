"""What students do wrong in finds_leak in making inputs, in judging what comes back, and in answering."""

import numpy as np

from autograder.suites import mistake, symptom
from autograder.suites.why_it_works import attentions as known
from autograder.suites.why_it_works.detector import (
    INPUTS,
    STEP,
    TOLERANCE,
    find,
    first_output,
    looks,
    set_later,
)


def permute_later(array, position, rng):
    set_later(array, position, rng.permutation(array[..., position:, :], axis=-2))


JUDGEMENTS = (
    looks(
        "compares_the_first_head_alone",
        en="Only the first head was compared: a leak may sit in any.",
        zh="只比较了第一个头：泄漏可能在任何一个头里。",
        kept=np.s_[:, :1],
    ),
    looks(
        "compares_the_first_sentence_alone",
        en="Only the first sentence was compared: a leak may sit in any item of a batch.",
        zh="只比较了第一个句子：泄漏可能在批次的任何一项里。",
        kept=np.s_[:1],
    ),
    looks(
        "compares_the_first_column_alone",
        en="Only the first column of the output was compared: a leak may sit in any.",
        zh="只比较了输出的第一列：泄漏可能在任何一列里。",
        kept=np.s_[..., :1],
    ),
    looks(
        "asks_for_exact_equality",
        en="It asked for exact equality: rounding may differ in the last digit without any leak.",
        zh="要求完全相等：没有泄漏时，最后一位的舍入也可能不同。",
        differs=lambda after, before: bool((after != before).any()),
    ),
    looks(
        "compares_relatively",
        en="What is allowed grows with the output: set the relative tolerance to 0 and a small absolute one.",
        zh="容差随输出变大而变大：把相对容差设为 0，绝对容差取小一些。",
        differs=lambda after, before: not np.allclose(after, before),
    ),
    looks(
        "takes_rounding_for_a_leak",
        en="The tolerance is too small: a difference below 1e-12 is rounding, and no leak.",
        zh="容差太小：1e-12 以下的差是舍入，不是泄漏。",
        differs=lambda after, before: bool((np.abs(after - before) > 1e-15).any()),
    ),
    looks(
        "adds_up_the_differences",
        en="The differences were added up, and cancel: take the largest absolute one.",
        zh="把差加在了一起，正负会相互抵消：取最大的绝对差。",
        differs=lambda after, before: bool(abs((after - before).sum()) > TOLERANCE),
    ),
    looks(
        "forgets_the_absolute_value",
        en="The largest difference was taken with its sign: a fall is a leak too. Take the absolute value.",
        zh="取最大差时没有取绝对值：变小也是泄漏。先取绝对值。",
        differs=lambda after, before: bool((after - before).max(initial=0.0) > TOLERANCE),
    ),
    looks(
        "judges_the_weights",
        en="Of a tuple (output, weights) the weights were compared: compare the output, the first.",
        zh="返回元组 (output, weights) 时比较了权重：应比较第一个，即输出。",
        output=lambda answer: answer[1] if isinstance(answer, tuple) else answer,
    ),
    looks(
        "permutes_the_later_tokens",
        en="Permuting leaves the last token and every mean as they are: draw new numbers.",
        zh="打乱次序时，最后一个词元和平均值都没变：要重新取数。",
        change=permute_later,
    ),
    looks(
        "overlooks_small_leaks",
        en="The tolerance is too large: a leak of 1e-6 is one. Rounding stays below 1e-12.",
        zh="容差太大：1e-6 的泄漏也是泄漏。舍入误差在 1e-12 以下。",
        differs=lambda after, before: bool((np.abs(after - before) > 1e-3).any()),
    ),
    looks(
        "averages_the_differences",
        en="The differences were averaged: small ones get lost, or cancel. Take the largest.",
        zh="对差取了平均：小的泄漏会淹没或相互抵消。取最大的绝对差。",
        differs=lambda after, before: bool(abs((after - before).mean()) > 1e-3),
    ),
    looks(
        "always_takes_the_first_item",
        en="The first item was taken whatever came back: of an array that is the first sentence alone.",
        zh="无论返回什么都取了第 0 个：对数组来说那只是第一个句子。",
        output=lambda answer: answer[0],
        batch=(2, 3),
    ),
    looks(
        "shuffles_the_later_tokens",
        en="Later tokens were put in another order: a mean over all of them does not change. Draw new ones.",
        zh="只打乱了后面词元的顺序：对全部取平均的结果不变。要换成新抽的数。",
        change=lambda array, position, rng: set_later(
            array, position, array[..., position:, :][..., ::-1, :]
        ),
    ),
    looks(
        "changes_too_little",
        en="The change is too small to be seen beside the tolerance: change later tokens by about 1.",
        zh="改动太小，在容差之下看不出来：把后面的词元改动 1 左右。",
        change=lambda array, position, rng: set_later(array, position, array[..., position:, :] + 1e-9),
    ),
    looks(
        "begins_with_equal_tokens",
        en="All tokens were alike at first: draw them at random, so that what is mixed can be seen.",
        zh="一开始所有词元都一样：要随机抽取，才看得出混进了什么。",
        draw=lambda rng, shape: np.ones(shape),
        change=lambda array, position, rng: set_later(array, position, 2.0),
    ),
    looks(
        "tries_short_sentences",
        en="The sentences are too short: a leak from five tokens ahead needs eight.",
        zh="句子太短：来自五个词元之后的泄漏，要八个词元才看得到。",
        seq_len=4,
    ),
)


@mistake(
    STEP,
    en="A generator of its own is made inside: draw all inputs from the argument rng.",
    zh="函数里自己另造了一个生成器：所有输入都要从参数 rng 中抽取。",
)
def makes_a_generator_inside(correct, attention_fn, rng):
    return find(attention_fn, np.random.default_rng(0))


@mistake(
    STEP,
    en="What attention_fn returned was changed, by -= perhaps: put the difference into a new array.",
    zh="修改了 attention_fn 返回的数组，也许用了 -=：把差放进新的数组。",
)
def changes_what_came_back(correct, attention_fn, rng):
    answer = first_output(attention_fn(*(rng.standard_normal((2, 3, 8, width)) for width in INPUTS)))
    answer -= 0.0
    return correct(attention_fn, rng)


@mistake(STEP, en="The answer is turned round: True means that it leaks.", zh="答案反了：True 表示有泄漏。")
def turns_the_answer_round(correct, attention_fn, rng):
    return not correct(attention_fn, rng)


@mistake(
    STEP,
    en="The weights above the diagonal were looked at: an output leaks without them too. Compare outputs.",
    zh="看的是对角线之上的权重：输出不经过它们也会泄漏。要比较输出。",
)
def looks_at_the_weights(correct, attention_fn, rng):
    answer = attention_fn(*(rng.standard_normal((2, 3, 8, width)) for width in INPUTS))
    weights = answer[1] if isinstance(answer, tuple) else np.zeros((8, 8))
    return bool((np.triu(weights, 1) > TOLERANCE).any())


def right(call):
    return call.answer.outcome == "returned" and call.answer.value == call.expected


@symptom(
    STEP,
    en="It raises where there is a leak and is right where there is none: return True instead.",
    zh="没有泄漏时都对，有泄漏时却抛出异常：应返回 True。",
)
def raises_at_a_leak(calls):
    leaking, sound = ([call for call in calls if call.expected is leaks] for leaks in (True, False))
    return all(map(right, sound)) and all(call.answer.outcome == "raised" for call in leaking)


@symptom(
    STEP,
    en="A tuple (output, weights) was not taken apart: then compare the output.",
    zh="没有拆开元组 (output, weights)：这时比较其中的 output。",
)
def forgets_the_pair(calls):
    pairs = [call for call in calls if call.args[0] in known.PAIRS]
    return all(right(call) for call in calls if call not in pairs) and not any(map(right, pairs))


@symptom(
    STEP,
    en="A number came back, of leaks or of a position: return True or False.",
    zh="返回的是一个数（泄漏的个数或位置）：要返回 True 或 False。",
)
def returns_a_number(calls):
    answers = [(call.answer.value, call.expected) for call in calls if call.answer.outcome == "returned"]
    return bool(answers) and all(type(got) is int and bool(got) is leaks for got, leaks in answers)
