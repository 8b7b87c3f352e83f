"""Weaves an exercise into a notebook and takes a notebook apart again.

Notebooks are plain JSON data of nbformat 4.5, the same bytes for the same exercise. Knows no file.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from autograder.author import cells, stub
from autograder.author.handout import Block, Part, merge
from autograder.model import Exercise, KitError
from autograder.settings import TEXT_STUB

MARK_SCHEME = "### BEGIN MARK SCHEME\n{0}\n### END MARK SCHEME"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class WeaveError(KitError):
    """An exercise cannot be woven; the message says what is missing where, and what to write."""


def weave(exercise: Exercise, languages: Sequence[str], solved: bool = True) -> dict:
    """The notebook: for the teacher (`solved`), or exactly as nbgrader releases it."""
    _require_sections(exercise, languages)
    woven = [placed.cell for placed in placed_cells(exercise, languages)]
    attn = {"exercise": exercise.name, "languages": list(languages)}
    attn |= {"sources": fingerprint(exercise), "woven": digest(woven)}
    if not solved:
        woven = cells.locked(_cleared(cell) for cell in woven)
    return {"cells": woven, "metadata": METADATA | {"attn": attn}, "nbformat": 4, "nbformat_minor": 5}


def fingerprint(exercise: Exercise) -> str:
    """A fingerprint of all that a notebook is woven from."""
    facts = [exercise.prose[language] for language in sorted(exercise.prose)]
    facts += [exercise.code, repr(exercise.title), repr(exercise.steps), repr(exercise.questions)]
    facts += exercise.given.values()
    return hashlib.sha256("\0".join(facts).encode()).hexdigest()[:16]


def as_text(notebook: dict) -> str:
    """The notebook's file, as nbformat and Jupyter write it."""
    lines = [{**cell, "source": cell["source"].splitlines(keepends=True)} for cell in notebook["cells"]]
    return json.dumps({**notebook, "cells": lines}, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def from_text(text: str) -> dict:
    """The inverse of `as_text`, for notebooks of any editor. Raises ValueError where it is no notebook."""
    data = json.loads(text)
    if not isinstance(data, dict) or not isinstance(data.get("cells"), list):
        raise ValueError("it has no list of cells")
    for cell in data["cells"]:
        source = cell.get("source", "")
        source = source if isinstance(source, str) else "".join(source)
        cell["source"] = source.replace("\r\n", "\n").replace("\r", "\n")
    return data


def digest(woven: Sequence[dict]) -> str:
    """A fingerprint of what a teacher can edit in the cells: kinds, sources, points."""
    facts = [(cell["cell_type"], cell["source"], points(cell)) for cell in woven]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def points(cell: dict) -> float | None:
    """The points that a cell carries, if it carries any."""
    found = cell.get("metadata", {}).get("nbgrader", {}).get("points")
    return None if found is None else float(found)


def _require_sections(exercise: Exercise, languages: Sequence[str]) -> None:
    """Everything must have its section in the language that is shown open."""
    first = languages[0]
    if first not in exercise.prose:
        raise WeaveError(
            f"{exercise.name} has no handout.{first}.md.\n"
            f"Write it, or put another language first: c.Attn.languages in nbgrader_config.py"
        )
    there = {(part.kind, part.name) for part in merge(exercise.prose) if part.name}
    wanted = [("step", step.name) for step in exercise.steps]
    wanted += [("question", question.name) for question in exercise.questions]
    for kind, name in wanted:
        if (kind, name) not in there:
            title = f"## `{name}`" if kind == "step" else f"## Question `{name}`"
            raise WeaveError(f"{exercise.name}: handout.{first}.md has no section {title}.\nWrite it there.")
    known = {name for _, name in wanted}
    for _, name in sorted(there):
        if name not in known:
            raise WeaveError(
                f"{exercise.name}: a handout has a section `{name}`, of which exercise.toml knows nothing.\n"
                f"Add it to exercise.toml, or take the section out."
            )


class Placed(NamedTuple):
    """A woven cell and where it comes from: prose, setup, given, promises, solution, check or answer."""

    cell: dict
    role: str
    part: int = 0
    block: int = 0


def placed_cells(exercise: Exercise, languages: Sequence[str]) -> Iterator[Placed]:
    """All cells, solved, in order; the setup cell follows the first one, and what is given follows that."""
    place, count, is_set_up = "intro", 0, False
    for i, part in enumerate(merge(exercise.prose)):
        if part.name:
            place, count = part.name, 0
        for j, block in enumerate(completed(part)):
            if block.kind in ("markdown", "code"):
                count += 1
                yield from (Placed(c, "prose", i, j) for c in _prose(block, f"{place}-{count}", languages))
            elif block.kind == "stub":
                yield from (Placed(c, r, i, j) for r, c in _step(exercise, part.name, languages))
            else:
                yield from (Placed(c, r, i, j) for r, c in _question(exercise, part.name, block, languages))
            if not is_set_up:
                yield Placed(cells.setup(exercise), "setup")
                if exercise.given:
                    yield Placed(cells.given(exercise, languages[0]), "given")
                is_set_up = True


def completed(part: Part) -> Iterator[Block]:
    """The part's blocks, with the cells that are graded where no mark says where they go: at the end."""
    yield from part.blocks
    kind = {"step": "stub", "question": "scheme"}.get(part.kind)
    if kind and all(block.kind != kind for block in part.blocks):
        yield Block(kind, {})


def _prose(block: Block, identity: str, languages: Sequence[str]) -> Iterator[dict]:
    """A cell of the handout, where it says anything in the languages shown."""
    if block.kind == "markdown":
        if text := cells.folded(block.texts, languages):
            yield cells.markdown(identity, text)
    elif text := next((block.texts[language] for language in languages if language in block.texts), ""):
        yield cells.code(identity, text)


def _step(exercise: Exercise, name: str, languages: Sequence[str]) -> Iterator[tuple[str, dict]]:
    """What is graded, the function, and the cell in which its check is called and its points are kept."""
    step = exercise.step(name)
    yield "promises", cells.promises(step, languages)
    yield "solution", cells.code(name, stub.solved(exercise, name, languages[0]), solution=True)
    yield "check", cells.code(f"check_{name}", f"check({name})", grade=True, points=step.points)


def _question(
    exercise: Exercise, name: str, block: Block, languages: Sequence[str]
) -> Iterator[tuple[str, dict]]:
    """What it carries, and the cell that a person grades: nbgrader empties that one whole at release."""
    question = next(question for question in exercise.questions if question.name == name)
    yield "promises", cells.by_hand(question, languages)
    scheme = cells.folded(block.texts, languages)
    text = MARK_SCHEME.format(scheme) if scheme else TEXT_STUB
    yield "answer", cells.markdown(name, text, grade=True, solution=True, points=question.points)


def _cleared(cell: dict) -> dict:
    """The cell without its solution, as nbgrader's ClearSolutions leaves it."""
    if not cell["metadata"].get("nbgrader", {}).get("solution"):
        return cell
    source = stub.cleared(cell["source"]) if cell["cell_type"] == "code" else TEXT_STUB
    return {**cell, "source": source}
