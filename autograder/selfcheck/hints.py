"""What usually lies behind an exception, kind by kind."""

from __future__ import annotations

import builtins
import difflib
import re

import numpy as np

from .exercise import Step
from .shapes import shapes_that_met
from .words import NOTHING, Pair


def hints(error: BaseException, frame, text: str, step: Step) -> list[Pair]:
    """Every kind of exception that has something to say for itself."""
    message = str(error)
    step = step or Step("", 0, (), "()", NOTHING, {}, (), {}, "")
    found = [kind(error, message, frame, text, step) for kind in KINDS]
    return [hint for hint in found if hint is not None]


def _name(error, message, frame, text, step):
    """A name that is not there: which one was meant?"""
    if not isinstance(error, NameError) or isinstance(error, UnboundLocalError):
        return None
    found = re.search(r"'(\w+)'", message)
    name = found[1] if found else ""
    if name in ("np", "numpy"):
        return Pair(
            "Run the cell with `import numpy as np` first.", "请先运行含 `import numpy as np` 的单元格。"
        )
    if name in step.needs:
        return Pair(
            f"{name} is a step of its own: write it first, and run its cell.",
            f"{name} 是单独的一步：请先写好它并运行它的单元格。",
        )
    known = [*step.parameters, *step.needs, "np"]
    if frame:
        known += [*frame.f_locals, *(n for n in frame.f_globals if not n.startswith("_"))]
    close = difflib.get_close_matches(name, known + dir(builtins), 1, 0.6)
    close = close or [n for n in step.parameters if n.lower() == name.lower()]
    if close:
        return Pair(f"Did you mean {close[0]}?", f"是不是想写 {close[0]}？")
    return Pair(
        f"{name} is defined nowhere: in a notebook, run the cells from top to bottom "
        "(Run > Run All Above Selected Cell).",
        f"{name} 没有定义：在笔记本中请从上到下依次运行单元格。",
    )


def _unbound(error, message, frame, text, step):
    if not isinstance(error, UnboundLocalError):
        return None
    return Pair(
        "That variable gets its value only on another path: give it one before the `if` or the loop.",
        "这个变量只在别的分支里赋过值：请在 if 或循环之前先给它赋值。",
    )


def _shapes(error, message, frame, text, step):
    """The arrays that met, by name."""
    if not frame or not isinstance(error, (ValueError, IndexError, TypeError)):
        return None
    return shapes_that_met(frame, text, error)


def _read_only(error, message, frame, text, step):
    if "read-only" not in message:
        return None
    return Pair(
        "Your code writes into an array that it was given: make a new array instead.",
        "代码写入了传进来的数组：请生成新数组。",
    )


def _casting(error, message, frame, text, step):
    if not ("casting rule" in message or "cannot convert float" in message):
        return None
    return Pair(
        "A number with decimals does not fit into an integer array: make a new array, "
        "or start from np.zeros(shape), which holds floats.",
        "小数放不进整数数组：请生成新数组，或从 np.zeros(shape) 开始（它存浮点数）。",
    )


def _nothing(error, message, frame, text, step):
    if "NoneType" not in message:
        return None
    names = [n for n in re.findall(r"[A-Za-z_]\w*", text) if frame and frame.f_locals.get(n, 0) is None]
    if names:
        return Pair(
            f"{names[0]} is None here: did the function it came from forget its `return`?",
            f"这里的 {names[0]} 是 None：给出它的函数是不是漏了 `return`？",
        )
    return Pair(
        "Something here is None: is a `return` missing?", "这里有一个值是 None：是不是漏了 `return`？"
    )


def _axis(error, message, frame, text, step):
    if "out of bounds for array of dimension" not in message:
        return None
    return Pair(
        "Count axes from the end (-1 is the last, -2 the one before it): right for any number of axes.",
        "请从末尾数轴（-1 是最后一个，-2 是倒数第二个）：这样对任意多个轴都成立。",
    )


def _ambiguous(error, message, frame, text, step):
    if "truth value of an array" not in message:
        return None
    return Pair(
        "`if`, `and` and `or` want one True or False; for a choice in each entry use np.where, & and |.",
        "if、and、or 需要单个真假值；要逐元素选择，请用 np.where、& 和 |。",
    )


def _attribute(error, message, frame, text, step):
    if not isinstance(error, AttributeError):
        return None
    found = re.search(r"has no attribute '(\w+)'", message)
    if not found:
        return None
    pool = dir(np) if "numpy" in message and "module" in message else dir(np.ndarray)
    close = difflib.get_close_matches(found[1], pool, 1, 0.6)
    return Pair(f"Did you mean {close[0]}?", f"是不是想写 {close[0]}？") if close else None


def _import(error, message, frame, text, step):
    if not isinstance(error, ImportError):
        return None
    return Pair(
        "Only NumPy and the standard library are there when your work is graded.",
        "评分时只有 NumPy 和标准库可用。",
    )


def _recursion(error, message, frame, text, step):
    if not isinstance(error, RecursionError):
        return None
    return Pair("The function calls itself without an end.", "函数没有尽头地调用自己。")


KINDS = (
    _name, _unbound, _shapes, _read_only, _casting, _nothing, _axis, _ambiguous, _attribute,
    _import, _recursion,
)  # fmt: skip
