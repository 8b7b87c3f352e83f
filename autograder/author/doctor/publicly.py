"""What students can find out by themselves: the public checks, tried on functions of our own."""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.author.public import evaluated, examples
from autograder.model import Exercise, KitError
from autograder.selfcheck import compare

Caught = Callable[[str, Callable[..., Any]], bool]


def catcher(exercise: Exercise) -> Caught:
    """A function that says whether the public examples of a step refuse another function in its place."""
    namespace: dict = {"np": np}
    exec(compile(exercise.code, f"{exercise.name}.py", "exec"), namespace)
    known = {
        step.name: [
            (example["source"], evaluated(example["source"], dict(namespace), step.name))
            for example in examples(exercise, step.name, namespace)
        ]
        for step in exercise.steps
    }

    def caught(step: str, function: Callable[..., Any]) -> bool:
        return any(
            _differs(source, expected, {**namespace, step: function}) for source, expected in known[step]
        )

    return caught


def _differs(source: str, expected: object, namespace: dict) -> bool:
    """Whether one example gives something else, or nothing at all."""
    try:
        with np.errstate(all="ignore"):
            return compare(evaluated(source, namespace, ""), expected) is not None
    except KitError:
        return True
