"""Finds which two mistakes together may lie behind an answer, without trying thousands for each student.

What every pair answers to one telling call of a step is worked out once, as one number; a student's answer to
that call then leaves a few pairs to be looked at in earnest.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Any

import numpy as np

from autograder.desk.errors import describe
from autograder.grade.answers import Answer, Outcome
from autograder.grade.imitate import Imitator
from autograder.grade.local import fresh
from autograder.grade.remote import Asked
from autograder.model import Step
from autograder.suites import Mistake

Pair = tuple[Mistake, Mistake]
MOST = 200  # pairs that answer alike; more of them (all that raise one exception, say) tell nothing
NEAR = 1e-4  # relative distance of two numbers that may stand for the same answer


@dataclass
class _Index:
    """The pairs of one step by what they answer to one call."""

    probe: Asked
    found: dict[Any, list[tuple[float, int]]] = field(default_factory=dict)  # structure -> (number, place)
    pairs: list[Pair] = field(default_factory=list)


class Pairs:
    """The pairs of known mistakes of each step, to be looked up by a student's answer."""

    def __init__(self, imitator: Imitator, mistakes: Sequence[Mistake]):
        self._imitator, self._mistakes = imitator, mistakes
        self._indexes: dict[str, _Index] = {}

    def behind(self, step: Step, lines: Sequence[Asked], probe: Callable[[], Asked]) -> Iterator[Pair]:
        """Pairs that answer the probe about as the student did: a call that is made of every student."""
        if step.name not in self._indexes:
            self._indexes[step.name] = self._built(step, probe())
        index = self._indexes[step.name]
        answer = next((line.answer for line in lines if line.key == index.probe.key), None)
        if answer is None or answer.outcome not in (Outcome.returned, Outcome.raised):
            return
        structure, number, spread = _signature(answer)
        entries = index.found.get(structure, [])
        fitting = entries[
            bisect_left(entries, (number - spread, -1)) : bisect_left(
                entries, (number + spread, len(index.pairs))
            )
        ]
        if len(fitting) <= MOST:
            yield from (index.pairs[place] for _, place in fitting)

    def _built(self, step: Step, probe: Asked) -> _Index:
        index = _Index(probe)
        with np.errstate(all="ignore"):
            for place, pair in enumerate(self._all(step)):
                index.pairs.append(pair)
                structure, number, _ = _signature(self._quickly(step.name, pair, probe))
                index.found.setdefault(structure, []).append((number, place))
        for entries in index.found.values():
            entries.sort()
        return index

    def _all(self, step: Step) -> Iterator[Pair]:
        """Two of the step's own, in both orders; two of one step that it needs; one of each kind."""
        at = {place: [m for m in self._mistakes if m.step == place] for place in (step.name, *step.needs)}
        own = [pair for mistakes in at.values() for pair in permutations(mistakes, 2)]
        mixed = [pair for need in step.needs for pair in product(at[need], at[step.name])]
        return (pair for pair in (*own, *mixed) if not pair[1].whole)

    def _quickly(self, step: str, pair: Pair, probe: Asked) -> Answer:
        args, kwargs = fresh(probe.args), {name: fresh(value) for name, value in probe.kwargs.items()}
        try:
            return Answer(Outcome.returned, self._imitator.make(step, pair)(*args, **kwargs))
        except Exception as raised:  # that is its answer
            return Answer(Outcome.raised, describe(raised)[0])


def _signature(answer: Answer) -> tuple[Any, float, float]:
    """What an answer looks like: its structure, one number for all entries, how far that may be off."""
    if answer.outcome is not Outcome.returned:
        return ("raised", answer.error.name if answer.error else answer.value), 0.0, 0.0
    parts = answer.value if isinstance(answer.value, tuple | list) else (answer.value,)
    if not all(isinstance(part, np.ndarray) and part.dtype.kind in "biuf" for part in parts):
        return "odd", 0.0, 0.0
    number, spread = 0.0, 1e-5
    for part in parts:
        entries = np.nan_to_num(part.astype(float).ravel(), nan=777.0, posinf=1e3, neginf=-1e3)
        weighed = entries.clip(-1e100, 1e100) * np.cos(np.arange(entries.size) + 1.0)  # no sum overflows
        number, spread = number + float(weighed.sum()), spread + NEAR * float(np.abs(weighed).sum())
    return (len(parts), *(part.shape for part in parts)), number, spread
