"""The canonical notebook: the release's cells, with the student's code and answers in their places.

Adds no code that the student did not hand in, and keeps the order in which it runs wherever that is possible.
"""

import copy
import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.grade.expected import cell_name, is_check
from autograder.grade.pieces import defined, normal
from autograder.model import Cell, Release, Submission

# What may stand in an answer's Markdown as HTML; anything else is shown as text, whatever browser reads it.
TAG = re.compile(
    r"<(?!/?(?:br|b|i|em|strong|sub|sup|u|s|p|code|pre|details|summary|ul|ol|li|table|thead|tbody|tr|th|td)\s*/?>)"
    r"(?=[A-Za-z/!?])",
    re.IGNORECASE,
)
LINK = re.compile(r"(\]\(|\]:)(\s*<?\s*)([^\s)>]*)")
HARMLESS = re.compile(
    r"(?:https?://|mailto:|#|attachment:|data:image/(?:png|jpeg|gif|webp);base64,)|[^:&]*$", re.I
)


@dataclass(frozen=True)
class _Slot:
    """A code cell of the release that a student may have changed."""

    index: int
    name: str
    text: str


def canonical(submission: Submission, release: Release) -> dict:
    """A valid notebook of the release's format, without outputs, for any submission whatever."""
    notebook = copy.deepcopy(dict(release.notebook))
    cells = notebook["cells"]
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
    filled, extras = _placed(submission.cells, slots)
    for number, slot in enumerate(slots):
        cells[slot.index]["source"] = submission.cells[filled[number]].source if number in filled else ""
    notebook["cells"] = _with_extras(cells, slots, submission.cells, extras)
    return notebook


def harmless(markdown: str) -> str:
    """Markdown in which nothing can act on the reader's browser; text and formulas are left alone."""
    text = TAG.sub("< ", markdown)
    return LINK.sub(lambda m: m[0] if HARMLESS.match(html.unescape(m[3])) else f"{m[1][0]} {m[0][1:]}", text)


def _placed(cells: Sequence[Cell], slots: Sequence[_Slot]) -> tuple[dict[int, int], dict[int, list[int]]]:
    """For each slot the cell that goes into it; and all other cells, by the slot before which they stand."""
    wanted = _wanted(cells, slots)
    filled = {wanted[index][0]: index for index in _chain(wanted)}
    chain = sorted((index, slot) for slot, index in filled.items())
    for index, (slot, weight) in wanted.items():  # written out of order: its own place tells the reader more
        if weight > 1 and (slot not in filled or filled[slot] not in dict(chain)):
            filled[slot] = index
    extras: dict[int, list[int]] = {}
    for index in range(len(cells)):
        if index not in filled.values():
            following = next((slot for at, slot in chain if at > index), len(slots))
            extras.setdefault(min(following, _limit(index, wanted, filled)), []).append(index)
    return filled, extras


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


def _limit(index: int, wanted: Mapping[int, tuple[int, int]], filled: Mapping[int, int]) -> int:
    """An earlier version of a step stays before the one that counts."""
    slot = wanted[index][0] if index in wanted else None
    return slot if slot is not None and filled.get(slot, -1) > index else len(filled) + len(wanted) + 1


def _with_extras(
    cells: list[dict], slots: Sequence[_Slot], sources: Sequence[Cell], extras: Mapping[int, Sequence[int]]
) -> list[dict]:
    """The cells with the student's own in between: before the slot that follows them, or after all code."""
    before: dict[int, list[dict]] = {}
    last = max((index for index, cell in enumerate(cells) if cell["cell_type"] == "code"), default=-1) + 1
    taken, count = {cell.get("id") for cell in cells}, 0
    for number in sorted(extras):
        at = slots[number].index if number < len(slots) else last
        for index in extras[number]:
            count += 1
            identity = next(
                name for n in range(len(taken) + 1) if (name := f"student-{count + n}") not in taken
            )
            taken.add(identity)
            before.setdefault(at, []).append(_code_cell(identity, sources[index].source))
    return [one for at in range(len(cells) + 1) for one in [*before.get(at, []), *cells[at : at + 1]]]


def _code_cell(identity: str, source: str) -> dict:
    return {
        "cell_type": "code",
        "id": identity,
        "metadata": {},
        "source": source,
        "outputs": [],
        "execution_count": None,
    }
