"""Text for people: pairs of sentences, and how wide they are on a screen."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

LANGUAGES = ("en", "zh")
# What a console that cannot show a symbol shows in its place.
PLAIN = {
    "✓": "ok",
    "✗": "x",
    "·": ".",
    "○": "-",
    "▸": ">",
    "→": "->",
    "←": "<-",
    "↓": "v",
    "Σ": "sum",
    "—": "-",
    "–": "-",
    "…": "...",
    "×": "x",
    "√": "sqrt ",
    "−": "-",
    "∞": "inf",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "ᵀ": "^T",
    "²": "^2",
    "≤": "<=",
    "≥": ">=",
}
CLOSING = "，。；：、？！）》」”’,.;:?!)"  # never at the beginning of a line


class Pair(NamedTuple):
    """One thought, said in English and in Chinese."""

    en: str
    zh: str

    def say(self, language: str) -> str:
        return self.zh if language == "zh" else self.en

    def then(self, other: Pair) -> Pair:
        """Both thoughts, one after the other."""
        return Pair(f"{self.en} {other.en}".strip(), f"{self.zh}{other.zh}")


NOTHING = Pair("", "")


def printable(text: str, widest: int = 200) -> str:
    """The text on one line, without control characters, cut to `widest` characters."""
    text = "".join(c if c.isprintable() else " " if c in "\r\n\t" else "?" for c in text[: widest + 1])
    return text if len(text) <= widest else text[: widest - 1] + "…"


def columns(text: str) -> int:
    """How many columns the text takes on a terminal, where Chinese takes two a character."""
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def padded(text: str, width: int) -> str:
    return text + " " * (width - columns(text))


def wrapped(text: str, width: int, indent: str = "") -> Iterator[str]:
    """Lines of at most `width` columns; Chinese may break anywhere but before closing punctuation."""
    line = indent
    for token in re.findall(rf"\s*(?:[\u2e80-\uffff]|[^\s\u2e80-\uffff]+)[{re.escape(CLOSING)}]*", text):
        for piece in _pieces(token, max(width - columns(indent), 8)):
            if line != indent and columns(line + piece) > width:
                yield line
                line = indent
            line += piece.lstrip() if line == indent else piece
    if line != indent:
        yield line


def _pieces(token: str, width: int) -> Iterator[str]:
    """A word that is longer than a line, in parts that are not."""
    while columns(token) > width:
        yield token[:width]
        token = token[width:]
    yield token


def encodable(text: str, encoding: str) -> str:
    """The text with each symbol that the encoding lacks in plain letters, or as a question mark."""
    try:
        text.encode(encoding)
        return text
    except LookupError:
        return text
    except UnicodeEncodeError:
        return "".join(_plain(char, encoding) for char in text)


def speakable(language: str, encoding: str | None) -> str:
    """The language, or English where the encoding has no Chinese."""
    return "en" if language == "zh" and "?" in encodable("中文", encoding or "utf-8") else language


def _plain(char: str, encoding: str) -> str:
    try:
        char.encode(encoding)
        return char
    except UnicodeEncodeError:
        return PLAIN.get(char, "?")
