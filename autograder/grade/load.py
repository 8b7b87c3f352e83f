"""Loads code of our own by its file: the reference, and what is known of mistakes. Never a student's."""

import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from autograder.author.given import importable
from autograder.suites import Mistake, Symptom, Telling


class Source:
    """A module's source, compiled once, which can be run as often as functions of their own are wanted."""

    def __init__(self, file: Path, given: Mapping[str, str] | None = None):
        """`given`: what the module may import, the functions of earlier exercises by their names."""
        self._given = given or {}
        self._name = f"attn_{file.parent.name}_{file.stem}"
        self._file, self._code = str(file), compile(file.read_text(encoding="utf-8"), str(file), "exec")

    def names(self) -> dict[str, Any]:
        """The names of a new module of this source."""
        module = types.ModuleType(self._name)
        module.__file__ = self._file
        with importable(self._given):
            exec(self._code, module.__dict__)
        return module.__dict__

    def functions(self) -> dict[str, Callable[..., Any]]:
        """The public functions of a new module of this source, and all that it is given."""
        with importable(self._given):
            modules = [vars(sys.modules[name]) for name in self._given]
        named = [item for names in (*modules, self.names()) for item in names.items()]
        return {name: value for name, value in named if callable(value) and not name.startswith("_")}


def load_mistakes(folder: Path) -> tuple[Mistake | Symptom | Telling, ...]:
    """What is known of wrong answers: in mistakes.py, and in mistakes_<step>.py for long ones."""
    found: dict[Any, Mistake | Symptom | Telling] = {}
    for file in (*folder.glob("mistakes.py"), *sorted(folder.glob("mistakes_*.py"))):
        for value in _flat(Source(file).names().values()):
            if isinstance(value, Mistake | Symptom):
                found.setdefault((value.step, value.name, type(value)), value)
            elif isinstance(value, Telling):
                found.setdefault((value.step, value.cases.__name__, Telling), value)
    return tuple(found.values())


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    """One decorator may make the same for several steps: a tuple."""
    for value in values:
        yield from value if isinstance(value, tuple) else (value,)
