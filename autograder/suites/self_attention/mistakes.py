"""What students do wrong in any step, told by what it does: asked where no step's own list explains it.

The mistakes of one step are in `mistakes_<step>.py` beside this file; the names there finish "the student …".
"""

import numpy as np

from autograder.suites import Symptom, symptom

STEPS = (
    "project_qkv",
    "scaled_scores",
    "causal_mask",
    "apply_mask",
    "softmax",
    "weighted_sum",
    "self_attention",
)


def everywhere(*, en, zh, steps=STEPS):
    """A symptom of each of the steps, in a tuple."""

    def decorate(shows) -> tuple[Symptom, ...]:
        return tuple(symptom(step, en=en, zh=zh)(shows) for step in steps)

    return decorate


@everywhere(
    en="Nothing came back: the function ends without a return, or returns None.",
    zh="什么也没返回：函数没有 return，或返回了 None。",
)
def returns_nothing(calls):
    answers = [call.answer for call in calls if call.answer.outcome == "returned"]
    return bool(answers) and all(answer.value is None for answer in answers)


@everywhere(
    en="The same call gave different answers: something is drawn at random, or kept from call to call.",
    zh="同样的调用给出了不同的答案：函数里用了随机数，或保留了上一次调用的东西。",
)
def answers_differently_each_time(calls):
    seen = {}
    for call in calls:
        if call.answer.outcome == "returned":
            seen.setdefault(_contents(call.args, call.kwargs), []).append(_contents(call.answer.value))
    return any(len(set(values)) > 1 for values in seen.values())


@everywhere(
    en="The numbers are right, and an argument was changed on the way: work on a copy, or make a new array.",
    zh="数值都对，但计算时改动了参数：请在副本上算，或生成新的数组。",
)
def changes_its_arguments(calls):
    returned = [call for call in calls if call.answer.outcome == "returned"]
    return any(map(_writes, calls)) and all(map(right, returned))


def _writes(call):
    """Whether the call changed an argument, or stumbled over one that may only be read."""
    error = call.answer.error
    return bool(call.answer.effects.arguments) or (error is not None and "read-only" in error.text)


@everywhere(
    en="Some answers belong to an earlier call: they were kept. Compute each from its own arguments.",
    zh="有的答案属于更早的一次调用：结果被保存下来了。每次都要用这次的参数来算。",
)
def answers_an_earlier_call(calls):
    """Every wrong answer is right for a call before it, and one has been."""
    before, stale = [], 0
    for call in (call for call in calls if call.answer.outcome == "returned"):
        if not right(call):
            if not any(_alike(call.answer.value, one, 1e-4, 1e-5) for one in before):
                return False
            stale += 1
        before.append(call.expected)
    return stale > 1


@everywhere(
    en="Axes of length 1 were dropped: keep them, also where there is one token or one item only.",
    zh="长度为 1 的轴丢掉了：只有一个词元、一个句子时，轴也要保留。",
)
def drops_axes_of_length_1(calls):
    wrong = [call for call in calls if call.answer.outcome == "returned" and not right(call)]
    return bool(wrong) and all(
        _alike(call.answer.value, _squeezed(call.expected), 1e-4, 1e-5) for call in wrong
    )


def _squeezed(value):
    return tuple(map(np.squeeze, value)) if isinstance(value, tuple) else np.squeeze(value)


@everywhere(
    en="The numbers are right, and came as a list: every step returns arrays.",
    zh="数值都对，只是返回了列表：每一步都返回数组。",
    steps=("scaled_scores", "apply_mask", "softmax", "weighted_sum"),
)
def returns_a_list(calls):
    returned = [call for call in calls if call.answer.outcome == "returned"]
    lists = [call for call in returned if isinstance(call.answer.value, list)]
    close = (
        np.allclose(np.array(one.answer.value), one.expected, rtol=1e-4, equal_nan=True) for one in lists
    )
    return bool(lists) and len(lists) == len(returned) and all(close)


@everywhere(
    en="NumPy's global random generator was seeded or used: this step draws nothing at random.",
    zh="设定或使用了 NumPy 的全局随机数生成器：这一步不需要随机数。",
)
def moves_the_generator(calls):
    returned = [call for call in calls if call.answer.outcome == "returned"]
    return any(call.answer.effects.generator for call in returned) and all(map(right, returned))


