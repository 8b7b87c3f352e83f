"""--reset STEP: one stub as it was released; the old text is kept beside it, and nothing else is touched."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

from .exercise import Exercise, Step
from .screen import Screen
from .words import Pair
from .work import cells_of


def reset(exercise: Exercise, step: Step, path: Path, screen: Screen) -> int:
    """Puts the stub back into the module or the notebook."""
    cells_of(path)  # raises Unreadable
    old = path.read_bytes()
    changed = _notebook(old, step) if path.suffix == ".ipynb" else _module(path, old, step)
    if changed is None:
        return _refused(step, path, screen)
    if changed == old:
        screen.say(Pair(f"{step.name} is as it was released.", f"{step.name} 已是发布时的样子。"))
        return 0
    kept = _beside(path, step.name)
    kept.write_bytes(old)
    temporary = path.with_name(f"{path.name}.new")
    temporary.write_bytes(changed)
    temporary.replace(path)
    _told(step, path, kept, screen)
    return 0


def _refused(step: Step, path: Path, screen: Screen) -> int:
    screen.say(
        Pair(
            f"{path.name} has no line that begins `def {step.name}(`. Nothing was changed; the stub is:",
            f"{path.name} 中没有位于行首的 `def {step.name}(`。没有改动任何内容；原始代码是：",
        ),
        "bad",
    )
    screen.text(step.stub, "code")
    return 1


def _told(step: Step, path: Path, kept: Path, screen: Screen) -> None:
    screen.say(
        Pair(
            f"{step.name} is as it was released. Your old {path.name} is kept as {kept.name}.",
            f"{step.name} 已恢复为发布时的样子。原来的 {path.name} 保存为 {kept.name}。",
        ),
        "good",
    )
    if path.suffix == ".ipynb":
        screen.say(
            Pair(
                "If the notebook is open, reload it first (File > Reload Notebook from Disk).",
                "如果笔记本正开着，请先从磁盘重新载入（File > Reload Notebook from Disk）。",
            )
        )


def _beside(path: Path, step: str) -> Path:
    """A name that nothing has yet; not one that could be taken for the work itself."""
    number = 1
    while (kept := path.with_name(f"{path.stem}.before-reset-{step}-{number}{path.suffix}.txt")).exists():
        number += 1
    return kept


def _module(path: Path, old: bytes, step: Step) -> bytes | None:
    """The module with the function's lines replaced, in its own encoding and with its own line ends."""
    text, newline = _text(path, old)
    lines = text.split("\n")
    span = _span(text, step.name)
    if span is None:
        return None
    first, last = span
    changed = "\n".join([*lines[:first], step.stub.rstrip("\n"), *lines[last:]])
    bom = b"\xef\xbb\xbf" if old.startswith(b"\xef\xbb\xbf") else b""
    return bom + changed.replace("\n", newline).encode()


def _text(path: Path, old: bytes) -> tuple[str, str]:
    newline = "\r\n" if b"\r\n" in old else "\n"
    return cells_of(path)[0][0][1], newline


def _span(text: str, name: str) -> tuple[int, int] | None:
    """The function's lines [first, last): by syntax, or up to the next definition where it has none."""
    lines = text.split("\n")
    try:
        found = [n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == name]
    except (SyntaxError, ValueError):
        return _span_of_text(lines, name)
    if not found:
        return None
    last = found[-1].end_lineno
    while last < len(lines) and lines[last].startswith((" ", "\t")):
        last += 1  # a comment that ends the function
    return found[-1].lineno - 1, last


def _span_of_text(lines: list[str], name: str) -> tuple[int, int] | None:
    heads = [i for i, line in enumerate(lines) if re.match(rf"def\s+{name}\b", line)]
    if not heads:
        return None
    last = heads[-1] + 1
    while last < len(lines) and not re.match(r"(?:def|class|@|import|from|if __name__)\b", lines[last]):
        last += 1
    while not lines[last - 1].strip():
        last -= 1
    return heads[-1], last


def _notebook(old: bytes, step: Step) -> bytes | None:
    """The notebook with the step's solution cell as released; every other cell as it was."""
    data = json.loads(old.decode("utf-8-sig"))
    cell = _cell(data["cells"], step.name)
    if cell is None:
        return None
    if "".join(cell["source"]).rstrip() == step.stub.rstrip():
        return old
    whole = step.stub.rstrip("\n")
    cell["source"] = whole.splitlines(True) if isinstance(cell["source"], list) else whole
    cell["outputs"], cell["execution_count"] = [], None
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def _cell(cells: list, name: str) -> dict | None:
    """The cell that nbgrader knows by the step's name, else the last one that defines it."""
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    marked = [c for c in code if c["metadata"].get("nbgrader", {}).get("grade_id") == name]
    defining = [c for c in code if re.search(rf"^def\s+{name}\b", "".join(c["source"]), re.M)]
    return (marked or defining or [None])[-1]
