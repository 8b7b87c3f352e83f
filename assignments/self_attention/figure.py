"""Draws the flow of the worked example into figure.svg (English) and figure.zh.svg (Chinese).

Every number comes from the reference, every word from figure.toml; matrices are drawn to scale.
Run it after a change:
python assignments/self_attention/figure.py
"""

import importlib.util
import tomllib
from collections.abc import Iterator
from html import escape
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
WIDTH, HEIGHT = 960, 604
LEFT = 66  # where matrices begin; the tokens' names stand before it
CELL, ROW = 34, 24  # one entry of a matrix, in pixels
SMALL = 8  # one entry of a matrix that has no room for numbers
LEARNED, ACTIVE, GIVEN, INK, ACCENT = "#fbe3c0", "#e4eefa", "#ececec", "#1b1b1b", "#0b4f9c"
FILES = {"en": "figure.svg", "zh": "figure.zh.svg"}
FONT = "'Noto Sans','Noto Sans CJK SC','Noto Sans SC','PingFang SC','Microsoft YaHei',Arial,sans-serif"

HEAD = f"""\
<!-- Made by figure.py; do not edit -->
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" \
role="img" lang="{{language}}" aria-labelledby="title desc" font-family="{FONT}" fill="{INK}">"""
DEFS = f"""\
<defs><pattern id="hatched" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
<rect width="6" height="6" fill="#ffffff"/><rect width="2" height="6" fill="#d0d0d0"/></pattern>
<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">\
<path d="M0,0 L8,4 L0,8 z" fill="{INK}"/></marker></defs>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>"""

WORDS = tomllib.loads((HERE / "figure.toml").read_text(encoding="utf-8"))


def example() -> dict[str, np.ndarray]:
    """The matrices of the worked example, computed by the reference."""
    path = HERE.parents[1] / "solutions" / "self_attention.py"
    spec = importlib.util.spec_from_file_location("reference", path)
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    x = np.array([[1, 0], [0, 1], [2, 1]])
    W_Q, W_K = np.array([[-1, -1, 1, 0], [1, 0, 0, 1]]), np.array([[2, 0, 0, 1], [0, 1, 2, 0]])
    W_V = np.array([[0, 1, 1, 2, 3], [1, -1, 1, 0, -1]])
    Q, K, V = reference.project_qkv(x, W_Q, W_K, W_V)
    scaled, mask = reference.scaled_scores(Q, K), reference.causal_mask(3)
    masked = reference.apply_mask(scaled, mask)
    output, weights = reference.self_attention(x, W_Q, W_K, W_V, causal=True)
    found = {"x": x, "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "Q": Q, "K": K, "V": V, "dots": Q @ K.T}
    return found | {"scaled": scaled, "mask": mask, "masked": masked, "weights": weights, "output": output}


def text(
    x: float, y: float, words: str, *, anchor: str = "middle", size: int = 13, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}"{weight}>{escape(words)}</text>'
    )


def rect(x: float, y: float, width: float, height: float, **style: object) -> str:
    look = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{look}/>'


