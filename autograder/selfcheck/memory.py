"""What a student has done so far: a small file beside the notebook, harmless if lost or unwritable."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable

from .exercise import Exercise
from .report import FAILS, MISSING, PASSES, UNWRITTEN, Report
from .words import Pair

FILE = ".selfcheck.json"
STATES = (PASSES, FAILS, UNWRITTEN, MISSING)
NAMES = {
    PASSES: Pair("public examples pass", "公开示例通过"),
    FAILS: Pair("not yet right", "还不对"),
}
OPEN = Pair("to be written", "待完成")


def recall(exercise: Exercise) -> dict:
    """{"steps": {name: state}, "hints": {name: number}}; empty where nothing readable is there."""
    try:
        data = json.loads((exercise.folder / FILE).read_text(encoding="utf-8"))
        steps = {s.name: data["steps"][s.name] for s in exercise.steps if data["steps"].get(s.name) in STATES}
        hints = {s.name: int(data["hints"][s.name]) for s in exercise.steps if s.name in data["hints"]}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {"steps": {}, "hints": {}}
    return {"steps": steps, "hints": hints}


def remember(exercise: Exercise, reports: Iterable[Report]) -> None:
    """Notes what the reports found; the rest stays as it was."""
    data = recall(exercise)
    known = {step.name for step in exercise.steps}
    data["steps"].update({report.step: report.state for report in reports if report.step in known})
    _write(exercise, data)


def next_hint(exercise: Exercise, step: str, total: int) -> int:
    """Which hint (from 0) comes next; after the last one, the last again."""
    data = recall(exercise)
    number = min(max(data["hints"].get(step, 0), 0), total - 1)
    data["hints"][step] = number + 1
    _write(exercise, data)
    return number


def state_name(state: str | None) -> Pair:
    return NAMES.get(state, OPEN)


def next_step(exercise: Exercise, states: dict):
    return next((step for step in exercise.steps if states.get(step.name) != PASSES), None)


def _write(exercise: Exercise, data: dict) -> None:
    with contextlib.suppress(OSError):
        temporary = exercise.folder / f"{FILE}.{os.getpid()}"
        temporary.write_text(json.dumps(data, indent=1), encoding="utf-8")
        temporary.replace(exercise.folder / FILE)
