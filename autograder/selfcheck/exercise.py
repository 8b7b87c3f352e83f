"""What was released with an exercise: its steps, public examples, hints and stubs, from exercise.json.

Knows nothing of students' code.
"""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .words import LANGUAGES, Pair

FILE = "exercise.json"
HERE = Path(__file__).resolve().parent


class BrokenRelease(Exception):  # noqa: N818 (a finding for a student)
    """selfcheck/ is not whole; `.pair` says what to do."""

    def __init__(self, why: str):
        self.pair = Pair(
            f"selfcheck/{FILE} {why}. Fetch the assignment again, or copy the folder selfcheck/ anew.",
            f"selfcheck/{FILE} 缺失或损坏。请重新获取作业，或重新复制 selfcheck/ 文件夹。",
        )
        super().__init__(self.pair.en)


@dataclass(frozen=True)
class Example:
    """A line of a public example: statements, the last of them an expression, and its value."""

    source: str
    expected: object
    number: int = 0  # of the example: one that prints several values has several lines


@dataclass(frozen=True)
class Step:
    """One function that a student writes."""

    name: str
    points: float
    needs: tuple[str, ...]
    signature: str
    heading: Pair
    axes: dict
    examples: tuple[Example, ...]
    hints: dict
    stub: str

    @property
    def parameters(self) -> tuple[str, ...]:
        arguments = ast.parse(f"def f{self.signature}: 0").body[0].args
        return tuple(argument.arg for argument in arguments.args)

    @property
    def return_axes(self) -> tuple:
        """Axis names of what the step returns; for several results, one tuple for each."""
        if "return" in self.axes:
            return tuple(self.axes["return"])
        results = [tuple(names) for name, names in self.axes.items() if name not in self.parameters]
        return tuple(results) if len(results) > 1 else results[0] if results else ()


@dataclass(frozen=True)
class Exercise:
    """One assignment as a student has it."""

    name: str
    languages: tuple[str, ...]
    title: Pair
    steps: tuple[Step, ...]
    folder: Path  # where the notebook and the module are

    def step(self, name: str) -> Step | None:
        return next((step for step in self.steps if step.name == name), None)

    def language(self, wish: str | None) -> str:
        """The language wished for, else the release's first."""
        return wish if wish in LANGUAGES else self.languages[0]


def load(folder: Path = HERE) -> Exercise:
    """The exercise that selfcheck/ was released with. Raises BrokenRelease."""
    try:
        data = json.loads((folder / FILE).read_text(encoding="utf-8-sig"))
        return Exercise(
            data["exercise"],
            tuple(language for language in data["languages"] if language in LANGUAGES) or LANGUAGES,
            _pair(data["title"]),
            tuple(_step(step) for step in data["steps"]),
            folder.parent,
        )
    except OSError:
        raise BrokenRelease("is not there") from None
    except (ValueError, LookupError, TypeError, AttributeError, SyntaxError):
        raise BrokenRelease("cannot be read") from None


def _pair(texts: dict) -> Pair:
    first = next(iter(texts.values()), "")
    return Pair(texts.get("en", first), texts.get("zh", first))


def _step(data: dict) -> Step:
    return Step(
        data["name"],
        data["points"],
        tuple(data["needs"]),
        data["signature"],
        _pair(data.get("heading", {})),
        data.get("axes", {}),
        tuple(
            Example(line["source"], decoded(line["expected"]), line.get("example", index))
            for index, line in enumerate(data["examples"])
        ),
        data.get("hints", {}),
        data["stub"],
    )


def decoded(data: dict):
    """A value from its JSON form, in which "nan", "inf" and "-inf" are words."""
    if "tuple" in data:
        return tuple(decoded(member) for member in data["tuple"])
    if "array" in data:
        array = np.array(_numbers(data["array"]), dtype=data["dtype"])
        return array.reshape(data["shape"]) if "shape" in data else array
    return _numbers(data["value"])


def _numbers(value):
    if isinstance(value, list):
        return [_numbers(member) for member in value]
    return float(value) if value in ("nan", "inf", "-inf") else value
