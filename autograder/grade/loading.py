"""A submission's cells on their way to a desk: which are short enough, and the frame that brings them."""

import json
from collections.abc import Collection, Iterable, Sequence

from autograder.desk import wire
from autograder.grade.answers import Error, Loaded
from autograder.model import Cell

SOURCE = 2 << 20  # characters of code that one submission may have


def too_long(cells: Sequence[Cell]) -> dict[int, Loaded]:
    """The reports on the cells, by their places, for which there is no room."""
    room, reports = SOURCE, {}
    for place, cell in enumerate(cells):
        length = len(cell.source) + cell.line + 100
        if length <= room:
            room -= length
        else:
            error = Error("SyntaxError", "the code is too long", None, cell.number)
            reports[place] = Loaded(cell.number, "syntax", error)
    return reports


def frame(cells: Iterable[tuple[Cell, float]], number: int, stand_ins: Collection[str]) -> bytes:
    """The frame that loads these cells, each with the seconds that it may take."""
    texts = [[cell.number, "\n" * (cell.line - 1) + cell.source, seconds] for cell, seconds in cells]
    header = {"k": "load", "i": number, "stand_ins": [*stand_ins]}
    return wire.pack(header, json.dumps(texts).encode())
