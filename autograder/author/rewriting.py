"""Writes sections that were edited in a notebook back into the handouts of all languages."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from autograder.author.handout import SECTION, Block, Part, Piece, keys, merge, rewritten, sections, written
from autograder.model import Exercise

Shown = set[tuple[int, int]]


@dataclass
class Draft:
    """One section as the notebook has it now."""

    base: int | None  # its place in the exercise's sections, or None where it is new
    blocks: list[tuple[Block, int | None]]  # with the place in the base section


def prose_of(base: Exercise, drafts: Sequence[Draft], shown: Shown) -> dict[str, str]:
    """Each handout with the drafts' cells; a language that was not shown keeps its own."""
    parts = merge(base.prose)
    whole = list(_with_hidden(parts, drafts, shown))
    return {language: _handout(text, language, parts, whole) for language, text in base.prose.items()}


def _with_hidden(
    parts: Sequence[Part], drafts: Sequence[Draft], shown: Shown
) -> Iterator[tuple[int | None, list[Block]]]:
    """The drafts as (base section, blocks), with the sections and cells that the notebook did not show."""
    done = set()
    for draft in drafts:
        if draft.base is not None:
            for i in _passed_over(parts, draft.base, done, shown):
                yield i, list(parts[i].blocks)
            done.add(draft.base)
            yield draft.base, _restored(parts[draft.base], draft, shown)
        else:
            yield None, [block for block, _ in draft.blocks]
    for i in _passed_over(parts, len(parts), done, shown):
        yield i, list(parts[i].blocks)


def _passed_over(parts: Sequence[Part], until: int, done: set[int], shown: Shown) -> Iterator[int]:
    """Sections before `until` of which no cell was shown."""
    for i in range(until):
        if i not in done and all((i, j) not in shown for j in range(len(parts[i].blocks) + 1)):
            done.add(i)
            yield i


def _restored(part: Part, draft: Draft, shown: Shown) -> list[Block]:
    """The draft's blocks, each hidden one put back behind the one that it followed."""
    out: list[Block] = []
    hidden = [j for j in range(len(part.blocks)) if (draft.base, j) not in shown]
    for block, place in draft.blocks:
        while hidden and place is not None and hidden[0] < place:
            out.append(part.blocks[hidden.pop(0)])
        out.append(block)
    return out + [part.blocks[j] for j in hidden]


def _handout(
    text: str, language: str, parts: Sequence[Part], whole: Iterable[tuple[int | None, list[Block]]]
) -> str:
    """One language's handout, its sections untouched where nothing changed."""
    found = sections(text)
    by_key = dict(zip(keys(found), found, strict=True))
    order, texts = [], []
    for index, blocks in whole:
        section = by_key.get(parts[index].key) if index is not None else None
        pieces = _pieces(blocks, language)
        if section is not None:
            order.append(found.index(section))
            texts.append(rewritten(section, _implicit(pieces, section.pieces)))
        elif index is None or any(piece.text for piece in pieces):
            order.append(-1)
            texts.append(written(_implicit(pieces, ())))
        if len(texts) > 1 and not texts[-1].startswith(("## ", SECTION)):
            texts[-1] = f"{SECTION}\n\n{texts[-1]}"
    if order == list(range(len(found))):
        return "".join(texts)
    return "\n\n".join(text.strip("\n") for text in texts if text.strip("\n")) + "\n"


def _pieces(blocks: Iterable[Block], language: str) -> tuple[Piece, ...]:
    return tuple(
        Piece(block.kind, block.texts.get(language, ""))
        for block in blocks
        if block.kind == "stub" or language in block.texts
    )


def _implicit(pieces: tuple[Piece, ...], old: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Without the mark of a stub or mark scheme that goes to the section's end anyway and was not written."""
    last = pieces[-1] if pieces else None
    if last in (Piece("stub"), Piece("scheme")) and all(piece.kind != last.kind for piece in old):
        return pieces[:-1]
    return pieces