def arrow(*points: tuple[float, float]) -> str:
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{INK}" marker-end="url(#tip)"/>'


def printed(value: float, decimals: int) -> str:
    """A number as the handout prints it; minus and infinity as signs."""
    if np.isneginf(value):
        return "−∞"
    return f"{value + 0.0:.{decimals}f}".replace("-", "−")


def matrix(
    values: np.ndarray,
    x: float,
    y: float,
    fill: str,
    *,
    decimals: int = 0,
    areas: bool = False,
    outlined: bool = True,
) -> Iterator[str]:
    """A matrix with its numbers: forbidden entries hatched, weights also as areas, the query outlined."""
    for i, j in np.ndindex(values.shape):
        left, top, value = x + j * CELL, y + i * ROW, values[i, j]
        yield rect(left, top, CELL, ROW, fill=fill, stroke="#9a9a9a")
        if value is np.False_ or np.isneginf(value) or (areas and j > i):
            yield rect(left, top, CELL, ROW, fill="url(#hatched)", stroke="#9a9a9a")
        if areas and value > 0:
            side = np.sqrt(value)
            place = left + CELL * (1 - side) / 2, top + ROW * (1 - side) / 2
            yield rect(*place, CELL * side, ROW * side, fill="#a9cbf2")
        shown = ("✓" if value else "") if values.dtype == bool else printed(value, decimals)
        yield text(left + CELL / 2, top + ROW / 2 + 4.5, shown, size=12)
    if outlined:
        yield rect(x, y + ROW, CELL * values.shape[1], ROW, fill="none", stroke=ACCENT, stroke_width=2.5)


def named(values: np.ndarray, x: float, y: float, name: str) -> Iterator[str]:
    """A matrix's name above it and its shape below."""
    middle = x + CELL * values.shape[1] / 2
    yield text(middle, y - 7, name, bold=True, size=14)
    yield text(middle, y + ROW * len(values) + 16, f"({len(values)}, {values.shape[1]})", size=12)


PLACES = {"Q": 206, "K": 402, "V": 598}


def projections(of: dict[str, np.ndarray], words: dict) -> Iterator[str]:
    """Above: x at the left, a learned matrix on top of each product, so that rows meet columns."""
    top, middle, left = 52, 148, LEFT
    yield from [*matrix(of["x"], left, middle, ACTIVE), *named(of["x"], left, middle, "x")]
    for i, token in enumerate(words["tokens"]):
        yield text(left - 8, middle + ROW * (i + 0.5) + 4.5, token, anchor="end")
    for name, place in PLACES.items():
        learned, product = of[f"W_{name}"], of[name]
        yield from [
            *matrix(learned, place, top, LEARNED, outlined=False),
            *matrix(product, place, middle, ACTIVE, outlined=name == "Q"),
        ]
        yield from named(product, place, middle, name)
        yield text(place - 8, top + ROW + 4.5, f"W_{name}", anchor="end", bold=True, size=14)
        center = place + CELL * product.shape[1] / 2
        yield text(center, top - 7, f"({len(learned)}, {learned.shape[1]})", size=12)
        yield arrow((center + 22, top + 2 * ROW + 4), (center + 22, middle - 4))
    yield arrow((left + 2 * CELL + 6, middle + 1.5 * ROW), (PLACES["Q"] - 8, middle + 1.5 * ROW))


GAP = 3 * CELL + 76  # from one square matrix of the chain to the next
CHAIN = {  # name -> left edge, decimals
    "dots": (LEFT, 0),
    "scaled": (LEFT + GAP, 1),
    "masked": (LEFT + 2 * GAP, 1),
    "weights": (LEFT + 3 * GAP, 2),
    "output": (LEFT + 4 * GAP, 2),
}
CHAIN_TOP = 340


def chain(of: dict[str, np.ndarray], words: dict) -> Iterator[str]:
    """Below: the dot products and what becomes of them, up to the output."""
    for name, (left, decimals) in CHAIN.items():
        values = of[name]
        yield from matrix(values, left, CHAIN_TOP, ACTIVE, decimals=decimals, areas=name == "weights")
        yield from named(values, left, CHAIN_TOP, words[name])
    for name, start in zip(("divide", "mask", "softmax", "mix"), list(CHAIN.values())[:4], strict=True):
        left = start[0] + 3 * CELL
        yield arrow((left + 4, CHAIN_TOP + 1.5 * ROW), (left + 72, CHAIN_TOP + 1.5 * ROW))
        for line, part in enumerate(words[name]):
            y = CHAIN_TOP + 1.5 * ROW + (-8 if line == 0 else 17)
            yield text(left + 38, y, part, size=12, bold=line == 0)
    bottom = CHAIN_TOP + 3 * ROW
    for i, token in enumerate(words["tokens"]):
        yield text(LEFT - 8, CHAIN_TOP + ROW * (i + 0.5) + 4.5, token, anchor="end")
    yield text(CHAIN["dots"][0] + 1.5 * CELL, bottom + 33, "(n_queries, n_keys)", size=12)
    yield text(CHAIN["dots"][0] + 1.5 * CELL, bottom + 50, words["axes"], size=12)
    yield text(CHAIN["weights"][0] + 1.5 * CELL, bottom + 33, words["sums"], size=12)


def meetings(of: dict[str, np.ndarray], words: dict) -> Iterator[str]:
    """Q and K go down to the dot products; V travels past them and joins at the last product."""
    yield arrow((274, 242), (274, 276), (LEFT + 18, 276), (LEFT + 18, 320))
    yield arrow((470, 242), (470, 290), (LEFT + 84, 290), (LEFT + 84, 320))
    yield arrow((774, 184), (806, 184), (806, 292), (739, 292), (739, 352))
    center = CHAIN["masked"][0] - 38
    yield from matrix(of["mask"], center - 1.5 * CELL, 472, GIVEN, outlined=False)
    yield arrow((center, 468), (center, 404))
    for line, part in enumerate(words["given"]):
        yield text(center, 472 + 3 * ROW + 18 * (line + 1), part, size=12)


def legend(words: dict) -> Iterator[str]:
    """What the shades mean."""
    looks = (
        {"fill": LEARNED, "stroke": "#9a9a9a"},
        {"fill": ACTIVE, "stroke": "#9a9a9a"},
        {"fill": "url(#hatched)", "stroke": "#9a9a9a"},
        {"fill": "none", "stroke": ACCENT, "stroke_width": 2.5},
    )
    for line, (look, meaning) in enumerate(zip(looks, words["legend"], strict=True)):
        yield rect(LEFT, 478 + 24 * line, 26, 16, **look)
        yield text(LEFT + 34, 491 + 24 * line, meaning, anchor="start", size=12)


def heads(words: dict) -> Iterator[str]:
    """At the foot: two heads' outputs side by side, then one more learned matrix; to scale."""
    yield text(560, 478, words["heads"], anchor="start", bold=True)
    for number, top in ((0, 500), (1, 546)):
        yield text(608, top + 16, words["head"].format(number), anchor="end", size=12)
        yield from blank(3, 3, 618, top, ACTIVE)
        yield arrow((645, top + 12), (663, top + 12))
        yield from blank(3, 5, 668, top, ACTIVE)
        yield arrow((711, top + 12), (740, 522 + 24 * number), (762, 522 + 24 * number))
    yield text(806, 574, words["join"], size=12)
    yield from blank(3, 5, 766, 522, ACTIVE)
    yield from blank(3, 5, 806, 522, ACTIVE)
    yield text(862, 539, "×", size=14)
    yield from blank(10, 2, 876, 494, LEARNED)
    yield text(884, 588, "W_O", bold=True)
    yield text(906, 539, "=", size=14)
    yield from blank(3, 2, 920, 522, ACTIVE)


def blank(rows: int, columns: int, x: float, y: float, fill: str) -> Iterator[str]:
    for i, j in np.ndindex(rows, columns):
        yield rect(x + j * SMALL, y + i * SMALL, SMALL, SMALL, fill=fill, stroke="#9a9a9a")


def draw(language: str) -> str:
    """The whole figure in one language; its title and description in both."""
    other = next(name for name in WORDS if name != language)
    of, words = example(), WORDS[language]
    told = [
        f'<{tag} lang="{name}"{mark}>{escape(WORDS[name][tag])}</{tag}>'
        for tag in ("title", "desc")
        for name, mark in ((language, f' id="{tag}"'), (other, ""))
    ]
    parts = [*projections(of, words), *chain(of, words), *meetings(of, words), *legend(words), *heads(words)]
    return "\n".join([HEAD.format(language=language), *told, DEFS, *parts, "</svg>"]) + "\n"


def main() -> None:
    """Writes both files."""
    for language, name in FILES.items():
        (HERE / name).write_text(draw(language), encoding="utf-8")


if __name__ == "__main__":
    main()
