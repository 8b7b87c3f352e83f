"""An exception of a student's as four plain fields: name, text, line and cell."""

import contextlib
import re
import types

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


def is_late(error: BaseException | None) -> bool:
    """Whether it was our clock that raised it; `isinstance` would ask the exception itself."""
    return type(error) is OutOfTime


def describe(error: BaseException) -> list:
    """Name, text, line and cell of an exception; its own methods and its class's may be hostile."""
    if is_late(error):
        return ["TimeoutError", "", *_place(error)]
    kind = type(error)
    known = next((cls for cls in type.__getattribute__(kind, "__mro__") if cls in ORDINARY), Exception)
    text = ""
    with contextlib.suppress(BaseException):
        text = str.__str__(error.msg if isinstance(error, SyntaxError) else str(error))[:TEXT]
    if kind is not known:
        text = f"{type.__getattribute__(kind, '__name__')[:80]}: {text}"
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


def own_line(frame: types.FrameType | None) -> tuple[int | None, int | None]:
    while frame is not None and not frame.f_code.co_filename.startswith("<cell "):
        frame = frame.f_back
    return _numbered(frame.f_code.co_filename, frame.f_lineno) if frame else (None, None)


def _numbered(filename: str, line: int | None) -> tuple[int | None, int | None]:
    cell = re.fullmatch(r"<cell (\d+)>", filename)
    return (line, int(cell[1])) if cell and type(line) is int else (None, None)
