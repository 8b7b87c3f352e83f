"""Tables of cases as they cross the wire, kept for the next desk: all students are asked the same."""

from collections.abc import Sequence
from typing import Any

from autograder.desk import wire

KEPT = 64  # tables; an exercise has one for each step
Cases = Sequence[tuple[tuple[Any, ...], dict[str, Any]]]


class Tables:
    """Encodes tables. One that is a tuple does not change, nor do the arrays in it, so it is encoded once."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Cases, list[tuple[dict[str, Any], bytes]]]] = {}

    def encoded(self, cases: Cases) -> list[tuple[dict[str, Any], bytes]]:
        """For each case the part of a frame's header that carries it, and the frame's body."""
        if not isinstance(cases, tuple):
            return [_encoded(args, kwargs) for args, kwargs in cases]
        if id(cases) not in self._kept:  # kept with the table itself, so that no other takes its place
            if len(self._kept) >= KEPT:
                self._kept.clear()
            self._kept[id(cases)] = cases, [_encoded(args, kwargs) for args, kwargs in cases]
        return self._kept[id(cases)][1]


def _encoded(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    plain, table, buffers = wire.encode((tuple(args), list(kwargs.items())), layouts=True)
    return {"v": plain, "a": table}, b"".join(buffers)
