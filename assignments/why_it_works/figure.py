"""Draws what the experiment gives, two losses and two written words: figure.svg and figure.zh.svg.

Both models are trained here, with the reference's functions; every word is from figure.toml.
Run it after a change:
python assignments/why_it_works/figure.py
"""

import importlib.util
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path

import numpy as np

from autograder.author.exercise import load_exercise
from autograder.grade.load import Source
from autograder.layout import KIT, Course

HERE = Path(__file__).resolve().parent
WIDTH, HEIGHT = 960, 310
LEFT, TOP, WIDE, HIGH = 70, 30, 440, 220  # of the plot, in pixels
STEPS, MOST = 300, 2.5  # the ends of its axes
INK, LINE, PALE = "#1b1b1b", "#9a9a9a", "#e6e6e6"
COLOURS = {"masked": "#0b5cad", "open": "#b3470b"}
FILES = {"en": "figure.svg", "zh": "figure.zh.svg"}
FONT = "'Noto Sans','Noto Sans CJK SC','Noto Sans SC','PingFang SC','Microsoft YaHei',Arial,sans-serif"
HEAD = f"""\
<!-- Made by figure.py; do not edit -->
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" \
role="img" lang="{{language}}" aria-labelledby="title desc" font-family="{FONT}" fill="{INK}">"""
DEFS = f"""\
<defs><pattern id="wrong" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
<rect width="6" height="6" fill="#ffffff"/><path d="M0,0 V6" stroke="{LINE}" stroke-width="2"/></pattern>\
</defs>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>"""
WORDS = tomllib.loads((HERE / "figure.toml").read_text(encoding="utf-8"))


@cache
def trained() -> dict[str, tuple[np.ndarray, str]]:
    """For both models: the loss at every step, and the six letters written after facade."""
    spec = importlib.util.spec_from_file_location("experiments", HERE / "experiments.py")
    experiments = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(experiments)
    given = load_exercise(Course(KIT), HERE.name).given
    functions = Source(KIT / "solutions" / f"{HERE.name}.py", given).functions()

    def attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray, mask: np.ndarray) -> np.ndarray:
        masked = functions["apply_mask"](functions["scaled_scores"](Q, K), mask)
        return functions["weighted_sum"](functions["softmax"](masked), V)

    found = {}
    for name, causal in (("masked", True), ("open", False)):
        parts = (attention, functions["attention_backward"], functions["xavier_uniform"])
        model, losses = experiments.train(*parts, causal)
        found[name] = losses, experiments.judge(attention, model, causal)[1]
    return found


def text(x: float, y: float, words: str, *, anchor: str = "middle", size: int = 13, fill: str = INK) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}" fill="{fill}">'
        f"{escape(words)}</text>"
    )


def line(*points: tuple[float, float], stroke: str = INK, thick: float = 1, dashes: str = "") -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<polyline points="{path}" fill="none" stroke="{stroke}" stroke-width="{thick:g}"{dashed}/>'


def at(step: float, loss: float) -> tuple[float, float]:
    """Where a point of the plot stands."""
    return LEFT + WIDE * step / STEPS, TOP + HIGH * (1 - loss / MOST)


def plot(words: dict) -> Iterator[str]:
    """Axes, the bound that no honest model passes, and both curves with their names."""
    for loss in np.arange(0, MOST + 0.1, 0.5):
        yield line(at(0, loss), at(STEPS, loss), stroke=PALE)
        yield text(LEFT - 8, at(0, loss)[1] + 4, f"{loss:.1f}", anchor="end", size=12)
    for step in range(0, STEPS + 1, 100):
        yield text(at(step, 0)[0], TOP + HIGH + 18, str(step), size=12)
    yield text(LEFT, TOP - 12, words["loss"])
    yield text(LEFT + WIDE / 2, TOP + HIGH + 38, words["steps"])
    bound = np.log(8) / 2
    yield line(at(0, bound), at(STEPS, bound), dashes="6 4")
    yield text(LEFT + WIDE - 4, at(0, bound)[1] + 18, words["bound"].format(bound), anchor="end")
    for name, (losses, _) in trained().items():
        points = [at(step, loss) for step, loss in enumerate(losses) if step % 3 == 0]
        yield line(*points, stroke=COLOURS[name], thick=2, dashes="" if name == "masked" else "2 2")
        height = at(0, losses[-20:].mean())[1] + (-12 if name == "masked" else -14)
        yield text(LEFT + WIDE - 4, height, words[name], anchor="end", fill=COLOURS[name])


def boxes(letters: str, x: float, y: float, fills: Sequence[str]) -> Iterator[str]:
    """Letters in boxes."""
    for i, (letter, fill) in enumerate(zip(letters, fills, strict=True)):
        left = x + 26 * i
        yield (
            f'<rect x="{left:g}" y="{y:g}" width="26" height="28" fill="{fill}" stroke="{INK}" '
            f'stroke-width="1"/>'
        )
        yield text(left + 13, y + 19, letter, size=15)


def written(words: dict) -> Iterator[str]:
    """What stands after facade: as it should, and as each model writes it."""
    given, right = "facade", "gbdbef"
    x, shift = 575, 190
    yield text(x + 78, 48, words["given"])
    yield text(x + shift + 78, 48, words["written"])
    for row, (name, (_, letters)) in enumerate(trained().items()):
        y = 84 + 76 * row
        fills = ["#ffffff" if a == b else "url(#wrong)" for a, b in zip(letters, right, strict=True)]
        yield text(x, y - 8, words[name], anchor="start", fill=COLOURS[name])
        yield from boxes(given, x, y, ["#efefef"] * 6)
        yield line((x + 162, y + 14), (x + shift - 6, y + 14))
        yield from boxes(letters, x + shift, y, fills)
    yield text(x + shift + 156, 208, words["note"], anchor="end", size=12)
    yield text(x, 238, words["right"], anchor="start")
    yield from boxes(right, x, 248, ["#ffffff"] * 6)


def draw(language: str) -> str:
    """The whole figure in one language; its title and description in both."""
    other = next(name for name in WORDS if name != language)
    words = WORDS[language]
    told = [
        f'<{tag} lang="{name}"{mark}>{escape(WORDS[name][tag])}</{tag}>'
        for tag in ("title", "desc")
        for name, mark in ((language, f' id="{tag}"'), (other, ""))
    ]
    return (
        "\n".join([HEAD.format(language=language), *told, DEFS, *plot(words), *written(words), "</svg>"])
        + "\n"
    )


def main() -> None:
    """Writes both files."""
    for language, name in FILES.items():
        (HERE / name).write_text(draw(language), encoding="utf-8")


if __name__ == "__main__":
    main()
