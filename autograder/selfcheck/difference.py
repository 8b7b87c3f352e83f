"""How a result differs from the expected one, and the sentences that say so in English and in Chinese.

With `hidden=True` a sentence holds no expected number and nothing of the input: it may be shown for a
hidden check.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace

import numpy as np

from .words import Pair, printable

WIDEST = 60  # characters of one value in a sentence
SMALL, FEW = 32, 6  # a size and a number of axes that may be told of a hidden check


@dataclass(frozen=True, eq=False)
class Difference:
    """The rung of the ladder that broke ("type", "shape", "finite" or "values"), and where."""

    rung: str
    got: object = field(repr=False)
    expected: object = field(repr=False)
    axes: tuple = ()  # names of the expected array's last axes
    worst: tuple[int, ...] | None = None  # index of the entry that is furthest off
    off: int = 0  # how many entries are off
    member: tuple[int, int] | None = None  # (index, length) in a tuple of results

    def inside(self, index: int, length: int) -> Difference:
        """The same difference, seen from the tuple that it was found in."""
        return replace(self, member=(index, length))

    def sentence(self, language: str, *, hidden: bool) -> str:
        """What is wrong, for a student."""
        say = {"type": _type, "shape": _shape, "finite": _finite, "values": _values}[self.rung]
        try:
            pair = say(self, hidden)
        except Exception:  # an object that cannot even be described
            pair = Pair("What came back cannot be compared.", "返回的结果无法比较。")
        if self.member is not None:
            index, length = self.member
            pair = Pair(
                f"Result {index + 1} of {length}: {pair.en}",
                f"{length} 个结果中的第 {index + 1} 个：{pair.zh}",
            )
        return pair.say(language)


def is_masked(value) -> bool:
    """Whether it is a masked array; without importing numpy.ma, which takes longer than a check."""
    masked = sys.modules.get("numpy.ma")
    return masked is not None and isinstance(value, masked.MaskedArray)


def named_shape(shape: tuple[int, ...], axes: tuple = ()) -> str:
    """(2, 5, 6) with its last axes' names: (2, n_queries=5, n_keys=6)."""
    names = [str(name) for name in axes if isinstance(name, str)][-len(shape) :] if shape else []
    names = [""] * (len(shape) - len(names)) + names
    parts = [f"{name}={size}" if name else str(size) for name, size in zip(names, shape)]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _told(shape: tuple[int, ...], expected: tuple[int, ...], hidden: bool) -> str:
    """The shape that came. Of a hidden check only what is small or right: a size can carry what was seen."""
    if not hidden:
        return named_shape(shape)
    sizes = [size if size <= SMALL or size in expected else "…" for size in shape]
    return named_shape(tuple(sizes[:FEW] + ["…"] * (len(sizes) > FEW)))


def shown(value) -> str:
    """One number or plain value in few characters; cut, printable, never an exception."""
    try:
        if isinstance(value, (bool, np.bool_, type(None))):
            return str(value)
        text = f"{value:.6g}" if isinstance(value, (int, float, complex, np.number)) else repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return printable(text, WIDEST)


def _noun(value, axes: tuple = (), hidden: bool = False) -> Pair:
    """What a value is, in words: 'an array of shape (3, 4)', 'a tuple of 2'."""
    if value is None:
        return Pair("None", "None")
    if isinstance(value, np.ndarray):
        shape = _told(value.shape, (), True) if hidden else named_shape(value.shape, axes)
        return Pair(f"an array of shape {shape}", f"形状为 {shape} 的数组")
    if isinstance(value, tuple):
        return Pair(f"a tuple of {len(value)}", f"有 {len(value)} 个成员的元组 (tuple)")
    if isinstance(value, list):
        return Pair("a list", "列表 (list)")
    if isinstance(value, (bool, np.bool_)):
        return Pair("a single True or False", "单个 True 或 False")
    if isinstance(value, (int, float, complex, np.number)):
        return Pair("a single number", "单个数")
    if isinstance(value, str):
        return Pair("a string", "字符串")
    name = printable(type(value).__name__, WIDEST)
    return Pair(f"a value of type {name}", f"类型为 {name} 的值")


def _type(difference: Difference, hidden: bool) -> Pair:
    got, expected = difference.got, difference.expected
    if got is None:
        return Pair("None came back: is the `return` missing?", "返回了 None：是不是漏了 `return`？")
    both_arrays = isinstance(got, np.ndarray) and isinstance(expected, (np.ndarray, np.generic, int, float))
    if both_arrays and not is_masked(got):
        return _dtype(got.dtype, np.asarray(expected).dtype)
    came, wanted, hint = _noun(got, hidden=hidden), _noun(expected, difference.axes), _hint(got, expected)
    return Pair(
        f"{came.en[0].upper()}{came.en[1:]} came back, where {wanted.en} is expected{hint.en}",
        f"应返回{wanted.zh}，实际返回{came.zh}{hint.zh}",
    )


