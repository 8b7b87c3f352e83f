"""What students can find out by themselves: the public checks, tried on functions of our own."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from autograder.author.given import importable
from autograder.author.public import public
from autograder.model import Exercise
from autograder.selfcheck.check import examine
from autograder.selfcheck.exercise import FILE, load
from autograder.selfcheck.report import PASSES

Caught = Callable[[str, Callable[..., Any]], bool]


def catcher(exercise: Exercise) -> Caught:
    """A function that says whether the public checks of a step refuse another function in its place."""
    with TemporaryDirectory() as folder:
        data = json.dumps(public(exercise, list(exercise.prose)))
        (Path(folder) / FILE).write_text(data, encoding="utf-8")
        known = load(Path(folder))
    right: dict = {"np": np}
    with importable(exercise.given):
        exec(compile(exercise.code, f"{exercise.name}.py", "exec"), right)

    def caught(step: str, function: Callable[..., Any]) -> bool:
        namespace = {**right, step: function}
        return examine(function, known.step(step), known, namespace).state != PASSES

    return caught
