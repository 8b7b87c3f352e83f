"""The laws that are tried by grading: what the reference, stubs, lazy answers, mistakes and variants earn.

All code that is graded here is the kit's or the course's own, never a student's.
"""

import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from io import StringIO
from typing import Any

import numpy as np

from autograder.author import stub
from autograder.author.doctor.finding import Fault
from autograder.author.doctor.publicly import Caught
from autograder.author.given import importable
from autograder.grade.grade import grade
from autograder.grade.proctor import Proctor
from autograder.layout import KIT, PACKAGE
from autograder.model import Cell, Gradesheet, Sentence, Status, Step, StepResult, Submission
from autograder.plain import number
from autograder.suites import Mistake, Symptom

Function = Callable[..., Any]


@dataclass(frozen=True)
class Price:
    """What one known mistake costs on its own step, and whether students can catch it before they submit."""

    step: str
    mistake: str
    sentence: Sentence
    points: Fraction  # of the whole step
    costs: Fraction
    convention: bool
    named: bool
    public: bool  # whether the public checks catch it


class Trials:
    """Everything that was graded once, for all the laws that look at it."""

    def __init__(self, proctor: Proctor) -> None:
        self.proctor, self.exercise = proctor, proctor.exercise
        self.reference = proctor.suite.reference.functions

    def submitted(self, code: str) -> Gradesheet:
        """The gradesheet of a submission with this code, by desk and proctor."""
        cells = (Cell(code, 1),)
        return grade(Submission("doctor", self.exercise.name, Status.graded, cells=cells), self.proctor)

    def trusted(self, step: Step, function: Function) -> StepResult:
        """The same grading of one step, in this process."""
        with redirect_stdout(StringIO()):
            return self.proctor.grade_trusted(step, function)

    def mistakes(self) -> list[Mistake]:
        """Every known mistake that has a function, in the order of the steps."""
        order = {step.name: place for place, step in enumerate(self.exercise.steps)}
        known = [m for m in self.proctor.mistakes if isinstance(m, Mistake) and m.step in order]
        return sorted(known, key=lambda mistake: order[mistake.step])

    def prices(self, caught: Caught) -> list[Price]:
        """The price list. `caught(step, function)` says whether the public checks refuse a function."""
        return [self._price(mistake, caught) for mistake in self.mistakes()]

    def _price(self, mistake: Mistake, caught: Caught) -> Price:
        step, function = self.exercise.step(mistake.step), mistake.on(self.reference[mistake.step])
        result = self.trusted(step, function)
        earned = result.earned
        return Price(
            step=step.name,
            mistake=mistake.name,
            sentence=mistake.sentence,
            points=step.points,
            costs=Fraction(0) if earned is None else step.points - earned,
            convention=mistake.convention,
            named=mistake.name in [diagnosis.mistake for diagnosis in result.diagnosis],
            public=caught(step.name, function),
        )


def sentences(trials: Trials, suite: str) -> Iterator[tuple[str, Sentence]]:
    """Every sentence that grading may say to a student, with where it stands."""
    for step in trials.exercise.steps:
        for promise in step.promises:
            yield f"{suite}/test_{step.name}.py, {promise.name}", promise.sentence
    for known in trials.proctor.mistakes:
        if isinstance(known, Mistake | Symptom):
            yield f"{suite}, {known.name} of {known.step}", known.sentence


def reference_earns_all(trials: Trials) -> Iterator[Fault]:
    """The reference earns full marks, through a desk as a student's code does."""
    sheet = trials.submitted(trials.exercise.code)
    for result in sheet.steps or ():
        if result.earned != result.points:
            yield Fault(_lost(trials, result, "the reference"), "Mend the reference, or the test")
    if not sheet.steps:
        yield Fault(f"the reference was not graded: {sheet.reason and sheet.reason.en}", "attn explain")


def _lost(trials: Trials, result: StepResult, who: str) -> str:
    """Where an answer lost points that it should have."""
    failed = next((aspect for aspect in result.aspects if not aspect.holds), result.aspects[0])
    detail = failed.detail.strip().split("\n", 1)[0]
    return (
        f"suites/{trials.exercise.name}/test_{result.name}.py, {failed.name}: {who} earns "
        f"{number(result.earned)} of {number(result.points)}: {failed.verdict} {detail}".rstrip()
    )


def nothing_earns_nothing(trials: Trials) -> Iterator[Fault]:
    """Stubs earn 0, through a desk, and so does every lazy answer."""
    language = next(iter(trials.exercise.prose))
    for result in trials.submitted(stub.module(trials.exercise, language)).steps:
        if result.earned != 0:
            yield _paid(trials, result, "the untouched stub")
    for step in trials.exercise.steps:
        for lazy in LAZY:
            result = trials.trusted(step, partial(lazy, trials.reference[step.name]))
            if result.earned != 0:
                yield _paid(trials, result, lazy.__doc__)


