"""A student's functions as a hidden suite sees them: called by name, answered from a desk.

A suite's inputs do not depend on the answers, as a rule, so all calls of a step are known beforehand (the
suite is rehearsed with the reference) and are asked in one exchange; a remote then answers from that
script. Where a test calls something else after all, the desk is asked there and then.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.grade.answers import Answer, Effects, Outcome
from autograder.suites import Call

ELEMENTS = 4096  # an array of up to so many entries is handed to a suite whatever its shape is


class StudentFaultError(Exception):
    """A call of a student's function gave no value; `answer` says what happened instead."""

    def __init__(self, step: str, answer: Answer):
        super().__init__(f"{step}: {answer.outcome}")
        self.step, self.answer = step, answer


class TooLargeError(StudentFaultError):
    """The value is so much larger than the right one that no test should compute with it."""


def fingerprint(value: Any) -> Any:
    """Equal for arguments that no function can tell apart; hashable, and a snapshot of arrays."""
    kind = type(value)
    if kind is np.ndarray:
        return value.dtype, value.shape, value.strides, value.flags.writeable, value.tobytes()
    if kind is Call:
        named = [(name, fingerprint(item)) for name, item in value.kwargs.items()]
        return *map(fingerprint, value.args), *named
    if kind is dict:
        return tuple((name, fingerprint(item)) for name, item in value.items())
    if kind is tuple or kind is list:
        return kind, *map(fingerprint, value)
    if callable(value):
        return value
    return kind, repr(value)  # nan is not equal to itself, its text is


@dataclass(frozen=True)
class Asked:
    """One call of a step and what came back: a line of the transcript."""

    step: str
    call: Call
    answer: Answer | None  # None: foreseen, not asked yet
    key: Any = field(repr=False)

    @property
    def args(self) -> tuple[Any, ...]:
        return self.call.args

    @property
    def kwargs(self) -> dict[str, Any]:
        return self.call.kwargs


def merge(effects: Iterable[Effects]) -> Effects:
    """What several calls did beside answering, as if it had been one."""
    every = list(effects)
    arguments = dict.fromkeys(argument for effect in every for argument in effect.arguments)
    printed = "".join(effect.printed for effect in every)
    return Effects(tuple(arguments), any(effect.generator for effect in every), printed)


class Room:
    """What the remotes of a suite share: the desk in it, the answers fetched beforehand, the transcript."""

    def __init__(self) -> None:
        self.desk: Any = None
        self.asked: list[Asked] = []
        self.went_on = False  # whether the desk was asked more than was foreseen
        self._script: Sequence[Asked] = ()

    def enter(self, desk: Any, script: Sequence[Asked] = ()) -> None:
        """Makes ready for one test, whose calls `script` answers as far as they come as foreseen."""
        self.desk, self._script, self.asked, self.went_on = desk, script, [], False

    def ask(self, step: str, calls: Sequence[Call]) -> list[Asked]:
        """The answers to a table of calls: from the script where it holds them, else from the desk."""
        keys = [fingerprint(call) for call in calls]
        foreseen = self._script[len(self.asked) : len(self.asked) + len(calls)]
        if [(line.step, line.key) for line in foreseen] != [(step, key) for key in keys]:
            self._script = foreseen = ()  # the test went another way than in the rehearsal
        if foreseen and all(line.answer is not None for line in foreseen):
            lines = list(foreseen)
        else:
            self.went_on = True
            answers = self.desk.many(step, [(call.args, call.kwargs) for call in calls])
            made = zip(calls, answers, keys, strict=True)
            lines = [Asked(step, call, answer, key) for call, answer, key in made]
        self.asked += lines
        return lines


class Remote:
    """One step of a student: called like the function, it gives the value or raises StudentFaultError."""

    def __init__(self, name: str, room: Room, reference: Callable[..., Any]):
        self._name, self._room, self._reference = name, room, reference
        self.__name__ = name
        self.effects = Effects()  # of the last exchange: which arguments changed, did the generator move

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._value(self._ask([Call(args, kwargs)])[0])

    def many(self, cases: Iterable[Any]) -> list[Answer]:
        """One answer for each case, whatever came of it."""
        return [line.answer for line in self._ask([as_call(case) for case in cases])]

    def beside(self, reference: Callable[..., Any], cases: Iterable[Any]) -> list[tuple[Any, Any]]:
        """Pairs of what was got and what the reference gives; raises at the first answer that is no value."""
        lines = self._ask([as_call(case) for case in cases])
        known = getattr(reference, "answers", None)  # one of ours, which need not look at the arguments again
        if known is not None:
            return [(self._value(line), known(line.key, line.call)) for line in lines]
        return [(self._value(line), reference(*line.args, **line.kwargs)) for line in lines]

    def _ask(self, calls: list[Call]) -> list[Asked]:
        lines = self._room.ask(self._name, calls)
        self.effects = merge(line.answer.effects for line in lines)
        return lines

    def _value(self, line: Asked) -> Any:
        if line.answer.outcome is not Outcome.returned:
            raise StudentFaultError(self._name, line.answer)
        size = elements(line.answer.value)
        if size > ELEMENTS and size > 4 * elements(self._reference(*line.args, **line.kwargs)):
            raise TooLargeError(self._name, line.answer)
        return line.answer.value


def as_call(case: Any) -> Call:
    """A case of a table: a Call, or the positional arguments as a tuple."""
    return case if isinstance(case, Call) else Call(tuple(case))


def elements(value: Any) -> int:
    """How many numbers a value holds."""
    if isinstance(value, np.ndarray):
        return value.size
    return sum(map(elements, value)) if isinstance(value, tuple | list) else 1
