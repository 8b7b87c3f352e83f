"""What a student reads in a graded notebook: per step what holds, what does not, and why.

It shows what a student may see: neither an aspect's `detail` nor any test, and of the rest what the teacher's
policy allows. What it does not show is nowhere in what is written. All text is escaped here.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from autograder.model import Aspect, Exercise, Gradesheet, Sentence, Status, StepResult, Verdict, Weights
from autograder.record.feedback_words import (
    BY_HAND,
    NOTES,
    ONLY_SAFETY,
    OUR_FAULT,
    OUTCOMES,
    UNGRADED,
    UNWRITTEN,
    WORDS,
)
from autograder.selfcheck.heat import heat_map
from autograder.settings import SHOWS
from autograder.untrusted import visible

TEMPLATE = "feedback.html.j2"
SUMMARY = "attn-summary"  # the id of the cell that we put on top
NUMBER = '<span class="attn-number" hidden>{}</span>'  # people have read it in the panel
NAMES = {"en": "English", "zh": "中文"}
TAGS = {"en": "en", "zh": "zh-Hans"}


def prose(text: str) -> Markup:
    """One sentence as HTML: everything escaped, and `code` in backticks shown as code."""
    return Markup(re.sub(r"`([^`\n]+)`", r"<code>\1</code>", str(escape(visible(text)))))


@dataclass(frozen=True)
class Line:
    """One aspect as the student reads it."""

    sentence: dict[str, str]
    note: dict[str, str]


def _both(sentence: Sentence | None) -> dict[str, str]:
    return {"en": "", "zh": ""} if sentence is None else {"en": sentence.en, "zh": sentence.zh}


def _line(aspect: Aspect, shows: str) -> Line:
    if aspect.verdict is Verdict.passed or shows != "diagnosis":
        return Line(_both(aspect.sentence), _both(None))
    return Line(_both(aspect.sentence), _both(aspect.rung or NOTES.get(aspect.verdict)))


def points(earned: Fraction | None, of: Fraction, language: str) -> str:
    """`2.67 of 4 points`: two digits are enough for people."""
    amount = f"{float(of):g}"
    return f"{_amount(earned)} / {amount} 分" if language == "zh" else f"{_amount(earned)} of {amount} points"


def _amount(earned: Fraction | None) -> str:
    return "–" if earned is None else f"{round(float(earned), 2):g}"


def _panel(step: StepResult, language: str, shows: str) -> dict[str, Any]:
    panel = _bare(step.name, points(step.earned, step.points, language))
    if step.verdict is Verdict.grader_fault:
        return panel | {"lines": [_both(OUR_FAULT)]}
    if step.verdict is Verdict.unwritten:
        return panel | {"lines": [_both(UNWRITTEN)], "section": step.name}
    panel |= {"maps": list(_maps(step.weights, language))}
    if shows == "points":
        return panel
    holds = [a for a in step.aspects if a.verdict is Verdict.passed]
    fails = [a for a in step.aspects if not a.holds]
    excused = [a for a in step.aspects if a.excused and a.verdict is not Verdict.passed]
    only_safety = bool(holds) and all(a.safety for a in holds) and not excused
    return panel | {
        "aside": [_both(ONLY_SAFETY)] if only_safety else [],
        "holds": [_line(a, shows) for a in holds],
        "fails": [_line(a, shows) for a in fails],
        "excused": [_line(a, shows) for a in excused],
        "mistakes": [_both(d.sentence) for d in step.diagnosis if shows == "diagnosis"],
        "section": step.name if fails or excused else "",
    }


def _maps(weights: Weights | None, language: str) -> Iterator[Markup]:
    """The student's weights on a public example, and the right ones where they differ."""
    if weights is None:
        return
    shown = {"yours": weights.got} | ({"right": weights.expected} if weights.got != weights.expected else {})
    for key, rows in shown.items():
        numbers = np.array([[float(number) for number in row] for row in rows])
        yield Markup(heat_map(numbers, getattr(WORDS[key], language), language))


KINDS = ("maps", "lines", "rows", "holds", "aside", "mistakes", "fails", "excused")  # what a panel may hold


def _bare(name: str, amount: str) -> dict[str, Any]:
    empty: dict[str, Any] = {key: [] for key in KINDS}
    return empty | {"name": name, "points": amount, "section": ""}


@cache
def _template() -> Template:
    folder = FileSystemLoader(Path(__file__).parent, encoding="utf-8")
    environment = Environment(loader=folder, autoescape=True, undefined=StrictUndefined)
    environment.filters |= {"prose": prose, "tag": TAGS.__getitem__}
    return environment.get_template(TEMPLATE)


def _html(panel: dict[str, Any], languages: Sequence[str]) -> str:
    words = {key: _both(sentence) for key, sentence in WORDS.items()}
    text = _template().render(panel=panel, languages=languages, words=words, names=NAMES)
    return "\n".join(line for line in text.splitlines() if line.strip())  # Markdown ends HTML at a blank line


