"""Names the mistake behind wrong answers, by imitation: a known mistake that answers every call alike is
the one.

Knows nothing of marks, and of a student's code only what it answered. Noise, or a formula of no known
kind, gets no name: a wrong sentence would cost a student more time than none.
"""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from autograder.grade.answers import Answer, Outcome
from autograder.grade.imitate import KEPT, Imitator
from autograder.grade.likeness import same
from autograder.grade.pairs import Pairs
from autograder.grade.remote import Asked, as_call, fingerprint
from autograder.model import Step
from autograder.suites import Call, Mistake, Symptom, Telling

VALUES = (Outcome.returned, Outcome.raised)
DIGITS, WORDS = re.compile(r"\d+"), 20  # of an exception's text: what does not count, how much must be left
ENOUGH = 2  # telling calls that a mistake must explain where other answers stay unexplained
Ask = Callable[[str, list[tuple[tuple[Any, ...], dict[str, Any]]]], list[Answer]]


@dataclass(frozen=True)
class Explanation:
    """The mistakes that were found, and whether they explain every answer of the step or only their own."""

    mistakes: tuple[Mistake | Symptom, ...]
    whole: bool = True


@dataclass(frozen=True)
class _Evidence:
    """A step's calls, sorted: the wrong ones with the answer that they got, and those that went well."""

    step: str
    wrong: tuple[Asked, ...]
    right: tuple[Asked, ...]


class Diagnoser:
    """Knows the mistakes of an exercise, and recognises them."""

    def __init__(
        self,
        imitator: Imitator,
        known: Iterable[Mistake | Symptom | Telling],
        seed: bytes,
        foreseen: Callable[[str], Sequence[Asked]],
    ):
        """`foreseen`: the calls of a step that are made of every student."""
        self._imitator, self._seed, self._foreseen = imitator, seed, foreseen
        every = list(known)
        self._mistakes = [item for item in every if isinstance(item, Mistake)]
        self._symptoms = [item for item in every if isinstance(item, Symptom)]
        self._telling = [item for item in every if isinstance(item, Telling)]
        self._tells: dict[Any, bool] = {}
        self._pairs = Pairs(imitator, self._mistakes)

    def explain(
        self, step: Step, asked: Sequence[Asked], ask: Ask, charged: Sequence[Mistake] = ()
    ) -> Explanation | None:
        """The mistakes behind these answers. `charged`: found in earlier steps; `ask`: for more inputs."""
        lines = [line for line in asked if line.step == step.name]
        if not lines or any(line.answer.outcome not in VALUES for line in lines):
            return None
        evidence = self._evidence(step.name, lines)
        if not evidence.wrong:
            return None
        seen = _Doubt(self, evidence, ask)
        singles = [(mistake,) for mistake in self._candidates(step, charged)]
        return (
            seen.settle(singles)
            or seen.settle(self._doubles(step, lines, charged))
            or self._symptom(step, lines)
            or self._partly(evidence, singles)
        )

    def guess(self, mistakes: Sequence[Mistake], line: Asked) -> Answer:
        """What these mistakes together answer there."""
        return self._imitator.answer(line.step, mistakes, line)

    def explains(self, mistakes: Sequence[Mistake], line: Asked) -> bool:
        """Whether these mistakes together answer this call as the student did."""
        right, wrong = (self._imitator.answer(line.step, chosen, line) for chosen in ((), mistakes))
        return same(line.answer, wrong, line, right.value)

    def tells(self, mistakes: Sequence[Mistake], line: Asked) -> bool:
        """Whether these mistakes together answer this call otherwise than the reference does."""
        key = line.step, tuple((mistake.step, mistake.name) for mistake in mistakes), line.key
        if key not in self._tells:
            if len(self._tells) > KEPT:
                self._tells.clear()
            right, wrong = (self._imitator.answer(line.step, chosen, line) for chosen in ((), mistakes))
            self._tells[key] = not same(wrong, right, line, right.value)
        return self._tells[key]

    def more(self, step: str) -> list[Call]:
        """Inputs beyond the suite's that tell the step's mistakes apart."""
        rng = np.random.default_rng(list(self._seed))
        return [
            as_call(case) for telling in self._telling if telling.step == step for case in telling.cases(rng)
        ]

    def answered(self, step: str, calls: Sequence[Call], ask: Ask) -> "_Evidence":
        """The evidence of more calls."""
        answers = ask(step, [(call.args, call.kwargs) for call in calls])
        lines = [
            Asked(step, call, answer, fingerprint(call)) for call, answer in zip(calls, answers, strict=True)
        ]
        return self._evidence(step, lines)

    def _evidence(self, step: str, lines: Sequence[Asked]) -> _Evidence:
        right = [self._imitator.answer(step, (), line) for line in lines]
        wrong = [not same(line.answer, one, line, one.value) for line, one in zip(lines, right, strict=True)]
        chosen = {line.key: line for line, bad in zip(lines, wrong, strict=True) if bad}
        ordered = sorted(chosen.values(), key=lambda line: line.answer.outcome is not Outcome.returned)
        return _Evidence(step, tuple(ordered), tuple(line for line in lines if line.key not in chosen))

    def _candidates(self, step: Step, charged: Sequence[Mistake]) -> list[Mistake]:
        """Single mistakes: those already charged first, so that a repetition is known as one."""
        again = [mistake for mistake in charged if mistake.step in step.needs]
        own = [mistake for mistake in self._mistakes if mistake.step == step.name]
        inner = [mistake for mistake in self._mistakes if mistake.step in step.needs]
        return again + own + inner

    def _doubles(
        self, step: Step, lines: Sequence[Asked], charged: Sequence[Mistake]
    ) -> Iterator[tuple[Mistake, ...]]:
        """Two mistakes of the step or of one step in it, one of each, or two where one has been charged."""
        if self._foreseen(step.name):
            yield from self._pairs.behind(step, lines, partial(self._probe, step))
        inner = [mistake for mistake in self._mistakes if mistake.step in step.needs]
        for first, second in product([one for one in charged if one.step in step.needs], inner):
            if second.step != first.step:
                yield first, second

    def _probe(self, step: Step) -> Asked:
        """The call that tells most; the same for every student, whoever came before."""
        return max(self._foreseen(step.name), key=partial(self._told, step))

    def _told(self, step: Step, line: Asked) -> int:
        """How many of the step's own mistakes give this call another value than the reference does."""
        own = [mistake for mistake in self._mistakes if mistake.step == step.name]
        return sum(self.tells((one,), line) and self._gives(one, line) for one in own)

    def _gives(self, mistake: Mistake, line: Asked) -> bool:
        return self._imitator.answer(line.step, (mistake,), line).outcome is Outcome.returned

    def _symptom(self, step: Step, lines: Sequence[Asked]) -> Explanation | None:
        calls = [_Seen(line, self._imitator.answer(step.name, (), line).value) for line in lines]
        for symptom in self._symptoms:
            if symptom.step == step.name and _shows(symptom, calls):
                return Explanation((symptom,))
        return None

    def _partly(self, evidence: _Evidence, singles: Iterable[tuple[Mistake, ...]]) -> Explanation | None:
        """A mistake that explains all calls that tell of it, while others went wrong for another reason."""
        best: tuple[int, Explanation | None] = (ENOUGH - 1, None)
        for mistakes in singles:
            values = self._explained_values(mistakes, evidence)
            if values > best[0] and not any(self.tells(mistakes, line) for line in evidence.right):
                best = values, Explanation(mistakes, whole=False)
        return best[1]

    def _explained_values(self, mistakes: Sequence[Mistake], evidence: _Evidence) -> int:
        """How many values these mistakes explain of the calls that tell of them; 0 where one stays open."""
        values = 0
        for line in evidence.wrong:
            if self.tells(mistakes, line):
                if not self.explains(mistakes, line):
                    return 0
                values += line.answer.outcome is Outcome.returned
        return values


