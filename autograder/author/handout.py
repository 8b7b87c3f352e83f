"""A handout's Markdown as sections and cells, and back again.

Knows the few marks that a handout carries (`<!-- cell -->`, `<!-- stub -->`, `<!-- mark scheme -->`, a fence
opened with ```` ```python cell ````). Knows nothing of notebooks or nbgrader.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher

STEP = re.compile(r"## `(\w+)`")
QUESTION = re.compile(r"## (?:Question|问题) `(\w+)`")
MARK = re.compile(r"\s*<!--\s*(cell|section|stub|mark scheme)\s*-->\s*")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})\s*(.*?)\s*")
CELL_INFO = "python cell"
SECTION = "<!-- section -->"  # begins a section that has no heading yet: a translation to come


@dataclass(frozen=True)
class Piece:
    """One cell's worth of one language: its kind is markdown, code, stub or scheme."""

    kind: str
    text: str = ""
    span: tuple[int, int] = field(default=(0, 0), compare=False)  # where the text stands in its section


@dataclass(frozen=True)
class Section:
    """One language's text from a `## ` heading to the next; the first one has no heading."""

    kind: str  # prose, step or question
    name: str
    text: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Block:
    """One cell in every language that has it."""

    kind: str
    texts: Mapping[str, str]


@dataclass(frozen=True)
class Part:
    """One section in every language that has it."""

    kind: str
    name: str
    blocks: tuple[Block, ...]
    key: tuple[str, str, int] = ("prose", "", 1)  # what makes it the same section in each language


class Fence:
    """Whether the lines read so far leave a code fence open."""

    def __init__(self) -> None:
        self.open = ""

    def feed(self, line: str) -> str | None:
        """The info string where `line` opens a fence; else None."""
        match = FENCE.fullmatch(line)
        if not match:
            return None
        mark, info = match.groups()
        if self.open:
            if mark.startswith(self.open) and not info:
                self.open = ""
            return None
        if mark[0] == "`" and "`" in info:  # inline code that merely looks like a fence
            return None
        self.open = mark
        return info


def closed(text: str) -> str:
    """The text with its last fence closed, so that it cannot swallow what follows."""
    fence = Fence()
    for line in text.split("\n"):
        fence.feed(line)
    return f"{text}\n{fence.open}" if fence.open else text


def sections(text: str) -> tuple[Section, ...]:
    """The handout cut at every `## ` heading; joining their texts gives the handout back."""
    starts, position, fence = [0], 0, Fence()
    for line in text.split("\n"):
        if position and not fence.open and line.startswith(("## ", SECTION)):
            starts.append(position)
        fence.feed(line)
        position += len(line) + 1
    ends = [*starts[1:], len(text)]
    return tuple(_section(text[start:end]) for start, end in zip(starts, ends, strict=True))


def heading(text: str) -> tuple[str, str]:
    """The kind and the name of the section that `text` opens: ("step", "softmax")."""
    for kind, pattern in (("step", STEP), ("question", QUESTION)):
        if match := pattern.match(text):
            return kind, match.group(1)
    return "prose", ""


def _section(text: str) -> Section:
    return Section(*heading(text.lstrip("\n")), text, tuple(pieces(text)))


def pieces(text: str) -> Iterator[Piece]:
    """The cells of a section's text, in order; an empty one stands between two `cell` marks."""
    start, position, fence, kind, after_mark = 0, 0, Fence(), "markdown", False
    for line in text.split("\n"):
        end, info = position, fence.feed(line)
        position += len(line) + 1
        mark = None if fence.open and info is None else MARK.fullmatch(line)
        if kind == "code":
            if not fence.open:
                yield _piece(text, "code", start, end)
                start, kind, after_mark = position, "markdown", False
        elif info == CELL_INFO or mark:
            empty = kind == "scheme" or (after_mark and mark and mark.group(1) == "cell")
            if text[start:end].strip() or empty:
                yield _piece(text, kind, start, end)
            start, kind = position, "markdown"
            after_mark = mark is not None and mark.group(1) == "cell"
            if mark is None:
                kind = "code"
            elif mark.group(1) == "stub":
                yield Piece("stub", span=(end, position - 1))
            elif mark.group(1) == "mark scheme":
                kind = "scheme"
    if kind == "scheme" or text[start:].strip():
        yield _piece(text, kind, start, len(text))


