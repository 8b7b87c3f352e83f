"""What came back from a desk, as values that the proctor may trust to be plain, printable and short."""

import re
import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from autograder.desk import wire

ORDINARY = frozenset(
    [
        *("ArithmeticError", "AttributeError", "BufferError", "EOFError", "Exception", "FileNotFoundError"),
        *("FloatingPointError", "ImportError", "IndentationError", "IndexError", "KeyError", "LookupError"),
        *("MemoryError", "ModuleNotFoundError", "NameError", "NotImplementedError", "OSError"),
        *(
            "OverflowError",
            "PermissionError",
            "RecursionError",
            "RuntimeError",
            "StopIteration",
            "SyntaxError",
        ),
        *(
            "TimeoutError",
            "TypeError",
            "UnboundLocalError",
            "UnicodeError",
            "ValueError",
            "ZeroDivisionError",
        ),
    ]
)
ERROR_TEXT, PRINTED_TEXT = 200, 8 << 10  # characters that are kept
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")  # of objects in memory: different in every run
MARKUP = re.compile(r"<(?=[A-Za-z/!?])")
INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # controls, direction marks, surrogates, unassigned


class DeskFault(Exception):  # noqa: N818 a fault is ours and an error a student's, throughout the kit
    """Ours: a desk or its zygote could not be set up. Nothing that a desk sends or does causes it."""


class WallsMissing(DeskFault):
    """This machine gives no walls to put around other people's code."""


class Refused(Exception):  # noqa: N818 it is no error of ours to refuse
    """The proctor will not answer a question; `name` is the kind of exception that the student gets."""

    def __init__(self, text: str, name: str = "ValueError") -> None:
        super().__init__(text)
        self.name = name


class LostError(Exception):
    """A desk is of no more use; `why`: died, cpu, idle or wall."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class Limits:
    """What one student's code may take."""

    call_seconds: float = 2.0  # of CPU, for one cell or one call
    step_seconds: float = 10.0  # of CPU, for all calls of one function
    load_seconds: float = 10.0  # of CPU, for loading all cells, however often a crash makes that necessary
    memory_mb: int = 512  # beyond Python and NumPy themselves
    asks: int = 20_000  # questions to the proctor from one desk


@dataclass(frozen=True)
class Error:
    """An exception of the student's: never executed, made printable and cut."""

    name: str
    text: str
    line: int | None = None
    cell: int | None = None


@dataclass(frozen=True)
class Effects:
    """What a call did beside answering."""

    arguments: tuple[int | str, ...] = ()  # positions and names of arguments that were changed
    generator: bool = False  # a global random generator moved; told with the last answer of an exchange
    printed: str = ""


class Outcome(StrEnum):
    """What became of one call."""

    returned = "returned"
    raised = "raised"
    timed_out = "timed_out"
    died = "died"
    missing = "missing"
    skipped = "skipped"  # after a time-out or a crash of the same function


OUTCOMES = frozenset(str(outcome) for outcome in Outcome)


@dataclass(frozen=True)
class Answer:
    """One call's answer. `starved`: it had no processor for so long that it should be tried again alone.

    `known`: equal answers to that call are one and the same object, whoever gave them.
    """

    outcome: Outcome
    value: object = None
    error: Error | None = None
    effects: Effects = Effects()
    starved: bool = False
    known: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Loaded:
    """What became of one cell: ok, raised, syntax, timed_out or died."""

    cell: int
    outcome: str
    error: Error | None = None
    starved: bool = False


def printable(text: str, most: int = ERROR_TEXT) -> str:
    """The text on one line with nothing hidden in it: controls, direction marks and tags become visible."""
    text = ADDRESS.sub("0x…", text[: 4 * most])
    shown = MARKUP.sub("‹", "".join(_visible(character) for character in text))
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def _visible(character: str) -> str:
    if character in "\n\t":
        return "⏎" if character == "\n" else " "
    hidden = unicodedata.category(character) in INVISIBLE
    return f"\\u{ord(character):04x}" if hidden else character


