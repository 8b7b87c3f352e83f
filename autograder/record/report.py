"""The class at a glance: one HTML file that needs nothing else, for a teacher or, without names, for a class.

Made of gradesheets and the gradebook each time anew, and written whole; the same class gives the same bytes.
"""

import base64
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.grade.files import write_whole
from autograder.grade.walls import UNSAFE
from autograder.layout import Course
from autograder.model import Gradesheet, Status
from autograder.record.feedback import TAGS, prose
from autograder.record.glance import Class, Pupil, glance
from autograder.record.report_words import STATUSES, WORDS
from autograder.record.tally import Outcome, distribution, median, outcome, tally
from autograder.untrusted import on_one_line, visible

HERE = Path(__file__).parent
TEMPLATE, SCRIPT = "report.html.j2", "report.js"


def write_report(course: Course, name: str, *, anonymous: bool = False) -> Path:
    """Writes the page, in place of what an earlier call made of an earlier state. Gives its path."""
    file = course.reports / f"{name}{'.anonymous' if anonymous else ''}.html"
    write_whole(course.reports / ".gitignore", b"*\n")
    write_whole(file, page(glance(course, name), anonymous=anonymous).encode("utf-8", "backslashreplace"))
    return file


@dataclass(frozen=True)
class Line:
    """One student as the table shows it; without a name, nothing here says who it is."""

    who: str
    name: str
    feedback: str
    status: Status
    is_graded: bool
    reason: str
    steps: Sequence[tuple[str, str]]  # outcome and points
    by_hand: str
    total: Fraction | None
    late: str = ""
    late_seconds: int = 0
    seconds: str = ""


def page(found: Class, *, anonymous: bool = False) -> str:
    """The whole page."""
    language = found.languages[0]
    script = (HERE / SCRIPT).read_text(encoding="utf-8")
    seal = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    sheets = [pupil.row.sheet for pupil in found.pupils if pupil.row.sheet is not None]
    totals = [p.total for p in found.pupils if _is_graded(p) and p.total is not None]
    most = sum((part.points for part in (*found.exercise.steps, *found.exercise.questions)), Fraction(0))
    words = {key: getattr(sentence, language) for key, sentence in WORDS.items()}
    lines = [_line(found, pupil, language) for pupil in found.pupils]
    return (
        _environment()
        .get_template(TEMPLATE)
        .render(
            anonymous=anonymous,
            exercise=found.exercise,
            title=getattr(found.exercise.title, language),
            language=language,
            words=words,
            statuses={status: getattr(sentence, language) for status, sentence in STATUSES.items()},
            counted=Counter(pupil.row.status for pupil in found.pupils),
            tally=tally(found.exercise, sheets),
            outcomes=tuple(Outcome),
            graded=sum(map(_is_graded, found.pupils)),
            bars=distribution(totals, most) if totals else [],
            median=median(totals),
            most=most,
            waiting=sum(bool(p.row.waiting) for p in found.pupils),
            late=[pupil for pupil in found.pupils if pupil.late],
            lines=_nameless(lines) if anonymous else lines,
            run=_run(found, words),
            unwalled=getattr(UNSAFE, language) if _is_unwalled(found) else "",
            due=found.due.date,
            script=Markup(script),
            seal=seal,
        )
    )


@cache
def _environment() -> Environment:
    loader = FileSystemLoader(HERE, encoding="utf-8")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "amount": _amount, "prose": prose, "line": on_one_line, "tag": TAGS.__getitem__, "time": _time,
        "span": span,
    }  # fmt: skip
    return environment


def _amount(value: Any) -> str:
    return "–" if value is None else f"{round(float(value), 2):g}"


def _time(value: datetime | None) -> str:
    return f"{value:%Y-%m-%d %H:%M} UTC" if value else ""


def span(value: timedelta, language: str) -> str:
    """`2 d 3 h`: the two largest parts are enough for people."""
    units = {"en": ("d", "h", "min"), "zh": ("天", "小时", "分钟")}[language]
    minutes = -(-int(value.total_seconds()) // 60)
    parts = (minutes // 1440, minutes // 60 % 24, minutes % 60)
    return " ".join([f"{part} {unit}" for part, unit in zip(parts, units, strict=True) if part][:2])


def _is_graded(pupil: Pupil) -> bool:
    return pupil.row.status is Status.graded and pupil.row.sheet is not None


def _line(found: Class, pupil: Pupil, language: str) -> Line:
    row = pupil.row
    steps = {step.name: step for step in row.sheet.steps} if row.sheet else {}
    parts = [steps.get(step.name) for step in found.exercise.steps]
    return Line(
        who=on_one_line(row.student),
        name=on_one_line(row.name),
        feedback=pupil.feedback,
        status=row.status,
        is_graded=_is_graded(pupil),
        reason=visible(getattr(row.reason, language)) if row.reason else "",
        steps=[(outcome(part), _amount(part.earned)) if part else ("none", "–") for part in parts],
        by_hand=_by_hand(row.sheet, row.earned, row.waiting, language),
        total=pupil.total,
        late=span(pupil.late, language) if pupil.late else "",
        late_seconds=int(pupil.late.total_seconds()),
        seconds="" if pupil.seconds is None else f"{pupil.seconds:.2f}",
    )


def _by_hand(sheet: Gradesheet | None, earned: Fraction | None, waiting: int, language: str) -> str:
    """What a person has given beyond the checks, or that somebody waits for it."""
    if waiting:
        return getattr(WORDS["waits"], language)
    known = sheet is not None and sheet.earned is not None and earned is not None
    return _amount(earned - sheet.earned) if known else ""


def _nameless(lines: Sequence[Line]) -> list[Line]:
    """Nobody's name, file, time or place in the roster: in the order of what the table itself shows."""
    bare = [
        Line("", "", "", one.status, one.is_graded, "", one.steps, one.by_hand, one.total) for one in lines
    ]
    return sorted(
        bare,
        key=lambda one: (
            -(one.total if one.total is not None else -1),
            str(one.status),
            one.by_hand,
            one.steps,
        ),
    )


def _is_unwalled(found: Class) -> bool:
    walls = found.run.get("walls")
    return isinstance(walls, dict) and walls.get("mode") == "none"


def _run(found: Class, words: dict[str, str]) -> list[tuple[str, str]]:
    """Wall and CPU time of the last grading, and the slowest; empty where nothing was graded."""
    run = found.run
    if not isinstance(run.get("seconds"), int | float):
        return []
    each = sorted(value for value in run.get("seconds_each", {}).values() if isinstance(value, int | float))
    facts = [("began", _time(datetime.fromtimestamp(run["began"], UTC)))] if "began" in run else []
    facts += [("run_graded", f"{run.get('graded', 0)}"), ("wall", f"{run['seconds']:.1f} s")]
    facts += [("cpu", f"{run['cpu_seconds']:.1f} s")] if "cpu_seconds" in run else []
    facts += [("each", f"{each[len(each) // 2]:.2f} s"), ("slowest", f"{each[-1]:.2f} s")] if each else []
    return [(words[key], value) for key, value in facts]
