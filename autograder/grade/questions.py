"""What a desk may ask while a step is tried: the reference answers for the student's helpers."""

import time
import warnings
from collections.abc import Callable, Mapping

import numpy as np

from autograder.desk import wire
from autograder.grade.answers import LostError, Refused, read_arguments


class Questions:
    """One desk's questions, so many at most, whose answers may take so many seconds together."""

    def __init__(self, stand_ins: Mapping[str, Callable], most: int, seconds: float):
        self._stand_ins, self._left, self._seconds = stand_ins, most, seconds
        self._spent = 0.0

    def answer(self, header: dict, body: bytes) -> bytes:
        """The frame that answers one. Raises LostError for what our own code would not ask."""
        start = time.thread_time()
        frame = self._told(header, body)
        self._spent += time.thread_time() - start
        if self._spent > self._seconds:
            raise LostError("cpu")
        return frame

    def _told(self, header: dict, body: bytes) -> bytes:
        name, number = header.get("name"), header.get("n")
        self._left -= 1
        if type(name) is not str or name not in self._stand_ins or type(number) is not int or self._left < 0:
            raise LostError("died")
        args, kwargs = read_arguments(wire.decode(header, body))
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                return wire.pack_value({"k": "told", "n": number}, self._stand_ins[name](*args, **kwargs))
        except Exception as error:  # the arguments are the student's, so the failure is
            kind = error.name if isinstance(error, Refused) else type(error).__name__
            return wire.pack({"k": "refused", "n": number, "e": [kind, str(error)[:500]]})
