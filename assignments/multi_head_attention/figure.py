"""Draws how the example's queries are split into heads, rightly and wrongly: figure.svg and figure.zh.svg.

The numbers are computed, every word is from figure.toml; a token keeps its shade wherever its numbers go.
Run it after a change:
python assignments/multi_head_attention/figure.py
"""

import tomllib
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
WIDTH, HEIGHT = 960, 310
CELL, ROW = 34, 24  # one entry of a matrix, in pixels
INK, LINE = "#1b1b1b", "#9a9a9a"
SHADES = ("#ffffff", "#fbe3c0", "#a9cbf2")  # of the tokens, told apart in print too
FILES = {"en": "figure.svg", "zh": "figure.zh.svg"}
FONT = "'Noto Sans','Noto Sans CJK SC','Noto Sans SC','PingFang SC','Microsoft YaHei',Arial,sans-serif"
HEAD = f"""\
<!-- Made by figure.py; do not edit -->
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" \
role="img" lang="{{language}}" aria-labelledby="title desc" font-family="{FONT}" fill="{INK}">"""
DEFS = f"""\
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">\
<path d="M0,0 L8,4 L0,8 z" fill="{INK}"/></marker></defs>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>"""
WORDS = tomllib.loads((HERE / "figure.toml").read_text(encoding="utf-8"))


def example() -> tuple[np.ndarray, np.ndarray]:
    """The projected queries (3, 8), and beside each number the token and the head that it belongs to."""
    x = np.array([[1, 0], [0, 1], [2, 1]])
    queries = x @ np.array([[-1, -1, 1, 0, 2, 0, 0, 1], [1, 0, 0, 1, 0, 1, 2, 0]])
    owners = np.stack(np.indices((3, 2)), axis=-1).repeat(4, axis=1)
    return queries, owners


def split(part: np.ndarray) -> np.ndarray:
    """(3, 8, ...) to (2, 3, 4, ...), as split_heads does it."""
    return np.swapaxes(part.reshape(3, 2, 4, *part.shape[2:]), 0, 1)


def reshaped(part: np.ndarray) -> np.ndarray:
    """The same shape by a reshape alone."""
    return part.reshape(2, 3, 4, *part.shape[2:])


def text(
    x: float, y: float, words: str, *, anchor: str = "middle", size: int = 13, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}"{weight}>{escape(words)}</text>'
    )


def rect(x: float, y: float, width: float, height: float, fill: str, stroke: str, thick: float = 1) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" stroke="{stroke}" '
        f'stroke-width="{thick:g}"/>'
    )


def matrix(values: np.ndarray, owners: np.ndarray, x: float, y: float) -> Iterator[str]:
    """Numbers in the shades of the tokens that they come from, with a frame around them."""
    rows, columns = values.shape
    for i, j in np.ndindex(rows, columns):
        left, top = x + j * CELL, y + i * ROW
        yield rect(left, top, CELL, ROW, SHADES[owners[i, j, 0]], LINE)
        yield text(left + CELL / 2, top + ROW / 2 + 4.5, str(values[i, j]).replace("-", "−"), size=12)
    yield rect(x, y, columns * CELL, rows * ROW, "none", INK, 1.5)


def arrow(*points: tuple[float, float]) -> str:
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{INK}" marker-end="url(#tip)"/>'


def start(words: dict) -> Iterator[str]:
    """The projected queries, both heads' halves side by side."""
    values, owners = example()
    yield text(198, 108, words["start"], bold=True)
    for head in (0, 1):
        part = slice(4 * head, 4 * head + 4)
        yield from matrix(values[:, part], owners[:, part], 60 + head * (4 * CELL + 4), 142)
        yield text(128 + head * (4 * CELL + 4), 134, words["head"].format(head), size=12)
    for i, token in enumerate(words["tokens"]):
        yield text(54, 142 + i * ROW + 16.5, token, anchor="end", size=12)


def heads(way: object, y: float, titles: Sequence[str], words: dict) -> Iterator[str]:
    """Two heads as `way` makes them; beside each row, whose numbers it holds."""
    values, owners = (way(part) for part in example())
    yield text(660, y - 38, titles[0], bold=True)
    for head in (0, 1):
        left = 410 + head * 280
        yield text(left + 2 * CELL, y - 10, titles[1].format(head), size=12)
        yield from matrix(values[head], owners[head], left, y)
        for i, (token, owner) in enumerate(owners[head, :, 0]):
            label = words["row"].format(words["tokens"][token], owner)
            yield text(left + 4 * CELL + 8, y + i * ROW + 16.5, label, anchor="start", size=12)


def draw(language: str) -> str:
    """The whole figure in one language; its title and description in both."""
    other = next(name for name in WORDS if name != language)
    words = WORDS[language]
    told = [
        f'<{tag} lang="{name}"{mark}>{escape(WORDS[name][tag])}</{tag}>'
        for tag in ("title", "desc")
        for name, mark in ((language, f' id="{tag}"'), (other, ""))
    ]
    parts = [
        *start(words),
        arrow((344, 168), (372, 168), (372, 96), (400, 96)),
        arrow((344, 188), (372, 188), (372, 258), (400, 258)),
        *heads(split, 60, (words["right"], words["head"]), words),
        *heads(reshaped, 222, (words["wrong"], words["false"]), words),
    ]
    return "\n".join([HEAD.format(language=language), *told, DEFS, *parts, "</svg>"]) + "\n"


def main() -> None:
    """Writes both files."""
    for language, name in FILES.items():
        (HERE / name).write_text(draw(language), encoding="utf-8")


if __name__ == "__main__":
    main()
