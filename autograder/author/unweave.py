"""Takes an edited notebook apart: what a teacher changed in it goes back to where it is from.

Wording, points, reference code, new and moved cells are taken. What is generated from elsewhere is refused,
with the place where to edit it: no edit is lost in silence.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from autograder.author import cells, stub
from autograder.author.handout import Block, heading, merge
from autograder.author.matching import matched, split
from autograder.author.notebook import MARK_SCHEME, Placed, completed, placed_cells, points
from autograder.author.rewriting import Draft, prose_of
from autograder.model import Exercise, KitError
from autograder.settings import TEXT_STUB

GRADED = {"solution", "check", "answer"}
REFUSED = {
    "setup": "The first code cell is the same in every exercise; write more code into a cell below it.",
    "given": "These are the functions of earlier exercises; edit their own references.",
    "promises": "This follows from the points and the hidden suite; edit the docstrings in {suite}.",
    "check": "The check is the same in every exercise; only its points may be changed here.",
}


class UnweaveError(KitError):
    """The notebook holds edits that no file can take; the message names each cell and the place to edit."""


class _Reader:
    """Reads the cells one by one into drafts; collects what cannot be taken."""

    def __init__(self, base: Exercise, languages: Sequence[str]) -> None:
        self.base, self.languages = base, languages
        self.parts = merge(base.prose)
        opens = self.parts[0].key[1:] == ("", 1) and not base.prose[languages[0]].lstrip("\n").startswith(
            "## "
        )
        self.drafts = [Draft(0 if opens else None, [])]
        self.refused: list[str] = []
        self.code = base.code
        self.points: dict[str, Fraction] = {}

    def read(self, cell: Mapping, placed: Placed | None) -> None:
        """Takes one cell of the notebook, which came from `placed` or is new."""
        if placed is None or placed.role == "prose":
            self._prose(cell, placed)
            return
        same = cell["source"].strip() == placed.cell["source"].strip()
        if placed.role in REFUSED and not same:
            self.refuse(cell, REFUSED[placed.role].format(suite=f"suites/{self.base.name}/"))
        if placed.role in GRADED - {"solution"}:
            self._count(cell, placed)
        if placed.role == "solution":
            self._solution(cell, placed, same)
        elif placed.role == "answer":
            self._answer(cell, placed)

    def refuse(self, cell: Mapping, why: str) -> None:
        name = _marks(cell).get("grade_id") or cell.get("id", "without a name")
        self.refused.append(f"cell {name}: {why}")

    def _count(self, cell: Mapping, placed: Placed) -> None:
        """The points of a grade cell."""
        value, name = points(cell), self.parts[placed.part].name
        if value is None or value <= 0:
            self.refuse(cell, "It must carry points; to take a step out, take it out of exercise.toml.")
        elif value != points(placed.cell):
            self.points[name] = Fraction(str(value))

    def _solution(self, cell: Mapping, placed: Placed, same: bool) -> None:
        """The reference's body may change here; its signature and docstring come from elsewhere."""
        self._add(Block("stub", {}), placed)
        if same:
            return
        if stub.cleared(cell["source"]).strip() != stub.cleared(placed.cell["source"]).strip():
            self.refuse(cell, "Only the solution's lines may change here; the rest is made from the handout.")
            return
        old = stub.function_source(self.base, self.parts[placed.part].name)
        self.code = self.code.replace(old, stub.with_region(old, stub.region(cell["source"])))

    def _answer(self, cell: Mapping, placed: Placed) -> None:
        """The mark scheme."""
        opening, closing = MARK_SCHEME.split("{0}")
        text = cell["source"].strip().removeprefix(opening).removesuffix(closing).strip()
        shown = {} if text == TEXT_STUB else cells.unfolded(text, self.languages)
        self._add(Block("scheme", self._kept(shown, placed)), placed)

    def _prose(self, cell: Mapping, placed: Placed | None) -> None:
        """A cell of text or code that nothing is graded by."""
        if any(_marks(cell).get(mark) for mark in ("grade", "solution", "task")):
            self.refuse(cell, "A new graded cell needs a step or a question: add that in exercise.toml.")
        elif cell.get("attachments"):
            self.refuse(cell, "A handout holds text alone: save the picture beside it and link to it.")
        elif cell["cell_type"] == "code":
            self._code(cell, placed)
        else:
            for texts in split(cell["source"], self.languages):
                self._markdown(texts, placed)
                placed = None

    def _markdown(self, texts: dict[str, str], placed: Placed | None) -> None:
        """One cell of text; a heading begins a section."""
        lead = next((texts[language] for language in self.languages if texts.get(language)), "")
        if lead.startswith("## "):
            self._section(lead, placed)
        kept = self._kept(texts, placed)
        if any(kept.values()):
            self._add(Block("markdown", kept), placed)

    def _section(self, lead: str, placed: Placed | None) -> None:
        """Begins a section: the one of that name, or the one that this cell began, or a new one."""
        kind, name = heading(lead)
        base = placed.part if placed and placed.block == 0 else None
        if base is not None and (self.parts[base].kind, self.parts[base].name) != (kind, name):
            base = None
        named = next((i for i, part in enumerate(self.parts) if name and part.name == name), base)
        self.drafts.append(Draft(named, []))

    def _code(self, cell: Mapping, placed: Placed | None) -> None:
        """A cell of code is the same in every language, unless a translation has its own comments."""
        source = cell["source"].strip("\n")
        if placed:
            old, was = self._block(placed).texts, placed.cell["source"]
            texts = {language: source if text == was else text for language, text in old.items()}
            texts |= {self._spoken(old): source}
        else:
            texts = dict.fromkeys(self.base.prose, source)
        if source:
            self._add(Block("code", texts), placed)

    def _spoken(self, texts: Mapping[str, str]) -> str:
        """The language whose code the notebook shows."""
        return next(language for language in self.languages if language in texts)

    def _kept(self, texts: Mapping[str, str], placed: Placed | None) -> dict[str, str]:
        """The texts of all languages: as shown, and where a language was hidden, as it was."""
        old = self._block(placed).texts if placed else dict.fromkeys(self.base.prose, "")
        new = {language: texts.get(language, "") for language in self.languages}
        there = [language for language in self.base.prose if new.get(language) or language in old]
        return {language: new.get(language, old.get(language, "")) for language in there}

    def _block(self, placed: Placed) -> Block:
        return tuple(completed(self.parts[placed.part]))[placed.block]

    def _add(self, block: Block, placed: Placed | None) -> None:
        """Adds a block to the section that is being read; a step's cells must stand in its own."""
        draft = self.drafts[-1]
        own = placed is not None and placed.part == draft.base
        if placed and block.kind in ("stub", "scheme") and not own:
            name = self.parts[placed.part].name
            self.refused.append(f"cell {name}: It must stand in the section that begins ## `{name}`.")
        else:
            draft.blocks.append((block, placed.block if own else None))


