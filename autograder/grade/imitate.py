"""What a known mistake, or several together, would answer: worked out once for each input, then remembered.

Trusted code only: the reference, and the mistakes as changes to it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograder.grade import local
from autograder.grade.answers import Answer
from autograder.grade.remote import Asked
from autograder.suites import Mistake

KEPT = 500_000  # remembered answers; inputs are the suite's own, so a class adds hardly any


class Imitator:
    """Answers a step as one does who makes the given mistakes, one on top of the other."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]], rebuild: Callable[[], dict[str, Any]]):
        self._functions, self._rebuild = functions, rebuild
        self._made: dict[Any, Callable[..., Any]] = {}
        self._answers: dict[Any, Answer] = {}

    def function(self, step: str, mistakes: Sequence[Mistake]) -> Callable[..., Any]:
        """The step with the mistakes in it: in its own code, and in the steps that it is composed of."""
        key = step, *(mistake.name for mistake in mistakes), *(mistake.step for mistake in mistakes)
        if key not in self._made:
            self._made[key] = self._make(step, mistakes)
        return self._made[key]

    def answer(self, step: str, mistakes: Sequence[Mistake], line: Asked) -> Answer:
        """What that function gives for the arguments of a line."""
        key = step, tuple((mistake.step, mistake.name) for mistake in mistakes), line.key
        if key not in self._answers:
            if len(self._answers) > KEPT:
                self._answers.clear()
            function = self.function(step, mistakes)
            desk = local.LocalDesk({step: function})
            self._answers[key] = desk.many(step, [(line.args, line.kwargs)])[0]
        return self._answers[key]

    def _make(self, step: str, mistakes: Sequence[Mistake]) -> Callable[..., Any]:
        if all(mistake.step == step for mistake in mistakes):
            return _changed(self._functions[step], mistakes)
        namespace = self._rebuild()  # a module of its own, whose functions call one another
        for need in dict.fromkeys(mistake.step for mistake in mistakes):
            if need != step:
                namespace[need] = _changed(namespace[need], [m for m in mistakes if m.step == need])
        return _changed(namespace[step], [m for m in mistakes if m.step == step])


def _changed(function: Callable[..., Any], mistakes: Sequence[Mistake]) -> Callable[..., Any]:
    for mistake in mistakes:
        function = mistake.on(function)
    return function
