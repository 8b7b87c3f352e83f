"""When two answers to a call are alike: for the question which mistake explains a student's answers.

The ladder of `compare`, and beside it only what a contract leaves open.
"""

from typing import Any

import numpy as np

from autograder.grade.answers import Answer, Outcome
from autograder.grade.remote import Asked
from autograder.grade.wording import loose
from autograder.selfcheck import compare


def same(one: Answer, other: Answer, line: Asked, right: Any) -> bool:
    """Whether two answers to a call, whose right value is `right`, are alike: in kind, value and effects."""
    if one.outcome is not other.outcome:
        return False
    if one.outcome is Outcome.raised:
        return one.error is not None and other.error is not None and one.error.name == other.error.name
    if one.outcome is not Outcome.returned or _structure(one.value) != _structure(other.value):
        return False
    if set(one.effects.arguments) != set(other.effects.arguments):
        return False
    if one.effects.generator != other.effects.generator:
        return False
    return compare(_settled(one.value, right), _settled(other.value, right), **loose(line)) is None


def _structure(value: Any) -> Any:
    """Type and shape: a quick first look."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.kind == "b"
    return [_structure(item) for item in value] if isinstance(value, tuple | list) else None


def _settled(value: Any, right: Any) -> Any:
    """What a contract leaves open, decided in one way: whole numbers are floats, nan for a right 0 is 0."""
    if isinstance(value, tuple | list):
        fits = isinstance(right, tuple) and len(right) == len(value)
        return type(value)(map(_settled, value, right if fits else [None] * len(value)))
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "iuf":
        return value
    if value.dtype.kind != "f":
        return value.astype(float)
    alike = isinstance(right, np.ndarray) and right.shape == value.shape
    return np.where(np.isnan(value) & (right == 0), 0.0, value) if alike and np.isnan(value).any() else value
