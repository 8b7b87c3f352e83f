"""What laws are written with: a decorator, random arrays that nothing may write into, and closeness."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .words import Pair

# No axis is as long as another, and none is 1, 4 or a square: such sizes hide mistakes.
BATCH, QUERIES, KEYS, MODEL, D_K, D_V = 2, 5, 6, 7, 3, 8
BATCHES = ((BATCH,), (3, BATCH), (1,), (2, 3, 1, BATCH))  # the leading axes that a batch may have
CLOSE = 3e-5  # times the size of the numbers: single precision errs by 3e-6, half precision by 1e-3


@dataclass(frozen=True)
class Law:
    """One fact, and a function that says whether it holds of an implementation."""

    fact: Pair
    holds: Callable[[Callable], bool]


def law(book: dict, step: str, *, en: str, zh: str):
    """Enters the decorated function into `book` as a law of `step`."""

    def enter(holds: Callable[[Callable], bool]):
        book[step] = (*book.get(step, ()), Law(Pair(en, zh), holds))
        return holds

    return enter


def draw(*shape: int, seed: int = 0, scale: float = 1.0) -> np.ndarray:
    """Normal random numbers in sixteenths, exact in single precision too; the array is read-only."""
    numbers = np.random.default_rng((seed, *shape)).normal(scale=scale, size=shape)
    return frozen(np.round(numbers * 16) / 16)


def whole(*shape: int, seed: int = 0) -> np.ndarray:
    return frozen(np.random.default_rng((seed, *shape)).integers(-4, 5, size=shape))


def single(array) -> np.ndarray:
    return frozen(np.asarray(array, np.float32))


def frozen(array) -> np.ndarray:
    array = np.array(array)
    array.flags.writeable = False
    return array


def close(a, b) -> bool:
    """Whether two results are the same but for rounding; tuples member by member, -inf and nan by place."""
    if isinstance(a, tuple) or isinstance(b, tuple):
        both = isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b)
        return both and all(close(x, y) for x, y in zip(a, b))
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.dtype == object or b.dtype == object:
        return False
    finite = np.abs(b[np.isfinite(b)])
    scale = max(1.0, float(finite.max())) if finite.size else 1.0
    with np.errstate(all="ignore"):
        return bool(np.all((np.abs(a - b) <= CLOSE * scale) | (a == b) | ((a != a) & (b != b))))


def equal_items(function: Callable, *batched, shared=()) -> bool:
    """Whether a batch gives what its items give one by one."""
    together = function(*batched, *shared)
    for index in range(len(batched[0])):
        alone = function(*(frozen(argument[index]) for argument in batched), *shared)
        mine = tuple(m[index] for m in together) if isinstance(together, tuple) else together[index]
        if not close(mine, alone):
            return False
    return True
