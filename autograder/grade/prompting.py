"""What a step is likely to ask of its helpers, answered before it asks.

A desk on which the reference stands in for a helper asks us each time, and waits. The reference's own step
asks the same, to the byte, wherever the rest of a student's step is right: so the answers to its questions
go to the desk, each sealed with its question. Nobody there learns more by that than by asking.
"""

import marshal
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from autograder.desk import asking, wire
from autograder.grade.imitate import Imitator
from autograder.grade.local import fresh
from autograder.grade.suite import Suite

MOST = 4 << 20  # bytes that a desk is told


class Prompts:
    """Worked out once for each step and each choice of helpers."""

    def __init__(self, suite: Suite, imitator: Imitator):
        self._suite, self._imitator = suite, imitator
        self._made: dict[Any, bytes] = {}

    def for_(self, step: str, needs: tuple[str, ...]) -> bytes:
        """What a desk is told on which these are not the student's own."""
        if (step, needs) not in self._made:
            self._made[step, needs] = self._make(step, needs)
        return self._made[step, needs]

    def _make(self, step: str, needs: tuple[str, ...]) -> bytes:
        told: dict[bytes, bytes] = {}
        function = self._imitator.composed(step, {need: self._noting(need, told) for need in needs})
        for line in self._suite.foreseen(step):
            with np.errstate(all="ignore"), suppress(Exception):  # some are called to be refused
                function(
                    *map(fresh, line.args), **{name: fresh(value) for name, value in line.kwargs.items()}
                )
        while sum(map(len, told.values())) > MOST:
            told.popitem()
        return marshal.dumps(told)

    def _noting(self, need: str, told: dict[bytes, bytes]) -> Callable[..., Any]:
        def noting(*args: Any, **kwargs: Any) -> Any:
            what = asking.question(need, args, kwargs)
            value = self._suite.reference.functions[need](*args, **kwargs)
            with suppress(TypeError):
                told[asking.number_of(what)] = asking.sealed(what, wire.pack_value({}, value))
            return value

        return noting
