"""What hidden suites and lists of mistakes are written with: `call`, `Seed`, `mistake`, `symptom`, `telling`.

Values only: nothing here runs a test or meets a student's code.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.desk.arguments import Seed
from autograder.model import Sentence

__all__ = ["Call", "Mistake", "Seed", "Symptom", "Telling", "call", "mistake", "symptom", "telling"]


@dataclass(frozen=True)
class Call:
    """One case of a table: the arguments that a step is called with."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)


def call(*args: Any, **kwargs: Any) -> Call:
    """A case with keyword arguments, where a plain tuple of arguments would not do."""
    return Call(args, kwargs)


@dataclass(frozen=True)
class Mistake:
    """A known wrong way to write a step; its name finishes the sentence "the student …".

    `wrong(correct, *args, **kwargs)` answers as the mistake does, as a change to the correct function where
    it can be, so that two mistakes compose. A convention is right mathematics said otherwise than we do.
    `whole`: it never calls the correct function, so nothing shows of a mistake that lies beneath it.
    """

    name: str
    step: str
    sentence: Sentence
    wrong: Callable[..., Any]
    convention: bool = False
    whole: bool = False

    def on(self, correct: Callable[..., Any]) -> Callable[..., Any]:
        """The step as one writes it who makes this mistake on top of `correct`."""
        return lambda *args, **kwargs: self.wrong(correct, *args, **kwargs)


def mistake(
    step: str, *, en: str, zh: str, convention: bool = False
) -> Callable[[Callable[..., Any]], Mistake]:
    """Makes a Mistake of the function below it, which takes the correct function and then the arguments."""

    def decorate(wrong: Callable[..., Any]) -> Mistake:
        return Mistake(wrong.__name__, step, Sentence(en, zh), wrong, convention)

    return decorate


@dataclass(frozen=True)
class Symptom:
    """A mistake that no function can imitate (one that draws random numbers, say), known by what it does.

    `shows(calls)` sees every call of the step that was graded: each has `args`, `kwargs`, `answer` (as from
    `softmax.many`) and `expected` (what the reference gives). Asked where no mistake explains the answers.
    """

    name: str
    step: str
    sentence: Sentence
    shows: Callable[[Sequence[Any]], bool]


def symptom(step: str, *, en: str, zh: str) -> Callable[[Callable[..., bool]], Symptom]:
    """Makes a Symptom of the function below it, which takes the calls and says whether they show it."""

    def decorate(shows: Callable[..., bool]) -> Symptom:
        return Symptom(shows.__name__, step, Sentence(en, zh), shows)

    return decorate


@dataclass(frozen=True)
class Telling:
    """Inputs that tell mistakes of a step apart which look the same on the suite's inputs."""

    step: str
    cases: Callable[[Any], Sequence[Any]]


def telling(step: str) -> Callable[[Callable[..., Sequence[Any]]], Telling]:
    """Makes more inputs for diagnosis of the function below it, which takes a generator and gives cases.

    A square input, say: there a forgotten transposition runs and gives numbers, where the suite only sees an
    exception. Asked of a student's code only where the suite's own inputs leave a doubt.
    """

    def decorate(cases: Callable[..., Sequence[Any]]) -> Telling:
        return Telling(step, cases)

    return decorate
