"""The hidden suite of an exercise: collected with pytest once in a process, run for each submission after
that.

Collecting, fixtures, parameters, marks and asserts are pytest's own; a run then only calls the functions,
since hooks and reports for each test would cost more than the test. A fixture is therefore a value, made
once: a suite must not change one, nor an array that it has passed to a step. The rehearsal with the
reference sees to that, and finds each test that the reference itself does not pass: such a test is our
fault and costs no student anything.
"""

import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.grade.answers import Answer, DeskFault, Outcome
from autograder.grade.collect import Check, SuiteError, collect
from autograder.grade.lent import handed
from autograder.grade.local import LocalDesk
from autograder.grade.remote import ELEMENTS, Asked, Remote, Room, elements, fingerprint
from autograder.suites import Call

Cases = tuple[tuple[tuple[Any, ...], dict[str, Any]], ...]  # of a desk
REMEMBERED = 20_000  # right answers; a suite asks hundreds, the rest depends on what students answer
KEPT = 64  # sets of answers whose outcome is remembered for each test
MOST = 3 << 20  # bytes of answers that are remembered so, of all tests together
RUNS = 128  # the same for all tests of a step together


@dataclass(frozen=True)
class Played:
    """What one test raised, if anything, with what it asked."""

    test: Check
    raised: BaseException | None
    asked: tuple[Asked, ...] = field(repr=False)


@dataclass(frozen=True)
class Reference:
    """The right functions, each answer worked out once; what they give is the caller's to change."""

    functions: Mapping[str, Callable[..., Any]]
    known: dict[Any, Any] = field(default_factory=dict, repr=False)

    def remembering(self, name: str) -> Callable[..., Any]:
        """The function of that name, which remembers its answers."""

        def answers(key: Any, call: Call) -> Any:
            if len(self.known) > REMEMBERED:
                self.known.clear()
            if (name, key) not in self.known:
                with np.errstate(all="ignore"):
                    named = {name: handed(value) for name, value in call.kwargs.items()}
                    self.known[name, key] = self.functions[name](*map(handed, call.args), **named)
            return _own(self.known[name, key])

        def remembered(*args: Any, **kwargs: Any) -> Any:
            call = Call(args, kwargs)
            return answers(fingerprint(call), call)

        remembered.__name__, remembered.answers = name, answers
        return remembered


def _own(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_own(item) for item in value)
    return value.copy() if isinstance(value, np.ndarray) else value


