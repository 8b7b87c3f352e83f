"""A report as a small, calm panel of HTML: readable in light and dark themes, and without colour.

Everything that a student's code produced is escaped.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import numpy as np

from . import memory
from .exercise import Exercise
from .heat import heat_map, is_weights, matrix
from .memory import next_step, state_name
from .report import FAILS, MISSING, PASSES, Finding, Report
from .text import EXPECTED, GOT, MARKS, PRINTED, pair_of_values, value_text
from .words import Pair

EDGES = {PASSES: "#2e7d32", FAILS: "#c62828", MISSING: "#c62828"}
TRIED = Pair("What was tried", "检查了什么")
YOURS = Pair("yours", "你的权重")
WANTED = Pair("expected", "期望的权重")
PRE = '<pre style="margin:.3em 0;white-space:pre-wrap;background:none;color:inherit">'
MARK = '<mark style="background:#ffd54f;color:#000">'
YOUR_CODE = Pair("In your code:", "你的代码：")


def panel(exercise: Exercise, report: Report, language: str) -> str:
    """One step's panel."""
    edge = EDGES.get(report.state, "#757575")
    parts = [_strong(f"{MARKS[report.state]} {report.headline.say(language)}")]
    parts += [_line(note.say(language)) for note in report.notes]
    if report.first_fault is not None:
        parts += _finding(report.first_fault, language)
        parts.append(
            _line(Pair(f"Handout: section {report.section}", f"讲义：{report.section} 一节").say(language))
        )
    elif report.state == PASSES:
        parts.append(_line(report.hidden.say(language)))
    parts += _maps(report, language)
    parts += _tried(report, language)
    parts += _hints(exercise, report, language)
    return _framed(parts, edge, report.step, language)


def _framed(parts: list[str], edge: str, label: str, language: str) -> str:
    tongue = "zh-Hans" if language == "zh" else "en"
    return (
        f'<div lang="{tongue}" role="group" aria-label="{html.escape(label, quote=True)}" '
        f'style="border-left:4px solid {edge};padding:.3em 1em;margin:.5em 0;max-width:62em;line-height:1.5">'
        f"{''.join(parts)}</div>"
    )


def _strong(text: str) -> str:
    return f'<div style="font-weight:600">{html.escape(text)}</div>'


def _line(text: str) -> str:
    return f'<div style="margin:.25em 0">{html.escape(text)}</div>'


def _pre(text: str) -> str:
    """Preformatted text, in which the entry between > and < is marked."""
    marked = re.sub("&gt;([^ &]+)&lt;", lambda found: f"{MARK}<b> {found[1]} </b></mark>", html.escape(text))
    return f"{PRE}{marked}</pre>"


def _finding(finding: Finding, language: str) -> Iterator[str]:
    """The first thing that does not hold."""
    if finding.source:
        yield f"{PRE}{html.escape(finding.source)}</pre>"
    else:
        yield _line(finding.fact.say(language))
    if finding.source and finding.difference is not None:
        expected, got, worst = pair_of_values(finding)
        yield '<div style="display:flex;flex-wrap:wrap;gap:0 2.5em">'
        yield f"<div>{html.escape(EXPECTED.say(language))}{_pre(value_text(expected, None))}</div>"
        yield f"<div>{html.escape(GOT.say(language))}{_pre(value_text(got, worst))}</div></div>"
    if finding.code:
        yield _line(YOUR_CODE.say(language))
        yield f"{PRE}{html.escape(chr(10).join(finding.code))}</pre>"
    for sentence in finding.fault:
        if sentence != finding.fact:
            yield _line(sentence.say(language))
    if finding.printed:
        yield _line(PRINTED.say(language)) + f"{PRE}{html.escape(finding.printed)}</pre>"


def _maps(report: Report, language: str) -> Iterator[str]:
    """The weights of one public example: the one that fails, else the largest."""
    drawn = [(f, pair) for f in report.examples for pair in _weights(f)]
    if not drawn:
        return
    failing = [item for item in drawn if not item[0].holds]
    if report.first_fault is not None and not failing:
        return
    _, (expected, got, worst) = (failing or sorted(drawn, key=lambda item: -item[1][0].size))[0]
    yield '<div style="display:flex;flex-wrap:wrap;gap:.5em 2em;margin:.5em 0">'
    yield heat_map(matrix(expected), WANTED.say(language), language)
    if isinstance(got, np.ndarray) and got.shape == expected.shape and got.dtype.kind in "fiu":
        mark = worst[-2:] if worst and len(worst) >= 2 and not any(worst[:-2]) else None
        yield heat_map(matrix(got), YOURS.say(language), language, mark)
    yield "</div>"


def _weights(finding: Finding) -> Iterator[tuple]:
    """(expected, got, worst place) of each member that is a matrix of weights."""
    expected, got, worst = pair_of_values(finding)
    if is_weights(expected):
        yield expected, got, worst
    elif isinstance(expected, tuple) and isinstance(got, tuple) and len(got) == len(expected):
        yield from ((e, g, None) for e, g in zip(expected, got) if is_weights(e))


def _tried(report: Report, language: str) -> Iterator[str]:
    """Everything that was tried, folded away."""
    if not report.findings:
        return
    items = []
    for finding in report.findings:
        mark = MARKS[PASSES] if finding.holds else MARKS[FAILS]
        said = (
            f"<code>{html.escape(_last(finding.source))}</code>"
            if finding.source
            else html.escape(finding.fact.say(language))
        )
        items.append(f"<li>{mark} {said}</li>")
    yield (
        f'<details style="margin:.3em 0"><summary>{TRIED.say(language)}</summary>'
        f'<ul style="list-style:none;padding-left:.5em;margin:.3em 0">{"".join(items)}</ul></details>'
    )


def _hints(exercise: Exercise, report: Report, language: str) -> Iterator[str]:
    """The handout's hints, each folded by itself, for a step that is not done."""
    step = exercise.step(report.step)
    if step is None or report.state == PASSES:
        return
    for number, hint in enumerate(step.hints.get(language, ()), 1):
        title = Pair(f"Hint {number}", f"提示 {number}").say(language)
        said = _line(hint.replace("`", ""))
        yield f'<details style="margin:.3em 0"><summary>{title}</summary>{said}</details>'


def _last(source: str) -> str:
    line = source.split("\n")[-1]
    return line if len(line) <= 90 else line[:89] + "…"


def progress_panel(exercise: Exercise, language: str) -> str:
    """The steps in a row."""
    states = memory.recall(exercise)["steps"]
    upcoming = next_step(exercise, states)
    chips = []
    for step in exercise.steps:
        state = states.get(step.name)
        edge = EDGES.get(state, "#757575")
        said = Pair("next", "下一步") if step is upcoming and state != FAILS else state_name(state)
        chips.append(
            f'<li style="border-top:4px solid {edge};padding:.2em .6em;min-width:7em">'
            f"<div><b>{MARKS.get(state, '○')} {html.escape(step.name)}</b></div>"
            f"<div>{html.escape(said.say(language))}</div></li>"
        )
    look = "display:flex;flex-wrap:wrap;gap:.5em;list-style:none;padding:0;margin:.4em 0"
    row = f'<ol style="{look}">{"".join(chips)}</ol>'
    title = exercise.title.say(language)
    return _framed([_strong(title), row], "#757575", title, language)
