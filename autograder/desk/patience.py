"""How long a cell may take to load: less where it calls a function that has run out of time before.

So a function without an end costs a notebook its limit once, however many of its cells call it.
"""

import types
from collections.abc import Iterable

HASTE = 8  # the first cell that calls such a function again gets an eighth of its time
LEAST = 64  # each one after it half of that, and at last a sixty-fourth


class Patience:
    """What is known of one notebook's endless functions, and what is left of its seconds."""

    def __init__(self, names: dict) -> None:
        self._names, self._late = names, set()
        self._again, self.left = HASTE, 0.0

    def begin(self, late: Iterable[str], left: float) -> None:
        """For a notebook whose cells may take so many seconds; what ran out of time at another desk."""
        self._late, self._again, self.left = set(late), HASTE, left

    def seconds(self, code: types.CodeType, most: float) -> float:
        """What this cell may take, of `most` that it could."""
        seconds = min(most, max(self.left, most / LEAST))
        if self._late.isdisjoint(self._reached(code)):
            return seconds
        share, self._again = most / self._again, min(2 * self._again, LEAST)
        return min(seconds, share)

    def _reached(self, code: types.CodeType) -> set[str]:
        """All names that a cell's code uses, or the student's functions do that it uses."""
        reached, ahead = set(), [code] if self._late else []
        while ahead:
            new = _mentioned(ahead.pop()) - reached
            reached |= new
            values = [self._names.get(name) for name in new]
            ahead += [value.__code__ for value in values if type(value) is types.FunctionType]
        return reached

    def note(self, frame: types.FrameType | None) -> list[str]:
        """The student's functions that were under way when time ran out."""
        codes = set()
        while frame is not None:
            if frame.f_code.co_filename.startswith("<cell ") and frame.f_code.co_name.isidentifier():
                codes.add(frame.f_code)
            frame = frame.f_back
        functions = {name: value for name, value in self._names.items() if type(value) is types.FunctionType}
        bound = {name for name, function in functions.items() if function.__code__ in codes}
        names = {code.co_name for code in codes} | bound
        found = sorted(name for name in names if type(name) is str and len(name) < 100)[:20]
        self._late.update(found)
        return found


def _mentioned(code: types.CodeType) -> set[str]:
    """All names that a cell's code uses, in its functions too."""
    inner = (constant for constant in code.co_consts if type(constant) is types.CodeType)
    return set(code.co_names).union(*map(_mentioned, inner))
