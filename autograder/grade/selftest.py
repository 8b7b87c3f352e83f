"""Before each run: breaches tried from where students' code runs. One that gets through stops the run."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.desk import wire
from autograder.grade.answers import DeskFault, Outcome
from autograder.model import Cell

BREACHES = Path(wire.__file__).with_name("breaches.py")
FUNCTION = re.compile(r"^def ([a-z]\w*)\((\w*)\)", re.MULTILINE)


def self_test(desk_with: Callable[[list[Cell]], Any]) -> dict[str, str]:
    """Each breach's name, and how it ended. Raises DeskFault where one got through, or none was tried.

    desk_with: opens a desk with these cells, through the very path that students' code takes.
    """
    source = BREACHES.read_text(encoding="utf-8")
    with desk_with([Cell(source)]) as desk:
        if desk.loaded[0].outcome != "ok":
            raise DeskFault(f"the self-test of the walls could not be loaded: {desk.loaded[0].error}")
        ends = {name: _end(desk, name, takes) for name, takes in FUNCTION.findall(source)}
    if not ends:
        raise DeskFault("the self-test of the walls could not be loaded: it holds no breaches")
    through = [name for name, end in ends.items() if end == "got through"]
    if through:
        raise DeskFault(f"the walls do not hold: {', '.join(through)}. Nothing was graded; please report it.")
    return ends


def _end(desk: object, name: str, takes: str) -> str:
    arguments = (str(Path(__file__).resolve()),) if takes else ()
    answer = desk.many(name, [(arguments, {})])[0]
    if answer.outcome is Outcome.returned:
        return "held" if answer.value is False else "got through"
    return f"held ({answer.error.name if answer.error else answer.outcome})"
