"""The weights that a student's function gives on a public example, beside the right ones, to be drawn.

Nothing hidden is in them: the example is in the handout, students run it themselves, and the desk is asked
for them before it knows of anything hidden.
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


def weights(public: Mapping[str, Example], desk: Any) -> dict[str, Weights]:
    """By the step's name, of those whose weights have the right shape. The desk is one that knows nothing."""
    found = {step: _weights(step, example, desk) for step, example in public.items() if step in desk.defined}
    return {
        step: Weights(_rows(public[step].expected), got) for step, got in found.items() if got is not None
    }


def drawn(result: StepResult, weights: Mapping[str, Weights]) -> StepResult:
    """The result with the student's weights, where they belong to it."""
    there = result.name in weights and result.verdict in DRAWN
    return replace(result, weights=weights[result.name]) if there else result


def _weights(step: str, example: Example, desk: Any) -> tuple[tuple[str, ...], ...] | None:
    answer = desk.glimpse(step, (example.args, dict(example.kwargs)))
    got = answer.value if answer.outcome is Outcome.returned else None
    if example.member is not None:
        got = got[example.member] if isinstance(got, tuple) and len(got) > example.member else None
    alike = isinstance(got, np.ndarray) and got.dtype.kind in "fiub" and got.shape == example.expected.shape
    return _rows(got) if alike else None


def _rows(value: np.ndarray) -> tuple[tuple[str, ...], ...]:
    """Three digits: as many as are drawn, and the same for everybody whose function is right."""
    with np.errstate(all="ignore"):
        return tuple(tuple(f"{float(weight) + 0.0:.3f}" for weight in row) for row in matrix(value))