def _hint(got, expected) -> Pair:
    """What usually lies behind the wrong type."""
    if isinstance(expected, np.ndarray) and isinstance(got, list):
        return Pair("; np.array(...) makes one.", "；用 np.array(...) 转换。")
    if isinstance(expected, np.ndarray) and is_masked(got):
        return Pair("; a masked array is another thing.", "；掩码数组 (masked array) 不是普通数组。")
    if isinstance(expected, np.ndarray) and isinstance(got, tuple):
        return Pair("; is there a comma too many after the `return`?", "；`return` 后是不是多了逗号？")
    if isinstance(expected, tuple) and isinstance(got, (np.ndarray, list)):
        return Pair("; return the results separated by commas.", "；请用逗号分开返回各个结果。")
    if isinstance(expected, tuple) and isinstance(got, tuple):
        return Pair("; is one result missing or too many?", "；是不是少返回或多返回了结果？")
    if isinstance(expected, np.ndarray) and isinstance(got, (int, float, np.generic)):
        return Pair("; was an axis summed away?", "；是不是把轴都求和掉了？")
    if callable(got):
        return Pair("; are the parentheses of a call missing?", "；调用函数时是不是漏了括号？")
    return Pair(".", "。")


def _dtype(got: np.dtype, expected: np.dtype) -> Pair:
    """A right array of the wrong kind of number."""
    name = printable(str(got), WIDEST)
    if expected.kind == "b":
        return Pair(
            f"The entries are {name}, where True and False are expected (dtype bool).",
            f"元素类型是 {name}，应为 True 和 False（dtype bool）。",
        )
    if got.kind == "b":
        return Pair(
            "The entries are True and False (bool), where numbers are expected.",
            "元素是 True 和 False (bool)，应为数值。",
        )
    if got.kind in "iu":
        return Pair(
            f"The entries are whole numbers ({name}), where {expected} is expected: "
            "is a division missing, or does an integer array cut off what is written into it?",
            f"元素是整数 ({name})，应为 {expected}：是漏了除法，还是小数写进整数数组时被截掉了？",
        )
    if got.kind == "f" and expected.kind in "iuf":
        return Pair(
            f"The entries are {name}; keep at least single precision (float32).",
            f"元素类型是 {name}；精度至少应为单精度 (float32)。",
        )
    return Pair(
        f"The entries are {name}, where {expected} is expected.", f"元素类型是 {name}，应为 {expected}。"
    )


def _shape(difference: Difference, hidden: bool) -> Pair:
    got, expected = np.shape(difference.got), np.shape(difference.expected)
    wanted = named_shape(expected, difference.axes)
    came, hint = _told(got, expected, hidden), Pair(".", "。")
    if len(got) > 1 and got == (*expected[:-2], *expected[:-3:-1]):
        hint = Pair(": the last two axes have changed places.", "：最后两个轴对调了。")
    elif len(got) != len(expected):
        hint = Pair(
            f": {len(got)} axes instead of {len(expected)}.",
            f"：有 {len(got)} 个轴，应有 {len(expected)} 个。",
        )
    return Pair(
        f"The shape is {came}, where {wanted} is expected{hint.en}",
        f"形状是 {came}，应为 {wanted}{hint.zh}",
    )


def _entries(difference: Difference) -> Pair:
    total = int(np.size(difference.expected))
    verb = "is" if difference.off == 1 else "are"
    return Pair(f"{difference.off} of {total} entries {verb}", f"{total} 个元素中有 {difference.off} 个")


def _finite(difference: Difference, hidden: bool) -> Pair:
    values = np.asarray(difference.got)
    nan = bool(np.isnan(values[difference.worst])) or bool(np.isnan(values).any())
    what = "nan" if nan else "inf"
    entries = _entries(difference)
    return Pair(
        f"{entries.en} {what}, where a finite number is expected.{_at(difference, hidden).en}",
        f"{entries.zh}是 {what}，应为有限的数。{_at(difference, hidden).zh}",
    )


def _values(difference: Difference, hidden: bool) -> Pair:
    if difference.worst is None:
        if hidden:
            return Pair("The value is not the expected one.", "值不对。")
        got, expected = shown(difference.got), shown(difference.expected)
        return Pair(f"{got} came back, where {expected} is expected.", f"应返回 {expected}，实际返回 {got}。")
    entries, at = _entries(difference), _at(difference, hidden)
    if not difference.worst and np.asarray(difference.expected).dtype == bool:
        got, expected = bool(difference.got), bool(difference.expected)  # the one says what the other is
        return Pair(f"{got} came back, where {expected} is expected.", f"应返回 {expected}，实际返回 {got}。")
    if not difference.worst:
        return Pair(f"The number is not the expected one.{at.en}", f"数值不对。{at.zh}")
    return Pair(f"{entries.en} off.{at.en}", f"{entries.zh}不对。{at.zh}")


def _at(difference: Difference, hidden: bool) -> Pair:
    """The worst place, with both numbers; nothing for a hidden check."""
    if hidden or difference.worst is None:
        return Pair("", "")
    place = difference.worst
    got, expected = shown(np.asarray(difference.got)[place]), shown(np.asarray(difference.expected)[place])
    if not place:
        return Pair(f" Got {got}, expected {expected}.", f"得到 {got}，期望 {expected}。")
    index = f"[{', '.join(map(str, place))}]"
    return Pair(
        f" The furthest off is at {index}: got {got}, expected {expected}.",
        f"差得最多的在 {index} 处：得到 {got}，期望 {expected}。",
    )
