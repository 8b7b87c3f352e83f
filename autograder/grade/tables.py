"""Tables of cases as they cross the wire, kept for the next desk, and the answers that desks gave to them.

All students are asked the same, and many answer the same: what is known to the byte is not read again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from autograder.desk import cases as desk_cases
from autograder.grade.answers import Answer, Outcome

LASTING = (Outcome.returned, Outcome.raised, Outcome.missing)  # they say the same wherever they are said
KEPT = 64  # tables; an exercise has one for each step
MOST = 4 << 20  # bytes of answers that are kept
AROUND = 1000  # bytes that an answer takes beside its own: its key, its array and their places
LARGE = 256 << 10  # bytes of an answer that is not kept
BEGIN = b'{"k":"answer","i":'  # of an answer's header as our own code writes it; its number follows
Cases = Sequence[tuple[tuple[Any, ...], dict[str, Any]]]


@dataclass
class Table:
    """One table: what goes to a desk, and what desks have said to it."""

    cases: Cases
    lots: list[tuple[int, bytes]]
    heard: dict[Any, Answer] | None = field(default_factory=dict)  # None: not worth keeping

    @cached_property
    def lends(self) -> bool:
        """Whether a function is passed in one of the cases, which may be asked before the answer comes."""
        return any(callable(value) for args, kwargs in self.cases for value in (*args, *kwargs.values()))


class Tables:
    """Encodes tables. One that is a tuple does not change, nor do the arrays in it, so it is encoded once."""

    def __init__(self) -> None:
        self._kept: dict[int, Table] = {}
        self._bytes = 0

    def of(self, cases: Cases) -> Table:
        """The table with these cases."""
        if not isinstance(cases, tuple):
            return Table(cases, desk_cases.lots(cases), None)
        if id(cases) not in self._kept:  # kept with the table itself, so that no other takes its place
            if len(self._kept) >= KEPT:
                self._kept.clear()
            self._kept[id(cases)] = Table(cases, desk_cases.lots(cases))
        return self._kept[id(cases)]

    def keep(self, table: Table, key: Any, answer: Answer) -> Answer:
        """The answer, from now on one and the same for all who answer so."""
        size = len(key[1]) + len(key[2])
        if table.heard is None or answer.outcome not in LASTING or size > LARGE:
            return answer
        size += AROUND
        self._bytes += size
        if self._bytes > MOST:
            self._bytes = size
            for one in self._kept.values():
                one.heard.clear()
        table.heard[key] = answer = replace(answer, known=True)
        return answer


def key_of(text: bytes, body: bytes, place: int, number: int) -> Any:
    """What an answer is known by: its place and its bytes, but for its number. None where it must be read."""
    begin = BEGIN + str(number).encode()
    rest = text[len(begin) :]
    if not text.startswith(begin) or rest[:1] != b"," or b"\\" in rest or b'"i"' in rest:
        return None
    return place, rest, body
