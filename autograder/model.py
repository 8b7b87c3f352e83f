"""The values that travel through the kit, from an exercise to a gradesheet.

Frozen, comparable, and the same after a trip through JSON. Knows nothing of files, notebooks or processes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

FORMAT = 1  # of a gradesheet's JSON; docs/gradesheet.md says what each key means


class KitError(Exception):
    """Something that a person can mend: the message says what is wrong, where, and what mends it."""


class Verdict(StrEnum):
    """What became of one aspect, and so whose fault it is."""

    passed = "passed"
    failed = "failed"
    raised = "raised"
    timed_out = "timed_out"
    unwritten = "unwritten"
    skipped = "skipped"
    grader_fault = "grader_fault"


# A step's verdict is the worst of its aspects; a skipped one only follows a time-out or a crash.
WORST_FIRST = (Verdict.grader_fault, Verdict.timed_out, Verdict.raised, Verdict.failed, Verdict.skipped)


class Status(StrEnum):
    """What became of one submission."""

    graded = "graded"
    missing = "missing"
    unreadable = "unreadable"
    misnamed = "misnamed"
    empty = "empty"
    grader_fault = "grader_fault"


@dataclass(frozen=True)
class Sentence:
    """One thought, said in English and in Chinese."""

    en: str
    zh: str

    def in_languages(self, languages: Iterable[str], separator: str = "\n") -> str:
        """The sentence in each of the course's languages, in their order."""
        return separator.join(getattr(self, language) for language in languages)


@dataclass(frozen=True)
class Promise:
    """One hidden test function as the handout announces it: a fact, and the contract's clause it rests on."""

    name: str
    clause: str
    sentence: Sentence
    safety: bool = False  # a lazy answer satisfies it, so it counts only beside another that holds
    weight: Fraction = Fraction(1)


@dataclass(frozen=True)
class Step:
    """One function that a student writes."""

    name: str
    points: Fraction
    needs: tuple[str, ...] = ()
    promises: tuple[Promise, ...] = ()
    all_or_nothing: bool = False

    def worth(self, promise: Promise) -> Fraction:
        """The points that one promise carries when every other one holds."""
        return self.points * promise.weight / sum(p.weight for p in self.promises)


@dataclass(frozen=True)
class Question:
    """One question that a person grades."""

    name: str
    points: Fraction


@dataclass(frozen=True)
class Exercise:
    """One nbgrader assignment: what is taught, asked and checked."""

    name: str
    title: Sentence
    minutes: int
    steps: tuple[Step, ...]
    questions: tuple[Question, ...]
    prose: Mapping[str, str]  # language -> the handout's Markdown
    code: str  # the reference module's source
    given: Mapping[str, str] = field(default_factory=dict)  # exercise -> its functions, handed out solved
    files: Mapping[str, str] = field(default_factory=dict)  # name -> text, released beside the notebook as is
    version: str = ""  # fingerprint of all that decides a grade

    def step(self, name: str) -> Step:
        return next(step for step in self.steps if step.name == name)


@dataclass(frozen=True, eq=False)
class Release:
    """What a student is given: the notebook as plain JSON data, and the stubs as one module's source.

    Equal to itself alone, so that what is worked out of one can be kept.
    """

    notebook: Mapping[str, object]
    module: str


@dataclass(frozen=True)
class Cell:
    """Code that will be run as one cell; `number` counts all cells of the notebook from 1 (0: a .py file).

    A cell that writes several steps, and every .py file, comes in pieces: a fault in one costs only it.
    """

    source: str
    number: int = 0
    line: int = 1  # of that cell or file, where the source begins
    place: str = ""  # grade_id or id of the release's cell that it stood in


@dataclass(frozen=True)
class Submission:
    """One student's work after intake, or the reason why there is none."""

    student: str
    exercise: str
    status: Status
    file: str = ""  # path as given, for messages
    digest: str = ""  # sha256 of the bytes that were taken
    reason: Sentence | None = None
    cells: tuple[Cell, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)  # question -> Markdown
    notes: tuple[Cell, ...] = ()  # other text cells of the student's own, for readers alone
    warnings: tuple[Sentence, ...] = ()


@dataclass(frozen=True)
class Aspect:
    """One fact that was checked: the promise, and what became of it."""

    name: str
    clause: str
    sentence: Sentence
    verdict: Verdict
    detail: str = ""  # for the teacher alone: inputs and numbers may be in it
    rung: Sentence | None = None  # for the student: type, shape, nan or values, without hidden numbers
    safety: bool = False
    weight: Fraction = Fraction(1)
    excused: bool = False  # it failed through a mistake that another step has paid for

    @property
    def holds(self) -> bool:
        return self.verdict is Verdict.passed or self.excused


@dataclass(frozen=True)
class Diagnosis:
    """A known mistake that explains every telling answer of a step."""

    mistake: str
    sentence: Sentence
    charged: bool = True  # False where an earlier step has paid for it


@dataclass(frozen=True)
class Weights:
    """Attention weights on a public example, as text with three digits: the right ones, and the student's."""

    expected: tuple[tuple[str, ...], ...]
    got: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class StepResult:
    """What grading one step found."""

    name: str
    points: Fraction
    aspects: tuple[Aspect, ...]
    diagnosis: tuple[Diagnosis, ...] = ()
    all_or_nothing: bool = False
    weights: Weights | None = None

    @cached_property
    def verdict(self) -> Verdict:
        found = {aspect.verdict for aspect in self.aspects}
        if Verdict.unwritten in found:
            return Verdict.unwritten
        return next((verdict for verdict in WORST_FIRST if verdict in found), Verdict.passed)

    @cached_property
    def earned(self) -> Fraction | None:
        """Points, by the weights of the aspects that hold; None where the fault is ours."""
        if self.verdict is Verdict.grader_fault:
            return None
        if not any(aspect.holds and not aspect.safety for aspect in self.aspects):
            return Fraction(0)
        held = sum(aspect.weight for aspect in self.aspects if aspect.holds)
        share = held / sum(aspect.weight for aspect in self.aspects)
        return Fraction(0) if self.all_or_nothing and share < 1 else self.points * share


@dataclass(frozen=True)
class Gradesheet:
    """Everything that grading one submission found: content, exercise and seed decide every byte of it."""

    exercise: str
    student: str
    file: str
    status: Status
    points: Fraction
    reason: Sentence | None = None
    steps: tuple[StepResult, ...] = ()
    warnings: tuple[Sentence, ...] = ()
    digest: str = ""
    exercise_version: str = ""
    seed: str = ""  # fingerprint of the course's seed, never the seed
    grader: str = ""  # fingerprint of the code that graded
    version: int = FORMAT

    @cached_property
    def earned(self) -> Fraction | None:
        if self.status is not Status.graded:
            return (
                None
                if self.status in (Status.grader_fault, Status.unreadable, Status.misnamed)
                else Fraction(0)
            )
        parts = [step.earned for step in self.steps]
        return None if None in parts else sum(parts, Fraction(0))
