"""Warm zygotes, the desks that they open, and the calls that a desk answers.

Everything that a desk sends is distrusted: it gives plain values, an outcome that is the student's own, or a dead desk.
"""

import json
import secrets
import socket
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Self

import numpy as np

from autograder.desk import wire
from autograder.grade.answers import (
    Answer,
    DeskFault,
    Effects,
    Error,
    Limits,
    Loaded,
    Outcome,
    Refused,
    read_effects,
    read_error,
)
from autograder.grade.line import Clock, Line, Lost
from autograder.model import Cell

__all__ = [
    "Answer",
    "Desk",
    "DeskFault",
    "Effects",
    "Error",
    "Limits",
    "Loaded",
    "Outcome",
    "Refused",
    "Zygote",
]

PROGRAM = Path(wire.__file__).with_name("zygote.py")
START_SECONDS, READY_SECONDS = 60.0, 60.0  # a loaded machine may take long; only we wait for it
REOPENINGS = 12  # desks for one submission after crashes; past that, the cells left are given up
ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",  # sets in the same order in every run
    "LC_ALL": "C.UTF-8",
}


class Zygote:
    """One warm process that opens desks. A context manager."""

    def __init__(self, limits: Limits = Limits(), walls: str = "auto") -> None:
        self.limits, self._mode = limits, walls
        self._control: socket.socket | None = None
        self._process: subprocess.Popen | None = None
        self.walls: dict = {}

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop()

    def open(
        self,
        cells: Sequence[Cell],
        *,
        stand_ins: Mapping[str, Callable] | None = None,
        max_asks: int | None = None,
    ) -> "Desk":
        """A desk with these cells loaded; `stand_ins` answer, here, for functions of these names."""
        return Desk(self, cells, stand_ins or {}, self.limits.asks if max_asks is None else max_asks)

    def _start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-S", "-P", "-B", str(PROGRAM)],
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=ENVIRONMENT,
                cwd="/",
            )
        self._control = ours
        settings = {
            "packages": str(Path(np.__file__).parent.parent),
            "limits": asdict(self.limits) | {"total_seconds": self._total_seconds()},
        }
        reply = self._converse(settings, START_SECONDS)
        if "walls" not in reply:
            raise DeskFault(f"the zygote did not start: {reply.get('fault', 'it ended without a word')}")
        self.walls = reply["walls"]

    def _total_seconds(self) -> int:
        return int(self.limits.load_seconds + 12 * self.limits.step_seconds) + 5

    def _converse(self, message: dict, seconds: float) -> dict:
        try:
            self._control.settimeout(seconds)
            self._control.send(json.dumps(message).encode())
            return json.loads(self._control.recv(1 << 16) or b"{}")
        except OSError:
            return {}

    def _stop(self) -> None:
        if self._control is not None:
            self._control.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=5)
            self._process.kill()
            self._process.wait()
        self._control = None

    def fork(self) -> Line:
        """The line to a new desk, whose number is the line's `desk`. Raises DeskFault."""
        for attempt in range(2):
            line = self._try_fork()
            if line is not None:
                return line
            if attempt == 0:  # without walls, a student's code may have killed it
                self._stop()
                self._start()
        raise DeskFault("a desk could not be set up; `attn jail` says what this machine lacks")

    def _try_fork(self) -> Line | None:
        ours, theirs = socket.socketpair()
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        line, number = Line(ours), secrets.randbits(48)
        try:
            with theirs:
                order = json.dumps({"open": number}).encode()
                socket.send_fds(self._control, [order], [theirs.fileno()])
            line.start(number, READY_SECONDS)
        except (OSError, Lost):
            line.close()
            return None
        return line

    def end(self, line: Line) -> None:
        """Kills and reaps the desk behind this line."""
        line.close()
        self._converse({"close": line.desk}, READY_SECONDS)


