"""What a desk is given before a student's own cells: functions of earlier exercises, solved.

A submission that lost them has them all the same; one that defines them anew has its own. What was changed
in the locked cell itself is put right, as nbgrader does with every locked cell.
"""

from collections.abc import Mapping, Sequence

from autograder.author.given import HEAD
from autograder.intake.pieces import normal
from autograder.model import Cell

BEFORE_ALL = -1  # the cell's number: no cell of a notebook, so that no message points into it
PLACE = "given"  # the cell of the release that holds them
LOAD = """\
def _hand_out(name, text):
    import sys, types
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(text, "<given>", "exec"), module.__dict__)
    return {key: value for key, value in module.__dict__.items() if callable(value)}

"""


def with_given(given: Mapping[str, str], cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells of a submission behind what is given, without their own copies of that."""
    if not given:
        return tuple(cells)
    modules = {name: f"{HEAD}\n\n{text}" for name, text in given.items()}
    calls = [f"globals().update(_hand_out({name!r}, {text!r}))" for name, text in modules.items()]
    copies = {_bare(text) for whole in given.values() for text in (whole, *whole.split("\n\n\n"))}
    copies.add(_bare("\n".join(given.values())))
    found = [Cell(LOAD + "\n".join(calls), BEFORE_ALL)]
    for cell in cells:
        if _bare(cell.source) not in copies:
            found += [cell, Cell("\n".join(calls), BEFORE_ALL)] if cell.place == PLACE else [cell]
    return tuple(found)


def _bare(source: str) -> str:
    """The source without the comment above it and without blank lines."""
    return "\n".join(line for line in normal(source).split("\n") if not line.startswith("#"))
