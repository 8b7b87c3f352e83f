"""One submission on its way through the steps, and how a step's parts come together to a mark.

Aspects, follow-through with the reference's help, the mistake's name, and what an earlier step has paid for.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from autograder.grade.answers import Outcome
from autograder.grade.diagnose import Diagnoser, Explanation
from autograder.grade.imitate import Imitator
from autograder.grade.local import LocalDesk
from autograder.grade.prompting import Prompts
from autograder.grade.remote import Asked
from autograder.grade.standins import StandIns
from autograder.grade.suite import Played, Suite
from autograder.grade.wording import Finding, Narrator, verdict_on
from autograder.model import Aspect, Diagnosis, Step, StepResult, Verdict
from autograder.suites import Mistake

ORDER = (
    Verdict.grader_fault,
    Verdict.unwritten,
    Verdict.timed_out,
    Verdict.raised,
    Verdict.failed,
    Verdict.skipped,
    Verdict.passed,
)
UNWRITTEN = Finding(Verdict.unwritten)
STUB = "NotImplementedError"
Another = Callable[[StandIns], Any]  # opens one more desk with the same cells


@dataclass(frozen=True)
class Attempt:
    """One step tried on one desk: its tests, and what they found."""

    step: Step
    played: tuple[Played, ...]
    result: StepResult

    @property
    def asked(self) -> list[Asked]:
        return [line for played in self.played for line in played.asked]


@dataclass(frozen=True)
class Known:
    """What every sitting has in common: the suite, and what is known of mistakes."""

    suite: Suite
    imitator: Imitator
    diagnoser: Diagnoser
    prompts: Prompts
    _right: dict[str, StepResult] = field(default_factory=dict, repr=False)

    def right(self, step: Step) -> StepResult:
        """The result of a step in which everything holds: one and the same for all."""
        if step.name not in self._right:
            self._right[step.name] = _result(step, dict.fromkeys(_names(step), Finding(Verdict.passed)))
        return self._right[step.name]


class Sitting:
    """One submission on its way through the steps."""

    def __init__(self, known: Known, desk: Any, narrator: Narrator, another: Another | None = None):
        self._known, self._desk, self._narrator, self._another = known, desk, narrator, another
        self._charged: list[Mistake] = []
        self._right: set[str] = set()  # steps that passed: as good as the reference's
        self._endless: set[str] = set()  # steps that ran out of time and earned nothing
        self.starved = False

    def grade(self, step: Step) -> StepResult:
        """Tries the step with the student's own helpers, then with the reference's; the better counts."""
        if step.name not in self._desk.defined:
            return self._undefined(step)
        with ExitStack() as stack:
            attempt, desk = self._best(step, stack)
            result = self._explained(self._worded(attempt), desk)
        if result.verdict is Verdict.passed:
            self._right.add(step.name)
        if result.verdict is Verdict.timed_out and not result.earned:
            self._endless.add(step.name)
        return result

    def _best(self, step: Step, stack: ExitStack) -> tuple[Attempt, Any]:
        """The better attempt, and its desk. A helper that never ended is not waited for once more."""
        needs = tuple(need for need in step.needs if need not in self._right)
        if not needs or self._another is None:
            return self._attempt(step, self._desk), self._desk
        helped = self._helped(step, needs, stack)
        if helped[0].result.verdict is Verdict.passed or self._endless.intersection(needs):
            return helped
        own = self._attempt(step, self._desk), self._desk
        return max(helped, own, key=lambda tried: tried[0].result.earned or 0)

    def _helped(self, step: Step, needs: tuple[str, ...], stack: ExitStack) -> tuple[Attempt, Any]:
        """The step on a desk of its own, where the reference answers for the helpers that are not right."""
        told = self._known.prompts.for_(step.name, needs)
        stand_ins = StandIns(self._known.suite.reference.functions, needs, told)
        desk = stack.enter_context(self._another(stand_ins))
        return self._attempt(step, desk), desk

    def _attempt(self, step: Step, desk: Any) -> Attempt:
        played = self._known.suite.run(step.name, desk)
        lines = [line for one in played for line in one.asked]
        self.starved |= any(line.answer.starved for line in lines)
        if lines and all(_is_stub(line) for line in lines if line.step == step.name):
            return Attempt(step, played, _result(step, dict.fromkeys(_names(step), UNWRITTEN)))
        if all(one.raised is None and one.test.broken is None for one in played):
            return Attempt(step, played, self._known.right(step))
        return Attempt(
            step, played, _result(step, {name: Finding(verdict_on(one)) for name, one in _worst(played)})
        )

    def _undefined(self, step: Step) -> StepResult:
        """The function is not there: its cell failed while loading, or it was never written."""
        finding = self._narrator.loading(step.name, self._desk.loaded)
        return _result(step, dict.fromkeys(_names(step), finding))

    def _worded(self, attempt: Attempt) -> Attempt:
        """The same attempt, each aspect with its words; they take time, so only the better one gets them."""
        if attempt.result.verdict in (Verdict.passed, Verdict.unwritten):
            return attempt
        findings = {name: self._narrator.finding(one) for name, one in _worst(attempt.played)}
        return replace(attempt, result=_result(attempt.step, findings))

    def _explained(self, attempt: Attempt, desk: Any) -> StepResult:
        if attempt.result.verdict not in (Verdict.failed, Verdict.raised):
            return attempt.result
        explain = self._known.diagnoser.explain
        found = explain(attempt.step, attempt.asked, desk.many, self._charged)
        if found is None:
            return attempt.result
        old = [mistake for mistake in found.mistakes if mistake in self._charged]
        new = [mistake for mistake in found.mistakes if mistake not in old]
        self._charged += [mistake for mistake in new if isinstance(mistake, Mistake)]
        names = tuple(Diagnosis(item.name, item.sentence, item not in old) for item in found.mistakes)
        result = replace(attempt.result, diagnosis=names)
        return self._excused(attempt, result, found, new) if old else result

    def _excused(
        self, attempt: Attempt, result: StepResult, found: Explanation, new: Sequence[Mistake]
    ) -> StepResult:
        """What an earlier step has paid for is not charged again: only the new mistakes' own failures are."""
        step, know = attempt.step, self._known.diagnoser
        function = self._known.imitator.function(step.name, new)
        alone = self._known.suite.run(step.name, LocalDesk({step.name: function}))
        to_blame = {played.test.function for played in alone if played.raised is not None}
        strange = {
            played.test.function
            for played in attempt.played
            if not all(know.explains(found.mistakes, line) for line in played.asked if line.step == step.name)
        }
        aspects = tuple(
            replace(aspect, excused=True)
            if aspect.verdict in (Verdict.failed, Verdict.raised) and aspect.name not in to_blame | strange
            else aspect
            for aspect in result.aspects
        )
        return replace(result, aspects=aspects)


def _names(step: Step) -> list[str]:
    return [promise.name for promise in step.promises]


def _worst(played: Iterable[Played]) -> Iterator[tuple[str, Played]]:
    """The tests of one function make one aspect, which fares as the worst of them."""
    by_name: dict[str, list[Played]] = {}
    for one in played:
        by_name.setdefault(one.test.function, []).append(one)
    for name, tests in by_name.items():
        yield name, min(tests, key=lambda one: ORDER.index(verdict_on(one)))


def _result(step: Step, findings: Mapping[str, Finding]) -> StepResult:
    """A step's result from what was found of each aspect."""
    aspects = tuple(
        Aspect(
            name=promise.name,
            clause=promise.clause,
            sentence=promise.sentence,
            verdict=findings[promise.name].verdict,
            detail=findings[promise.name].detail,
            rung=findings[promise.name].rung,
            safety=promise.safety,
            weight=promise.weight,
        )
        for promise in step.promises
    )
    return StepResult(step.name, step.points, aspects, (), step.all_or_nothing)


def _is_stub(line: Asked) -> bool:
    answer = line.answer
    raised = answer.outcome is Outcome.raised and answer.error is not None
    return answer.outcome is Outcome.missing or (raised and answer.error.name == STUB)