class Suite:
    """The hidden tests of every step, ready to be run against any desk."""

    def __init__(
        self, folder: Path, steps: Sequence[str], functions: Mapping[str, Callable[..., Any]], seed: bytes
    ):
        self.reference, self._room = Reference(functions), Room()
        self._known = {name: self.reference.remembering(name) for name in functions}
        remotes = {step: Remote(step, self._room, self._known[step]) for step in steps}
        files = [folder / f"test_{step}.py" for step in steps]
        if lacking := [file.name for file in files if not file.is_file()]:
            raise SuiteError(
                f"{folder} has no {', '.join(lacking)}.\nEvery step needs hidden tests: write it."
            )
        values = remotes | {"reference": types.SimpleNamespace(**self._known)}
        self.tests = tuple(collect(files, values, seed))
        self._outcomes: dict[str, dict[Any, tuple[BaseException | None, Sequence[Asked]]]] = {}
        self._runs: dict[Any, tuple[Played, ...]] = {}
        self._held = 0  # bytes of the answers in the outcomes
        for test in self.tests:
            self._rehearse(test)
        self._foreseen = {step: self._table(step) for step in steps}

    def of(self, step: str) -> tuple[Check, ...]:
        """The tests of one step, in the order of its file."""
        return tuple(test for test in self.tests if test.step == step)

    def expected(self, asked: Asked) -> Any:
        """What the reference answers there."""
        return self._known[asked.step].answers(asked.key, asked.call)

    def refuses(self, asked: Asked) -> bool:
        """Whether the contract asks for an exception there."""
        try:
            self.expected(asked)
        except Exception:  # of whatever kind: the test says which
            return True
        return False

    def foreseen(self, step: str) -> list[Asked]:
        """The calls of a step that every run makes, whatever is answered."""
        return self._foreseen[step][0]

    def run(self, step: str, desk: Any) -> tuple[Played, ...]:
        """Every test of the step against a desk; its foreseen calls cross in one exchange.

        A test looks at answers alone: where all have been seen before, so has its outcome.
        """
        foreseen, cases = self._foreseen[step]
        answers = desk.many(step, cases) if cases else []
        if any(answer.effects.generator for answer in answers):  # it is seen once for a whole table
            answers = [_with_generator(answer) for answer in answers]
        key = (step, *map(id, answers)) if all(answer.known for answer in answers) else None
        if key in self._runs:
            return self._runs[key]
        asked = zip(foreseen, answers, strict=True)
        lines = iter([Asked(step, line.call, answer, line.key) for line, answer in asked])
        with np.errstate(all="ignore"):
            tests = [self._play(test, desk, lines) for test in self.of(step)]
        played = tuple(one for one, _ in tests)
        if key is not None and all(foreseen for _, foreseen in tests):
            if len(self._runs) >= RUNS:
                self._runs.clear()
            self._runs[key] = played  # which holds the answers, so that their ids stay theirs
        return played

    def _table(self, step: str) -> tuple[list[Asked], Cases]:
        """The calls of a step that its sound tests will make, as lines and as cases for a desk."""
        sound = [test for test in self.of(step) if test.broken is None]
        foreseen = [line for test in sound for line in test.script if line.step == step]
        return foreseen, tuple((line.args, line.kwargs) for line in foreseen)

    def _play(self, test: Check, desk: Any, lines: Iterator[Asked]) -> tuple[Played, bool]:
        """One test played, and whether it asked nothing but what was foreseen."""
        if test.broken is not None:
            return Played(test, None, ()), True
        script = _script(test, lines)
        key, outcomes = _key(script), self._outcomes.setdefault(f"{test.step}::{test.name}", {})
        if key is not None and key in outcomes:
            return Played(test, outcomes[key][0], script), True
        self._room.enter(desk, script)
        raised, asked = self._call(test), self._room.asked
        rest = script[len(asked) :]
        played = Played(test, raised, (*asked, *(line for line in rest if line.answer is not None)))
        if key is None or self._room.went_on:
            return played, False
        if len(outcomes) < KEPT and (raised is None or all(line.answer.known for line in script)):
            self._make_room(script)
            outcomes[key] = None if raised is None else raised.with_traceback(None), script
        return played, True

    def _make_room(self, script: Sequence[Asked]) -> None:
        """Forgets all outcomes before their answers grow too large: what desks send must not fill us."""
        weight = sum(_weight(line.answer.value) for line in script)
        self._held += weight
        if self._held > MOST:
            self._held = weight
            for outcomes in self._outcomes.values():
                outcomes.clear()

    def _call(self, test: Check) -> BaseException | None:
        if test.rng is not None:
            test.rng.bit_generator.state = test.state
        try:
            test.body(**test.values)
        except (DeskFault, KeyboardInterrupt):
            raise
        except (Exception, pytest.fail.Exception, pytest.skip.Exception) as raised:
            return raised
        return None

    def _rehearse(self, test: Check) -> None:
        """Runs a test with the reference, to know what it asks and that it is sound."""
        before = fingerprint(test.values)
        self._room.enter(LocalDesk(self.reference.functions))
        with np.errstate(all="ignore"):
            test.broken = self._call(test)
        test.script = tuple(self._room.asked)
        spoilt = [line.step for line in test.script if fingerprint(line.call) != line.key]
        if spoilt or fingerprint(test.values) != before:
            what = f"an array after passing it to {spoilt[0]}" if spoilt else "the value of a fixture"
            raise SuiteError(f"{test.name} changes {what}.\nA suite must not: let it make a copy first.")


def _script(test: Check, lines: Iterator[Asked]) -> tuple[Asked, ...]:
    """The foreseen lines with this desk's answers; those about other steps are asked in their turn."""
    return tuple(
        next(lines) if line.step == test.step else replace(line, answer=None) for line in test.script
    )


def _with_generator(answer: Answer) -> Answer:
    return replace(answer, effects=replace(answer.effects, generator=True), known=False)


def _key(script: Sequence[Asked]) -> Any:
    """A snapshot of the answers; None where one is not there yet, or is hard to tell from others."""
    answers = [line.answer for line in script]
    if any(answer is None for answer in answers):
        return None
    if all(answer.known for answer in answers):
        return tuple(map(id, answers))
    if any(answer.outcome is not Outcome.returned or elements(answer.value) > ELEMENTS for answer in answers):
        return None
    return tuple(
        (fingerprint(answer.value), answer.effects.arguments, answer.effects.generator) for answer in answers
    )


def _weight(value: Any) -> int:
    """About how many bytes an answer's value takes."""
    if isinstance(value, tuple | list):
        return 64 + sum(map(_weight, value))
    return getattr(value, "nbytes", 64) if not isinstance(value, str) else 64 + 4 * len(value)
