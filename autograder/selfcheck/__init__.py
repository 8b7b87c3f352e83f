"""The student's side of the kit: checks on the public examples, with NumPy and the standard library alone."""

from .agree import Difference, Mismatch, agree, compare
from .check import check

__all__ = ["Difference", "Mismatch", "agree", "check", "compare"]
