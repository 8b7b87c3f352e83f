"""A report as lines of plain text, each with a style that a terminal may colour."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from .arrays import grid
from .difference import shown
from .report import FAILS, MISSING, PASSES, UNWRITTEN, Finding, Report
from .words import Pair, columns, padded, wrapped

MARKS = {PASSES: "✓", FAILS: "✗", UNWRITTEN: "○", MISSING: "○"}
STYLES = {PASSES: "good", FAILS: "bad", UNWRITTEN: "dim", MISSING: "bad"}
EXPECTED, GOT = Pair("expected", "期望"), Pair("got", "得到")
PRINTED = Pair("It printed:", "打印内容：")
HOLDS = Pair("also holds: ", "同时成立：")


class Line(NamedTuple):
    """One line and how it may be coloured: head, good, bad, dim, code or nothing."""

    text: str
    style: str = ""


def report_lines(report: Report, language: str, width: int) -> Iterator[Line]:
    """The whole report: the headline, then the first thing that is wrong."""
    yield Line(f"{MARKS[report.state]} {report.headline.say(language)}", STYLES[report.state])
    for note in report.notes:
        yield from prose(note.say(language), width)
    fault = report.first_fault
    if fault is not None:
        yield from finding_lines(fault, language, width)
        section = Pair(f"Handout: section `{report.section}`", f"讲义：`{report.section}` 一节")
        yield Line("")
        yield from prose(section.say(language), width, "dim")
    elif report.state == PASSES:
        yield from prose(report.hidden.say(language), width, "dim")


def finding_lines(finding: Finding, language: str, width: int) -> Iterator[Line]:
    """One example or law that does not hold."""
    yield Line("")
    for line in finding.source.split("\n") if finding.source else ():
        yield from (Line(part, "code") for part in wrapped(line, width, "    "))
    if not finding.source:
        yield from prose(finding.fact.say(language), width, "bad" if finding.fact in finding.fault else "")
    for line in value_lines(finding, language):
        yield Line("    " + cut(line, width - 4))
    for line in finding.code:
        yield Line(
            "    > " + cut(line, width - 6) if not line.strip().startswith("^") else "      " + line, "code"
        )
    for sentence in finding.fault:
        if finding.source or sentence != finding.fact:  # which stands above
            yield from prose(sentence.say(language), width, "bad")
    if finding.printed:
        yield from prose(PRINTED.say(language), width)
        for line in finding.printed.split("\n")[:8]:
            yield Line("    " + cut(line, width - 4), "dim")


def pair_of_values(finding: Finding):
    """(expected, got, worst place): of the member that differs, where results came as a tuple."""
    difference = finding.difference
    if difference is not None and difference.member is not None:
        return difference.expected, difference.got, difference.worst
    return finding.expected, finding.got, difference.worst if difference is not None else None


def value_lines(finding: Finding, language: str) -> Iterator[str]:
    expected, got, worst = pair_of_values(finding)
    if not finding.source or finding.difference is None:
        return
    labels = [EXPECTED.say(language), GOT.say(language)]
    width = max(columns(label) for label in labels) + 3
    for label, value, mark in zip(labels, (expected, got), (None, worst)):
        for index, line in enumerate(_value(value, mark)):
            yield padded(label if index == 0 else "", width) + line


def value_text(value, mark) -> str:
    """One value as lines, the entry at `mark` between > and <."""
    return "\n".join(_value(value, mark))


def _value(value, mark) -> Iterator[str]:
    if isinstance(value, tuple) and value and all(isinstance(v, np.ndarray) for v in value):
        for index, member in enumerate(value[:4]):
            yield from (f"{'(' if index == 0 else ' '}{line}" for line in grid(member))
        return
    if isinstance(value, np.ndarray) and type(value) is np.ndarray:
        yield from grid(value, mark if value.ndim and mark else None)
        if value.ndim and value.dtype.kind not in "bf":
            yield f"({value.dtype})"
        return
    yield shown(value)


def prose(text: str, width: int, style: str = "") -> Iterator[Line]:
    for line in wrapped(text, width, "  "):
        yield Line(line, style)


def cut(line: str, width: int) -> str:
    """A line of code that is too long keeps its beginning."""
    if columns(line) <= width:
        return line
    while columns(line) > width - 1:
        line = line[:-1]
    return line + "…"
