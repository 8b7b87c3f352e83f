"""The desk: loads a student's cells and answers calls of the functions in them, until its line is closed.

It shares its process with the student's code, so nothing that it sends is believed, and it holds nothing that
may not be seen.
"""

import contextlib
import io
import os
import re
import signal
import sys
import time
import types
import warnings
from collections import deque
from collections.abc import Callable

from . import cells, effects, placeholders, wire

LINE = 3  # the descriptor of the line to the proctor
TICK = 0.25  # seconds of CPU after which a call that swallowed its time-out is told again
TEXT = 500  # characters of an exception's text that are sent
ORDINARY = (
    *(
        ArithmeticError,
        AttributeError,
        BufferError,
        EOFError,
        FileNotFoundError,
        FloatingPointError,
        ImportError,
    ),
    *(IndentationError, IndexError, KeyError, LookupError, MemoryError, ModuleNotFoundError, NameError),
    *(
        NotImplementedError,
        OSError,
        OverflowError,
        PermissionError,
        RecursionError,
        RuntimeError,
        StopIteration,
    ),
    *(SyntaxError, TypeError, UnboundLocalError, UnicodeError, ValueError, ZeroDivisionError, Exception),
)


class OutOfTime(BaseException):
    """The student's code has used up its seconds."""


class ClosedError(Exception):
    """The proctor has hung up."""


class Line:
    """The desk's end of the wire; what arrives while an answer is awaited waits its turn."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._reader = descriptor, wire.Reader()
        self._waiting: deque = deque()
        self.busy = False  # in the middle of a frame, where nothing may come between

    def send(self, frame: bytes) -> None:
        self.busy, view = True, memoryview(frame)
        while view:
            view = view[os.write(self._descriptor, view) :]
        self.busy = False

    def _read(self) -> tuple[dict, bytes]:
        while (frame := self._reader.next()) is None:
            data = os.read(self._descriptor, 1 << 18)
            if not data:
                raise ClosedError
            self._reader.feed(data)
        return frame

    def next(self) -> tuple[dict, bytes]:
        return self._waiting.popleft() if self._waiting else self._read()

    def answer(self, number: int) -> tuple[dict, bytes]:
        """The proctor's answer to the question of that number."""
        while (frame := self._read())[0].get("n") != number:
            self._waiting.append(frame)
        return frame


