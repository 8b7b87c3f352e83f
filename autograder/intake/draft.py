"""Understands one candidate file: its code, its answers, whether anything was written, what was mended."""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from autograder.intake import mends
from autograder.intake.essays import Words, is_as_given, words
from autograder.intake.expected import Expected
from autograder.intake.folder import File
from autograder.intake.pieces import defined, normal, split
from autograder.intake.reading import Reading, read
from autograder.intake.script import RawCell
from autograder.model import Cell, Sentence

MAX_LINES = 1_000_000  # each piece is compiled below as many empty lines as stood above it
GIVEN = re.compile(r"^(?:import|from)[ \t].*?(\w+)[ \t]*(?:#.*)?$|^def[ \t]+(\w+)", re.MULTILINE | re.ASCII)


@dataclass(frozen=True)
class Draft:
    """One candidate file, understood."""

    file: File
    reading: Reading
    cells: tuple[Cell, ...] = ()
    words: Words = field(default_factory=Words)
    warnings: tuple[Sentence, ...] = ()
    defines: bool = False  # a step of this exercise, written or as handed out
    written: bool = False  # a step is defined otherwise than as handed out
    touched: bool = False  # there is any other code or text of the student's

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.file.data).hexdigest()

    @property
    def is_script(self) -> bool:
        return self.reading.is_script


def draft(file: File, expected: Expected) -> Draft:
    """A candidate file, as far as it can be understood."""
    reading = Reading(problem=file.problem) if file.problem else read(file.name, file.data)
    if reading.problem:
        return Draft(file, reading)
    raws = _retyped(reading.cells, expected)
    code = [cell for cell in raws if cell.kind == "code" and cell.grade_id not in expected.questions]
    kept = [cell for cell in code if not expected.is_check(cell)]
    pieces = [cell for raw in kept for cell in _pieces(raw, expected) if not _only_checks(cell, expected)]
    cells = tuple(pieces if sum(cell.line for cell in pieces) < MAX_LINES else _without_lines(pieces))
    found = words(raws, expected)
    given_out = {normal(cell.source) for raw in kept if is_as_given(raw) for cell in _pieces(raw, expected)}
    own = [c for c in cells if expected.is_written(c.source) and normal(c.source) not in given_out]
    given, named = _given(cells, expected) if own else ((), [])
    changes = (
        _changes(reading, raws, cells, expected) if not reading.is_script else _repeated(cells, expected)
    )
    return Draft(
        file,
        reading,
        given + cells,
        found,
        (*reading.warnings, *changes, *named, *found.warnings),
        any(defined(cell.source, expected.steps) for cell in cells),
        any(defined(cell.source, expected.steps) for cell in own),
        bool(own),
    )


def _retyped(cells: Sequence[RawCell], expected: Expected) -> list[RawCell]:
    """A step's only cell is code, whatever its type was changed to."""
    missing = set(expected.steps) - {cell.grade_id for cell in cells if cell.kind == "code"}
    return [replace(cell, kind="code") if cell.grade_id in missing else cell for cell in cells]


def _pieces(raw: RawCell, expected: Expected) -> list[Cell]:
    place = expected.place(raw)
    return [
        Cell(piece.source, raw.number, raw.line + piece.line - 1, place)
        for piece in split(raw.source, expected.steps, least=2 if raw.number else 1)
    ]


def _without_lines(cells: Sequence[Cell]) -> list[Cell]:
    return [replace(cell, line=1) for cell in cells]


def _only_checks(cell: Cell, expected: Expected) -> bool:
    return expected.is_check(RawCell("code", cell.source))


def _given(cells: Sequence[Cell], expected: Expected) -> tuple[tuple[Cell, ...], list[Sentence]]:
    """Cells that were handed out, with imports or functions that the student uses and nowhere binds."""
    code = "\n".join(cell.source for cell in cells)
    found, names = [], []
    for slot in expected.slots:
        if slot.is_check or slot.name in expected.steps:
            continue
        binds = {match[1] or match[2] for match in GIVEN.finditer(slot.source)}
        wanted = sorted(name for name in binds if _mentions(code, name) and not _binds(code, name))
        if wanted:
            found.append(Cell(slot.source, 0, 1, slot.name))
            names += wanted
    return tuple(found), [mends.given_again(names)] if names else []


def _mentions(code: str, name: str) -> bool:
    return name in code and bool(re.search(rf"\b{name}\b", code))


def _binds(code: str, name: str) -> bool:
    """Whether any line could bind the name: an import of it or of everything, a definition, an assignment."""
    imports = rf"^[ \t]*(?:import|from)\b.*\b{name}\b|^[ \t]*from\b.*\bimport[ \t]*\*|^%pylab"
    defines = rf"^[ \t]*(?:def|class)[ \t]+{name}\b|\b{name}\b[ \t]*(?:,[^=\n]{{0,99}})?=(?!=)"
    return bool(re.search(f"{imports}|{defines}", code, re.MULTILINE))


def _repeated(cells: Sequence[Cell], expected: Expected) -> list[Sentence]:
    """Steps defined again once they were written; a stub left standing above is no definition."""
    counts: Counter[str] = Counter()
    for cell in cells:
        names = defined(cell.source, expected.steps)
        counts.update(name for name in names if counts[name] or expected.is_written(cell.source))
    repeated = [name for name in expected.steps if counts[name] > 1]
    return [mends.redefined(repeated)] if repeated else []


def _changes(
    reading: Reading, raws: Sequence[RawCell], cells: Sequence[Cell], expected: Expected
) -> list[Sentence]:
    """What a notebook's cells lost or had changed, seen by their marks."""
    ids = Counter(cell.grade_id for cell in raws if cell.grade_id in expected.marks)
    if not ids:
        return [mends.no_metadata()] * bool(cells) + _repeated(cells, expected)
    graded = [name for name, marks in expected.marks.items() if marks.get("grade") or marks.get("solution")]
    by_place = {name for cell in cells for name in defined(cell.source, expected.steps) if cell.place == name}
    anywhere = {name for cell in cells for name in defined(cell.source, expected.steps)}
    facts = (
        (mends.deleted, [name for name in graded if name not in ids]),
        (mends.duplicated, [name for name in ids if ids[name] > 1]),
        (mends.changed_marks, _remarked(reading.cells, expected)),
        (mends.retyped, [b.grade_id for a, b in zip(reading.cells, raws, strict=True) if a.kind != b.kind]),
        (mends.code_in_check, _code_in_checks(raws, expected)),
        (mends.elsewhere, [name for name in expected.steps if name in anywhere - by_place]),
    )
    return [say(found) for say, found in facts if found] + _repeated(cells, expected)


def _code_in_checks(raws: Sequence[RawCell], expected: Expected) -> list[str]:
    checks = {slot.name for slot in expected.slots if slot.is_check}
    return [
        c.grade_id for c in raws if c.grade_id in checks and c.kind == "code" and not expected.is_check(c)
    ]


def _remarked(cells: Sequence[RawCell], expected: Expected) -> list[str]:
    """Cells whose marks are not those that were handed out, or which a run would skip."""
    found = []
    for cell in cells:
        marks = expected.marks.get(cell.grade_id)
        if marks is None:
            continue
        same = all(cell.marks.get(key) == value for key, value in marks.items() if key != "checksum")
        if (cell.marks and not same) or cell.is_skipped or cell.kind != expected.kinds[cell.grade_id]:
            found.append(cell.grade_id)
    return list(dict.fromkeys(found))
