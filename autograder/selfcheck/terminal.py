"""python -m selfcheck: the same checks without Jupyter, for the module and for the notebook."""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from dataclasses import replace
from pathlib import Path

from . import memory, work
from .before import before_submit
from .check import examine
from .exercise import BrokenRelease, Exercise, Step, load
from .report import FAILS, PASSES, UNWRITTEN, Report
from .reset import reset
from .screen import Screen
from .text import prose, report_lines
from .watch import watch
from .words import LANGUAGES, Pair, printable

USAGE = Pair(
    "Checks your work on the public examples. Without STEP: all steps, up to the first that is not done.",
    "用公开示例检查你的代码。不写 STEP 时依次检查各步，停在第一个没完成的步骤。",
)


def main(arguments: list[str]) -> int:
    """Exit status: 0 where everything that was checked passes, 1 where it does not, 2 for a wrong command."""
    parser = _parser()
    options = parser.parse_args(arguments)
    screen = Screen.of(sys.stdout, options.lang or "en")
    if options.help:
        screen.text(parser.format_help())
        return 0
    try:
        exercise = load()
        screen = Screen.of(sys.stdout, exercise.language(options.lang))
        return _run(options, exercise, screen)
    except (BrokenRelease, work.Unreadable) as problem:
        screen.say(problem.pair, "bad")
        return 1
    except OSError as problem:  # a full disk, or on Windows a file that another program holds
        name, why = Path(problem.filename or "").name, printable(problem.strerror or str(problem))
        screen.say(Pair(f"{name}: {why}. Nothing was changed.", f"{name}：{why}。没有改动任何内容。"), "bad")
        return 1
    except KeyboardInterrupt:
        screen.text("")
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m selfcheck", add_help=False, description=f"{USAGE.en} {USAGE.zh}"
    )
    parser.add_argument(
        "what", nargs="*", metavar="STEP or FILE", help="steps, and the file if not the usual one"
    )
    parser.add_argument("--watch", action="store_true", help="check again on every save 保存后自动重新检查")
    parser.add_argument("--hint", nargs="?", const="", metavar="STEP", help="the next hint 下一条提示")
    parser.add_argument("--reset", metavar="STEP", help="that stub as it was released 恢复该步的原始代码")
    parser.add_argument("--list", action="store_true", help="the steps and where you are 各步骤与进度")
    parser.add_argument("--before-submit", action="store_true", help="run it as the grader will 提交前检查")
    parser.add_argument("-h", "--help", action="store_true", help="this text 显示本帮助")
    parser.add_argument("--lang", choices=LANGUAGES, help="language 语言")
    return parser


def _run(options, exercise: Exercise, screen: Screen) -> int:
    files = [word for word in options.what if Path(word).suffix in (".py", ".ipynb")]
    names = [word for word in options.what if word not in files]
    names += [name for name in (options.hint, options.reset) if name]
    for name in names:
        if exercise.step(name) is None:
            return _no_such_step(exercise, name, screen)
    file = files[0] if files else None
    if options.hint is not None:
        return hint(exercise, exercise.step(options.hint or (names or [""])[0]), file, screen)
    if options.reset:
        return reset(exercise, exercise.step(options.reset), work.find(exercise, file)[0], screen)
    if options.list:
        return listing(exercise, screen)
    if options.before_submit:
        return before_submit(exercise, work.find(exercise, file), screen)
    steps = [exercise.step(name) for name in names]
    if options.watch:
        return watch(
            lambda: work.find(exercise, file)[0], lambda: checking(exercise, steps, file, screen), screen
        )
    return checking(exercise, steps, file, screen)


def _no_such_step(exercise: Exercise, name: str, screen: Screen) -> int:
    known = [step.name for step in exercise.steps]
    close = difflib.get_close_matches(name, known, 1)
    meant = Pair(f" Did you mean {close[0]}?", f"是不是 {close[0]}？") if close else Pair("", "")
    screen.say(
        Pair(
            f"There is no step {name}.{meant.en} The steps: {', '.join(known)}",
            f"没有名为 {name} 的步骤。{meant.zh}各步骤：{', '.join(known)}",
        ),
        "bad",
    )
    return 2