class _Doubt:
    """The evidence on one step, which asks for more inputs only when there is something to decide."""

    def __init__(self, diagnoser: Diagnoser, evidence: _Evidence, ask: Ask):
        self._diagnoser, self._evidence, self._ask = diagnoser, evidence, ask
        self._further: _Evidence | None = None

    def settle(self, candidates: Iterable[tuple[Mistake, ...]]) -> Explanation | None:
        """The first that explains everything, also on more inputs, and has given a value to go by."""
        for mistakes in candidates:
            if not self._fits(mistakes, self._evidence) or not self._fits(mistakes, self._more()):
                continue
            if any(self._shows(mistakes, line) for line in (*self._evidence.wrong, *self._more().wrong)):
                return Explanation(mistakes)
        return None

    def _fits(self, mistakes: Sequence[Mistake], evidence: _Evidence) -> bool:
        know = self._diagnoser
        return all(know.explains(mistakes, line) for line in evidence.wrong) and not any(
            know.tells(mistakes, line) for line in evidence.right
        )

    def _shows(self, mistakes: Sequence[Mistake], line: Asked) -> bool:
        """Whether a wrong answer is more than some exception: a value, or NumPy's very words."""
        if line.answer.outcome is Outcome.returned:
            return True
        guess = self._diagnoser.guess(mistakes, line)
        words = [DIGITS.sub("", answer.error.text) for answer in (line.answer, guess) if answer.error]
        return len(words) == 2 and words[0] == words[1] and len(words[0]) > WORDS

    def _more(self) -> _Evidence:
        if self._further is None:
            step = self._evidence.step
            calls = self._diagnoser.more(step)
            self._further = (
                self._diagnoser.answered(step, calls, self._ask) if calls else _Evidence(step, (), ())
            )
        return self._further


def _shows(symptom: Symptom, calls: Sequence["_Seen"]) -> bool:
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return bool(symptom.shows(calls))
    except Exception:  # it met an answer that it did not foresee: then it does not show
        return False


@dataclass(frozen=True)
class _Seen:
    """A call as a symptom sees it."""

    line: Asked
    expected: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.line, name)
