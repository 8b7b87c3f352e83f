"""Whether the function that is checked is the one that the student sees in the notebook.

A kernel does not see the notebook, but its saved file may be there, and it knows which cells it ran when.
"""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path

from .notebook import shell
from .words import Pair

# On the kernel's shell, source -> when: cells that define functions, as they ran, and those that could not.
RAN, FAILED = "_selfcheck_ran", "_selfcheck_failed"


def notes(function, name: str, namespace: dict) -> tuple[Pair, ...]:
    """What a student should know about the definition before believing the result."""
    current = namespace.get(name)
    if callable(function) and current is not None and current is not function:
        return (
            Pair(
                f"This is an older {name}: the name now means another function. Check it by name: "
                f'check("{name}").',
                f'这是旧的 {name}：这个名字现在指向另一个函数。请按名字检查：check("{name}")。',
            ),
        )
    ran = getattr(shell(), RAN, {})
    if _latest(name, getattr(shell(), FAILED, {})) > _latest(name, ran):
        return (
            Pair(
                f"Your newest {name} did not run (SyntaxError): what is checked is the one before it.",
                f"最近写的 {name} 没能运行 (SyntaxError)：检查的是之前的定义。",
            ),
        )
    if not ran or not callable(function):
        return ()
    try:
        return _against_the_file(name, _file(namespace), ran)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):  # no file, or not like a notebook
        return ()


def _head(name: str) -> re.Pattern:
    return re.compile(rf"^def\s+{re.escape(name)}\b", re.M)


def _latest(name: str, sources: dict) -> float:
    """When a cell that defines the function was run last; 0 for never."""
    return max((when for source, when in sources.items() if _head(name).search(source)), default=0.0)


def _against_the_file(name: str, file: Path | None, ran: dict) -> tuple[Pair, ...]:
    head = _head(name)
    run = [source for source in ran if head.search(source)]
    if file is None or not run:
        return ()
    latest = max(run, key=lambda source: ran[source])
    saved = [source for source in _sources(file) if head.search(source)]
    if not saved or saved[-1] == latest:
        return ()
    if latest in saved:
        return (
            Pair(
                f"The notebook defines {name} again further down: for the grade, that one counts.",
                f"笔记本后面又定义了一次 {name}：重新运行和评分时以后面那个为准。",
            ),
        )
    if file.stat().st_mtime > ran[latest] and saved[-1] not in ran:
        return (
            Pair(
                f"The cell of {name} was edited after it ran: run it again to check what you see.",
                f"{name} 的单元格运行之后又改过：请重新运行它再检查。",
            ),
        )
    return ()


def _sources(file: Path) -> list[str]:
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]).strip() for cell in cells if cell["cell_type"] == "code"]


def _file(namespace: dict) -> Path | None:
    """The notebook's file, where the front end tells the kernel (JupyterLab, Notebook 7, VS Code)."""
    told = namespace.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME", "")
    path = Path(told) if told else None
    return path if path is not None and path.suffix == ".ipynb" and path.is_file() else None


def listen() -> None:
    """From now on, notes which cells define functions; once for each kernel, and nowhere else."""
    running = shell()
    if running is not None and not hasattr(running, RAN):
        setattr(running, RAN, {})
        setattr(running, FAILED, {})
        running.events.register("post_run_cell", _note)


def _note(result) -> None:
    source = getattr(getattr(result, "info", None), "raw_cell", None)
    if source and re.search(r"^def\s", source, re.M):
        kind = FAILED if getattr(result, "error_before_exec", None) else RAN
        getattr(shell(), kind)[source.strip()] = time.time()