@lru_cache(maxsize=256)
def _plain(html: str) -> str:
    """The same panel where no HTML is shown."""
    html = re.sub(r"<(style|svg)\b.*?</\1>", "", html, flags=re.DOTALL)
    text = unescape(re.sub(r"<[^>]+>", "", html.replace("<li>", "- ")))
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def step_panel(step: StepResult, languages: Sequence[str], shows: str = SHOWS[-1]) -> str:
    """One step's result as HTML for the cell under it; many students have the same."""
    return _step_panel(step, tuple(languages), shows)


@lru_cache(maxsize=256)
def _step_panel(step: StepResult, languages: tuple[str, ...], shows: str) -> str:
    return _html(_panel(step, languages[0], shows), languages)


def said_of(step: StepResult, shows: str) -> Sentence:
    """What became of a step, in a word; of hidden checks nothing, where points are all that is shown."""
    open_anyway = (Verdict.unwritten, Verdict.grader_fault)
    hidden = shows == "points" and step.verdict not in open_anyway
    return Sentence("", "") if hidden else OUTCOMES[step.verdict]


def notes(sheet: Gradesheet) -> list[Sentence]:
    """What is to be said of the work as a whole: why it has no grade, what was mended on the way in."""
    ungraded = sheet.earned is None and sheet.status is not Status.graded
    found = ([UNGRADED] if ungraded else []) + [sheet.reason, *sheet.warnings]
    return [note for note in found if note is not None]


def _summary(exercise: Exercise, sheet: Gradesheet, languages: Sequence[str], shows: str) -> str:
    language = languages[0]
    panel = _bare(getattr(exercise.title, language), _total(sheet, language))
    rows = [_row(f"check_{s.name}", s.earned, s.points, said_of(s, shows), language) for s in sheet.steps]
    if rows:
        rows += [
            _row(question.name, None, question.points, BY_HAND, language) for question in exercise.questions
        ]
    return _html(panel | {"rows": rows, "lines": [_both(note) for note in notes(sheet)]}, languages)


def _row(
    anchor: str, earned: Fraction | None, of: Fraction, outcome: Sentence, language: str
) -> dict[str, str]:
    share = f"{_amount(earned)} / {float(of):g}"
    name = anchor.removeprefix("check_")
    return {"name": name, "anchor": anchor, "points": share, "outcome": getattr(outcome, language)}


def _total(sheet: Gradesheet, language: str) -> str:
    """What is earned; where a step waits for a person, what is certain."""
    certain = sum((step.earned or Fraction(0) for step in sheet.steps), Fraction(0))
    if sheet.earned is not None or not sheet.steps:
        return points(sheet.earned, sheet.points, language)
    return {"en": "at least ", "zh": "至少 "}[language] + points(certain, sheet.points, language)


def _outputs(html: str, earned: Fraction | None) -> list[dict[str, Any]]:
    shown = {"text/html": html, "text/plain": _plain(html)}
    outputs: list[dict[str, Any]] = [{"output_type": "display_data", "data": shown, "metadata": {}}]
    if earned is not None:  # the number that nbgrader takes as partial credit
        number = repr(float(earned))
        data = {"text/html": NUMBER.format(number), "text/plain": number}
        outputs.append(
            {"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": None}
        )
    return outputs


def grade_cells(notebook: dict[str, Any]) -> Iterable[tuple[str, dict[str, Any]]]:
    """The step's name and the cell, for each code cell that carries a step's points."""
    for cell in notebook["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] == "code" and marks.get("grade") and not marks.get("solution"):
            yield marks["grade_id"].removeprefix("check_"), cell


def write(
    notebook: dict[str, Any],
    exercise: Exercise,
    sheet: Gradesheet,
    languages: Sequence[str],
    shows: str = SHOWS[-1],
) -> None:
    """Puts the gradesheet into the notebook: a summary on top, and a panel and a number under each step."""
    results = {step.name: step for step in sheet.steps}
    for name, cell in grade_cells(notebook):
        if name in results:
            step = results[name]
            cell["outputs"] = _outputs(step_panel(step, languages, shows), step.earned)
        else:
            panel = _bare(name, points(sheet.earned, exercise.step(name).points, languages[0]))
            panel["lines"] = [_both(note) for note in (sheet.reason or UNGRADED,)]
            cell["outputs"] = _outputs(_html(panel, languages), sheet.earned)
    top = {
        "cell_type": "markdown",
        "id": SUMMARY,
        "metadata": {},
        "source": _summary(exercise, sheet, languages, shows),
    }
    notebook["cells"] = [top, *(cell for cell in notebook["cells"] if cell.get("id") != SUMMARY)]
