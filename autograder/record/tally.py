"""What a class's gradesheets say together: per step, per mistake, per aspect. Pure: values in, values out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from autograder.model import Exercise, Gradesheet, Sentence, Status, StepResult, Verdict

BARS = 12  # of a distribution, at most
NEARLY_ALL = Fraction(4, 5)  # of those who wrote a step: where so many fail, the check may be at fault
ENOUGH = 5  # who wrote it, before that says anything


class Outcome(StrEnum):
    """What became of a step, as a teacher counts it."""

    right = "right"
    partly = "partly"
    wrong = "wrong"
    unwritten = "unwritten"
    waits = "waits"


def outcome(step: StepResult) -> Outcome:
    """Full points are right, whatever was excused."""
    if step.earned is None:
        return Outcome.waits
    if step.verdict is Verdict.unwritten:
        return Outcome.unwritten
    if step.earned == step.points:
        return Outcome.right
    return Outcome.partly if step.earned else Outcome.wrong


@dataclass(frozen=True)
class Mistake:
    """A named mistake, the sentence that students got, and how many."""

    step: str
    name: str
    sentence: Sentence
    students: int


@dataclass(frozen=True)
class Doubt:
    """Where the suite, not the class, may be wrong."""

    step: str
    failed: int
    of: int
    aspect: Sentence | None  # None: the grader itself failed
    unexplained: int = 0  # of those who failed: no known mistake was found


@dataclass(frozen=True)
class Bar:
    """How many have at least `low` points and less than `high` (the last bar: or all of them)."""

    low: Fraction
    high: Fraction
    students: int


@dataclass(frozen=True)
class Tally:
    """A class in numbers."""

    steps: dict[str, Counter[Outcome]]
    mistakes: tuple[Mistake, ...]
    doubts: tuple[Doubt, ...]


def tally(exercise: Exercise, sheets: Iterable[Gradesheet]) -> Tally:
    """Counts those who were graded; of faults, also the others."""
    tried: dict[str, list[StepResult]] = {step.name: [] for step in exercise.steps}
    for sheet in sheets:
        for step in sheet.steps if sheet.status is Status.graded else ():
            if step.name in tried:
                tried[step.name].append(step)
    counted = {name: Counter(map(outcome, steps)) for name, steps in tried.items()}
    return Tally(counted, tuple(_mistakes(tried)), tuple(_doubts(tried)))


def _mistakes(tried: dict[str, list[StepResult]]) -> Sequence[Mistake]:
    """The most frequent first; of equals, in the order of the steps."""
    found: dict[tuple[str, str], Mistake] = {}
    for name, steps in tried.items():
        for diagnosis in (each for step in steps for each in step.diagnosis):
            key = name, diagnosis.mistake
            old = found.setdefault(key, Mistake(name, diagnosis.mistake, diagnosis.sentence, 0))
            found[key] = replace(old, students=old.students + 1)
    return sorted(found.values(), key=lambda mistake: -mistake.students)


def _doubts(tried: dict[str, list[StepResult]]) -> Iterable[Doubt]:
    for name, steps in tried.items():
        faults = [step for step in steps if step.verdict is Verdict.grader_fault]
        if faults:
            yield Doubt(name, len(faults), len(steps), None)
        written = [step for step in steps if outcome(step) not in (Outcome.unwritten, Outcome.waits)]
        for place in range(len(written[0].aspects) if len(written) >= ENOUGH else 0):
            failing = [
                step for step in written if len(step.aspects) > place and not step.aspects[place].holds
            ]
            if len(failing) >= NEARLY_ALL * len(written):
                unexplained = sum(not step.diagnosis for step in failing)
                sentence = failing[0].aspects[place].sentence
                yield Doubt(name, len(failing), len(written), sentence, unexplained)


def distribution(earned: Sequence[Fraction], most: Fraction) -> list[Bar]:
    """Bars of a whole number of points each, from nothing to everything."""
    width = max(1, -(-most // BARS))
    lows = range(0, max(1, -(-most // width)) * width, width)
    last = lows[-1]
    places = Counter(min(int(amount // width) * width, last) for amount in earned)
    return [Bar(Fraction(low), min(Fraction(low + width), most), places[low]) for low in lows]


def median(amounts: Sequence[Fraction]) -> Fraction | None:
    """The middle one; of two, their mean."""
    ordered, half = sorted(amounts), len(amounts) // 2
    if not ordered:
        return None
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
