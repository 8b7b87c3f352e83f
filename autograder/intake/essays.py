"""Finds what a student wrote in words: the answers that a person grades, and notes.

An answer is what stands in its own cell; where that is blank, whatever text the release does not have.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograder.intake import mends
from autograder.intake.expected import Expected
from autograder.intake.script import RawCell
from autograder.model import Cell, Sentence


@dataclass(frozen=True)
class Words:
    """The answer to each question that has one, as Markdown; and other text cells of the student's own."""

    answers: tuple[tuple[str, str], ...] = ()
    notes: tuple[Cell, ...] = ()
    warnings: tuple[Sentence, ...] = ()


def words(cells: Sequence[RawCell], expected: Expected) -> Words:
    """Everything that the text cells hold beyond what was handed out."""
    own = [_leftover(cell, expected) if _is_text(cell, expected) else "" for cell in cells]
    found, pieced, used = {}, [], set()
    for question in expected.questions:
        texts, after = _answer(question, cells, own, expected)
        if texts or after:
            found[question] = "\n\n".join([*texts, *(own[index] for index in after)])
        elif any(cell.grade_id == question for cell in cells) and not _stub_stands(question, cells, expected):
            found[question] = ""  # emptied: not as it was handed out either
        pieced += [question] if after or len(texts) > 1 else []
        used.update(after)
    for question, strays in _stray(cells, own, found, expected).items():
        found[question] = "\n\n".join(own[index] for index in strays)
        pieced.append(question)
        used.update(strays)
    notes = tuple(
        Cell(text, cell.number)
        for index, (cell, text) in enumerate(zip(cells, own, strict=True))
        if text and index not in used and cell.number and not expected.place(cell)
    )
    return Words(tuple(found.items()), notes, (mends.answer_found(pieced),) if pieced else ())


def is_as_given(cell: RawCell) -> bool:
    """Whether a cell is untouched since it was released, by nbgrader's own checksum of it."""
    marks = cell.marks
    facts = [cell.source, marks.get("cell_type"), marks.get("grade"), marks.get("solution")]
    facts += [marks.get("locked"), marks.get("grade_id")]
    if marks.get("grade"):
        points = marks.get("points")
        facts.append(float(points) if type(points) in (int, float) and abs(points) < 1e9 else points)
    text = "".join(str(fact) for fact in facts).encode("utf-8", "replace")
    return marks.get("checksum") == hashlib.md5(text, usedforsecurity=False).hexdigest()


def _is_text(cell: RawCell, expected: Expected) -> bool:
    """Whether a cell is the student's to write words in; an answer's own cell is looked at by itself."""
    is_code = cell.kind == "code" or expected.kinds.get(expected.place(cell)) == "code"
    return not is_code and cell.grade_id not in expected.questions


def _leftover(cell: RawCell, expected: Expected) -> str:
    """The lines of a text cell that the release does not have."""
    if is_as_given(cell):
        return ""
    lines = (
        line for line in cell.source.split("\n") if line.strip() not in expected.lines or not line.strip()
    )
    return "\n".join(lines).strip()


def _stub_stands(question: str, cells: Sequence[RawCell], expected: Expected) -> bool:
    stub = expected.texts.get(question, "").strip()
    return any(c.source.strip() == stub or is_as_given(c) for c in cells if c.grade_id == question)


def _answer(
    question: str, cells: Sequence[RawCell], own: Sequence[str], expected: Expected
) -> tuple[list[str], list[int]]:
    """What is written in the question's own cells, and the text cells in which it goes on."""
    stub = expected.texts.get(question, "").strip()
    texts, after = [], []
    for index, cell in enumerate(cells):
        if cell.grade_id == question:
            if cell.source.strip() not in ("", stub) and not is_as_given(cell):
                texts.append(cell.source)
            after += _following(index, cells, own, expected)
    return list(dict.fromkeys(texts)), after


def _following(index: int, cells: Sequence[RawCell], own: Sequence[str], expected: Expected) -> Iterator[int]:
    for later in range(index + 1, len(cells)):
        if not own[later] or expected.place(cells[later]):
            return
        yield later


def _stray(
    cells: Sequence[RawCell], own: Sequence[str], found: dict[str, str], expected: Expected
) -> dict[str, list[int]]:
    """Text of the student's own for the questions without an answer: each from its question on."""
    unanswered = [question for question in expected.questions if not found.get(question, "").strip()]
    if not unanswered:
        return {}
    current, strays = unanswered[0], {}
    asked = {question: _asking(question, expected) for question in unanswered}
    for index, cell in enumerate(cells):
        lines = {line.strip() for line in cell.source.split("\n")}
        current = next((question for question in unanswered if asked[question] & lines), current)
        if own[index]:
            strays.setdefault(current, []).append(index)
    return strays


def _asking(question: str, expected: Expected) -> set[str]:
    """The lines of the text above an answer's cell in the release."""
    names = list(expected.texts)
    before = names[: names.index(question)] if question in names else []
    above = next((name for name in reversed(before) if expected.kinds[name] != "code"), "")
    return {line.strip() for line in expected.texts.get(above, "").split("\n")} - {""}
