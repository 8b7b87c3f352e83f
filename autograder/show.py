"""What the terminal shows a teacher: gradesheets, the class as a table, what was released or recorded."""

import sys
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.model import Gradesheet, Sentence, Status, StepResult, Verdict

MARKS = {Verdict.passed: "+", Verdict.unwritten: ".", Verdict.skipped: ".", Verdict.grader_fault: "?"}


def console(*, stderr: bool = False) -> Console:
    """A console that takes no markup from what students wrote."""
    return Console(stderr=stderr, markup=False, highlight=False, emoji=False)


def printable(text: str) -> str:
    """The text with control characters and bidirectional marks made visible, so that no terminal obeys."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else f"\\u{ord(c):04x}" for c in text)


def amount(value: Fraction | float | None) -> str:
    """Points for people: at most two decimals, and a dash where there are none."""
    return "–" if value is None else f"{float(value):.2f}".rstrip("0").rstrip(".")


def gradesheet_text(sheet: Gradesheet, languages: Sequence[str], chosen: Sequence[str] | None = None) -> str:
    """One gradesheet to be read in a terminal; facts that hold are not listed. chosen: only these steps."""
    lines = [f"{sheet.file}: {sheet.status}, {amount(sheet.earned)} of {amount(sheet.points)} points"]
    if sheet.reason:
        lines.append(_said(sheet.reason, languages, "  "))
    for step in _chosen(sheet.steps, chosen):
        lines += _step_lines(step, languages)
    lines += [_said(warning, languages, "  note: ") for warning in sheet.warnings]
    return printable("\n".join(lines))


def pupil_text(pupil: Any, languages: Sequence[str]) -> str:
    """One student: what record.glance knows, and the gradesheet."""
    row = pupil.row
    lines = [f"{row.student} ({row.name})" if row.name else row.student]
    lines.append(f"{row.status}: {amount(pupil.total)} of {amount(row.points)} points")
    if pupil.late:
        lines.append(f"late by {pupil.late}, penalty {amount(Fraction(pupil.penalty))}")
    if row.waiting:
        lines.append(f"{row.waiting} to grade by hand")
    if row.sheet is not None:
        return "\n".join([*map(printable, lines), gradesheet_text(row.sheet, languages)])
    return printable("\n".join([*lines, *([_said(row.reason, languages, "")] if row.reason else [])]))


def _step_lines(step: StepResult, languages: Sequence[str]) -> Iterable[str]:
    yield f"  {step.name:<16}{amount(step.earned):>6} of {amount(step.points):<4}{step.verdict}"
    for diagnosis in step.diagnosis:
        yield _said(diagnosis.sentence, languages, "      > ")
    for aspect in step.aspects:
        if aspect.verdict not in (Verdict.passed, Verdict.unwritten):
            mark = "+" if aspect.excused else MARKS.get(aspect.verdict, "-")
            yield _said(aspect.sentence, languages, f"      {mark} ")
            if aspect.rung:
                yield _said(aspect.rung, languages, "          ")


def _said(sentence: Sentence, languages: Sequence[str], lead: str) -> str:
    return "\n".join(lead + line for line in sentence.in_languages(languages).splitlines())


def table(*columns: str, rows: Iterable[Sequence[str]], numbers: Sequence[str] = ()) -> Table:
    """A plain table; the columns named in `numbers` are set to the right."""
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        drawn.add_column(column, justify="right" if column in numbers else "left", vertical="top")
    for row in rows:
        drawn.add_row(*(Text(printable(cell)) for cell in row))
    return drawn


def class_table(sheets: Sequence[Gradesheet], chosen: Sequence[str] | None = None) -> Table:
    """One line for each submission: status, points of each step by its number, total of all steps."""
    numbered = _numbered(sheets, chosen)
    numbers, steps = [str(number) for number, _ in numbered], [step for _, step in numbered]
    rows = []
    for sheet in sheets:
        earned = {step.name: step.earned for step in sheet.steps}
        marks = [amount(earned.get(step.name)) for step in steps]
        rows.append([sheet.student, sheet.status, *marks, amount(sheet.earned)])
    return table("student", "status", *numbers, "points", rows=rows, numbers=[*numbers, "points"])


def class_notes(
    sheets: Sequence[Gradesheet], language: str, chosen: Sequence[str] | None = None
) -> Iterable[str]:
    """What stands under the table: which step each number means, and why some have no grade."""
    for number, step in _numbered(sheets, chosen):
        yield f"  {number}  {step.name}, {amount(step.points)} points"
    for sheet in sheets:
        if sheet.reason:
            yield printable(f"{sheet.student}: {getattr(sheet.reason, language)}")


def _numbered(sheets: Sequence[Gradesheet], chosen: Sequence[str] | None) -> list[tuple[int, StepResult]]:
    """The exercise's steps with their numbers, or those that were chosen."""
    steps = next((sheet.steps for sheet in sheets if sheet.steps), ())
    return [(number, step) for number, step in enumerate(steps, start=1) if not chosen or step.name in chosen]


