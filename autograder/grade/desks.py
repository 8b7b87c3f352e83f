"""One submission's desk, seen from the proctor: load cells, call, answer questions, outlive crashes."""

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol, Self

from autograder.desk import wire
from autograder.grade import answers
from autograder.grade.answers import Answer, Error, Limits, Loaded, LostError, Outcome
from autograder.grade.line import Clock, Line
from autograder.grade.loading import HURRY, Notebook
from autograder.grade.questions import Questions
from autograder.grade.tables import Table, Tables, key_of
from autograder.model import Cell

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

    def __init__(
        self,
        opener: Opener,
        cells: Sequence[Cell],
        stand_ins: Mapping[str, Callable],
        asks: int,
        late: Collection[int] = (),
        told: bytes = b"",
    ):
        self._opener, self._limits, self._told = opener, opener.limits, told
        self._stand_ins = dict(stand_ins)
        self._questions = Questions(self._stand_ins, asks, self._limits.step_seconds)
        self._notebook = Notebook(cells, self._limits, late)
        self._given_up: set[str] = set()  # functions
        self._spent: dict[str, float] = {}
        self._parts = 1  # into how many the time of one call is cut
        self._openings = self._received = 0
        self._line: Line | None = None
        self._most = self._limits.load_seconds  # of all that is done now: loading, or calling one function
        self._one = self._limits.call_seconds  # of one cell, or one call
        self.defined: frozenset[str] = frozenset()
        self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def loaded(self) -> tuple[Loaded, ...]:
        """What became of each cell, in order."""
        return self._notebook.loaded

    @property
    def late(self) -> frozenset[int]:
        """The places of the cells that ran out of time or ended the process."""
        return self._notebook.hurried

    def close(self) -> None:
        """Ends the process. What the student's code has left for its exit is not run."""
        if self._line is not None:
            self._opener.end(self._line)
        self._line = None

    # loading

    def _open(self) -> None:
        """Loads all cells that load; where one ends the process, the others begin anew without it."""
        while self._line is None and self._openings < OPENINGS:
            self._openings += 1
            self._line = self._opener.fork()
            self._clock = Clock(self._line.pid, self._limits.call_seconds)
            try:
                self._load()
            except FAILURES as error:
                self._notebook.lose(*self._fate(error), self._clock.spent())
                self.close()

    def _load(self) -> None:
        notebook, self._late, number = self._notebook, None, secrets.randbits(48)
        self._most, self._one = self._limits.load_seconds, self._limits.call_seconds
        if self._told:
            self._line.send(wire.pack({"k": "know", "i": number}, self._told))
        self._line.send(notebook.begin(number, self._stand_ins))
        self._clock.restart(notebook.seconds)
        for text, body in self._line.frames(self._clock):
            header = wire.header(text)
            if self._aside(header, body, number):
                continue
            if notebook.done:
                self.defined = answers.read_names(header, number)
                return
            cell, seconds = notebook.cell.number, self._patience()
            report = answers.read_loaded(header, number, notebook.place, cell, seconds)
            notebook.report(report, self._clock.spent())
            self._clock.restart(notebook.seconds)

    def _fate(self, error: Exception) -> tuple[str, Error, bool]:
        """What a lost desk means for the cell or call that was under way."""
        why = error.why if isinstance(error, LostError) else "died"
        if why == "died":
            return "died", Error("Exception", "the process ended"), False
        return "timed_out", self._late or answers.late(self._patience()), why == "wall"

    # calling

    def many(self, name: str, cases: Sequence[tuple[tuple, dict]]) -> list[Answer]:
        """Calls one function with each of the cases, (args, kwargs), in one exchange; an answer for each."""
        found: list[Answer] = []
        if cases and name not in self._given_up and self._revived():
            self._call_all(name, cases, found)
        return found + [Answer(Outcome.skipped)] * (len(cases) - len(found))

    def glimpse(self, name: str, case: tuple[tuple, dict]) -> Answer:
        """One call by the way, in less time, of which nothing follows for the others."""
        given_up, spent, self._parts = set(self._given_up), dict(self._spent), HURRY
        try:
            return self.many(name, [case])[0]
        finally:
            self._given_up, self._spent, self._parts = given_up, spent, 1

    def _revived(self) -> bool:
        """Whether there is a process to talk to; a new one, where the old one is gone or speaks unasked."""
        if self._line is not None and not self._line.silent:
            self.close()
        if self._line is None:
            self._open()
        return self._line is not None

    def _call_all(self, name: str, cases: Sequence[tuple[tuple, dict]], found: list[Answer]) -> None:
        first, self._late, table = secrets.randbits(48), None, self._opener.tables.of(cases)
        self._most, self._one = self._limits.step_seconds, self._seconds(name)
        self._questions.expect(first, table.cases)
        header = {"k": "call", "name": name, "left": self._left(name), "seconds": self._one}
        at = 0
        for count, body in table.lots:
            part = {"i": first + at, "first": at == 0, "last": at + count == len(cases)}
            self._line.send(wire.pack(header | part, body))
            at += count
        try:
            self._hear_all(name, first, table, found)
        except FAILURES as error:
            if name not in self._given_up:
                outcome, what, starved = self._fate(error)
                found.append(Answer(Outcome(outcome), error=what, starved=starved))
            self._given_up.add(name)
            self.close()

    def _hear_all(self, name: str, first: int, table: Table, found: list[Answer]) -> None:
        """The answers in their order. The clock is looked at where one must be waited for."""
        self._clock.restart(min(self._one, self._left(name)))
        count, heard = len(table.cases), table.heard or {}
        for text, body in self._line.frames(self._clock):
            place = len(found)
            key = key_of(text, body, place, first + place)
            answer, most = heard.get(key) if name not in self._given_up else None, self._patience()
            if answer is None and self._aside(header := wire.header(text), body, first + place):
                continue
            if not self._line.has_more:
                self._charge(name)
            if answer is None:
                answer = self._hear(name, header, body, first + place, most)
                answer = self._opener.tables.keep(table, key, answer) if key else answer
            found.append(self._in_time(name, answer))
            if len(found) == count:
                return

    def _charge(self, name: str) -> None:
        self._spent[name] = self._spent.get(name, 0.0) + self._clock.spent()
        self._clock.restart(min(self._one, self._left(name)))

    def _hear(self, name: str, header: dict, body: bytes, number: int, seconds: float) -> Answer:
        answer = answers.read_answer(header, body, number, seconds)
        if name in self._given_up:
            return Answer(Outcome.skipped)
        if answer.outcome is Outcome.skipped:
            raise ValueError("only what comes after a time-out is skipped")
        return answer

    def _in_time(self, name: str, answer: Answer) -> Answer:
        """The answer, if the step's seconds were enough for it, whatever the desk itself says."""
        if name not in self._given_up and self._spent.get(name, 0.0) > self._limits.step_seconds:
            answer = Answer(Outcome.timed_out, error=answers.late(self._limits.step_seconds))
        if answer.outcome is Outcome.timed_out:
            self._given_up.add(name)
        return answer

    def _patience(self) -> float:
        """The limit that a late call has met, as it is told: the same in every run."""
        return self._limits.call_seconds if self._clock.limit >= self._one else self._most

    def _seconds(self, name: str) -> float:
        """What one call may take."""
        return self._limits.call_seconds / max(self._parts, self._notebook.haste(name))

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
            where = answers.read_error(["", "", *at]) if type(at) is list else None
            self._late = answers.late(self._patience(), where)
            self._notebook.note(header.get("in"))
            self._clock.hurry()
        else:
            with self._clock.pause():
                self._line.send(self._questions.answer(header, body))
        return True