def checking(exercise: Exercise, steps: list[Step], file: str | None, screen: Screen) -> int:
    """Runs the work and checks the steps; all of them, up to the first that is not done, if none is named."""
    path, notes = work.find(exercise, file)
    done = work.run(path, exercise, stuck=screen.stuck)
    screen.text(path.name, "dim")
    for note in (*notes, *done.notes):
        screen.say(note)
    reports = []
    for step in steps or exercise.steps:
        report = report_of(step, exercise, done, screen.stuck)
        reports.append(report)
        brief = not steps and report.state == PASSES
        shown = replace(report, hidden=Pair("", "")) if brief else report
        screen.lines(report_lines(shown, screen.language, screen.width))
        if not steps and report.state != PASSES:
            break
    memory.remember(exercise, reports)
    _next(exercise, reports, bool(steps), screen)
    return 0 if all(report.state == PASSES for report in reports) else 1


def report_of(step: Step, exercise: Exercise, done: work.Work, stuck=None) -> Report:
    """One step of the work; where its cell did not run, that is what there is to say."""
    problem = done.problem_of(step.name)
    if problem is not None and not problem.unwritten and step.name not in done.namespace:
        from .report import Finding

        finding = Finding(False, fault=problem.sentences, code=problem.code)
        return Report(step.name, FAILS, (finding,), section=step.name, broken=True)
    return examine(done.namespace.get(step.name), step, exercise, done.namespace, stuck=stuck)


def _next(exercise: Exercise, reports: list[Report], named: bool, screen: Screen) -> None:
    """What to do now, in one or two lines."""
    last = reports[-1]
    screen.text("")
    if last.state == UNWRITTEN:
        heading = exercise.step(last.step).heading.say(screen.language).replace("`", "")
        screen.say(Pair(f"Next: write {heading}", f"接下来写：{heading}"), "head")
        handout = f"handout.{screen.language}.md"
        if (exercise.folder / handout).is_file():
            screen.say(Pair(f"What it is to do: {handout}", f"要做什么，见 {handout}"))
    if last.state != PASSES:
        command = f"python -m selfcheck --hint {last.step}"
        screen.say(Pair(f"Stuck? {command}", f"没思路？{command}"), "dim")
    elif not named:
        screen.say(
            Pair(
                "Every step passes its public examples. Hidden checks decide the grade: they also try "
                "batches, other shapes, integers and large numbers.",
                "每一步都通过了公开示例。成绩由隐藏测试决定：它们还会尝试批次、其他形状、整数和很大的数。",
            ),
            "good",
        )
        command = "python -m selfcheck --before-submit"
        screen.say(Pair(f"Before you submit: {command}", f"提交前运行：{command}"), "head")


def hint(exercise: Exercise, step: Step | None, file: str | None, screen: Screen) -> int:
    """The next hint of a step: the one named, or the first that is not done."""
    step = step or _first_open(exercise, file, screen)
    if step is None:
        every = Pair(
            "Every step passes its public examples. For the hints of one of them, name it.",
            "每一步都通过了公开示例。想看某一步的提示，请写出它的名字。",
        )
        screen.say(every)
        return 0
    hints = step.hints.get(screen.language) or next(iter(step.hints.values()), [])
    if not hints:
        screen.say(Pair(f"{step.name} has no hints.", f"{step.name} 没有提示。"))
        return 0
    number = memory.next_hint(exercise, step.name, len(hints))
    screen.say(
        Pair(
            f"{step.name}, hint {number + 1} of {len(hints)}:",
            f"{step.name}，第 {number + 1} 条提示（共 {len(hints)} 条）：",
        ),
        "head",
    )
    screen.lines(prose(hints[number].replace("`", ""), screen.width))
    if number + 1 == len(hints):
        screen.say(Pair("That was the last hint.", "这是最后一条提示。"), "dim")
    return 0


def _first_open(exercise: Exercise, file: str | None, screen: Screen) -> Step | None:
    done = work.run(work.find(exercise, file)[0], exercise, stuck=screen.stuck)
    for step in exercise.steps:
        if report_of(step, exercise, done, screen.stuck).state != PASSES:
            return step
    return None


def listing(exercise: Exercise, screen: Screen) -> int:
    """The steps with their points and what was found last."""
    from .progress import step_lines

    screen.text(exercise.title.say(screen.language), "head")
    screen.lines(step_lines(exercise, screen.language))
    states = memory.recall(exercise)["steps"]
    return 0 if all(states.get(step.name) == PASSES for step in exercise.steps) else 1


def hang() -> None:
    """Ends the process: nothing else stops code that hangs outside Python."""
    os._exit(1)
