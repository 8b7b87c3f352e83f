"""A report as a small panel of HTML for a notebook."""

from __future__ import annotations

import html

from .exercise import Exercise
from .report import Report
from .text import report_lines


def panel(exercise: Exercise, report: Report, language: str) -> str:
    text = "\n".join(line.text for line in report_lines(report, language, 84))
    return f"<pre>{html.escape(text)}</pre>"
