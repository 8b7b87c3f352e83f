"""What came back from a desk, as values that the proctor may trust to be plain, printable and short."""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

ORDINARY = frozenset(
    ["ArithmeticError", "AttributeError", "BufferError", "EOFError", "FileNotFoundError", "FloatingPointError", "ImportError", "IndentationError", "IndexError", "KeyError", "LookupError", "MemoryError", "ModuleNotFoundError", "NameError", "NotImplementedError", "OSError", "OverflowError", "PermissionError", "RecursionError", "RuntimeError", "StopIteration", "SyntaxError", "TypeError", "UnboundLocalError", "UnicodeError", "ValueError", "ZeroDivisionError", "Exception", "TimeoutError"]
)
ERROR_TEXT, PRINTED_TEXT = 200, 8 << 10  # characters that are kept
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")
MARKUP = re.compile(r"<(?=[A-Za-z/!?])")
INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # controls, direction marks, surrogates, unassigned


class DeskFault(Exception):
    """Ours: a desk or its zygote could not be set up. Nothing that a desk sends or does causes it."""


class Refused(Exception):
    """The proctor will not answer a desk's question; `name` is the kind of exception that the student's code gets."""

    def __init__(self, text: str, name: str = "ValueError") -> None:
        super().__init__(text)
        self.name = name


@dataclass(frozen=True)
class Limits:
    """What one student's code may take."""

    call_seconds: float = 2.0  # of CPU, for one cell or one call
    step_seconds: float = 10.0  # of CPU, for all calls of one function
    load_seconds: float = 20.0  # of CPU, for loading all cells, however often a crash makes that necessary
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


@dataclass(frozen=True)
class Answer:
    """One call's answer. `starved`: it ran out of wall time while the machine was busy; try it again alone."""

    outcome: Outcome
    value: object = None
    error: Error | None = None
    effects: Effects = Effects()
    starved: bool = False


@dataclass(frozen=True)
class Loaded:
    """What became of one cell: ok, raised, syntax, timed_out or died."""

    cell: int
    outcome: str
    error: Error | None = None
    starved: bool = False


def printable(text: str, most: int = ERROR_TEXT) -> str:
    """The text on one line with nothing hidden in it: controls, direction marks and tags become visible signs."""
    text = ADDRESS.sub("0x…", text[: 4 * most])
    shown = "".join(_visible(character) for character in text)
    shown = MARKUP.sub("‹", shown)
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def _visible(character: str) -> str:
    if character in "\n\t":
        return "⏎" if character == "\n" else " "
    hidden = unicodedata.category(character) in INVISIBLE
    return f"\\u{ord(character):04x}" if hidden else character


def printed_text(text: str) -> str:
    """The same for what was printed, which may have several lines."""
    return "\n".join(printable(line, PRINTED_TEXT) for line in text[: PRINTED_TEXT + 100].split("\n"))


def read_error(data: object) -> Error:
    """An Error from the four fields that a desk sent. Raises ValueError where they are anything else."""
    if type(data) is not list or [type(field) for field in data[:2]] != [str, str] or len(data) != 4:
        raise ValueError("not an error")
    name, text, line, cell = data
    return Error(name if name in ORDINARY else "Exception", printable(text), _place(line), _place(cell))


def _place(number: object) -> int | None:
    return number if type(number) is int and 0 <= number < 10**6 else None


def read_effects(header: dict) -> Effects:
    """Effects from an answer's header. Raises ValueError where it holds anything else."""
    changed, printed = header.get("c", []), header.get("p", "")
    if type(changed) is not list or len(changed) > 64 or type(printed) is not str:
        raise ValueError("not effects")
    if not all(type(name) is int or (type(name) is str and name.isidentifier()) for name in changed):
        raise ValueError("not effects")
    return Effects(tuple(changed), header.get("g") is True, printed_text(printed))
