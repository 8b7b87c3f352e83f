"""Which cell of an edited notebook is which, and what of a cell counts."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from autograder.author import cells, stub
from autograder.author.handout import closed, sections
from autograder.author.notebook import Placed, points


def matched(found: Sequence[Mapping], placed: Sequence[Placed]) -> list[int | None]:
    """For each cell of the notebook, the woven cell that it came from: by grade_id, by id, by its text."""
    by_name = {p.cell["id"]: i for i, p in enumerate(placed)}
    free, out = set(range(len(placed))), []
    for cell in found:
        marks = cell.get("metadata", {}).get("nbgrader", {})
        index = by_name.get(marks.get("grade_id") or cell.get("id"))
        if index not in free or placed[index].cell["cell_type"] != cell["cell_type"]:
            index = None
        free.discard(index)
        out.append(index)
    rest = [i for i, index in enumerate(out) if index is None]
    left = sorted(free)
    matcher = SequenceMatcher(
        None,
        [(found[i]["cell_type"], found[i]["source"].strip()) for i in rest],
        [(placed[i].cell["cell_type"], placed[i].cell["source"].strip()) for i in left],
        autojunk=False,
    )
    for a, b, size in matcher.get_matching_blocks():
        for step in range(size):
            out[rest[a + step]] = left[b + step]
    return out


def split(source: str, languages: Sequence[str]) -> Iterator[dict[str, str]]:
    """A Markdown cell's texts by language, cut where a heading begins a section inside it."""
    cut = {
        language: [closed(section.text.strip()) for section in sections(text)]
        for language, text in cells.unfolded(source, languages).items()
    }
    for texts in zip_longest(*cut.values(), fillvalue=""):
        yield dict(zip(cut, texts, strict=True))


def normal(notebook: Mapping, languages: Sequence[str]) -> list[tuple]:
    """What counts in a notebook: kinds, texts and points, without what an editor adds or the kit makes."""
    carried = {_name(cell): points(cell) for cell in notebook["cells"]}
    out = []
    for cell in notebook["cells"]:
        name = _name(cell)
        if name in ("setup", "given") or name.startswith(("promises_", "check_")):
            continue  # they stand where the first cell and the solutions stand, and follow from the rest
        if cell["cell_type"] == "code":
            source = "\n".join(stub.region(cell["source"])) or cell["source"].strip("\n")
            out += [("code", source, carried.get(f"check_{name}"))] if source else []
        else:
            texts = (cells.folded(texts, languages) for texts in split(cell["source"], languages))
            out += [("markdown", text, points(cell)) for text in texts if text]
    return out


def _name(cell: Mapping) -> str:
    return cell.get("metadata", {}).get("nbgrader", {}).get("grade_id", "")
