"""A notebook's text, to the byte as nbformat writes it.

Most cells of a class's notebooks are the same, so each is written out once.
"""

import functools
import json
from collections.abc import Mapping
from typing import Any

from nbformat import NotebookNode, from_dict
from nbformat.v4.rwbase import split_lines, strip_transient

SHORT = 64 << 10  # characters of a cell that is kept
KEPT = 256  # cells, those that were written last
CELLS = '{\n "cells": [],'  # the first of a notebook's parts, in the order of their names


def text(notebook: Mapping[str, Any]) -> str:
    """What `nbformat.writes` gives of a notebook of version 4."""
    frame = strip_transient(from_dict({**notebook, "cells": []}))
    cells = ",\n  ".join(_cell(json.dumps(cell, sort_keys=True)) for cell in notebook["cells"])
    whole = _indented(frame)
    return whole.replace(CELLS, f'{{\n "cells": [\n  {cells}\n ],', 1) if cells else whole


def _cell(plain: str) -> str:
    return _kept(plain) if len(plain) < SHORT else _written(plain)


def _written(plain: str) -> str:
    notebook = NotebookNode(cells=[from_dict(json.loads(plain))], metadata=NotebookNode())
    (cell,) = strip_transient(split_lines(notebook)).cells
    return _indented(cell).replace("\n", "\n  ")


_kept = functools.lru_cache(maxsize=KEPT)(_written)


def _indented(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=1, sort_keys=True, separators=(",", ": "), ensure_ascii=False)