@everywhere(
    en="The numbers are right to about three digits: look for half precision (float16) or for rounding.",
    zh="数值只准到大约三位：检查是否用了半精度 (float16) 或做了舍入。",
)
def loses_precision(calls):
    plain = [call for call in calls if call.answer.outcome == "returned" and _moderate(call)]
    if not plain or not all(right(call, rtol=1e-2, atol=1e-2) for call in plain):
        return False
    return 2 * sum(map(right, plain)) <= len(plain) and _scattered(plain)


def _scattered(calls):
    """Whether errors go both ways, as rounding's do."""
    pairs = [pair for call in calls for pair in _pairs(call.answer.value, call.expected)]
    errors = np.concatenate([(got - expected).ravel() for got, expected in pairs])
    errors = errors[np.isfinite(errors)]
    return errors.min() < 0 < errors.max()


def _pairs(got, expected):
    """The arrays of both, as floats, one by one."""
    if isinstance(expected, tuple):
        return [pair for a, b in zip(got, expected, strict=True) for pair in _pairs(a, b)]
    return [(np.asarray(got, dtype=float), np.asarray(expected, dtype=float))]


@everywhere(
    en="Right without a batch and wrong with one: axes are counted from the front, or all turned round.",
    zh="没有批次时都对，有批次就不对：某个轴是从前面数的，或所有轴都被倒转了。",
    steps=("project_qkv", "scaled_scores", "softmax", "weighted_sum", "self_attention"),
)
def forgets_the_batch(calls):
    flat = [call for call in calls if call.args[0].ndim == 2]
    batch = [call for call in calls if call.args[0].ndim > 2]
    return all(map(right, flat)) and not any(
        map(right, (call for call in batch if call.args[0].shape[0] > 1))
    )


@everywhere(
    en="Right with one batch axis at most, wrong with more: count the axes from the end, -1 and -2.",
    zh="没有批次或只有一个批次轴时都对，再多就不对：轴要从后面数，用 -1、-2。",
    steps=("project_qkv", "scaled_scores", "softmax", "weighted_sum", "self_attention"),
)
def knows_one_batch_axis(calls):
    few = [call for call in calls if call.args[0].ndim <= 3]
    many = [call for call in calls if call.args[0].ndim > 3]
    return all(map(right, few)) and bool(many) and not any(map(right, many))


@everywhere(
    en="Floats go well and whole numbers do not: an array takes its type from them. Make it of floats.",
    zh="浮点数都对，整数不对：某个数组的类型跟着整数走了。请用浮点数组。",
    steps=("project_qkv", "scaled_scores", "apply_mask", "softmax", "weighted_sum", "self_attention"),
)
def stumbles_over_whole_numbers(calls):
    whole = [call for call in calls if any(array.dtype.kind == "i" for array in _arrays(call))]
    floats = [call for call in calls if all(array.dtype.kind != "i" for array in _arrays(call))]
    return all(map(right, floats)) and not all(map(right, whole))


def right(call, rtol=1e-4, atol=1e-5):
    """Whether the answer will do: nan for 0 too, where a row has nothing to attend to."""
    return call.answer.outcome == "returned" and _alike(call.answer.value, call.expected, rtol, atol)


def _alike(got, expected, rtol, atol):
    if isinstance(expected, tuple):
        fits = isinstance(got, tuple | list) and len(got) == len(expected)
        return fits and all(_alike(a, b, rtol, atol) for a, b in zip(got, expected, strict=True))
    if not isinstance(got, np.ndarray) or got.shape != expected.shape or got.dtype.kind not in "biuf":
        return False
    close = np.isclose(got, expected, rtol=rtol, atol=atol)
    return bool((close | (np.isnan(got) & (expected == 0)) | (got == expected)).all())


def _arrays(call):
    return [value for value in call.args if isinstance(value, np.ndarray)]


def _moderate(call):
    return all(
        np.max(np.abs(a[np.isfinite(a)]), initial=0.0) < 30 for a in _arrays(call) if a.dtype.kind == "f"
    )


def _contents(*values):
    """Something to compare answers by, to the last digit that counts."""
    parts = []
    for value in values:
        if isinstance(value, np.ndarray):
            kept = np.round(value, 6).tobytes() if value.dtype.kind in "fc" else value.tobytes()
            parts.append((value.shape, value.dtype.kind, kept))
        elif isinstance(value, dict):
            parts.append(_contents(*value, *value.values()))
        else:
            parts.append(_contents(*value) if isinstance(value, tuple | list) else repr(value))
    return tuple(parts)