class Desk:
    """One student's module, and the clock that its code runs under."""

    def __init__(self, line: Line) -> None:
        self._line, self._compiler, self._asked = line, cells.Compiler(), 0
        self._module = types.ModuleType("notebook")
        self._names = self._module.__dict__
        self._names |= {name: placeholders.Placeholder(name) for name in ("get_ipython", "display")}
        self._before = dict(self._names)
        self._stand_ins: dict[str, Callable] = {}
        self._armed, self._request, self._dropped, self._told = False, 0, 0, -1
        self._printed = effects.Printed()
        self._defined: set[str] = set()
        sys.modules["notebook"] = sys.modules["__main__"] = self._module
        signal.signal(signal.SIGPROF, self._out_of_time)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def serve(self) -> None:
        """Answers one request after the other."""
        while True:
            header, body = self._line.next()
            self._request = header["i"]
            if header["k"] == "load":
                self._load(header, body)
            else:
                self._call(header, body)

    # loading

    def _load(self, header: dict, body: bytes) -> None:
        self._stand_ins = {name: self._stand_in(name) for name in header["stand_ins"]}
        start = 0
        for index, (number, length) in enumerate(header["cells"]):
            source, start = body[start : start + length].decode("utf-8"), start + length
            report = self._load_cell(source, f"<cell {number}>", header["seconds"])
            self._line.send(wire.pack({"k": "cell", "i": self._request, "c": index, **report}))
        names = sorted(
            name
            for name in self._defined
            if type(name) is str and len(name) < 100 and not name.startswith("__")
        )[:300]
        self._line.send(wire.pack({"k": "loaded", "i": self._request, "defined": names}))

    def _load_cell(self, source: str, filename: str, seconds: float) -> dict:
        error = self._timed(seconds, self._run_cell, source, filename)[1]
        self._note_names()
        printed = self._printed.take()
        if error is None:
            return {"o": "ok"}
        outcome = "timed_out" if isinstance(error, OutOfTime) else "raised"
        if isinstance(error, SyntaxError) and error.filename == filename:
            outcome = "syntax"
        return {"o": outcome, "e": describe(error), "p": printed}

    def _run_cell(self, source: str, filename: str) -> None:
        if "try" in source and "import" in source:
            lines = cells.guarded_imports(source)
            placeholders.GUARDED.update((filename, line) for line in lines)
        exec(self._compiler.compile(source, filename), self._names)

    def _note_names(self) -> None:
        for name, value in self._names.items():
            if value is not self._stand_ins.get(name) and value is not self._before.get(name, self):
                self._defined.add(name)
        self._names.update(self._stand_ins)

    def _stand_in(self, name: str) -> Callable:
        def ask(*args: object, **kwargs: object) -> object:
            return self._ask(name, args, kwargs)

        ask.__name__ = ask.__qualname__ = name
        return ask

    def _ask(self, name: str, args: tuple, kwargs: dict) -> object:
        self._asked += 1
        header = {"k": "ask", "i": self._request, "n": self._asked, "name": name}
        self._line.send(wire.pack_value(header, (args, list(kwargs.items()))))
        header, body = self._line.answer(self._asked)
        if header["k"] == "refused":
            kind = next((kind for kind in ORDINARY if kind.__name__ == header["e"][0]), ValueError)
            raise kind(header["e"][1])
        return wire.decode(header, body)

    # calling

    def _call(self, header: dict, body: bytes) -> None:
        if header["b"] == self._dropped:
            return self._reply({"o": "skipped"})
        function = self._names.get(header["name"])
        if not callable(function):
            return self._reply({"o": "missing"})
        args, kwargs = wire.decode(header, body, layouts=True)
        before = [effects.fingerprint(value) for value in (*args, *(value for _, value in kwargs))]
        if header["first"]:
            self._begin()
        placeholders.State.grading = True
        value, error = self._timed(self._seconds(header), function, *args, **dict(kwargs))
        placeholders.State.grading = False
        after = [effects.fingerprint(value) for value in (*args, *(value for _, value in kwargs))]
        names = [*range(len(args)), *(name for name, _ in kwargs)]
        changed = [name for name, was, now in zip(names, before, after, strict=True) if was != now]
        self._answer(header, value, error, {"c": changed} if changed else {})

    def _seconds(self, header: dict) -> float:
        """What this call may take: its own limit, or what is left of the exchange's."""
        if header["first"]:
            self._exchange_began = time.process_time()
        left = header["left"] - (time.process_time() - self._exchange_began)
        return max(min(header["seconds"], left), 0.01)

    def _begin(self) -> None:
        warnings.simplefilter("ignore")
        sys.settrace(None)
        sys.setprofile(None)
        self._generators = effects.generators()

    def _answer(self, header: dict, value: object, error: BaseException | None, seen: dict) -> None:
        if header["last"] and effects.generators() != self._generators:
            seen["g"] = True
        if printed := self._printed.take():
            seen["p"] = printed[: effects.KEPT + 100]
        if error is None:
            try:
                return self._reply({"o": "returned", **seen}, value)
            except Exception as refused:  # it may not cross: the student's mistake
                error = refused if isinstance(refused, TypeError | MemoryError) else TypeError("not a value")
        late = isinstance(error, OutOfTime)
        self._dropped = header["b"] if late else self._dropped
        self._reply({"o": "timed_out" if late else "raised", "e": describe(error), **seen})

    def _reply(self, header: dict, *value: object) -> None:
        header = {"k": "answer", "i": self._request, **header}
        self._line.send(wire.pack_value(header, value[0]) if value else wire.pack(header))

    # the clock

    def _timed(self, seconds: float, function: Callable, /, *args: object, **kwargs: object) -> tuple:
        """(value, None) or (None, exception), whatever the student's code does in the time it has."""
        sys.stdout = sys.stderr = effects.text_stream(self._printed)
        sys.stdin = io.StringIO("")
        try:
            self._armed = True
            signal.setitimer(signal.ITIMER_PROF, seconds, TICK)
            value, error = function(*args, **kwargs), None
        except BaseException as raised:
            value, error = None, raised
        finally:
            self._armed = False
            signal.setitimer(signal.ITIMER_PROF, 0)
        return value, error

    def _out_of_time(self, number: int, frame: types.FrameType | None) -> None:
        if not self._armed or self._line.busy:
            return
        if (
            self._told != self._request
        ):  # said beforehand: code that swallows the exception is killed from outside
            self._told, place = self._request, _own_line(frame)
            self._line.send(wire.pack({"k": "late", "i": self._request, "at": place}))
        raise OutOfTime


def describe(error: BaseException) -> list:
    """Name, text, line and cell of an exception; its own methods may be hostile."""
    if isinstance(error, OutOfTime):
        return ["TimeoutError", "", *_place(error)]
    kind = type(error)
    known = next((cls for cls in kind.__mro__ if cls in ORDINARY), Exception)
    text = ""
    with contextlib.suppress(BaseException):
        text = str.__str__(error.msg if isinstance(error, SyntaxError) else str(error))[:TEXT]
    if kind is not known:
        text = f"{kind.__name__[:80]}: {text}"
    line, cell = None, None
    with contextlib.suppress(BaseException):
        line, cell = _place(error)
    text = text.encode("utf-8", "replace").decode()
    return [known.__name__, text, line, cell]


def _place(error: BaseException) -> tuple[int | None, int | None]:
    """The innermost line of the student's that the exception passed through."""
    if isinstance(error, SyntaxError) and str(error.filename).startswith("<cell "):
        return _numbered(error.filename, error.lineno)
    found, trace = (None, None), error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        found = _numbered(name, trace.tb_lineno) if name.startswith("<cell ") else found
        trace = trace.tb_next
    return found


def _own_line(frame: types.FrameType | None) -> tuple[int | None, int | None]:
    while frame is not None and not frame.f_code.co_filename.startswith("<cell "):
        frame = frame.f_back
    return _numbered(frame.f_code.co_filename, frame.f_lineno) if frame else (None, None)


def _numbered(filename: str, line: int | None) -> tuple[int | None, int | None]:
    cell = re.fullmatch(r"<cell (\d+)>", filename)
    return (line, int(cell[1])) if cell and type(line) is int else (None, None)


def run() -> None:
    """The whole life of a desk, from the moment its walls stand."""
    sys.meta_path.append(placeholders.Finder())
    line = Line(LINE)
    desk = Desk(line)
    line.send(wire.pack({"k": "ready"}))
    with contextlib.suppress(ClosedError):
        desk.serve()
