"""A student's work from a file, run from an empty namespace as the grader runs it.

Cells that raise or are no Python are named; what the others define still counts.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import json
import linecache
import re
import sys
import warnings
from dataclasses import dataclass, field
from pathlib import Path

from . import faults
from .exercise import Exercise
from .guard import TimeUp, limited
from .inert import neutral, placeholders
from .words import Pair, printable

SECONDS = 5.0  # for one cell; the grader gives it less
OTHER_ENCODINGS = ("gbk", "cp1252", "latin-1")


class Unreadable(Exception):  # noqa: N818 (a finding for a student)
    """There is no work to be checked; `.pair` says why."""

    def __init__(self, pair: Pair):
        super().__init__(pair.en)
        self.pair = pair


@dataclass(frozen=True)
class Problem:
    """One cell that did not run to its end."""

    sentences: tuple[Pair, ...]
    code: tuple[str, ...]
    source: str
    syntax: bool = False
    unwritten: bool = False  # a stub was called: nothing to tell
    missing: str = ""  # a name that was not defined


@dataclass(frozen=True)
class Work:
    """One file: its cells (number, source), and what running them left."""

    path: Path
    cells: tuple[tuple[int, str], ...]
    namespace: dict = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    notes: tuple[Pair, ...] = ()

    def problem_of(self, step: str) -> Problem | None:
        """The problem that keeps a step from being defined."""
        head = re.compile(rf"^def\s+{step}\b", re.M)
        return next((problem for problem in self.problems if head.search(problem.source)), None)


def find(exercise: Exercise, wanted: str | None = None) -> tuple[Path, tuple[Pair, ...]]:
    """The file to check: the one asked for, or the one that differs from the release. Raises Unreadable."""
    if wanted:
        path = Path(wanted)
        path = path if path.exists() else exercise.folder / wanted
        if not path.is_file():
            raise Unreadable(Pair(f"There is no file {wanted}.", f"没有文件 {wanted}。"))
        return path, ()
    script, notebook = (exercise.folder / f"{exercise.name}{suffix}" for suffix in (".py", ".ipynb"))
    there = [path for path in (notebook, script) if path.is_file()]
    if not there:
        raise Unreadable(
            Pair(
                f"Neither {script.name} nor {notebook.name} is here ({exercise.folder}). "
                "The file must keep its name.",
                f"这里既没有 {script.name} 也没有 {notebook.name}（{exercise.folder}）。文件名不能改。",
            )
        )
    written = [path for path in there if touched(path, exercise)]
    if len(written) == 2:
        note = Pair(
            f"Both {notebook.name} and {script.name} hold work; the notebook is what counts. "
            f"The other: python -m selfcheck {script.name}",
            f"{notebook.name} 和 {script.name} 里都有内容，以笔记本为准。"
            f"检查另一个：python -m selfcheck {script.name}",
        )
        return notebook, (note,)
    return (written or [script if script.is_file() else notebook])[0], ()


def touched(path: Path, exercise: Exercise) -> bool:
    """Whether any step is no longer as it was released."""
    try:
        text = "\n".join(source for _, source in cells_of(path)[0])
    except Unreadable:
        return True
    lines = "\n".join(line.rstrip() for line in text.split("\n"))
    return not all(step.stub.strip() in lines for step in exercise.steps)


def cells_of(path: Path) -> tuple[tuple[tuple[int, str], ...], tuple[Pair, ...]]:
    """The code cells as (number, source), and notes about the file. A module is one cell, number 0."""
    text, notes = _decoded(path)
    if path.suffix != ".ipynb":
        return ((0, text.replace("\r\n", "\n").replace("\r", "\n")),), notes
    try:
        cells = json.loads(text)["cells"]
        numbered = [(index, cell) for index, cell in enumerate(cells, 1) if cell.get("cell_type") == "code"]
        return tuple((index, "".join(cell["source"])) for index, cell in numbered), notes
    except (ValueError, LookupError, TypeError, AttributeError):
        raise Unreadable(
            Pair(
                f"{path.name} is not a notebook (no JSON with cells). Open it in Jupyter and save it again.",
                f"{path.name} 不是笔记本（不是含有 cells 的 JSON）。请在 Jupyter 中打开并重新保存。",
            )
        ) from None


def _decoded(path: Path) -> tuple[str, tuple[Pair, ...]]:
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = printable(error.strerror or "", 80)
        raise Unreadable(Pair(f"{path.name}: {reason}", f"{path.name}：{reason}")) from None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace"), (_not_utf8(path, "UTF-16"),)
    with contextlib.suppress(UnicodeDecodeError):
        return data.decode("utf-8-sig"), ()
    for encoding in OTHER_ENCODINGS:
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode(encoding), (_not_utf8(path, encoding),)
    raise AssertionError("latin-1 decodes everything")


def _not_utf8(path: Path, encoding: str) -> Pair:
    return Pair(
        f"{path.name} is not UTF-8 (read as {encoding}): save it as UTF-8 before you submit.",
        f"{path.name} 不是 UTF-8（按 {encoding} 读取）：提交前请另存为 UTF-8。",
    )


def run(path: Path, exercise: Exercise, *, stuck=None) -> Work:
    """The work, run cell by cell from an empty namespace. Raises Unreadable."""
    cells, notes = cells_of(path)
    namespace = {"__name__": exercise.name, "__builtins__": __builtins__}
    problems = []
    with placeholders(namespace), _quiet():
        for number, source in cells:
            problem = _run_cell(path, number, source, namespace, stuck)
            if problem is not None:
                problems.append(problem)
    return Work(path, cells, namespace, tuple(problems), notes)


@contextlib.contextmanager
def _quiet():
    """What cells print is theirs; what they ask for is not there."""
    silent, stdin = io.StringIO(), sys.stdin
    sys.stdin = io.StringIO()
    try:
        with (
            contextlib.redirect_stdout(silent),
            contextlib.redirect_stderr(silent),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.stdin = stdin


def _missing(error: BaseException) -> str:
    found = re.search(r"name '(\w+)' is not defined", str(error)) if isinstance(error, NameError) else None
    return found[1] if found else ""


def _run_cell(path: Path, number: int, source: str, namespace: dict, stuck) -> Problem | None:
    name = f"<cell {number}>" if number else str(path)
    source = neutral(source) if number else source
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    try:
        code = compile(source, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return Problem(faults.syntax(error, number), faults.caret(error), source, syntax=True)
    try:
        limited(lambda: exec(code, namespace), SECONDS, stuck=stuck)
    except KeyboardInterrupt:
        raise
    except NotImplementedError:
        return Problem((), (), source, unwritten=True)
    except (BaseException, TimeUp) as error:
        told = faults.explain(error, None)
        return Problem(told.sentences, told.code, source, missing=_missing(error))
    return None
