"""Where `check` is called from, and how something is shown there: a panel in a notebook, else plain text.

The one module that knows IPython, and only if it is there already.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from .exercise import Exercise
from .report import Report
from .text import report_lines
from .words import encodable, speakable

WIDTH = 80  # nbgrader's Validate indents by 4 and cuts lines at 87 columns


def shell():
    """The running IPython, or None."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None


def shows_html() -> bool:
    """Whether there is a front end that may show HTML (a kernel, not a terminal's IPython)."""
    return getattr(shell(), "kernel", None) is not None


def namespace(frame) -> dict:
    """Where the student's names are: the notebook's, or those of the module that called."""
    running = shell()
    return running.user_ns if running is not None else frame.f_globals


def lines(reports: Iterable[Report], language: str) -> list[str]:
    """The reports as plain lines."""
    return [line.text for report in reports for line in (*report_lines(report, language, WIDTH), _BLANK)][:-1]


class _Blank:
    text = ""


_BLANK = _Blank()


def show(exercise: Exercise, reports: list[Report], language: str) -> None:
    plain = "\n".join(lines(reports, language))
    if shows_html():
        from .panel import panel

        display_html("".join(panel(exercise, report, language) for report in reports), plain)
    else:
        show_line(plain)


def display_html(html: str, plain: str) -> None:
    """Both forms: the front end takes the richest that it can show."""
    from IPython.display import display

    display({"text/html": html, "text/plain": plain}, raw=True)


def language_here(language: str) -> str:
    """The language, or English on a console that has no Chinese."""
    return language if shows_html() else speakable(language, getattr(sys.stdout, "encoding", None))


def show_line(text: str) -> None:
    """Prints, whatever the console's encoding is."""
    print(encodable(text, getattr(sys.stdout, "encoding", None) or "utf-8"))
