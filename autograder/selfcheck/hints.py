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
    meant = _meant(name, frame, step)
    if meant:
        return Pair(f"Did you mean {meant}?", f"是不是想写 {meant}？")
    return (
        _length(name, step)
        or _module(name)
        or Pair(
            f"{name} is defined nowhere: in a notebook, run the cells from top to bottom "
            "(Run > Run All Above Selected Cell).",
            f"{name} 没有定义：在笔记本中请从上到下依次运行单元格。",
        )
    )


def _meant(name: str, frame, step: Step) -> str:
    """What a name that is not there stands for: one that is, or one of NumPy's."""
    known = [*step.parameters, *step.needs, "np"]
    if frame:
        known += [*frame.f_locals, *(n for n in frame.f_globals if not n.startswith("_"))]
    plain = {known_name.lower().replace("_", ""): known_name for known_name in reversed(known)}
    if name.lower().replace("_", "") in plain:
        return plain[name.lower().replace("_", "")]
    if close := difflib.get_close_matches(name, known, 1, 0.6):
        return close[0]
    if callable(getattr(np, name, None)) or name in ("inf", "nan", "pi"):
        return f"np.{name}"
    return next(iter(difflib.get_close_matches(name, dir(builtins), 1, 0.75)), "")


def _length(name: str, step: Step) -> Pair | None:
    """The name of an axis in the contract is no variable yet."""
    for parameter in step.parameters:
        axes = step.axes.get(parameter, ())
        if name in axes:
            there = f"{parameter}.shape[{axes.index(name) - len(axes)}]"
            return Pair(
                f"{name} is the length of an axis, not a variable: {name} = {there}.",
                f"{name} 是轴的长度，不是变量：{name} = {there}。",
            )
    return None


def _module(name: str) -> Pair | None:
    """A module that was not imported; for arrays NumPy has what math has."""
    if name not in ("math", "random", "itertools", "functools", "copy"):
        return None
    return Pair(
        f"{name} is not imported. On arrays use NumPy's own functions (np.exp, np.sqrt, …).",
        f"没有导入 {name}。对数组请用 NumPy 自己的函数（np.exp、np.sqrt 等）。",
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
    own = frame.f_code.co_name == step.name  # elsewhere the same names may mean other arrays
    return shapes_that_met(frame, text, step.axes if own else {})


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


def _shape_in_parts(error, message, frame, text, step):
    if not (isinstance(error, TypeError) and "as a data type" in message):
        return None
    return Pair(
        "A shape is one argument with parentheses of its own: np.ones((n, n)).",
        "形状是一个参数，要有自己的括号：np.ones((n, n))。",
    )


def _single_number(error, message, frame, text, step):
    if not (isinstance(error, TypeError) and re.search(r"only \S+ arrays can be converted", message)):
        return None
    return Pair(
        "math and float() take a single number; NumPy's own np.exp, np.sqrt, … take arrays.",
        "math 和 float() 只接受单个数；NumPy 自己的 np.exp、np.sqrt 等才接受数组。",
    )


def _keyword(error, message, frame, text, step):
    found = re.search(r"unexpected keyword argument '(dim|keepdim)'", message)
    if found is None:
        return None
    name = {"dim": "axis", "keepdim": "keepdims"}[found[1]]
    return Pair(f"NumPy calls it {name}.", f"NumPy 里叫 {name}。")


def _picking(error, message, frame, text, step):
    if "boolean index did not match" not in message:
        return None
    return Pair(
        "A boolean index must be as long as the axes that it picks from; np.where(mask, a, b) broadcasts.",
        "布尔索引必须与被索引的轴一样长；np.where(mask, a, b) 会自动广播。",
    )


def _stacking(error, message, frame, text, step):
    if "all input arrays must have the same shape" not in message:
        return None
    return Pair(
        "np.stack and np.array make one array of equal parts. To return several results: return a, b, c.",
        "np.stack 和 np.array 把形状相同的部分合成一个数组。要返回多个结果：return a, b, c。",
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
    _shape_in_parts, _single_number, _keyword, _picking, _stacking, _import, _recursion,
)  # fmt: skip
