"""Grades one submission at a time: hidden suite and reference on this side, the student's code at a desk.

Knows how the parts of a mark come together: aspects, follow-through, diagnosis, excuses. Knows no files
of a course and nothing of classes.
"""

import importlib.util
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from autograder.grade.answers import Limits, Outcome
from autograder.grade.client import Zygote
from autograder.grade.collect import SuiteError
from autograder.grade.diagnose import Diagnoser, Explanation
from autograder.grade.imitate import Imitator
from autograder.grade.local import LocalDesk
from autograder.grade.remote import Asked
from autograder.grade.standins import StandIns
from autograder.grade.suite import Played, Suite
from autograder.grade.wording import Finding, Narrator, worst
from autograder.model import Aspect, Diagnosis, Exercise, Step, StepResult, Submission, Verdict
from autograder.suites import Mistake, Symptom, Telling

ORDER = (
    Verdict.grader_fault,
    Verdict.unwritten,
    Verdict.timed_out,
    Verdict.raised,
    Verdict.failed,
    Verdict.skipped,
    Verdict.passed,
)
UNWRITTEN = "NotImplementedError"


@dataclass(frozen=True)
class Attempt:
    """One step tried on one desk: its tests, and what they found."""

    step: Step
    played: tuple[Played, ...]
    result: StepResult

    @property
    def asked(self) -> list[Asked]:
        return [line for played in self.played for line in played.asked]


class Proctor:
    """A context manager that grades submissions of one exercise; made once, used for a class."""

    def __init__(
        self,
        exercise: Exercise,
        suite: Path,
        solution: Path,
        seed: bytes,
        limits: Limits | None = None,
        walls: str = "auto",
    ):
        self.exercise, self.seed, self._solution = exercise, seed, solution
        functions = load_functions(solution)
        self.suite = Suite(suite, [step.name for step in exercise.steps], functions, seed)
        self._promises_kept()
        imitator = Imitator(functions, lambda: vars(load_module(self._solution)))
        self.mistakes = load_mistakes(suite / "mistakes.py")
        self.diagnoser = Diagnoser(imitator, self.mistakes, seed)
        self.imitator = imitator
        self.zygote = Zygote(limits or Limits(), walls)

    def __enter__(self) -> Self:
        self.zygote.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self.zygote.__exit__(*exception)

    def grade(self, submission: Submission) -> tuple[StepResult, ...]:
        """The result of each step, in the order of the exercise. Raises DeskFault where a desk fails us."""
        narrator = Narrator(self.suite, submission.cells)
        with self.zygote.open(submission.cells) as desk:
            sitting = Sitting(self, submission, desk, narrator)
            return tuple(sitting.grade(step) for step in self.exercise.steps)

    def grade_trusted(self, step: Step, function: Callable[..., Any]) -> StepResult:
        """The result of a function of our own (a mistake, a correct variant), run in this process."""
        desk = LocalDesk({**self.suite.reference.functions, step.name: function})
        sitting = Sitting(self, None, desk, Narrator(self.suite, ()))
        return sitting.grade(step)

    def _promises_kept(self) -> None:
        for step in self.exercise.steps:
            promised = {promise.name for promise in step.promises}
            if promised != (there := {test.function for test in self.suite.of(step.name)}):
                odd = ", ".join(sorted(promised ^ there))
                raise SuiteError(
                    f"test_{step.name}.py: pytest collects other tests than are written there: {odd}.\n"
                    "Write each as a plain function at the top level of the file, with its clause."
                )


