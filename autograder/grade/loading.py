"""A submission's cells on their way to a desk: which are sent, what each may take, what became of each."""

import json
from collections.abc import Collection, Sequence

from autograder.desk import wire
from autograder.grade.answers import Error, Limits, Loaded, LostError, late
from autograder.model import Cell

SOURCE = 2 << 20  # characters of code that one submission may have
HURRY = 8  # a cell that ran out of time gets one eighth of it when it is loaded again, for its definitions
NAMES, NAME = 100, 100  # functions without an end that are remembered, and the bytes of such a name


class Notebook:
    """One submission's cells, loaded at one process after the other as long as cells end them."""

    def __init__(self, cells: Sequence[Cell], limits: Limits, hurried: Collection[int] = ()):
        """hurried: places of cells that had their time at another desk."""
        self._cells, self._limits = tuple(cells), limits
        self._reports = too_long(cells)  # by the cell's place
        self._lost = set(self._reports)  # places of cells that are not loaded (again)
        self._hurried = set(hurried)
        self._endless: set[str] = set()  # functions in which a cell ran out of time
        self._spent = 0.0
        self._places: list[int] = []  # of the cells that are being loaded
        self._at = 0  # how many of those are done

    @property
    def loaded(self) -> tuple[Loaded, ...]:
        """What became of each cell, in order; one that was never reached has had no time."""
        never = late(self._limits.load_seconds)
        return tuple(
            self._reports.get(place, Loaded(cell.number, "timed_out", never))
            for place, cell in enumerate(self._cells)
        )

    @property
    def hurried(self) -> frozenset[int]:
        """The places of the cells that ran out of time or ended the process."""
        return frozenset(self._hurried | self._lost)

    @property
    def done(self) -> bool:
        return self._at == len(self._places)

    @property
    def seconds(self) -> float:
        """What the present cell may take, or the end of loading."""
        seconds = self._limits.call_seconds if self.done else self._seconds(self._places[self._at])
        return min(seconds, self._limits.load_seconds - self._spent)

    @property
    def cell(self) -> Cell:
        """The present one."""
        return self._cells[self._places[self._at]]

    @property
    def place(self) -> int:
        """How many cells were loaded before the present one."""
        return self._at

    def haste(self, name: str) -> int:
        """Into how many parts the time of a call of that function is cut, where it has had it in a cell."""
        return HURRY if name in self._endless else 1

    def begin(self, number: int, stand_ins: Collection[str]) -> bytes:
        """The frame that loads all cells that can be loaded, each with its seconds."""
        self._at, self._places = 0, [p for p in range(len(self._cells)) if p not in self._lost]
        cells = [(self._cells[place], self._seconds(place)) for place in self._places]
        texts = [[cell.number, "\n" * (cell.line - 1) + cell.source, seconds] for cell, seconds in cells]
        header = {"k": "load", "i": number, "stand_ins": [*stand_ins], "late": sorted(self._endless)}
        header["left"] = max(self._limits.load_seconds - self._spent, 0.0)
        return wire.pack(header, json.dumps(texts).encode())

    def _seconds(self, place: int) -> float:
        """All of a cell's time; those that have had it share as much again at most, and none gets much."""
        share = max(HURRY, len(self._hurried)) if place in self._hurried else 1
        return self._limits.call_seconds / share

    def note(self, names: object) -> None:
        """Remembers the functions that were under way when time ran out, as a desk tells them.

        While cells load: a desk that has been called knows hidden inputs, and the next one gets these names.
        """
        if type(names) is list and not self.done and len(self._endless) + len(names) <= NAMES:
            self._endless |= {name for name in names if _is_name(name)}

    def report(self, report: Loaded, spent: float) -> None:
        """The present cell is done; the next one follows."""
        place = self._places[self._at]
        if report.outcome != "timed_out" or place not in self._reports:
            self._reports[place] = report
        if report.outcome == "timed_out":
            self._hurried.add(place)
        self._spent += spent
        self._at += 1
        if self._spent > 2 * self._limits.load_seconds:  # each of very many cells may be quick
            raise LostError("cpu")

    def lose(self, outcome: str, error: Error, starved: bool, spent: float) -> None:
        """The present cell has ended the process."""
        self._spent += spent
        if not self.done:
            self._reports[self._places[self._at]] = Loaded(self.cell.number, outcome, error, starved)
            self._lost.add(self._places[self._at])


def _is_name(name: object) -> bool:
    """Whether it may stand in a header."""
    return type(name) is str and name.isidentifier() and len(name.encode()) <= NAME


def too_long(cells: Sequence[Cell]) -> dict[int, Loaded]:
    """The reports on the cells, by their places, for which there is no room."""
    room, reports = SOURCE, {}
    for place, cell in enumerate(cells):
        length = len(cell.source) + cell.line + 100
        if length <= room:
            room -= length
        else:
            error = Error("SyntaxError", "the code is too long", None, cell.number)
            reports[place] = Loaded(cell.number, "syntax", error)
    return reports