def _marks(cell: Mapping) -> Mapping:
    return cell.get("metadata", {}).get("nbgrader", {})


def unweave(notebook: Mapping, base: Exercise, languages: Sequence[str]) -> Exercise:
    """The exercise whose notebook this is. Raises UnweaveError where an edit has no place to go."""
    reader = _Reader(base, languages)
    placed = list(placed_cells(base, languages))
    found = matched(notebook["cells"], placed)
    for cell, index in zip(notebook["cells"], found, strict=True):
        if cell["cell_type"] == "raw":
            reader.refuse(cell, "A raw cell has no place in a handout; make it a Markdown cell.")
        else:
            reader.read(cell, None if index is None else placed[index])
    reader.refused += _missing(placed, found)
    if reader.refused:
        raise UnweaveError("These edits cannot be taken back:\n" + "\n".join(reader.refused))
    shown = {(p.part, p.block) for p in placed if p.role not in ("setup", "given", "promises", "check")}
    return replace(
        base,
        prose=prose_of(base, [d for d in reader.drafts if d.blocks or d.base is not None], shown),
        code=reader.code,
        steps=tuple(replace(s, points=reader.points.get(s.name, s.points)) for s in base.steps),
        questions=tuple(replace(q, points=reader.points.get(q.name, q.points)) for q in base.questions),
    )


def _missing(placed: Sequence[Placed], found: Sequence[int | None]) -> Iterator[str]:
    """Graded cells that were deleted: nbgrader could not grade without them."""
    there = set(found)
    for index, each in enumerate(placed):
        if each.role in GRADED and index not in there:
            yield f"cell {each.cell['id']}: It was deleted; take the step out of exercise.toml instead."
