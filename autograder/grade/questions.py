"""What a desk may ask while a step is tried: the reference answers for the student's helpers.

A function that was passed to the call itself is asked in the same way, for as long as the call takes.
"""

import time
import warnings
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from autograder.desk import wire
from autograder.desk.arguments import LENT
from autograder.grade.answers import LostError, Refused, read_arguments
from autograder.grade.lent import BYTES, Case, Lent


class Questions:
    """One desk's questions, so many at most, whose answers may take so many seconds together."""

    def __init__(self, stand_ins: Mapping[str, Callable], most: int, seconds: float):
        self._stand_ins, self._left, self._seconds = stand_ins, most, seconds
        self._spent = 0.0
        self._first, self._cases = 0, ()
        self._call, self._lent = None, None  # the number of the call under way, and what it was passed

    def expect(self, first: int, cases: Sequence[Case]) -> None:
        """From now on these are the calls in whose midst questions come; `first`: the number of the first."""
        self._first, self._cases = first, cases

    def answer(self, header: dict, body: bytes) -> bytes:
        """The frame that answers one, to the call under way. Raises LostError for what we would not ask."""
        start = time.thread_time()
        if self._call != header["i"]:
            self._call, self._lent = header["i"], self._lent_to(header["i"] - self._first)
        frame = self._told(header, body)
        self._spent += time.thread_time() - start
        if self._spent > self._seconds:
            raise LostError("cpu")
        return frame

    def _told(self, header: dict, body: bytes) -> bytes:
        number, ask = header.get("n"), self._asked(header.get("name"))
        if type(number) is not int:
            raise LostError("died")
        if ask is self._lent and len(body) > BYTES:
            return _refused(number, Refused("that is more than it takes at once", "MemoryError"))
        args, kwargs = read_arguments(wire.decode(header, body))
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                told = {"k": "told", "n": number}
                return wire.pack_value(told, ask(*args, **kwargs), layouts=ask is self._lent)
        except LostError:
            raise
        except Exception as error:  # the arguments are the student's, so the failure is
            return _refused(number, error)

    def _lent_to(self, place: int) -> Lent | None:
        return Lent.to(self._cases[place]) if 0 <= place < len(self._cases) else None

    def _asked(self, name: object) -> Callable:
        """What the question goes to. Raises LostError where there is no such thing, or not any more."""
        if name == LENT and self._lent is not None:
            return self._lent
        self._left -= 1
        if type(name) is not str or name not in self._stand_ins or self._left < 0:
            raise LostError("died")
        return self._stand_ins[name]


def _refused(number: int, error: Exception) -> bytes:
    kind = error.name if isinstance(error, Refused) else type(error).__name__
    return wire.pack({"k": "refused", "n": number, "e": [kind, str(error)[:500]]})
