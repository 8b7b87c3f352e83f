"""The canonical notebook: the release's cells, with the student's code and answers in their places.

Adds no code that the student did not hand in, and keeps the order in which it runs wherever that is possible.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.intake.expected import cell_name, is_check
from autograder.intake.pieces import defined, normal
from autograder.model import Cell, Release, Submission

# What may stand in an answer's Markdown as HTML; anything else is shown as text, whatever browser reads it.
TAG = re.compile(
    r"<(?!/?(?:br|b|i|em|strong|sub|sup|u|s|p|code|pre|details|summary|ul|ol|li|table|thead|tbody|tr|th|td)\s*/?>)"
    r"(?=[A-Za-z/!?])",
    re.IGNORECASE,
)
ENTITY = re.compile(r"&(?=#|(?!(?:lt|gt|amp|nbsp|quot);)[A-Za-z]+;)")  # could spell what is looked for below
# Commands in formulas that link or restyle
TEX = re.compile(
    r"\\(?=(?:href|url|style|class|cssId|require|bbox|mmlToken|html(?:Class|Id|Style|Data)|includegraphics)"
    r"(?![A-Za-z]))"
)
# What begins a formula; for the end of one that has none, a converter reads all that follows
OPENS = (r"\begin", r"\[", r"\(")
FORMULAS = 200  # of one kind that a cell may open
# Each looked at by itself, however they overlap; between angle brackets, space is part of the target.
LINK = re.compile(r"(\]\(|\]:)(?=\s*(?:<([^>]{0,200})|([^\s)>]{0,200})))")
# A picture that is fetched from elsewhere, or attached to a cell that is gone, becomes a link
PICTURE = re.compile(
    r"!\[(?![^\]]{0,300}\]\(\s{0,9}<?\s{0,9}data:image/(?:png|jpeg|gif|webp);base64,)", re.IGNORECASE
)
HARMLESS = re.compile(
    r"(?:https?://|mailto:|#|attachment:|data:image/(?:png|jpeg|gif|webp);base64,)|[^:]{0,199}$", re.I
)


@dataclass(frozen=True)
class _Slot:
    """A code cell of the release that a student may have changed."""

    index: int
    name: str
    text: str


def canonical(submission: Submission, release: Release) -> dict:
    """A valid notebook of the release's format, without outputs, for any submission whatever."""
    cells = [dict(cell) for cell in release.notebook["cells"]]  # of each the source alone may change
    notebook = {**release.notebook, "cells": cells}
    for cell in cells:
        if cell["cell_type"] != "code" and cell_name(cell) in submission.answers:
            cell["source"] = harmless(submission.answers[cell_name(cell)])
    if not submission.cells:
        return notebook
    slots = [
        _Slot(index, cell_name(cell), normal(cell["source"]))
        for index, cell in enumerate(cells)
        if cell["cell_type"] == "code" and not is_check(cell)
    ]
    filled, extras = _placed(submission, slots)
    for number, slot in enumerate(slots):
        cells[slot.index]["source"] = submission.cells[filled[number]].source if number in filled else ""
    notebook["cells"] = [cell for cell in _with_extras(cells, slots, extras) if not _is_blank(cell)]
    return notebook


def harmless(markdown: str) -> str:
    """Markdown in which nothing can act on the reader's browser; text and formulas are left alone."""
    text = TEX.sub(r"\\ ", ENTITY.sub("&amp;", TAG.sub("< ", PICTURE.sub("[", markdown))))
    for opening in OPENS:
        text = text.replace(opening, f"\\ {opening[1:]}") if text.count(opening) > FORMULAS else text
    return LINK.sub(lambda m: m[0] if _is_harmless(m[2] or m[3] or "") else f"{m[0][0]} {m[0][1]}", text)


def _is_harmless(target: str) -> bool:
    """Whether a link leads to a page; browsers pass over the space in a target, and so does this."""
    return HARMLESS.match("".join(target.split())) is not None