def _printed(text: str) -> str:
    """The same for what was printed, which may have several lines."""
    return "\n".join(printable(line, PRINTED_TEXT) for line in text[: PRINTED_TEXT + 100].split("\n"))


# Each of these reads one frame's header, and raises ValueError for what our own code would not have sent.


def read_answer(header: dict, body: bytes, number: int, seconds: float) -> Answer:
    """The answer to the call of that number, which had so many seconds."""
    said = header.get("o")
    if (
        header.get("k") != "answer"
        or header.get("i") != number
        or type(said) is not str
        or said not in OUTCOMES
    ):
        raise ValueError("not the answer to this call")
    outcome, effects = Outcome(said), _effects(header)
    if outcome is Outcome.returned:
        return Answer(outcome, locked(wire.decode(header, body)), effects=effects)
    if outcome in (Outcome.raised, Outcome.timed_out):
        error = read_error(header.get("e"))
        return Answer(
            outcome, error=late(seconds, error) if outcome == "timed_out" else error, effects=effects
        )
    if outcome is Outcome.died:
        raise ValueError("the dead do not speak")
    return Answer(outcome)


def locked(value: object) -> object:
    """The value, its arrays read-only: nobody but its giver may change an answer."""
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif type(value) in (tuple, list):
        for part in value:
            locked(part)
    return value


def read_loaded(header: dict, number: int, place: int, cell: int, seconds: float) -> Loaded:
    """The report on the cell in that place."""
    outcome = header.get("o")
    if [header.get("k"), header.get("i"), header.get("c")] != ["cell", number, place]:
        raise ValueError("not the report on this cell")
    if outcome == "ok":
        return Loaded(cell, "ok")
    if outcome not in ("raised", "syntax", "timed_out"):
        raise ValueError("not a report")
    error = read_error(header.get("e"))
    return Loaded(cell, outcome, late(seconds, error) if outcome == "timed_out" else error)


def read_names(header: dict, number: int) -> frozenset[str]:
    """The names that the student's cells bind, as far as the desk may be believed."""
    names = header.get("defined")
    if header.get("k") != "loaded" or header.get("i") != number or type(names) is not list:
        raise ValueError("not the end of loading")
    return frozenset(name for name in names if type(name) is str and name.isidentifier())


def read_arguments(value: object) -> tuple[tuple, dict]:
    """(args, kwargs) of a question."""
    match value:
        case (tuple() as args, list() as pairs) if all(
            type(pair) is tuple and len(pair) == 2 for pair in pairs
        ):
            kwargs = {key: part for key, part in pairs if type(key) is str}
            if len(kwargs) == len(pairs):
                return args, kwargs
    raise ValueError("not arguments")


def read_error(data: object) -> Error:
    """An Error from the four fields that a desk sends."""
    if type(data) is not list or len(data) != 4 or [type(field) for field in data[:2]] != [str, str]:
        raise ValueError("not an error")
    name, text, line, cell = data
    return Error(name if name in ORDINARY else "Exception", printable(text), _place(line), _place(cell))


def late(seconds: float, where: Error | None = None) -> Error:
    """The error of a call that had so many seconds."""
    place = (where.line, where.cell) if where else (None, None)
    return Error("TimeoutError", f"not done after {seconds:g} s", *place)


def _place(number: object) -> int | None:
    return number if type(number) is int and 0 <= number < 10**6 else None


def _effects(header: dict) -> Effects:
    changed, printed = header.get("c", []), header.get("p", "")
    if type(changed) is not list or len(changed) > 64 or type(printed) is not str:
        raise ValueError("not effects")
    if not all(type(name) is int or (type(name) is str and name.isidentifier()) for name in changed):
        raise ValueError("not effects")
    return Effects(tuple(changed), header.get("g") is True, _printed(printed) if printed else "")