class Desk:
    """One submission's process, and those that follow it after a crash. A context manager."""

    def __init__(self, zygote: Zygote, cells: Sequence[Cell], stand_ins: Mapping, asks: int) -> None:
        self._zygote, self._limits = zygote, zygote.limits
        self._cells, self._stand_ins, self._asks = tuple(cells), dict(stand_ins), asks
        self._reports: dict[int, Loaded] = {}  # by the cell's place
        self._lost: set[int] = set()  # places of cells that killed a desk, or hung one: not loaded again
        self._given_up: set[str] = set()
        self._spent: dict[str, float] = {}
        self._load_spent, self._openings = 0.0, 0
        self._line: Line | None = None
        self.defined: frozenset[str] = frozenset()
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
        """Ends the process. What the student's code left for its exit is not run."""
        if self._line is not None:
            self._zygote.end(self._line)
        self._line = None

    # loading

    def _open(self) -> None:
        """Loads all cells that load; each one that ends the process is left out, and the others begin anew."""
        while self._line is None and self._openings <= REOPENINGS:
            self._openings += 1
            self._line = self._zygote.fork()
            self._clock = Clock(self._line.pid, self._limits.call_seconds)
            places = [place for place in range(len(self._cells)) if place not in self._lost]
            try:
                self._load(places)
            except Lost as lost:
                self._blame(places, lost)
                self.close()
        for place, cell in enumerate(self._cells):
            self._reports.setdefault(place, Loaded(cell.number, "timed_out"))

    def _load(self, places: list[int]) -> None:
        self._at, self._late = 0, None
        texts = [self._cells[place].source.encode("utf-8", "replace") for place in places]
        sizes = [[self._cells[place].number, len(text)] for place, text in zip(places, texts, strict=True)]
        number, seconds = secrets.randbits(48), self._limits.call_seconds
        header = {
            "k": "load",
            "i": number,
            "cells": sizes,
            "stand_ins": [*self._stand_ins],
            "seconds": seconds,
        }
        self._line.send(wire.pack(header, b"".join(texts)))
        self._clock.restart(self._load_limit())
        for header, body in self._line.frames(self._clock):
            if self._aside(header, body, number):
                continue
            if self._at == len(places):
                self.defined = _names(header, number)
                return
            place = places[self._at]
            cell = self._cells[place].number
            self._reports[place] = _loaded(header, number, self._at, cell, self._clock.seconds)
            self._load_spent += self._clock.spent()
            self._at += 1
            self._clock.restart(self._load_limit())

    def _load_limit(self) -> float:
        return min(self._limits.call_seconds, self._limits.load_seconds - self._load_spent)

    def _blame(self, places: list[int], lost: Lost) -> None:
        self._load_spent += self._clock.spent()
        if self._at < len(places):
            place = places[self._at]
            number = self._cells[place].number
            outcome, error = _fate(lost, self._late, self._clock.seconds)
            self._reports[place] = Loaded(number, outcome, error, lost.why == "wall")
            self._lost.add(place)

    # calling

    def many(self, name: str, cases: Sequence[tuple[tuple, dict]]) -> list[Answer]:
        """Calls one function with each of the cases, (args, kwargs), in one exchange; one answer a case."""
        answers: list[Answer] = []
        if name not in self._given_up and cases:
            self._revive()
            if self._line is None:
                self._given_up.add(name)
            else:
                self._ask_all(name, cases, answers)
        return answers + [Answer(Outcome.skipped)] * (len(cases) - len(answers))

    def _revive(self) -> None:
        if self._line is not None and not self._line.silent:
            self.close()  # it speaks unasked, or is gone
        if self._line is None:
            self._open()

    def _ask_all(self, name: str, cases: Sequence, answers: list[Answer]) -> None:
        first, self._late = secrets.randbits(48), None
        for number, (args, kwargs) in enumerate(cases):
            self._line.send(self._request(name, first, number, len(cases), args, kwargs))
        self._clock.restart(self._call_limit(name))
        try:
            for header, body in self._line.frames(self._clock):
                if self._aside(header, body, first + len(answers)):
                    continue
                answers.append(self._answer(name, header, body, first + len(answers)))
                if len(answers) == len(cases):
                    return
                self._clock.restart(self._call_limit(name))
        except Lost as lost:
            self._lose(name, lost, answers)

    def _request(self, name: str, first: int, number: int, of: int, args: tuple, kwargs: dict) -> bytes:
        left = self._limits.step_seconds - self._spent.get(name, 0.0)
        header = {"k": "call", "i": first + number, "b": first, "name": name}
        header |= {"first": number == 0, "last": number == of - 1}
        header |= {"seconds": self._limits.call_seconds, "left": max(left, 0.01)}
        return wire.pack_value(header, (tuple(args), list(kwargs.items())), layouts=True)

    def _call_limit(self, name: str) -> float:
        return min(self._limits.call_seconds, self._limits.step_seconds - self._spent.get(name, 0.0))

    def _answer(self, name: str, header: dict, body: bytes, number: int) -> Answer:
        self._spent[name] = self._spent.get(name, 0.0) + self._clock.spent()
        answer = _answer(header, body, number, self._clock.seconds)
        if name in self._given_up:
            return Answer(Outcome.skipped)
        if answer.outcome is Outcome.skipped:
            raise Lost("died")
        if answer.outcome is Outcome.timed_out:
            self._given_up.add(name)
        return answer

    def _lose(self, name: str, lost: Lost, answers: list[Answer]) -> None:
        if name not in self._given_up:
            outcome, error = _fate(lost, self._late, self._clock.seconds)
            answers.append(Answer(Outcome(outcome), error=error, starved=lost.why == "wall"))
        self._given_up.add(name)
        self.close()

    # what comes between

    def _aside(self, header: dict, body: bytes, number: int) -> bool:
        """Answers a question, or notes the line of a late call; False for everything else."""
        kind = header.get("k")
        if kind not in ("ask", "late"):
            return False
        if header.get("i") != number:
            raise Lost("died")
        if kind == "late":
            self._late = _late_error(header, self._clock.seconds)
        else:
            with self._clock.pause():
                self._line.send(self._tell(header, body))
        return True

    def _tell(self, header: dict, body: bytes) -> bytes:
        name, number = header.get("name"), header.get("n")
        self._asks -= 1
        if type(name) is not str or name not in self._stand_ins or type(number) is not int or self._asks < 0:
            raise Lost("died")
        try:
            args, kwargs = _arguments(wire.decode(header, body))
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                return wire.pack_value({"k": "told", "n": number}, self._stand_ins[name](*args, **kwargs))
        except wire.WireError as error:
            raise Lost("died") from error
        except Exception as error:  # the arguments are the student's, so the failure is
            kind = error.name if isinstance(error, Refused) else type(error).__name__
            return wire.pack({"k": "refused", "n": number, "e": [kind, str(error)[:500]]})


