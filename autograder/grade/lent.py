"""A function of ours as an argument: it stays here, and the student's code may ask it, within bounds.

So many times in one call of the student's function, with so many numbers, and with nothing but arrays and
numbers. What it cannot take, or takes too often, is the student's own exception.
"""

import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from autograder.desk.arguments import Seed
from autograder.grade.answers import LostError, Refused
from autograder.grade.standins import CELLS, bound

ASKS = 500  # of one function in one call; as many again are refused, and then the call is over
NUMBERS = 4096  # in one array that it is asked with
LENGTH = 64  # of each axis
ARGUMENTS = 8
BYTES = ARGUMENTS * NUMBERS * 16  # of one question, whose sender is not believed
Case = tuple[tuple[Any, ...], Mapping[str, Any]]
REFUSED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class Lent:
    """One function for the length of one call; it keeps account."""

    def __init__(self, function: Callable[..., Any]):
        self._function, self._left = function, ASKS

    @classmethod
    def to(cls, case: Case) -> Self | None:
        """What a case lends to the one who is asked: its function, if there is one among its arguments."""
        args, kwargs = case
        return next((cls(value) for value in (*args, *kwargs.values()) if callable(value)), None)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        self._count()
        arrays = self._checked([*args, *kwargs.values()])
        try:
            with np.errstate(all="ignore"):
                return self._function(*args, **kwargs)
        except REFUSED as error:  # our function's own words are nobody's business
            shapes = ", ".join(str(array.shape) for array in arrays)
            raise Refused(f"it cannot take arrays of shape {shapes}", type(error).__name__) from None

    def _count(self) -> None:
        """Takes note of one more question. Raises Refused, and LostError where refusals do not help."""
        self._left -= 1
        if self._left < -ASKS:
            raise LostError("cpu")
        if self._left < 0:
            raise Refused(f"it answers {ASKS} times", "RuntimeError")

    def _checked(self, values: Sequence[Any]) -> list[np.ndarray]:
        arrays = [np.asarray(value) for value in values if isinstance(value, np.ndarray)]
        if len(values) > ARGUMENTS or any(
            array.size > NUMBERS or max(array.shape, default=0) > LENGTH for array in arrays
        ):
            raise Refused(f"it takes {NUMBERS} numbers an array and {LENGTH} an axis at most", "MemoryError")
        if bound(values) > CELLS:
            raise Refused("these arrays would grow too large together", "MemoryError")
        return arrays


def handed(value: Any) -> Any:
    """An argument as the function that is called gets it: a generator for its seed, a function on loan."""
    if isinstance(value, Seed):
        return value.generator()
    return _plainly(Lent(value)) if callable(value) else value


def _plainly(lent: Lent) -> Callable[..., Any]:
    """The same with the exceptions that a desk would raise."""

    def function(*args: Any, **kwargs: Any) -> Any:
        try:
            return lent(*args, **kwargs)
        except Refused as refused:
            raise getattr(builtins, refused.name)(str(refused)) from None

    return function
