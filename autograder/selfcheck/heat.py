"""A heat map of weights as inline SVG: every cell carries its number, and the picture a sentence."""

from __future__ import annotations

import html

import numpy as np

from .words import Pair

CELL, ROW, LEFT, TOP, MOST = 46, 26, 64, 40, 12
FILL = "#3b82f6"  # seen on white and on black; never opaque, so the number keeps its contrast
AXES = Pair("query ↓ key →", "查询 ↓ 键 →")


def is_weights(value) -> bool:
    """Whether a value looks like attention weights that can be drawn: rows of at least two that sum to 1."""
    if type(value) is not np.ndarray or value.dtype.kind != "f" or value.ndim < 2:
        return False
    rows, keys = value.shape[-2:]
    if not (0 < rows <= MOST and 1 < keys <= MOST) or not value.size:
        return False
    return bool(np.all(value >= 0) and np.allclose(value.sum(axis=-1), 1.0, atol=1e-4))


def matrix(value: np.ndarray) -> np.ndarray:
    """The first item of a batch, as a matrix."""
    return value.reshape(-1, *value.shape[-2:])[0]


def heat_map(value: np.ndarray, title: str, language: str, mark: tuple | None = None) -> str:
    """One matrix (queries by keys), at most 12 by 12; the entry at `mark` is framed."""
    rows, keys = value.shape
    width, height = LEFT + keys * CELL + 4, TOP + rows * ROW + 4
    parts = [
        f'<svg role="img" aria-label="{html.escape(_sentence(value, title, language), quote=True)}" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'style="max-width:100%;height:auto" font-family="inherit" font-size="12">',
        _text(4, 14, title, "start", bold=True),
        _text(4, 32, AXES.say(language), "start", size=10),
    ]
    parts += [_text(LEFT + key * CELL + CELL / 2, 32, str(key)) for key in range(keys)]
    for row in range(rows):
        parts.append(_text(LEFT - 8, TOP + row * ROW + 17, str(row), "end"))
        parts += [_cell(row, key, value[row, key], mark == (row, key)) for key in range(keys)]
    return "".join(parts) + "</svg>"


def _cell(row: int, key: int, weight, marked: bool) -> str:
    x, y = LEFT + key * CELL, TOP + row * ROW
    finite = bool(np.isfinite(weight))
    share = min(max(float(weight), 0.0), 1.0) if finite else 0.0
    frame = (
        'stroke="currentColor" stroke-width="2.5"' if marked else 'stroke="currentColor" stroke-width="0.3"'
    )
    box = f'<rect x="{x}" y="{y}" width="{CELL - 2}" height="{ROW - 2}"'
    cell = f'{box} fill="{FILL}" fill-opacity="{0.5 * share:.3f}" {frame}/>'
    bar = f'<rect x="{x}" y="{y + ROW - 5}" width="{share * (CELL - 2):.1f}" height="3" fill="currentColor"/>'
    number = f"{float(weight):.3f}" if finite else str(float(weight))
    return cell + (bar if share else "") + _text(x + CELL / 2 - 1, y + 15, number, bold=marked)


def _text(
    x: float, y: float, text: str, anchor: str = "middle", *, bold: bool = False, size: int = 12
) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}" fill="currentColor"{weight}>'
        f"{html.escape(text)}</text>"
    )


def _sentence(value: np.ndarray, title: str, language: str) -> str:
    """What the picture shows, for those who do not see it."""
    if not np.isfinite(value).all():
        odd = int((~np.isfinite(value)).sum())
        return Pair(
            f"{title}: {odd} of {value.size} weights are not finite.",
            f"{title}：{value.size} 个权重中有 {odd} 个不是有限的数。",
        ).say(language)
    best = value.argmax(axis=-1)
    en = "; ".join(f"query {q} looks most at key {k} ({value[q, k]:.2f})" for q, k in enumerate(best))
    zh = "；".join(f"查询 {q} 最看重键 {k}（{value[q, k]:.2f}）" for q, k in enumerate(best))
    return Pair(f"{title}: {en}.", f"{title}：{zh}。").say(language)
