"""A name that is not defined in a notebook: after Jupyter's own message, one line that says what to run."""

from __future__ import annotations

import re

from .exercise import BrokenRelease, load
from .notebook import shell
from .words import Pair

SET = "_selfcheck_explains_names"


def explain_names() -> None:
    """From now on, in a notebook; once for each kernel, and not where somebody else already explains."""
    running = shell()
    if running is not None and not running.custom_exceptions and not hasattr(running, SET):
        setattr(running, SET, True)
        running.set_custom_exc((NameError,), _explain)


def _explain(running, kind, error, trace, tb_offset=None) -> None:
    running.showtraceback((kind, error, trace), tb_offset=tb_offset)
    name = re.search(r"'(\w+)'", str(error))
    if name and not isinstance(error, UnboundLocalError):
        print(_said(name[1]))


def _said(name: str) -> str:
    try:
        exercise = load()
    except BrokenRelease:
        return ""
    if exercise.step(name) is not None:
        pair = Pair(
            f"{name} is not defined in this kernel yet: run the cell that defines it, then this one.",
            f"内核里还没有 {name}：请先运行定义它的单元格，再运行这一个。",
        )
    else:
        pair = Pair(
            f"{name} is not defined in this kernel: run the cells above, from top to bottom "
            "(Run > Run All Above Selected Cell).",
            f"内核里没有 {name}：请从上到下运行上面的单元格（Run > Run All Above Selected Cell）。",
        )
    return pair.say(exercise.language(None))
