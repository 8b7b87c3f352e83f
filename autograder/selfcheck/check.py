"""check(softmax): the public examples and laws on a student's function, in a notebook or anywhere.

`examine` finds and returns a Report; `check` shows it, and raises in nbgrader's Validate alone.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from . import memory, notebook, staleness
from .exercise import BrokenRelease, Exercise, Step, load
from .laws import try_laws
from .report import FAILS, MISSING, PASSES, UNWRITTEN, Report
from .trial import accepts, try_example
from .words import Pair


class NotYet(Exception):  # noqa: N818 (a finding, not a fault of the program)
    """A check that does not pass, in nbgrader's Validate; shown as our own lines, without a traceback."""

    def __init__(self, lines: list[str]):
        super().__init__(lines[0])
        self.lines = lines

    def _render_traceback_(self) -> list[str]:
        return self.lines


def check(*functions, lang: str | None = None) -> None:
    """Tries each function (or name of one) on its public examples, and shows what was found.

    Without arguments: every step that is written so far.
    """
    try:
        exercise = load()
    except BrokenRelease as broken:
        notebook.show_line(broken.pair.say(lang or "en"))
        return
    namespace = notebook.namespace(sys._getframe(1))
    language = notebook.language_here(exercise.language(lang))
    wanted = functions or tuple(s.name for s in exercise.steps if callable(namespace.get(s.name)))
    reports = [_report(exercise, thing, namespace) for thing in wanted]
    notebook.show(exercise, reports, language)
    memory.remember(exercise, reports)
    failed = [report for report in reports if report.state != PASSES]
    if failed and validating():
        raise NotYet(notebook.lines(failed, language))


def validating() -> bool:
    return os.environ.get("NBGRADER_EXECUTION") == "validate" or "NBGRADER_VALIDATING" in os.environ


def _report(exercise: Exercise, thing, namespace: dict) -> Report:
    name = thing if isinstance(thing, str) else _name(exercise, thing, namespace)
    step = exercise.step(name)
    if step is None:
        known = ", ".join(step.name for step in exercise.steps)
        return Report(name, MISSING, notes=(Pair(f"The steps are: {known}.", f"各步骤是：{known}。"),))
    function = namespace.get(name) if isinstance(thing, str) else thing
    report = examine(function, step, exercise, namespace)
    stale = staleness.notes(function, name, namespace)
    return replace(report, notes=(*stale, *report.notes))


def _name(exercise: Exercise, function, namespace: dict) -> str:
    """The step that a function is: by its name in the notebook, else by its own (an older definition)."""
    steps = [step.name for step in exercise.steps]
    own = getattr(function, "__name__", type(function).__name__)
    return next((name for name in steps if namespace.get(name) is function), own)


def examine(function, step: Step, exercise: Exercise, namespace: dict, *, stuck=None) -> Report:
    """Everything that can be found out about one step. Never raises over what the student's code does."""
    if not callable(function):
        note = Pair(
            f"Run the cell that defines {step.name}; its name must stay {step.name}.",
            f"请运行定义 {step.name} 的单元格；名字必须是 {step.name}。",
        )
        return Report(step.name, MISSING, notes=(note,), section=step.name)
    findings = tuple(_tried(function, step, stuck))
    if any(finding.unwritten for finding in findings):
        return Report(step.name, UNWRITTEN, section=step.name)
    state = PASSES if all(finding.holds for finding in findings) else FAILS
    notes = (
        ()
        if state == PASSES
        else (*_signature(function, step), *mend_first(step, exercise, namespace, stuck))
    )
    total = len({example.number for example in step.examples})
    return Report(step.name, state, findings, notes, step.name, total=total, hidden=hidden(step))


def _signature(function, step: Step) -> tuple[Pair, ...]:
    if accepts(function, step):
        return ()
    return (
        Pair(
            f"The signature must stay as it was: {step.name}{step.signature}",
            f"函数签名要保持不变：{step.name}{step.signature}",
        ),
    )


def hidden(step: Step) -> Pair:
    """A pass here is not a pass there."""
    if not any(step.axes.get(parameter) for parameter in step.parameters):
        return Pair("Hidden checks will also try other sizes.", "隐藏测试还会尝试其他大小。")
    return Pair(
        "Hidden checks will also try batches, other shapes, integers and large numbers.",
        "隐藏测试还会尝试批次、其他形状、整数和很大的数。",
    )


def _tried(function, step: Step, stuck):
    """The examples, then the laws; a function that is unwritten or does not end is not called again."""
    right = True
    for example in step.examples:
        finding = try_example(function, step, example, stuck=stuck)
        yield finding
        if finding.unwritten or finding.endless:
            return
        right = right and finding.holds
    if right:
        yield from try_laws(function, step, stuck=stuck)


def mend_first(step: Step, exercise: Exercise, namespace: dict, stuck=None) -> tuple[Pair, ...]:
    """The earlier steps that this one calls and that do not pass themselves."""
    wrong = []
    for name in step.needs:
        needed, function = exercise.step(name), namespace.get(name)
        if needed is None:
            continue
        if not callable(function) or not all(f.holds for f in _tried(function, needed, stuck)):
            wrong.append(name)
    if not wrong:
        return ()
    names = ", ".join(wrong)
    return (
        Pair(
            f"Mend {names} first: {'it does' if len(wrong) == 1 else 'they do'} not pass yet, "
            f"and {step.name} may be right.",
            f"请先改好 {names}：还没有通过；{step.name} 本身也许是对的。",
        ),
    )
