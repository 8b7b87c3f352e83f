"""The handout's own demonstrations in a submission, without what nothing of the student's can see.

They print arrays and try functions on large ones, which takes a desk longer than all hidden calls.
A statement is left out where it prints, or binds names that no code of the student's mentions.
"""

import ast
import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise

from autograder.author.cells import setup
from autograder.author.handout import merge
from autograder.model import Cell, Exercise

WORD = re.compile(r"\w+")
EXAMPLE = re.compile(r"^[ \t]*(?:>>>|\.\.\.) .*$", re.MULTILINE)  # no line of code begins so
# What finds a name that is not written out: where a student's code mentions it, all names stay bound.
FINDERS = frozenset(
    WORD.findall(
        "globals locals vars dir eval exec modules inspect getattr attrgetter import_module __import__"
        " doctest __main__ __dict__ __globals__ f_globals __builtins__"
    )
)


@dataclass(frozen=True)
class Statement:
    """One statement of a demonstration: where it stands, what it binds, what it mentions."""

    lines: slice
    binds: frozenset[str] | None  # None: it does more than to bind names
    mentions: frozenset[str]


class Demonstrations:
    """Those of one exercise, as it was released in any language."""

    def __init__(self, exercise: Exercise):
        texts = [
            text
            for part in merge(exercise.prose)
            for block in part.blocks
            if block.kind == "code"
            for text in block.texts.values()
        ]
        self._known = {text: self.statements(text) for text in (setup(exercise)["source"], *texts)}

    @staticmethod
    def statements(source: str) -> tuple[Statement, ...]:
        """Those of one demonstration of ours; none where it is not plain Python, or they share lines."""
        with suppress(SyntaxError):
            body = ast.parse(source).body
            if all(a.end_lineno < b.lineno for a, b in pairwise(body)):
                return tuple(
                    Statement(slice(node.lineno - 1, node.end_lineno), _bound([node]), _mentioned(node))
                    for node in body
                )
        return ()

    def thinned(self, cells: Sequence[Cell]) -> tuple[Cell, ...]:
        """The same cells, lines in their places; only those that stand as released are touched."""
        wanted = _words(cell.source for cell in cells if cell.source not in self._known)
        if wanted & FINDERS:
            return tuple(cells)
        shown = [one for text in {cell.source for cell in cells} for one in self._known.get(text, ())]
        wanted |= {word for one in shown if one.binds is None for word in one.mentions}
        while more := {w for one in shown if one.binds and one.binds & wanted for w in one.mentions} - wanted:
            wanted |= more
        return tuple(self._thinned(cell, wanted) for cell in cells)

    def _thinned(self, cell: Cell, wanted: Iterable[str]) -> Cell:
        lines = cell.source.split("\n")
        for one in self._known.get(cell.source, ()):
            if one.binds is not None and one.binds.isdisjoint(wanted):
                lines[one.lines] = [""] * len(lines[one.lines])
        return replace(cell, source="\n".join(lines))


def _words(sources: Iterable[str]) -> set[str]:
    """Everything in these sources that may be a name, in strings as well; but not a docstring's examples."""
    texts = (EXAMPLE.sub("", unicodedata.normalize("NFKC", source)) for source in sources)
    return {word for text in texts for word in WORD.findall(text)}


def _mentioned(node: ast.stmt) -> frozenset[str]:
    return frozenset(inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name))


def _bound(nodes: Sequence[ast.stmt]) -> frozenset[str] | None:
    """The names that these bind or change, where that is all they do; to print is nothing, in a loop too."""
    found: set[str] = set()
    for node in nodes:
        match node:
            case ast.Expr(ast.Call(ast.Name("print"))):
                more = frozenset()
            case ast.Assign(targets=targets):
                more = _targets(targets)
            case ast.AugAssign(target=target):
                more = _targets([target])
            case ast.Import(names=names) | ast.ImportFrom(names=names) if names[0].name != "*":
                more = frozenset(alias.asname or alias.name.partition(".")[0] for alias in names)
            case ast.FunctionDef(name=name):
                more = frozenset([name])
            case ast.For(target=target, body=body, orelse=[]):
                more = _bound(body) and _joined(_targets([target]), _bound(body))
            case ast.Try(body=body, handlers=handlers, orelse=[], finalbody=[]):
                more = _joined(_bound(body), *(_bound(handler.body) for handler in handlers))
            case _:
                more = None
        if more is None:
            return None
        found |= more
    return frozenset(found)


def _joined(*parts: frozenset[str] | None) -> frozenset[str] | None:
    return None if None in parts else frozenset().union(*parts)


def _targets(targets: Iterable[ast.expr]) -> frozenset[str]:
    """The names under which an assignment is seen, also that of a part of something."""
    return frozenset(
        node.id
        for target in targets
        for node in ast.walk(target)
        if isinstance(node, ast.Name)
        and (isinstance(node.ctx, ast.Store) or not isinstance(target, ast.Name))
    )
