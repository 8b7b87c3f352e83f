"""What the terminal shows a teacher: gradesheets, the class as a table, the doctor's findings."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autograder.model import Gradesheet, Sentence, Status, StepResult, Verdict
from autograder.plain import number

MARKS = {
    Verdict.passed: "+",
    Verdict.unwritten: ".",
    Verdict.skipped: ".",
    Verdict.grader_fault: "?",
}


def console(*, stderr: bool = False) -> Console:
    """A console that never guesses markup in what a student wrote, and never dies on an encoding."""
    return Console(stderr=stderr, markup=False, highlight=False, soft_wrap=True)


def printable(text: str) -> str:
    """The text with control characters and bidirectional marks made visible, so that no terminal obeys it."""
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text)


def plain_points(earned: object, points: object) -> str:
    shown = "–" if earned is None else f"{float(earned):.4g}"
    return f"{shown} of {float(points):.4g}"


def step_lines(step: StepResult, languages: Sequence[str]) -> Iterable[str]:
    yield f"  {step.name:<16} {plain_points(step.earned, step.points):>12}   {step.verdict}"
    for diagnosis in step.diagnosis:
        yield _indented(diagnosis.sentence, languages, "      > ")
    for aspect in step.aspects:
        if aspect.verdict is not Verdict.passed:
            yield _indented(aspect.sentence, languages, f"      {MARKS.get(aspect.verdict, '-')} ")
            if aspect.rung:
                yield _indented(aspect.rung, languages, "          ")


def gradesheet_text(sheet: Gradesheet, languages: Sequence[str]) -> str:
    """One gradesheet, to be read in a terminal; what holds is not listed."""
    lines = [f"{sheet.file}: {sheet.status}, {plain_points(sheet.earned, sheet.points)} points"]
    if sheet.reason:
        lines.append(_indented(sheet.reason, languages, "  "))
    for step in sheet.steps:
        lines += step_lines(step, languages)
    lines += [_indented(warning, languages, "  note: ") for warning in sheet.warnings]
    return printable("\n".join(lines))


def class_table(sheets: Iterable[Gradesheet], languages: Sequence[str]) -> Table:
    """One line for each student: status, points of each step, total, and the reason where there is one."""
    sheets = list(sheets)
    steps = next(([s.name for s in sheet.steps] for sheet in sheets if sheet.steps), [])
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("student")
    table.add_column("status")
    for name in steps:
        table.add_column(name.replace("_", "\n"), justify="right")
    table.add_column("points", justify="right")
    table.add_column("why")
    for sheet in sheets:
        earned = {step.name: f"{float(step.earned):.3g}" for step in sheet.steps if step.earned is not None}
        style = None if sheet.status is Status.graded else "yellow"
        row = [sheet.student, sheet.status, *(earned.get(name, "–") for name in steps)]
        total = "–" if sheet.earned is None else f"{number(sheet.earned):.4g}"
        why = sheet.reason.in_languages(languages[:1]) if sheet.reason else ""
        table.add_row(*(escape(printable(cell)) for cell in [*row, total, why]), style=style)
    return table


def _indented(sentence: Sentence, languages: Sequence[str], first: str) -> str:
    return "\n".join(first + line for line in sentence.in_languages(languages).splitlines())