def _paid(trials: Trials, result: StepResult, who: str) -> Fault:
    held = [aspect.name for aspect in result.aspects if aspect.holds and not aspect.safety]
    return Fault(
        f"suites/{trials.exercise.name}/test_{result.name}.py: {who} earns {number(result.earned)} points by "
        f"{', '.join(held)}",
        "Mark what a lazy answer passes with @pytest.mark.safety, or let it check more",
    )


def _like(correct: Function, args: tuple, kwargs: dict, make: Function) -> Any:
    """An answer of the right shape, with `make` in the place of each right array."""
    right = correct(*args, **kwargs)
    return tuple(map(make, right)) if isinstance(right, tuple) else make(right)


def _zeros(correct, *args, **kwargs):
    """zeros of the right shape"""
    return _like(correct, args, kwargs, np.zeros_like)


def _ones(correct, *args, **kwargs):
    """ones of the right shape"""
    return _like(correct, args, kwargs, np.ones_like)


def _uniform(correct, *args, **kwargs):
    """equal weights of the right shape"""
    return _like(correct, args, kwargs, lambda right: np.full(right.shape, 1 / max(right.shape[-1:] or (1,))))


def _mean(correct, *args, **kwargs):
    """the mean of the first argument everywhere"""
    mean = np.mean(np.nan_to_num(np.asarray(args[0], dtype=float), posinf=0, neginf=0))
    return _like(correct, args, kwargs, lambda right: np.full(right.shape, mean))


def _input(correct, *args, **kwargs):
    """the first argument handed back"""
    return args[0]


def _last_input(correct, *args, **kwargs):
    """the last argument handed back"""
    return args[-1]


def _nothing(correct, *args, **kwargs):
    """nothing"""


LAZY = (_zeros, _ones, _uniform, _mean, _input, _last_input, _nothing)


def mistakes_cost(prices: Sequence[Price], suite: str) -> Iterator[Fault]:
    """Every mistake loses marks on its step."""
    for price in prices:
        if price.costs <= 0:
            yield Fault(
                f"{suite}/test_{price.step}.py: {price.mistake} costs nothing", "Write a test that it fails"
            )


def mistakes_are_named(prices: Sequence[Price], suite: str) -> Iterator[Fault]:
    """Every mistake is named by its own sentence."""
    for price in prices:
        if not price.named:
            yield Fault(
                f"{suite}: {price.mistake} in {price.step} is not named by its own sentence",
                f'Add inputs that tell it apart: @telling("{price.step}")',
            )


def variants_earn_all(trials: Trials) -> Iterator[Fault]:
    """Every correct variant of a step earns full marks."""
    for what, step, function in variants(trials):
        result = trials.trusted(step, function)
        if result.earned != result.points:
            yield Fault(_lost(trials, result, f"the correct variant {what!r}"), "Let the test accept it")


def variants(trials: Trials) -> Iterator[tuple[str, Step, Function]]:
    """The correct variants that a clone of the kit holds for its exercises; an installed kit holds none."""
    kits = (KIT / "assignments" / trials.exercise.name).is_dir()
    if kits and (PACKAGE / "tests" / "corpus").is_dir():
        corpus = importlib.import_module("autograder.tests.corpus")
        steps = {step.name: step for step in trials.exercise.steps}
        for entry in corpus.entries(trials.exercise.name):
            if entry.right:
                namespace: dict = {}
                with importable(trials.exercise.given):
                    exec(compile(entry.source, str(entry), "exec"), namespace)
                yield entry.what, steps[entry.step], namespace[entry.step]


def variants_pass_publicly(trials: Trials, caught: Caught) -> Iterator[Fault]:
    """No correct variant, nor the reference, is refused by the public checks."""
    right = [("the reference", step, trials.reference[step.name]) for step in trials.exercise.steps]
    for what, step, function in (*right, *variants(trials)):
        if caught(step.name, function):
            yield Fault(
                f"solutions/{trials.exercise.name}.py: the public checks of {step.name} refuse {what!r}",
                "Mend the example, or the law in selfcheck/ that refuses it",
            )


def lazy_fails_publicly(trials: Trials, caught: Caught) -> Iterator[Fault]:
    """No lazy answer passes the public examples of its step."""
    for step in trials.exercise.steps:
        for lazy in LAZY:
            if not caught(step.name, partial(lazy, trials.reference[step.name])):
                file = f"solutions/{trials.exercise.name}.py"
                yield Fault(
                    f"{file}: {lazy.__doc__} passes every example of {step.name}",
                    "Let an example show values that nothing lazy gives",
                )
