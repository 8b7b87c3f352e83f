"""Explains what a student's code raised: the line it happened in, and what usually lies behind it.

Never prints a traceback, and never raises.
"""

from __future__ import annotations

import builtins
import difflib
import linecache
import re
import traceback
from dataclasses import dataclass

import numpy as np

from .exercise import Step
from .guard import TimeUp
from .shapes import MET, shapes_that_met
from .words import NOTHING, Pair, columns, printable


@dataclass(frozen=True)
class Told:
    """An exception in words, and the student's line that it came from."""

    sentences: tuple[Pair, ...]
    code: tuple[str, ...] = ()


def filename(function) -> str:
    """The file or cell in which a function was defined."""
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    return getattr(code, "co_filename", "")


def is_ours(error: BaseException, function) -> bool:
    """Whether the exception came out of the example, with no line of the student's involved."""
    return _frame(error, filename(function)) is None


def _frame(error: BaseException, file: str):
    """The innermost (frame, line) of the student's code: of `file`, or of any other cell."""
    frames = list(traceback.walk_tb(error.__traceback__))
    own = [(f, line) for f, line in frames if f.f_code.co_filename == file]
    return own[-1] if own else None


def _innermost(error: BaseException, file: str):
    """Like _frame, but a helper of the student's in another cell counts before `file` itself."""
    cells = ("<cell", "ipykernel_", "<ipython-input")
    frames = list(traceback.walk_tb(error.__traceback__))
    own = [
        (f, line)
        for f, line in frames
        if f.f_code.co_filename == file or any(mark in f.f_code.co_filename for mark in cells)
    ]
    return own[-1] if own else None


def explain(error: BaseException, function, step: Step | None) -> Told:
    """What was raised, where, and why that usually happens. `function` may be the name of a file or cell."""
    try:
        found = _innermost(error, function if isinstance(function, str) else filename(function))
        frame, line = found if found else (None, 0)
        text = linecache.getline(frame.f_code.co_filename, line).strip() if frame else ""
        where = _where(frame, line)
        hints = _hints(error, frame, text, step)
        sentences = [_headline(error, where, hints), *hints]
        return Told(tuple(sentences), (printable(text, 160),) if text else ())
    except Exception:  # an exception whose own text fails
        name = type(error).__name__
        return Told((Pair(f"Your function raised {name}.", f"函数抛出了 {name}。"),))


def _where(frame, line: int) -> Pair:
    if not frame:
        return NOTHING
    cell = re.search(r"<cell (\d+)>", frame.f_code.co_filename)
    if cell:
        return Pair(f"Cell {cell[1]}, line {line}: ", f"第 {cell[1]} 个单元格第 {line} 行：")
    return Pair(f"Line {line}: ", f"第 {line} 行：")


def _headline(error: BaseException, where: Pair, hints: list[Pair]) -> Pair:
    what = type(error).__name__
    message = printable(str(error), 160)
    what = f"{what}: {message}" if message else what
    said = Pair(what, what)
    if isinstance(error, TimeUp):
        said = Pair(
            "stopped, it did not come to an end. Is that a loop whose condition never becomes false?",
            "已中止，一直没有结束。是不是循环条件永远为真？",
        )
    elif isinstance(error, SystemExit):
        said = Pair("exit() was called; return a value instead.", "调用了 exit()；请改为返回值。")
    elif any(hint.en.startswith(MET) for hint in hints):
        said = Pair("shapes that do not fit together.", "形状对不上。")
    return Pair(where.en + said.en, where.zh + said.zh)


def syntax(error: Exception, cell: int = 0) -> tuple[Pair, ...]:
    """A cell or file that is no Python, in words."""
    line = getattr(error, "lineno", None) or 0
    message = printable(getattr(error, "msg", None) or str(error), 160)
    where = Pair(f"Cell {cell}, line {line}: ", f"第 {cell} 个单元格第 {line} 行：") if cell else NOTHING
    where = where if cell or not line else Pair(f"Line {line}: ", f"第 {line} 行：")
    said = Pair(f"{where.en}not Python yet ({message}).", f"{where.zh}还不是正确的 Python（{message}）。")
    hint = Pair(
        "The caret marks where Python gave up; the slip is often just before it, or a bracket left open "
        "above.",
        "箭头处是 Python 读不下去的地方；错误往往就在它前面，或上面有括号没有闭合。",
    )
    return (said, hint)


def caret(error: Exception) -> tuple[str, ...]:
    """The line that is no Python, and a caret under the place."""
    text = (getattr(error, "text", None) or "").rstrip("\n")
    if not text.strip():
        return ()
    lead = len(text) - len(text.lstrip())
    place = min(max((getattr(error, "offset", None) or 1) - 1 - lead, 0), 100)
    return (printable(text.strip(), 160), " " * columns(text.strip()[:place]) + "^")


def _hints(error: BaseException, frame, text: str, step: Step) -> list[Pair]:
    """Every kind of exception that has something to say for itself."""
    message = str(error)
    step = step or Step("", 0, (), "()", NOTHING, {}, (), {}, "")
    hints = [kind(error, message, frame, text, step) for kind in KINDS]
    return [hint for hint in hints if hint is not None]


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


def _arguments(error, message, frame, text, step):
    if not isinstance(error, TypeError) or "argument" not in message or "()" not in message:
        return None
    if step.name not in message:
        return None
    return Pair(
        f"The signature must stay as it was: {step.name}{step.signature}",
        f"函数签名要保持不变：{step.name}{step.signature}",
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
    _name, _unbound, _shapes, _read_only, _casting, _nothing, _axis, _ambiguous, _arguments, _attribute,
    _import, _recursion,
)  # fmt: skip
