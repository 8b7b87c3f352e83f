"""The student's side of the kit: checks on the public examples, with NumPy and the standard library alone."""

from .agree import Difference, Mismatch, agree, compare
from .check import check
from .inspection import inspect_attention
from .names import explain_names
from .notebook import shows_html
from .progress import progress
from .staleness import listen

__all__ = ["Difference", "Mismatch", "agree", "check", "compare", "inspect_attention", "progress"]

listen()  # in a notebook: which cells ran, so that `check` can tell an old definition
explain_names()
if shows_html():
    from . import panel  # noqa: F401 (imported now, so that the first check need not wait for it)
