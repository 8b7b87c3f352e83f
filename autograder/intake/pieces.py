"""Cuts a student's source into pieces at its top level, line by line; sees which functions a piece defines.

Works on text alone: a student's source is never parsed as Python in this process.
"""

import functools
import itertools
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

SHORT = 8 << 10  # characters of a source whose comparable form is kept
MAX_PIECES = 300  # of one source; what has more was not written by hand
# A string on one line, the opening of a longer one, a comment, a bracket. Possessive: time stays linear.
TOKEN = re.compile(
    r'"""|\'\'\'|"(?:[^"\\]|\\.)*+(?:"|$)|\'(?:[^\'\\]|\\.)*+(?:\'|$)|#.*|[([{]|[)\]}]',
)
OPENS = re.compile(r"(?:async[ \t]+)?def\b|class\b|@")
KEYWORD = re.compile(r"(?:(?:async[ \t]+)?def|class|import|from|with|for|while|if|try|return)\b")
DEFINES = re.compile(
    r"^(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(|^(\w+)[ \t]*(?::[^=\n]*)?=(?!=)", re.MULTILINE | re.ASCII
)


class Piece(NamedTuple):
    """Some lines of a source; the first one is line `line` of it, counted from 1."""

    source: str
    line: int


def defined(source: str, names: Iterable[str]) -> list[str]:
    """Those of `names` that the source binds at its top level, in the order in which it does, each once."""
    wanted = {name for name in names if name in source}
    if not wanted:
        return []
    found = (match[1] or match[2] for match in DEFINES.finditer(source))
    return list(dict.fromkeys(name for name in found if name in wanted))


def split(source: str, steps: Sequence[str], least: int = 2) -> list[Piece]:
    """The source in pieces where it defines that many steps; else, and where magic rules it, in one piece."""
    if len(defined(source, steps)) < least or source.lstrip().startswith("%%"):
        return _trimmed(source.split("\n"), 0)
    lines = source.split("\n")
    cuts = [0, *_cuts(lines), len(lines)]
    if len(cuts) > MAX_PIECES:
        return _trimmed(lines, 0)
    return [piece for start, end in itertools.pairwise(cuts) for piece in _trimmed(lines[start:end], start)]


def normal(source: str) -> str:
    """The source without blank lines and trailing space, for comparing what editors save differently."""
    return _kept(source) if len(source) < SHORT else _normal(source)


def _normal(source: str) -> str:
    return "\n".join(line.rstrip() for line in source.split("\n") if line.strip())


_kept = functools.lru_cache(maxsize=512)(_normal)  # most cells are the same in most notebooks of a class


def free_lines(lines: Sequence[str]) -> list[bool]:
    """For each line, whether a statement can begin there: within no string, brackets or continued line.

    Where a string in triple quotes never ends, no count of quotes can be trusted: then only keywords can.
    """
    free, quote, depth, continued = [], "", 0, False
    for line in lines:
        if not quote and KEYWORD.match(line):
            depth = 0  # no expression holds such a keyword at its left margin: a bracket was left open
        free.append(not quote and depth == 0 and not continued)
        if not quote and line.startswith(("%", "!", "?")):
            continue
        quote, depth = _after(line, quote, depth)
        continued = not quote and line.endswith("\\")
    return [bool(OPENS.match(line)) for line in lines] if quote else free


def _after(line: str, quote: str, depth: int) -> tuple[str, int]:
    """The quotes and the brackets that are open at the end of a line."""
    at = 0
    while at < len(line):
        if quote:
            closing = next((m for m in re.compile(r"\\.|" + quote).finditer(line, at) if m[0] == quote), None)
            if closing is None:
                return quote, depth
            quote, at = "", closing.end()
            continue
        found = TOKEN.search(line, at)
        if found is None:
            break
        at = found.end()
        if found[0] in ('"""', "'''"):
            quote = found[0]
        elif found[0] in tuple("([{"):
            depth += 1
        elif found[0] in tuple(")]}"):
            depth = max(0, depth - 1)
    return quote, depth


def _cuts(lines: Sequence[str]) -> list[int]:
    """Where pieces begin: at each definition with its decorators and comments, and after its body."""
    cuts: list[int] = []
    free, inside, decorated = free_lines(lines), False, False
    for index, line in enumerate(lines):
        if not free[index] or not line[:1].strip() or line[0] in "#)]}":
            continue
        if OPENS.match(line):
            if not decorated:
                cuts.append(_with_comments(lines, index, cuts[-1] if cuts else 0))
            decorated, inside = line[0] == "@", True
        else:
            if inside:
                cuts.append(index)
            inside = decorated = False
    return [cut for cut in dict.fromkeys(cuts) if cut > 0]


def _with_comments(lines: Sequence[str], index: int, lowest: int) -> int:
    while index > lowest + 1 and lines[index - 1].startswith("#"):
        index -= 1
    return index


def _trimmed(lines: Sequence[str], start: int) -> list[Piece]:
    """The lines without blank ones around them, as a piece; none where all are blank."""
    full = [index for index, line in enumerate(lines) if line.strip()]
    if not full:
        return []
    return [Piece("\n".join(lines[full[0] : full[-1] + 1]), start + full[0] + 1)]