class Sitting:
    """One submission on its way through the steps."""

    def __init__(self, proctor: Proctor, submission: Submission | None, desk: Any, narrator: Narrator):
        self._proctor, self._submission, self._desk, self._narrator = proctor, submission, desk, narrator
        self._charged: list[Mistake] = []
        self._right: set[str] = set()  # steps that passed: as good as the reference's

    def grade(self, step: Step) -> StepResult:
        """Tries the step with the student's own helpers, then with the reference's; the better counts."""
        if step.name not in self._desk.defined:
            return self._undefined(step)
        own = self._attempt(step, self._desk)
        with ExitStack() as stack:
            helped = self._helped(step, own, stack)
            if helped is None or (helped[0].result.earned or 0) < (own.result.earned or 0):
                helped = own, self._desk
            result = self._explained(*helped)
        if result.verdict is Verdict.passed:
            self._right.add(step.name)
        return result

    def _helped(self, step: Step, own: Attempt, stack: ExitStack) -> tuple[Attempt, Any] | None:
        """The step on a desk of its own, where the reference answers for the helpers that are not right."""
        needs = tuple(need for need in step.needs if need not in self._right)
        if not needs or self._submission is None or not _may_gain(own.result):
            return None
        stand_ins = StandIns(self._proctor.suite.reference.functions, needs)
        desk = stack.enter_context(self._proctor.zygote.open(self._submission.cells, stand_ins=stand_ins))
        return self._attempt(step, desk), desk

    def _attempt(self, step: Step, desk: Any) -> Attempt:
        played = tuple(self._proctor.suite.run(step.name, desk))
        findings = [(one.test.function, self._narrator.finding(one)) for one in played]
        lines = [line for one in played for line in one.asked]
        if lines and all(_is_stub(line) for line in lines if line.step == step.name):
            findings = [(name, Finding(Verdict.unwritten)) for name, _ in findings]
        return Attempt(step, played, _result(step, findings))

    def _undefined(self, step: Step) -> StepResult:
        """The function is not there: its cell failed while loading, or it was never written."""
        finding = self._narrator.loading(step.name, self._desk.loaded)
        return _result(step, [(promise.name, finding) for promise in step.promises])

    def _explained(self, attempt: Attempt, desk: Any) -> StepResult:
        if attempt.result.verdict not in (Verdict.failed, Verdict.raised):
            return attempt.result
        explain = self._proctor.diagnoser.explain
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
        step, know = attempt.step, self._proctor.diagnoser
        function = self._proctor.imitator.function(step.name, new)
        alone = self._proctor.suite.run(step.name, LocalDesk({step.name: function}))
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


def _result(step: Step, findings: Iterable[tuple[str, Finding]]) -> StepResult:
    """A step's result from what its tests found; the tests of one function make one aspect."""
    by_name: dict[str, list[Finding]] = {}
    for name, finding in findings:
        by_name.setdefault(name, []).append(finding)
    aspects = []
    for promise in step.promises:
        found = worst(by_name[promise.name], ORDER)
        aspects.append(
            Aspect(
                name=promise.name,
                clause=promise.clause,
                sentence=promise.sentence,
                verdict=found.verdict,
                detail=found.detail,
                rung=found.rung,
                safety=promise.safety,
                weight=promise.weight,
            )
        )
    return StepResult(step.name, step.points, tuple(aspects), (), step.all_or_nothing)


def _may_gain(result: StepResult) -> bool:
    return result.verdict not in (Verdict.passed, Verdict.unwritten, Verdict.grader_fault)


def _is_stub(line: Asked) -> bool:
    answer = line.answer
    raised = answer.outcome is Outcome.raised and answer.error is not None
    return answer.outcome is Outcome.missing or (raised and answer.error.name == UNWRITTEN)


def load_module(file: Path) -> ModuleType:
    """A module of our own, from its file, under a name that nothing else has."""
    spec = importlib.util.spec_from_file_location(f"attn_{file.parent.name}_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_functions(solution: Path) -> dict[str, Callable[..., Any]]:
    """The reference's functions by name."""
    named = vars(load_module(solution)).items()
    return {name: value for name, value in named if callable(value) and not name.startswith("_")}


def load_mistakes(file: Path) -> tuple[Mistake | Symptom | Telling, ...]:
    """What is known of wrong answers, in the order of the file; nothing where there is none."""
    if not file.is_file():
        return ()
    kinds = (Mistake, Symptom, Telling)
    return tuple(value for value in vars(load_module(file)).values() if isinstance(value, kinds))