def _arguments(value: object) -> tuple[tuple, dict]:
    """(args, kwargs) of a question. Raises Lost where a desk's own code would not have asked so."""
    match value:
        case (tuple() as args, list() as pairs) if all(
            type(pair) is tuple and len(pair) == 2 for pair in pairs
        ):
            kwargs = {key: part for key, part in pairs if type(key) is str}
            if len(kwargs) == len(pairs):
                return args, kwargs
    raise Lost("died")


def _names(header: dict, number: int) -> frozenset[str]:
    names = header.get("defined")
    if header.get("k") != "loaded" or header.get("i") != number or type(names) is not list:
        raise Lost("died")
    return frozenset(name for name in names if type(name) is str and name.isidentifier())


def _loaded(header: dict, number: int, place: int, cell: int, seconds: float) -> Loaded:
    outcome = header.get("o")
    if [header.get("k"), header.get("i"), header.get("c")] != ["cell", number, place]:
        raise Lost("died")
    if outcome not in ("ok", "raised", "syntax", "timed_out"):
        raise Lost("died")
    try:
        error = None if outcome == "ok" else read_error(header.get("e"))
        return Loaded(cell, outcome, _timely(error, seconds) if outcome == "timed_out" else error)
    except ValueError as error:
        raise Lost("died") from error


def _answer(header: dict, body: bytes, number: int, seconds: float) -> Answer:
    if header.get("k") != "answer" or header.get("i") != number or type(header.get("o")) is not str:
        raise Lost("died")
    try:
        outcome, effects = Outcome(header["o"]), read_effects(header)
        if outcome is Outcome.returned:
            return Answer(outcome, wire.decode(header, body), effects=effects)
        if outcome in (Outcome.raised, Outcome.timed_out):
            error = read_error(header.get("e"))
            return Answer(
                outcome, error=_timely(error, seconds) if outcome == "timed_out" else error, effects=effects
            )
    except (ValueError, TypeError) as error:
        raise Lost("died") from error
    if outcome is Outcome.died:
        raise Lost("died")
    return Answer(outcome)


def _timely(error: Error, seconds: float) -> Error:
    return Error("TimeoutError", f"not done after {seconds:g} s", error.line, error.cell)


def _late_error(header: dict, seconds: float) -> Error:
    match header.get("at"):
        case [line, cell]:
            return _timely(read_error(["", "", line, cell]), seconds)
    raise Lost("died")


def _fate(lost: Lost, late: Error | None, seconds: float) -> tuple[str, Error]:
    if lost.why == "died":
        return "died", Error("Exception", "the process ended")
    return "timed_out", late or _timely(Error("", ""), seconds)
