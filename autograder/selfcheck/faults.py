"""Explains what a student's code raised: the line it happened in, and what usually lies behind it.

Never prints a traceback, and never raises.
"""

from __future__ import annotations

import linecache
import re
import traceback
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .exercise import Step
from .guard import TimeUp
from .hints import hints
from .shapes import MET
from .words import NOTHING, Pair, columns, printable


@dataclass(frozen=True)
class Told:
    """An exception in words, and the student's line that it came from."""

    sentences: tuple[Pair, ...]
    code: tuple[str, ...] = ()


NOT_THEIRS = (
    str(Path(__file__).resolve().parent),
    str(Path(np.__file__).parent),
    str(Path(traceback.__file__).parent),
    "<example>",
    "<frozen",
    "<__array_function__",
)


def is_ours(error: BaseException) -> bool:
    """Whether the exception came out of an example or a law, with no line of the student's involved."""
    return _innermost(error) is None


def origin(error: BaseException) -> str:
    """Name of the function that raised."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return frames[-1].f_code.co_name if frames else ""


def _theirs(error: BaseException) -> list:
    """Each (frame, line) of the student's code, outermost first."""
    frames = traceback.walk_tb(error.__traceback__)
    return [(f, line) for f, line in frames if not f.f_code.co_filename.startswith(NOT_THEIRS)]


def _innermost(error: BaseException):
    """The innermost (frame, line) of the student's code."""
    return next(reversed(_theirs(error)), None)


def explain(error: BaseException, step: Step | None) -> Told:
    """What was raised, where, and why that usually happens."""
    try:
        found = _innermost(error)
        frame, line = found if found else (None, 0)
        text = linecache.getline(frame.f_code.co_filename, line).strip() if frame else ""
        call, called = _call(error, step)
        where = _where(frame, line, bool(called))
        found_hints = hints(error, frame, text, step)
        sentences = [_headline(error, where, found_hints), *found_hints, *called]
        return Told(tuple(sentences), tuple(printable(line, 160) for line in (*call, text) if line))
    except Exception:  # an exception whose own text fails
        name = type(error).__name__
        return Told((Pair(f"Your function raised {name}.", f"函数抛出了 {name}。"),))


def _call(error: BaseException, step: Step | None) -> tuple[tuple[str, ...], tuple[Pair, ...]]:
    """Where it came up in another function: the line that called it, and a sentence that says so."""
    theirs = _theirs(error)
    inner = theirs[-1][0].f_code if theirs else None
    outside = [(frame, line) for frame, line in theirs if frame.f_code is not inner]
    if step is None or not outside or outside[-1][0].f_code.co_name != step.name:
        return (), ()
    frame, line = outside[-1]
    name = inner.co_name
    said = Pair(
        f"{step.name} calls {name} in its line {line}: is what it gives to {name} right?",
        f"{step.name} 在第 {line} 行调用了 {name}：传给 {name} 的参数对吗？",
    )
    return (linecache.getline(frame.f_code.co_filename, line).strip(),), (said,)


def _where(frame, line: int, elsewhere: bool) -> Pair:
    """The line, and its function if that is not the step itself."""
    if not frame:
        return NOTHING
    if elsewhere:
        name = frame.f_code.co_name
        return Pair(f"In {name}, line {line}: ", f"{name} 第 {line} 行：")
    cell = re.search(r"<cell (\d+)>", frame.f_code.co_filename)
    if cell:
        return Pair(f"Cell {cell[1]}, line {line}: ", f"第 {cell[1]} 个单元格第 {line} 行：")
    return Pair(f"Line {line}: ", f"第 {line} 行：")


def _headline(error: BaseException, where: Pair, found: list[Pair]) -> Pair:
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
    elif any(hint.en.startswith(MET) for hint in found):
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
