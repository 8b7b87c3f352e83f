"""The reference in place of a student's helpers: it answers a desk's questions, within bounds.

Only for the steps that the step under test needs, only plain numbers and arrays, and only where the answer
cannot be large: sizes are bounded from the shapes before anything is computed.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.grade.answers import Refused

CELLS = 1 << 18  # entries of the largest answer that one question may lead to
ALL_CELLS = 1 << 25  # and of all answers to one desk


class StandIns(Mapping[str, Callable[..., Any]]):
    """Functions to answer for the names in `needs`; one of these for each desk, since it keeps account.

    told: answers to what is likely to be asked, as `prompting` makes them.
    """

    def __init__(
        self, functions: Mapping[str, Callable[..., Any]], needs: tuple[str, ...], told: bytes = b""
    ):
        self._functions, self._needs, self._spent, self.told = functions, needs, 0, told

    def __getitem__(self, name: str) -> Callable[..., Any]:
        if name not in self._needs:
            raise KeyError(name)
        return lambda *args, **kwargs: self._answer(name, args, kwargs)

    def __iter__(self) -> Iterator[str]:
        return iter(self._needs)

    def __len__(self) -> int:
        return len(self._needs)

    def _answer(self, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        cells = bound([*args, *kwargs.values()])
        self._spent += cells
        if cells > CELLS or self._spent > ALL_CELLS:
            raise Refused(f"{name} was asked for more than this step can need", "MemoryError")
        return self._functions[name](*args, **kwargs)


def bound(values: Sequence[Any]) -> int:
    """At least as many entries as any product, mask or sum of these arguments has. Raises Refused."""
    arrays = [_plain(value) for value in values if value is not None]
    sizes = [size for array in arrays for size in array.shape[-2:]]
    numbers = [float(array) for array in arrays if not array.ndim and array.dtype.kind in "iuf"]
    counts = [math.ceil(abs(number)) for number in numbers if math.isfinite(number)]  # 1e9 is a size as well
    batches = [array.shape[:-2] for array in arrays]
    deepest = max(map(len, batches), default=0)
    # An axis of length 0 makes the last result small, and none of those on the way to it.
    joined = [max([1, *(b[-i] for b in batches if len(b) >= i)]) for i in range(1, deepest + 1)]
    return math.prod(joined) * max([1, *sizes, *counts]) ** 2


def _plain(value: Any) -> np.ndarray:
    if isinstance(value, bool | int | float | np.generic | np.ndarray):
        array = np.asarray(value)
        if array.dtype.kind in "biuf":
            return array
    raise Refused(f"a {type(value).__name__} is not an array of numbers", "TypeError")
