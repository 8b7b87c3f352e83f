"""Grades one submission at a time: hidden suite and reference on this side, the student's code at a desk.

Knows no files of a course and nothing of classes.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Self

from autograder.grade.answers import DeskFault, Limits, WallsMissing
from autograder.grade.client import Desk, Zygote
from autograder.grade.collect import SuiteError
from autograder.grade.demonstrations import Demonstrations
from autograder.grade.diagnose import Diagnoser
from autograder.grade.given import with_given
from autograder.grade.imitate import Imitator
from autograder.grade.load import Source, load_mistakes
from autograder.grade.local import LocalDesk
from autograder.grade.pictures import drawn, public_weights, weights
from autograder.grade.prompting import Prompts
from autograder.grade.sitting import Known, Sitting
from autograder.grade.standins import StandIns
from autograder.grade.suite import Suite
from autograder.grade.walls import CURE
from autograder.grade.wording import Narrator
from autograder.model import Cell, Exercise, KitError, Step, StepResult, Submission


class NotReadyError(DeskFault, KitError):
    """Nobody's work can be graded here; the message says what to do instead."""


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
        self.exercise, self.seed, source = exercise, seed, Source(solution, exercise.given)
        functions = source.functions()
        self.suite = Suite(suite, [step.name for step in exercise.steps], functions, seed)
        self._promises_kept()
        self.mistakes = load_mistakes(suite)
        imitator = Imitator(functions, source.names())
        self.known = Known(
            self.suite,
            imitator,
            Diagnoser(imitator, self.mistakes, seed, self.suite.foreseen),
            Prompts(self.suite, imitator),
        )
        self.zygote, self._stack = Zygote(limits or Limits(), walls), ExitStack()
        self._is_ready = False
        self.told: Callable[[StepResult], object] = lambda result: None  # hears of each step as it is done
        self._public = public_weights(exercise, functions)
        self._demonstrations = Demonstrations(exercise)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()
        self._is_ready = False

    def ready(self) -> Self:
        """Starts what desks are forked from, behind its walls: when the first submission needs it."""
        if not self._is_ready:
            try:
                self._stack.enter_context(self.zygote)
            except DeskFault as fault:
                cure = f"\n{CURE.en}" if isinstance(fault, WallsMissing) else ""
                raise NotReadyError(f"{fault}{cure}") from fault
            self._is_ready = True
        return self

    @property
    def walls(self) -> dict[str, Any]:
        """What stands around the desks, for the record of a run; nothing where none was opened."""
        return dict(self.zygote.walls) if self._is_ready else {}

    @property
    def cpu_seconds(self) -> float:
        """What this process and its desks have used so far."""
        return time.process_time() + self.zygote.cpu_seconds

    def grade(self, submission: Submission) -> tuple[StepResult, ...]:
        """The result of each step, in the order of the exercise. Raises DeskFault where a desk fails us."""
        return self.sit(submission)[0]

    def sit(self, submission: Submission) -> tuple[tuple[StepResult, ...], bool]:
        """The results, and whether a desk got so little of a busy machine that they should be tried again."""
        cells, zygote = self._for_a_desk(submission.cells), self.ready().zygote
        with zygote.open(cells) as desk:
            pictures = weights(self._public, desk)  # before anything hidden is asked
            narrator = Narrator(self.suite, submission.cells)
            sitting = Sitting(self.known, desk, narrator, partial(_another, zygote, cells, desk))
            results = []
            for step in self.exercise.steps:
                results.append(sitting.grade(step))
                self.told(results[-1])
            starved = sitting.starved or any(cell.starved for cell in desk.loaded)
            return tuple(drawn(result, pictures) for result in results), starved

    def _for_a_desk(self, cells: Sequence[Cell]) -> tuple[Cell, ...]:
        return with_given(self.exercise.given, self._demonstrations.thinned(cells))

    def grade_trusted(self, step: Step, function: Callable[..., Any]) -> StepResult:
        """The result of a function of our own (a mistake, a correct variant), run in this process."""
        desk = LocalDesk({**self.suite.reference.functions, step.name: function})
        return Sitting(self.known, desk, Narrator(self.suite, ())).grade(step)

    def _promises_kept(self) -> None:
        for step in self.exercise.steps:
            promised = {promise.name for promise in step.promises}
            if promised != (there := {test.function for test in self.suite.of(step.name)}):
                odd = ", ".join(sorted(promised ^ there))
                raise SuiteError(
                    f"test_{step.name}.py: pytest collects other tests than are written there: {odd}.\n"
                    "Write each as a plain function at the top level of the file, with its clause."
                )


def _another(zygote: Zygote, cells: Sequence[Cell], first: Desk, stand_ins: StandIns) -> Desk:
    return zygote.open(cells, stand_ins=stand_ins, told=stand_ins.told, late=first.late)
