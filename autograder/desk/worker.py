"""The desk: loads a student's cells and answers calls of the functions in them, until its line is closed.

It shares its process with the student's code, so nothing that it sends is believed, and it holds nothing that
may not be seen.
"""

import contextlib
import io
import itertools
import json
import random
import signal
import sys
import time
import types
import warnings
from collections.abc import Callable, Iterable

import numpy as np

from . import alarm, asking, cases, cells, channel, effects, errors, patience, placeholders, wire

LINE = 3  # the descriptor of the line to the proctor
SEED = 2017
QUIET = [("ignore", None, Warning, None, 0)]  # the filter that `simplefilter("ignore")` puts first


class Desk:
    """One student's module, and the clock that its code runs under."""

    def __init__(self, line: channel.Channel) -> None:
        self._line, self._compiler = line, cells.Compiler()
        self._asker = asking.Asker(line, lambda: self._request)
        self._module = types.ModuleType("notebook")
        self._names = self._module.__dict__
        self._names |= {name: placeholders.Placeholder(name) for name in ("get_ipython", "display")}
        self._before = dict(self._names)
        self._stand_ins: dict[str, Callable] = {}
        self._patience = patience.Patience(self._names)
        self._request, self._dropped = 0, False
        self._printed = effects.Printed()
        self._stream = self._nothing = None  # where prints go, where input comes from
        self._defined: set[str] = set()
        sys.modules["notebook"] = sys.modules["__main__"] = self._module
        self._alarm = alarm.Alarm(line, self._tell_late)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def serve(self) -> None:
        """Answers one request after the other."""
        while True:
            header, body = self._line.next()
            self._request = header["i"]
            if header["k"] == "know":
                self._asker.know(body)
            elif header["k"] == "load":
                self._load(header, body)
            else:
                self._call_all(header, body)

    # loading

    def _load(self, header: dict, body: bytes) -> None:
        self._stand_ins = {name: self._asker.stand_in(name) for name in header["stand_ins"]}
        self._names.update(self._stand_ins)
        self._patience.begin(header["late"], header["left"])
        for index, (number, source, seconds) in enumerate(json.loads(body)):
            report = self._load_cell(source, f"<cell {number}>", seconds)
            self._line.hold(wire.pack({"k": "cell", "i": self._request, "c": index, **report}))
        self._line.hold(wire.pack({"k": "loaded", "i": self._request, "defined": self._told_names()}))

    def _load_cell(self, source: str, filename: str, seconds: float) -> dict:
        began = time.process_time()
        self._alarm.watch(seconds, seconds)
        error = self._timed(self._run_cell, source, filename, seconds)[1]
        self._alarm.rest()
        self._patience.left -= time.process_time() - began
        self._note_names(self._stand_ins)
        self._names.update(self._stand_ins)
        printed = self._printed.take()
        if error is None:
            return {"o": "ok"}
        outcome = "timed_out" if errors.is_late(error) else "raised"
        if outcome == "raised" and not self._compiled:
            outcome = "syntax"
        return {"o": outcome, "e": errors.describe(error), "p": printed}

    def _run_cell(self, source: str, filename: str, seconds: float) -> None:
        self._compiled = False
        if "try" in source and "import" in source:
            lines = cells.guarded_imports(source)
            placeholders.GUARDED.update((filename, line) for line in lines)
        code = self._compiler.compile(source, filename)
        self._compiled = True
        if (less := self._patience.seconds(code, seconds)) < seconds:
            self._alarm.watch(less, less)
        exec(code, self._names)

    def _note_names(self, among: Iterable[str]) -> None:
        for name in among:
            value = self._names.get(name, self)
            if value is not self._stand_ins.get(name, self) and value is not self._before.get(name, self):
                self._defined.add(name)

    def _told_names(self) -> list[str]:
        """The names that the cells bind: functions written here first, whatever a `*` has imported."""
        self._note_names([*self._names])
        names = [n for n in self._defined if type(n) is str and len(n) < 100 and not n.startswith("__")]
        names.sort(key=lambda name: (not self._is_own(self._names.get(name)), name))
        ends = itertools.accumulate(len(json.dumps(name)) + 1 for name in names)
        return [name for name, end in zip(names, ends, strict=True) if end < wire.MAX_HEADER - 1000]

    def _is_own(self, value: object) -> bool:
        return type(value) is types.FunctionType and value.__globals__ is self._names

    # calling

    def _call_all(self, header: dict, body: bytes) -> None:
        table, first, name = cases.opened(body), header["i"], header["name"]
        last = first + len(table) - 1 if header["last"] else None
        if header["first"]:
            self._begin()
        self._alarm.watch(header["seconds"], header["left"] - (time.process_time() - self._exchange_began))
        for self._request, case in enumerate(table, start=first):
            self._call(name, case, self._request == last)
            self._request = None  # who asks from now on, from a thread, asks too late
        self._alarm.rest()

    def _call(self, name: str, case: cases.Case, last: bool) -> None:
        if self._dropped:
            return self._reply({"o": "skipped"})
        function = self._names.get(name)
        if not callable(function):
            return self._reply({"o": "missing"})
        before = case[0] + tuple(case[1].values()) if case[1] else case[0]
        given = [cases.handed(value, self._asker.lent) for value in before]
        kwargs = dict(zip(case[1], given[len(case[0]) :], strict=True)) if case[1] else {}
        placeholders.State.grading = True
        value, error = self._timed(function, *given[: len(case[0])], **kwargs)
        placeholders.State.grading = False
        seen = {}
        if any(map(cases.changed, before, given)):
            each = zip([*range(len(case[0])), *case[1]], before, given, strict=True)
            seen["c"] = [name for name, was, now in each if cases.changed(was, now)]
        self._answer(last, value, error, seen)

    def _begin(self) -> None:
        sys.settrace(None)
        sys.setprofile(None)
        self._stream, self._dropped, self._exchange_began = None, False, time.process_time()
        random.random(), np.random.random()  # on from where a seed puts it, so that seeding always shows
        self._generators = effects.generators()

    def _answer(self, last: bool, value: object, error: BaseException | None, seen: dict) -> None:
        if last and effects.generators() != self._generators:
            seen["g"] = True
        if printed := self._printed.take():
            seen["p"] = printed[: effects.KEPT + 100]
        if error is None:
            try:
                return self._reply({"o": "returned", **seen}, value)
            except BaseException as refused:  # it may not cross: the student's mistake
                error = refused if type(refused) in (TypeError, MemoryError) else TypeError("not a value")
        late = errors.is_late(error)
        self._dropped = self._dropped or late
        self._reply({"o": "timed_out" if late else "raised", "e": errors.describe(error), **seen})

    def _reply(self, header: dict, *value: object) -> None:
        if len(header) == 1 and value:
            return self._line.hold(cases.answer(self._request, value[0]))
        header = {"k": "answer", "i": self._request, **header}
        self._line.hold(wire.pack_value(header, value[0]) if value else wire.pack(header))

    # time, and what the student's code may have done to the streams

    def _timed(self, function: Callable, /, *args: object, **kwargs: object) -> tuple:
        self._quieten()
        return self._alarm.timed(function, *args, **kwargs)

    def _tell_late(self, frame: types.FrameType | None) -> None:
        """Beforehand, since code that swallows the exception all the same is ended from outside."""
        late = {"k": "late", "i": self._request, "at": errors.own_line(frame)}
        self._line.send(wire.pack(late | {"in": self._patience.note(frame)}))

    def _quieten(self) -> None:
        """Undoes what the student's code may have done to the streams and to warnings."""
        if not self._has_streams():
            self._stream, self._nothing = effects.text_stream(self._printed), io.StringIO("")
            sys.stdout = sys.stderr = self._stream
            sys.stdin = self._nothing
        if warnings.filters[:1] != QUIET:
            warnings.simplefilter("ignore")  # whatever the cells before have asked for

    def _has_streams(self) -> bool:
        try:
            mine = self._stream is sys.stdout is sys.stderr and self._nothing is sys.stdin
            return mine and not (self._stream.closed or self._nothing.closed)
        except (AttributeError, ValueError):  # of one that is gone, or was detached
            return False


def open_line(memory: int) -> channel.Channel:
    """The line to the proctor. Before the walls stand: behind them no file is mapped any more."""
    return channel.Channel(LINE, memory)


def run(line: channel.Channel) -> None:
    """The whole life of a desk, from the moment its walls stand."""
    sys.meta_path.append(placeholders.Finder())
    random.seed(SEED)  # a fork would start it from chance, and the same class must be graded twice alike
    desk = Desk(line)
    line.send(wire.pack({"k": "ready"}))
    with contextlib.suppress(channel.ClosedError):
        desk.serve()