def _piece(text: str, kind: str, start: int, end: int) -> Piece:
    """The piece without the blank lines around it, and its place."""
    raw = text[start:end]
    stripped = raw.strip("\n") if kind == "code" else raw.strip()
    offset = raw.find(stripped) if stripped else 0
    return Piece(kind, stripped, (start + offset, start + offset + len(stripped)))


def written(parts: Iterable[Piece]) -> str:
    """A section's text made anew from its cells."""
    out: list[str] = []
    before = None
    for piece in parts:
        if piece.kind == "code":
            out.append(_fenced(piece.text))
        elif piece.kind == "stub":
            out.append("<!-- stub -->")
        elif piece.kind == "scheme":
            out.append(f"<!-- mark scheme -->\n\n{closed(piece.text)}".rstrip())
        else:
            if before in ("markdown", "scheme") or not (piece.text or before == "empty"):
                out.append("<!-- cell -->")
            out.append(closed(piece.text) or "<!-- cell -->")
        before = piece.kind if piece.text or piece.kind != "markdown" else "empty"
    return "\n\n".join(out) + "\n"


def _fenced(code: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{CELL_INFO}\n{code}\n{fence}"


def rewritten(section: Section, new: tuple[Piece, ...]) -> str:
    """The section's text with the cells `new`: changed in as few places as can be."""
    if new == section.pieces:
        return section.text
    tail = section.text[len(section.text.rstrip("\n")) :] or "\n"
    if [piece.kind for piece in new] != [piece.kind for piece in section.pieces] or not all(
        piece.text and old.text
        for piece, old in zip(new, section.pieces, strict=True)
        if piece.kind != "stub"
    ):
        return written(new).rstrip("\n") + tail
    text = section.text
    for old, piece in reversed(tuple(zip(section.pieces, new, strict=True))):
        if old != piece:
            text = text[: old.span[0]] + closed(piece.text) + text[old.span[1] :]
    return text if tuple(pieces(text)) == new else written(new).rstrip("\n") + tail


def keys(found: Iterable[Section]) -> list[tuple[str, str, int]]:
    """What makes a section the same one in another language: its name, or its place after a named one."""
    out, last, count = [], "", 0
    for section in found:
        if section.name:
            last, count = section.name, 0
        else:
            count += 1
        out.append((section.kind, section.name or last, 0 if section.name else count))
    return out


def merge(prose: Mapping[str, str]) -> tuple[Part, ...]:
    """All languages' handouts as one list of sections; the first language leads where they differ."""
    merged: list[tuple[tuple, list[Block]]] = []
    for language, text in prose.items():
        found = sections(text)
        place = 0
        for key, section in zip(keys(found), found, strict=True):
            index = next((i for i, (other, _) in enumerate(merged) if other == key), None)
            if index is None:
                merged.insert(place, (key, _blocks(section, language)))
                place += 1
            else:
                merged[index] = (key, _aligned(merged[index][1], section, language))
                place = index + 1
    return tuple(
        Part(key[0], key[1] if key[0] != "prose" else "", tuple(blocks), key) for key, blocks in merged
    )


def _blocks(section: Section, language: str) -> list[Block]:
    return [Block(piece.kind, {language: piece.text}) for piece in section.pieces]


def _aligned(blocks: list[Block], section: Section, language: str) -> list[Block]:
    """The blocks with one more language in them; cells pair in order as far as their kinds agree."""
    mine = _blocks(section, language)
    out: list[Block] = []
    matcher = SequenceMatcher(None, [b.kind for b in blocks], [b.kind for b in mine], autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            pairs = zip(blocks[i:j], mine[k:m], strict=True)
            out += [Block(old.kind, {**old.texts, **new.texts}) for old, new in pairs]
        else:
            out += blocks[i:j] + mine[k:m]
    return out