def _chosen(steps: Sequence[StepResult], chosen: Sequence[str] | None) -> Sequence[StepResult]:
    return [step for step in steps if not chosen or step.name in chosen]


def show_changes(
    changes: Sequence, chosen: Sequence[str] | None = None, stream: TextIO | None = None
) -> None:
    """Who gains and who loses, by step; `changes` is what record.changes gives."""
    shown = [change for change in changes if not chosen or change.step in chosen]
    if not shown:
        return
    steps = list(dict.fromkeys(change.step for change in shown))
    rows = []
    for change in sorted(shown, key=lambda one: (steps.index(one.step), one.student)):
        by_hand = "" if change.by_hand is None else f"{amount(change.by_hand)} given by hand stays"
        rows.append([change.step, change.student, amount(change.before), amount(change.after), by_hand])
    drawn = console(stderr=stream is sys.stderr)
    drawn.print(table("step", "student", "was", "is", "", rows=rows, numbers=["was", "is"]))
    for step in steps:
        gain = [(one.after or 0) - one.before for one in shown if one.step == step]
        up, down = sum(one > 0 for one in gain), sum(one < 0 for one in gain)
        print(f"{step}: {up} gain, {down} lose", file=stream)


def status_table(found: Sequence, language: str) -> Table:
    """One line for each enrolled student; `found` is what record.gradebook.statuses gives."""
    rows = []
    for row in found:
        notes = [getattr(row.reason, language) if row.reason else ""]
        if row.status is Status.graded and not row.recorded:
            notes.append("not recorded yet")
        if row.waiting and row.status is not Status.unreadable:  # what mends it is said already
            notes.append(f"{row.waiting} to grade by hand")
        why = "; ".join(note for note in notes if note)
        who = f"{row.student} ({row.name})" if row.name else row.student
        rows.append([who, row.status, amount(row.earned), amount(row.points), why])
    return table("student", "status", "earned", "of", "why", rows=rows, numbers=["earned", "of"])


def summary(sheets: Sequence[Gradesheet]) -> str:
    """How many there are of each status."""
    counted = [(status, sum(sheet.status is status for sheet in sheets)) for status in Status]
    return ", ".join(f"{count} {status}" for status, count in counted if count) or "nothing was submitted"


def counting() -> Callable[[int, int, Gradesheet], None]:
    """A line that counts where a person looks, and a plain one now and then where not."""
    watched = sys.stderr.isatty()

    def show(done: int, total: int, sheet: Gradesheet) -> None:
        if watched:
            end = "\n" if done == total else ""
            print(f"\r{done} of {total} graded", end=end, file=sys.stderr, flush=True)
        elif done % 100 == 0:
            print(f"{done} of {total} graded", file=sys.stderr, flush=True)

    return show


def without_walls(walls: str, languages: Sequence[str]) -> Sequence[str]:
    """What a run says last that had no walls around students' code."""
    from autograder.grade.walls import UNSAFE

    return (UNSAFE.in_languages(languages), "") if walls == "none" else ()
