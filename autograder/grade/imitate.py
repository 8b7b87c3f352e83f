"""What a known mistake, or several together, would answer: worked out once for each input, then remembered.

Trusted code only: the reference, and the mistakes as changes to it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from autograder.grade import local
from autograder.grade.answers import Answer
from autograder.grade.remote import Asked, fingerprint
from autograder.suites import Mistake

KEPT = 50_000  # remembered answers; inputs are the suite's own, so a class adds hardly any


class Imitator:
    """Answers a step as one does who makes the given mistakes, one on top of the other."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]], module: dict[str, Any]):
        """`module`: the names of one more module of the reference, whose functions may be exchanged."""
        self._functions, self._module = functions, module
        self._made: dict[Any, Callable[..., Any]] = {}
        self._answers: dict[Any, Answer] = {}

    def function(self, step: str, mistakes: Sequence[Mistake]) -> Callable[..., Any]:
        """The step with the mistakes in it: in its own code, and in the steps that it is composed of."""
        key = step, *(mistake.name for mistake in mistakes), *(mistake.step for mistake in mistakes)
        if key not in self._made:
            self._made[key] = self.make(step, mistakes)
        return self._made[key]

    def answer(self, step: str, mistakes: Sequence[Mistake], line: Asked) -> Answer:
        """What that function gives for the arguments of a line."""
        key = step, tuple((mistake.step, mistake.name) for mistake in mistakes), line.key
        if key not in self._answers:
            if len(self._answers) > KEPT:
                self._answers.clear()
            function = self.function(step, mistakes)
            desk = local.LocalDesk({step: function})
            answer = desk.many(step, [(line.args, line.kwargs)])[0]
            right = self._answers.get((step, (), line.key))  # most mistakes are seen in few answers
            self._answers[key] = right if right is not None and _alike(right, answer) else answer
        return self._answers[key]

    def make(self, step: str, mistakes: Sequence[Mistake]) -> Callable[..., Any]:
        """The same, made anew: for thousands that are asked once."""
        own = [mistake for mistake in mistakes if mistake.step == step]
        if len(own) == len(mistakes):
            return _changed(self._functions[step], own)
        inner = {
            need: _changed(self._functions[need], [m for m in mistakes if m.step == need])
            for need in dict.fromkeys(mistake.step for mistake in mistakes if mistake.step != step)
        }
        return _changed(self.composed(step, inner), own)

    def composed(self, step: str, inner: Mapping[str, Callable[..., Any]]) -> Callable[..., Any]:
        """The step with other functions in the place of those that it calls."""

        def call(*args: Any, **kwargs: Any) -> Any:
            before = {name: self._module[name] for name in inner}
            self._module.update(inner)
            try:
                return function(*args, **kwargs)
            finally:
                self._module.update(before)

        function = self._module[step]
        return call


def _alike(one: Answer, other: Answer) -> bool:
    return replace(one, value=fingerprint(one.value)) == replace(other, value=fingerprint(other.value))


def _changed(function: Callable[..., Any], mistakes: Sequence[Mistake]) -> Callable[..., Any]:
    for mistake in mistakes:
        function = mistake.on(function)
    return function
