"""The weights that a student's function gives on a public example, beside the right ones, to be drawn.

Nothing hidden is in them: the example is in the handout, students run it themselves, and what is not as it
should be comes from a desk that knows of nothing hidden.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograder.author.public import evaluated, examples
from autograder.grade.answers import Outcome
from autograder.model import Exercise, StepResult, Verdict, Weights
from autograder.selfcheck.heat import is_weights, matrix

DRAWN = (Verdict.passed, Verdict.failed, Verdict.raised)  # what comes back in time


@dataclass(frozen=True)
class Example:
    """A call of a step whose answer holds weights: the answer itself, or a member of it."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    member: int | None
    expected: np.ndarray


def public_weights(exercise: Exercise, functions: Mapping[str, Callable[..., Any]]) -> dict[str, Example]:
    """For each step that gives weights: the public example with the largest matrix of them."""
    best: dict[str, Example] = {}
    for step in exercise.steps:
        for example in _examples(exercise, step.name, functions):
            before = best.get(step.name)
            if before is None or matrix(example.expected).size > matrix(before.expected).size:
                best[step.name] = example
    return best


def _examples(exercise: Exercise, name: str, functions: Mapping[str, Callable[..., Any]]) -> list[Example]:
    found: list[Example] = []

    def noting(*args: Any, **kwargs: Any) -> Any:
        value = functions[name](*args, **kwargs)
        members = enumerate(value) if isinstance(value, tuple) else [(None, value)]
        found.extend(Example(args, kwargs, at, part) for at, part in members if is_weights(part))
        return value

    for example in examples(exercise, name, {"np": np, **functions}):
        evaluated(example["source"], {"np": np, **functions, name: noting}, name)
    return found


def drawn(result: StepResult, example: Example | None, desk: Any, fresh: Callable[[], Any]) -> StepResult:
    """The result with the student's weights, where there are any of the right shape.

    desk: where the step was tried. fresh: gives one that was asked nothing hidden, whose wrong weights are
    drawn; those of the other could tell what it was asked.
    """
    if example is None or result.verdict not in DRAWN:
        return result
    right, got = _rows(example.expected), _weights(result.name, example, desk)
    if got not in (None, right):
        got = _weights(result.name, example, fresh())
    return result if got is None else replace(result, weights=Weights(right, got))


def _weights(step: str, example: Example, desk: Any) -> tuple[tuple[str, ...], ...] | None:
    answer = desk.many(step, [(example.args, dict(example.kwargs))])[0]
    got = answer.value if answer.outcome is Outcome.returned else None
    if example.member is not None:
        got = got[example.member] if isinstance(got, tuple) and len(got) > example.member else None
    alike = isinstance(got, np.ndarray) and got.dtype.kind in "fiub" and got.shape == example.expected.shape
    return _rows(got) if alike else None


def _rows(value: np.ndarray) -> tuple[tuple[str, ...], ...]:
    """Three digits: as many as are drawn, and the same for everybody whose function is right."""
    with np.errstate(all="ignore"):
        return tuple(tuple(f"{float(weight) + 0.0:.3f}" for weight in row) for row in matrix(value))
