"""Small arrays as lines of text, with one place marked."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .difference import shown

MOST = 64  # entries that are written out
DIGITS = 4


def number(value) -> str:
    """One entry, short: 0.25, -inf, 1e+06, True."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (int, np.integer)):
        return str(value)
    try:
        return f"{float(value):.{DIGITS}g}" if np.isrealobj(value) else f"{complex(value):.{DIGITS}g}"
    except (TypeError, ValueError):
        return shown(value)


def grid(array: np.ndarray, mark: tuple[int, ...] | None = None) -> list[str]:
    """The array's rows; the entry at `mark` stands between > and <. Larger arrays lose their middle."""
    if array.size > MOST or array.ndim == 0 or array.size == 0:
        text = np.array2string(np.asarray(array), precision=DIGITS, threshold=MOST, max_line_width=72)
        return text.split("\n")[:12]
    words = [number(value) for value in array.reshape(-1)]
    if mark is not None:
        index = int(np.ravel_multi_index(mark, array.shape))
        words[index] = f">{words[index]}<"
    width = max(len(word) for word in words)
    return list(_rows([word.rjust(width) for word in words], array.shape))


def _rows(words: list[str], shape: tuple[int, ...]) -> Iterator[str]:
    """Brackets as NumPy sets them."""
    last = shape[-1]
    for start in range(0, len(words), last):
        row = start // last
        opening = closing = 0
        block = 1
        for length in reversed(shape[:-1]):
            block *= length
            opening += row % block == 0
            closing += row % block == block - 1
        pad = " " * (len(shape) - 1 - opening)
        yield f"{pad}{'[' * (opening + 1)}{' '.join(words[start : start + last])}{']' * (closing + 1)}"
        if 0 < closing < len(shape) - 1:
            yield ""
