"""One submission's desk, seen from the proctor: load cells, call, answer questions, outlive crashes."""

import json
import secrets
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, Self

import numpy as np

from autograder.desk import wire
from autograder.grade import answers
from autograder.grade.answers import Answer, Error, Limits, Loaded, LostError, Outcome, Refused
from autograder.grade.line import Clock, Line
from autograder.grade.tables import Tables
from autograder.model import Cell

SOURCE = 2 << 20  # characters of code that one submission may have
RECEIVED = 256 << 20  # bytes that one submission may send
FAILURES = (LostError, ValueError, MemoryError)  # of what a desk sends
OPENINGS = 12  # processes for one submission, crash after crash; past that, what is left is given up


class Opener(Protocol):
    """Who starts a desk's process and ends it; a Zygote."""

    limits: Limits
    tables: Tables

    def fork(self) -> Line: ...

    def end(self, line: Line) -> None: ...


class Desk:
    """One submission's process, and those that follow it after a crash. A context manager."""

    def __init__(self, opener: Opener, cells: Sequence[Cell], stand_ins: Mapping[str, Callable], asks: int):
        self._opener, self._limits = opener, opener.limits
        self._cells, self._stand_ins, self._asks = tuple(cells), dict(stand_ins), asks
        self._reports: dict[int, Loaded] = {}  # by the cell's place
        self._lost: set[int] = set()  # places of cells that are not loaded (again)
        self._given_up: set[str] = set()  # functions
        self._spent: dict[str, float] = {}
        self._load_spent, self._ask_spent, self._openings, self._received = 0.0, 0.0, 0, 0
        self._line: Line | None = None
        self.defined: frozenset[str] = frozenset()
        self._leave_out_long_cells()
        self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def loaded(self) -> tuple[Loaded, ...]:
        """What became of each cell, in order."""
        return tuple(self._reports[place] for place in range(len(self._cells)))

    def close(self) -> None:
        """Ends the process. What the student's code has left for its exit is not run."""
        if self._line is not None:
            self._opener.end(self._line)
        self._line = None

    # loading

    def _leave_out_long_cells(self) -> None:
        room = SOURCE
        for place, cell in enumerate(self._cells):
            length = len(cell.source) + cell.line + 100
            if length <= room:
                room -= length
            else:
                self._lost.add(place)
                error = Error("SyntaxError", "the code is too long", None, cell.number)
                self._reports[place] = Loaded(cell.number, "syntax", error)

    def _open(self) -> None:
        """Loads all cells that load; where one ends the process, the others begin anew without it."""
        while self._line is None and self._openings < OPENINGS:
            self._openings += 1
            self._line = self._opener.fork()
            self._clock = Clock(self._line.pid, self._limits.call_seconds)
            places = [place for place in range(len(self._cells)) if place not in self._lost]
            try:
                self._load(places)
            except FAILURES as error:
                self._blame(places, error)
                self.close()
        for place, cell in enumerate(self._cells):
            self._reports.setdefault(
                place, Loaded(cell.number, "timed_out", answers.late(self._clock.seconds))
            )

    def _load(self, places: list[int]) -> None:
        self._at, self._late, number = 0, None, secrets.randbits(48)
        self._line.send(self._cells_frame(places, number))
        self._clock.restart(self._load_limit())
        for header, body in self._line.frames(self._clock):
            if self._aside(header, body, number):
                continue
            if self._at == len(places):
                self.defined = answers.read_names(header, number)
                return
            place, seconds = places[self._at], self._clock.seconds
            cell = self._cells[place].number
            self._reports[place] = answers.read_loaded(header, number, self._at, cell, seconds)
            self._load_spent += self._clock.spent()
            self._at += 1
            self._clock.restart(self._load_limit())

    def _cells_frame(self, places: list[int], number: int) -> bytes:
        cells = [self._cells[place] for place in places]
        texts = [[cell.number, "\n" * (cell.line - 1) + cell.source] for cell in cells]
        header = {"k": "load", "i": number, "stand_ins": [*self._stand_ins]}
        return wire.pack(header | {"seconds": self._limits.call_seconds}, json.dumps(texts).encode())

    def _load_limit(self) -> float:
        return min(self._limits.call_seconds, self._limits.load_seconds - self._load_spent)

    def _blame(self, places: list[int], error: Exception) -> None:
        self._load_spent += self._clock.spent()
        if self._at < len(places):
            place = places[self._at]
            outcome, what, starved = self._fate(error)
            self._reports[place] = Loaded(self._cells[place].number, outcome, what, starved)
            self._lost.add(place)

    def _fate(self, error: Exception) -> tuple[str, Error, bool]:
        """What a lost desk means for the cell or call that was under way."""
        why = error.why if isinstance(error, LostError) else "died"
        if why == "died":
            return "died", Error("Exception", "the process ended"), False
        return "timed_out", self._late or answers.late(self._clock.seconds), why == "wall"

    # calling

    def many(self, name: str, cases: Sequence[tuple[tuple, dict]]) -> list[Answer]:
        """Calls one function with each of the cases, (args, kwargs), in one exchange; an answer for each."""
        found: list[Answer] = []
        if cases and name not in self._given_up and self._revived():
            self._call_all(name, cases, found)
        return found + [Answer(Outcome.skipped)] * (len(cases) - len(found))

    def _revived(self) -> bool:
        """Whether there is a process to talk to; a new one, where the old one is gone or speaks unasked."""
        if self._line is not None and not self._line.silent:
            self.close()
        if self._line is None:
            self._open()
        return self._line is not None

    def _call_all(self, name: str, cases: Sequence[tuple[tuple, dict]], found: list[Answer]) -> None:
        first, self._late = secrets.randbits(48), None
        for place, (value, body) in enumerate(self._opener.tables.encoded(cases)):
            header = {"k": "call", "i": first + place, "b": first, "name": name, "left": self._left(name)}
            header |= {"first": place == 0, "last": place == len(cases) - 1}
            header |= {"seconds": self._limits.call_seconds}
            self._line.send(wire.pack(header | value, body))
        try:
            self._hear_all(name, first, len(cases), found)
        except FAILURES as error:
            if name not in self._given_up:
                outcome, what, starved = self._fate(error)
                found.append(Answer(Outcome(outcome), error=what, starved=starved))
            self._given_up.add(name)
            self.close()

    def _hear_all(self, name: str, first: int, count: int, found: list[Answer]) -> None:
        self._clock.restart(min(self._limits.call_seconds, self._left(name)))
        together = not self._stand_ins  # where questions come between, each answer is heard at once
        self._line.expected = together * count
        for header, body in self._line.frames(self._clock):
            if self._aside(header, body, first + len(found)):
                continue
            found.append(self._hear(name, header, body, first + len(found)))
            self._line.expected = together * (count - len(found))
            if len(found) == count:
                return
            self._clock.restart(min(self._limits.call_seconds, self._left(name)))

    def _hear(self, name: str, header: dict, body: bytes, number: int) -> Answer:
        self._spent[name] = self._spent.get(name, 0.0) + self._clock.spent()
        answer = answers.read_answer(header, body, number, self._clock.seconds)
        if name in self._given_up:
            return Answer(Outcome.skipped)
        if answer.outcome is Outcome.skipped:
            raise ValueError("only what comes after a time-out is skipped")
        if self._spent[name] > self._limits.step_seconds:
            answer = Answer(Outcome.timed_out, error=answers.late(self._limits.step_seconds))
        if answer.outcome is Outcome.timed_out:
            self._given_up.add(name)
        return answer

    def _left(self, name: str) -> float:
        return max(self._limits.step_seconds - self._spent.get(name, 0.0), 0.01)

    # what comes between

    def _aside(self, header: dict, body: bytes, number: int) -> bool:
        """Answers a question, or notes the line of a late call; False for everything else."""
        self._received += len(body)
        if self._received > RECEIVED or self._line.unsent > RECEIVED:
            raise LostError("died")
        kind = header.get("k")
        if kind not in ("ask", "late"):
            return False
        if header.get("i") != number:
            raise LostError("died")
        if kind == "late":
            at = header.get("at")
            self._late = answers.late(
                self._clock.seconds, answers.read_error(["", "", *at]) if type(at) is list else None
            )
        else:
            start = time.thread_time()
            with self._clock.pause():
                self._line.send(self._tell(header, body))
            self._ask_spent += time.thread_time() - start
            if self._ask_spent > self._limits.step_seconds:
                raise LostError("cpu")
        return True

    def _tell(self, header: dict, body: bytes) -> bytes:
        name, number = header.get("name"), header.get("n")
        self._asks -= 1
        if type(name) is not str or name not in self._stand_ins or type(number) is not int or self._asks < 0:
            raise LostError("died")
        args, kwargs = answers.read_arguments(wire.decode(header, body))
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                return wire.pack_value({"k": "told", "n": number}, self._stand_ins[name](*args, **kwargs))
        except Exception as error:  # the arguments are the student's, so the failure is
            kind = error.name if isinstance(error, Refused) else type(error).__name__
            return wire.pack({"k": "refused", "n": number, "e": [kind, str(error)[:500]]})