def _placed(submission: Submission, slots: Sequence[_Slot]) -> tuple[dict[int, int], dict[int, list[dict]]]:
    """For each slot the cell that goes into it; and all others, by the slot before which they stand."""
    cells = submission.cells
    wanted = _wanted(cells, slots)
    filled = {wanted[index][0]: index for index in _chain(wanted)}
    chain = sorted((index, slot) for slot, index in filled.items())
    for index, (slot, weight) in wanted.items():  # written out of order: its own place tells the reader more
        if weight > 1 and (slot not in filled or filled[slot] not in dict(chain)):
            filled[slot] = index
    placed, extras = set(filled.values()), {}
    others = [(i, _code(cell.source)) for i, cell in enumerate(cells) if i not in placed]
    others += [(_position(note, cells), _text(note.source)) for note in submission.notes]
    for index, cell in sorted(others, key=lambda other: other[0]):
        following = next((slot for at, slot in chain if at > index), len(slots))
        extras.setdefault(min(following, _limit(index, wanted, filled)), []).append(cell)
    return filled, extras


def _position(note: Cell, cells: Sequence[Cell]) -> float:
    """Where among the code cells a text cell stood: half a place before the next of them."""
    return next((i for i, cell in enumerate(cells) if cell.number > note.number), len(cells)) - 0.5


def _wanted(cells: Sequence[Cell], slots: Sequence[_Slot]) -> dict[int, tuple[int, int]]:
    """For each cell that has one: the slot it should go to, and how strongly."""
    by_name = {slot.name: number for number, slot in enumerate(slots)}
    by_text = {slot.text: number for number, slot in enumerate(slots)}
    found = {}
    for index, cell in enumerate(cells):
        steps = defined(cell.source, by_name)
        if steps:
            found[index] = by_name[steps[0]], 3 if cell.place == steps[0] else 2
        elif (same := by_text.get(normal(cell.source))) is not None:
            found[index] = same, 2
        elif cell.place in by_name:
            found[index] = by_name[cell.place], 1
    return found


def _chain(wanted: Mapping[int, tuple[int, int]]) -> list[int]:
    """The heaviest choice of cells whose slots increase as they do; of equals, the later."""
    best: dict[
        int, tuple[int, tuple]
    ] = {}  # slot -> weight of a chain that ends there, and that chain, linked
    for index, (slot, weight) in wanted.items():
        before = max((best[s] for s in best if s < slot), key=lambda link: link[0], default=(0, ()))
        if before[0] + weight >= best.get(slot, (0, ()))[0]:
            best[slot] = before[0] + weight, (index, before[1])
    _, link = max(best.values(), key=lambda link: link[0], default=(0, ()))
    found = []
    while link:
        found.append(link[0])
        link = link[1]
    return found[::-1]


def _limit(index: float, wanted: Mapping[int, tuple[int, int]], filled: Mapping[int, int]) -> int:
    """An earlier version of a step stays before the one that counts."""
    slot = wanted[index][0] if index in wanted else None
    return slot if slot is not None and filled.get(slot, -1) > index else len(filled) + len(wanted) + 1


def _with_extras(cells: list[dict], slots: Sequence[_Slot], extras: Mapping[int, list[dict]]) -> list[dict]:
    """The cells with the student's own in between: before the slot that follows them, or after all code."""
    last = max((index for index, cell in enumerate(cells) if cell["cell_type"] == "code"), default=-1) + 1
    before = {slots[n].index if n < len(slots) else last: extras[n] for n in extras}
    taken = {cell.get("id") for cell in cells}
    names = (name for n in itertools.count(1) if (name := f"student-{n}") not in taken)
    whole = []
    for at in range(len(cells) + 1):
        whole += [{**cell, "id": next(names)} for cell in before.get(at, [])]
        whole += cells[at : at + 1]
    return whole


def _is_blank(cell: dict) -> bool:
    """A code cell that was handed out for trying things, and did not come back."""
    return cell["cell_type"] == "code" and not cell["source"] and "nbgrader" not in cell["metadata"]


def _code(source: str) -> dict:
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}


def _text(source: str) -> dict:
    return {"cell_type": "markdown", "metadata": {}, "source": harmless(source)}
