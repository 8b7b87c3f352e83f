"""What a release looks like to intake: its cells by name, its checks, its stubs, its lines of text."""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from autograder.intake.pieces import normal, split
from autograder.intake.script import RawCell
from autograder.model import Exercise, Release
from autograder.settings import CODE_STUB

STUB = CODE_STUB.split("\n")[-1]
TEXT = re.compile(r'[rR]?"""(?:[^"\\]|\\.|"(?!""))*+"""', re.DOTALL)  # a docstring, of whatever release
CALL = re.compile(r"([\w.]++)\([\w\s,]*+\)\s*+(?:;\s*+)?(?:#.*)?")  # check(softmax); in linear time


@dataclass(frozen=True)
class Slot:
    """A code cell of the release: where it stands there, what it is called, what it says."""

    index: int
    name: str
    source: str
    is_check: bool


@dataclass(frozen=True)
class Expected:
    """An exercise's release, looked up by what a submission may still have of it."""

    exercise: str
    steps: tuple[str, ...]
    questions: tuple[str, ...]
    slots: tuple[Slot, ...]
    marks: Mapping[str, Mapping[str, object]]  # grade_id -> nbgrader's metadata
    kinds: Mapping[str, str]  # grade_id or id -> cell type
    texts: Mapping[str, str]  # the same -> source
    as_released: frozenset[str]  # every piece of code that is handed out
    code_lines: frozenset[str]  # and every line of it
    checks: frozenset[str]  # the functions that check cells call
    lines: frozenset[str]  # every line of text that is handed out

    def place(self, cell: RawCell) -> str:
        """The release's cell that this one stands in, as far as its names tell."""
        return next((name for name in (cell.grade_id, cell.id) if name in self.kinds), "")

    def is_check(self, cell: RawCell) -> bool:
        """Whether a cell only checks, as the release's own check cells do."""
        lines = [line.strip() for line in cell.source.split("\n")]
        lines = [line for line in lines if line and not line.startswith("#")]
        if not lines:
            return cell.grade_id in self.marks and bool(self.marks[cell.grade_id].get("grade"))
        return all((call := CALL.fullmatch(line)) and call[1] in self.checks for line in lines)

    def is_written(self, source: str) -> bool:
        """Whether a piece of code says more than what is handed out; a stub of another day does not."""
        if normal(source) in self.as_released:
            return False
        lines = {line.strip() for line in TEXT.sub("", source).split("\n")}
        return STUB not in lines or not lines <= self.code_lines


def cell_name(cell: Mapping) -> str:
    """What a cell of the release is called: its grade_id, else its id."""
    return cell["metadata"].get("nbgrader", {}).get("grade_id") or cell.get("id", "")


def is_check(cell: Mapping) -> bool:
    marks = cell["metadata"].get("nbgrader", {})
    return cell["cell_type"] == "code" and bool(marks.get("grade")) and not marks.get("solution")


def expect(exercise: Exercise, release: Release) -> Expected:
    """What a release looks like; worked out once for a class."""
    steps = tuple(step.name for step in exercise.steps)
    return _expect(exercise.name, steps, tuple(question.name for question in exercise.questions), release)


@functools.lru_cache(maxsize=4)
def _expect(exercise: str, steps: tuple[str, ...], questions: tuple[str, ...], release: Release) -> Expected:
    cells = list(enumerate(release.notebook["cells"]))
    code = [(index, cell) for index, cell in cells if cell["cell_type"] == "code"]
    slots = tuple(Slot(index, cell_name(cell), cell["source"], is_check(cell)) for index, cell in code)
    marked = [(cell, cell["metadata"]["nbgrader"]) for _, cell in cells if "nbgrader" in cell["metadata"]]
    sources = [*(slot.source for slot in slots), release.module]
    names = [(name, cell) for _, cell in cells for name in (cell_name(cell), cell.get("id")) if name]
    return Expected(
        exercise,
        steps,
        questions,
        slots,
        {marks["grade_id"]: marks for _, marks in marked},
        {name: cell["cell_type"] for name, cell in names},
        {name: cell["source"] for name, cell in names},
        frozenset(normal(piece.source) for source in sources for piece in split(source, steps)),
        frozenset(line.strip() for source in sources for line in source.split("\n")),
        frozenset(call[1] for s in slots if s.is_check for call in [CALL.match(s.source)] if call),
        frozenset(
            line.strip()
            for _, cell in cells
            if cell["cell_type"] != "code"
            for line in cell["source"].split("\n")
        ),
    )
