"""--before-submit: looks at the work as the grader will, and says what would cost marks."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Iterator
from pathlib import Path

from . import memory, work
from .check import examine
from .exercise import Exercise
from .report import FAILS, PASSES, UNWRITTEN
from .screen import Screen
from .text import MARKS, STYLES
from .words import Pair

ANSWER = re.compile(r"YOUR ANSWER HERE|在此作答")


def before_submit(exercise: Exercise, found: tuple[Path, tuple[Pair, ...]], screen: Screen) -> int:
    """Everything that can be seen before the grader sees it. 0 where nothing was found."""
    path, notes = found
    remembered = memory.recall(exercise)["steps"]
    done = work.run(path, exercise, stuck=screen.stuck)
    screen.text(path.name, "head")
    findings = [*notes, *done.notes, *_file(path, exercise), *_problems(done), *_cells(done, exercise)]
    states = {}
    for step in exercise.steps:
        report = examine(done.namespace.get(step.name), step, exercise, done.namespace, stuck=screen.stuck)
        states[step.name] = report.state
        screen.text(f"{MARKS[report.state]} {report.headline.say(screen.language)}", STYLES[report.state])
        findings += _missing_names(done, step.name)
        if report.state in (FAILS, "missing") and remembered.get(step.name) == PASSES:
            findings.append(_leftovers(step.name))
    screen.text("")
    for finding in findings:
        screen.say(Pair(f"! {finding.en}", f"! {finding.zh}"), "bad")
    return _verdict(states, findings, screen)


def _verdict(states: dict, findings: list, screen: Screen) -> int:
    passing = sum(state == PASSES for state in states.values())
    unwritten = [name for name, state in states.items() if state == UNWRITTEN]
    if unwritten:
        names = ", ".join(unwritten)
        screen.say(Pair(f"Not written: {names}.", f"还没写：{names}。"), "bad")
    screen.say(
        Pair(
            f"{passing} of {len(states)} steps pass their public examples from a fresh start. "
            "You can submit at any time; hidden checks decide the grade.",
            f"从空白环境运行，{len(states)} 步中有 {passing} 步通过公开示例。"
            "随时可以提交；成绩由隐藏测试决定。",
        ),
        "head",
    )
    return 0 if passing == len(states) and not findings else 1


def _file(path: Path, exercise: Exercise) -> Iterator[Pair]:
    if path.stem != exercise.name:
        right = f"{exercise.name}{path.suffix}"
        yield Pair(
            f"The file is named {path.name}; the grader looks for {right}. Rename it.",
            f"文件名是 {path.name}，评分程序找的是 {right}。请改名。",
        )


def _problems(done: work.Work) -> Iterator[Pair]:
    """Cells that do not run from top to bottom; not those that only lack what an earlier one should give."""
    for index, problem in enumerate(done.problems):
        name = re.compile(rf"\b{re.escape(problem.missing)}\b")
        follows = problem.missing and any(name.search(p.source) for p in done.problems[:index])
        if not problem.unwritten and not follows:
            yield problem.sentences[0]


def _cells(done: work.Work, exercise: Exercise) -> Iterator[Pair]:
    """Functions defined more than once, and cells of the release that are gone or empty."""
    for step in exercise.steps:
        head = re.compile(rf"^def\s+{step.name}\b", re.M)
        places = [number for number, source in done.cells for _ in head.findall(source)]
        if len(places) > 1:
            where = f" (cells {', '.join(map(str, places))})" if done.path.suffix == ".ipynb" else ""
            yield Pair(
                f"{step.name} is defined {len(places)} times{where}: the last one counts.",
                f"{step.name} 定义了 {len(places)} 次{where.replace('cells', '单元格')}：以最后一个为准。",
            )
    if done.path.suffix == ".ipynb":
        yield from _released_cells(done.path, exercise)


def _released_cells(path: Path, exercise: Exercise) -> Iterator[Pair]:
    cells = json.loads(path.read_text(encoding="utf-8-sig", errors="replace"))["cells"]
    marks = [(cell, cell.get("metadata", {}).get("nbgrader", {})) for cell in cells]
    there = {mark.get("grade_id") for _, mark in marks}
    for name in [n for step in exercise.steps for n in (step.name, f"check_{step.name}")]:
        if name not in there:
            yield Pair(
                f"The cell {name} of the release is gone. The grader finds functions by name, so this costs "
                "nothing as long as the function is there.",
                f"发布时的单元格 {name} 不见了。评分按函数名查找，只要函数还在就不扣分。",
            )
    for cell, mark in marks:
        source = "".join(cell.get("source", ""))
        answer = cell.get("cell_type") == "markdown" and mark.get("solution") and mark.get("grade")
        if answer and (not source.strip() or ANSWER.search(source)):
            question = mark.get("grade_id")
            yield Pair(f"The question {question} has no answer yet.", f"问题 {question} 还没有作答。")


def _missing_names(done: work.Work, name: str) -> Iterator[Pair]:
    """Names that a function uses and that nothing defines: leftovers of a cell that is gone."""
    function = done.namespace.get(name)
    code = getattr(function, "__code__", None)
    builtins = done.namespace["__builtins__"]
    known = set(done.namespace) | set(builtins if isinstance(builtins, dict) else vars(builtins))
    missing = sorted(set(_globals(code)) - known) if code is not None else []
    if missing:
        names = ", ".join(missing)
        yield Pair(
            f"{name} uses {names}, which nothing in the file defines.",
            f"{name} 用到了 {names}，但文件里没有定义。",
        )


def _globals(code: types.CodeType) -> Iterator[str]:
    """The names that a function looks up outside itself, its inner functions' included."""
    import dis

    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _globals(constant)


def _leftovers(step: str) -> Pair:
    return Pair(
        f"{step} passed in your notebook but not from a fresh start: it leans on something that is no longer "
        "in the file, or comes later. Restart the kernel, run all cells, and see.",
        f"{step} 在你的笔记本里通过了，从空白环境运行却不行：它依赖文件里已不存在或出现得更晚的东西。"
        "请重启内核并运行全部单元格再看。",
    )
