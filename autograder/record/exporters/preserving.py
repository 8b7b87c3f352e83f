"""A CSV file in which single cells are replaced, and every other byte stays as it was.

Encoding, mark of order, line ends, quotes and separators are another program's; it gets them back.
"""

import codecs
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
ENCODINGS = ("utf-8", "gb18030", "latin-1")  # the last one takes any bytes
SEPARATORS = ",;\t"
DAMAGED = "the file ends inside a quoted cell"


@dataclass(frozen=True)
class Cell:
    """One cell: what it says, and where in the text it stands, quotes included."""

    value: str
    start: int
    end: int


@dataclass(frozen=True)
class Table:
    """The file as text, and its rows."""

    text: str
    encoding: str
    separator: str
    rows: tuple[tuple[Cell, ...], ...]

    def written(self, values: Mapping[tuple[int, int], str]) -> bytes:
        """The file with other values in some cells, by row and column; they need no quotes."""
        changes = [(self.rows[row][column], value) for (row, column), value in values.items()]
        pieces, done = [], 0
        for cell, value in sorted(changes, key=lambda change: change[0].start):
            quoted = f'"{value}"' if self.text[cell.start : cell.start + 1] == '"' else value
            pieces += [self.text[done : cell.start], quoted]
            done = cell.end
        return "".join([*pieces, self.text[done:]]).encode(self.encoding)


def read_table(content: bytes) -> Table:
    """Raises ValueError where the bytes are no CSV."""
    text, encoding = _decoded(content)
    first = text[: min((at for end in "\r\n" if (at := text.find(end)) >= 0), default=len(text))]
    separator = max(SEPARATORS, key=first.count)
    return Table(text, encoding, separator, tuple(_rows(text, separator)))


def _decoded(content: bytes) -> tuple[str, str]:
    """The text and its encoding, so that encoding it gives the same bytes."""
    marked = [encoding for mark, encoding in MARKS if content.startswith(mark)]
    for encoding in (*marked, *ENCODINGS):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if text.encode(encoding) == content:
            return text, encoding
    raise ValueError("the file is in no known encoding")


def _rows(text: str, separator: str) -> Iterator[tuple[Cell, ...]]:
    row: list[Cell] = []
    at = 1 if text.startswith("\ufeff") else 0
    while at < len(text):
        cell = _cell(text, at, separator)
        row.append(cell)
        at = cell.end
        if text[at : at + 1] == separator:
            at += 1
            if at == len(text):
                row.append(Cell("", at, at))
            else:
                continue
        at += 2 if text[at : at + 2] == "\r\n" else 1
        yield tuple(row)
        row = []
    if row:
        yield tuple(row)


def _cell(text: str, start: int, separator: str) -> Cell:
    """The cell that begins at `start`. A quote inside an unquoted cell is a character like any other."""
    at, value = start, []
    if text[at : at + 1] == '"':
        at += 1
        while True:
            close = text.find('"', at)
            if close < 0:
                raise ValueError(DAMAGED)
            value.append(text[at:close])
            at = close + 1
            if text[at : at + 1] != '"':
                break
            value.append('"')
            at += 1
    rest = next((i for i in range(at, len(text)) if text[i] in (separator, "\r", "\n")), len(text))
    return Cell("".join(value) + text[at:rest], start, rest)
