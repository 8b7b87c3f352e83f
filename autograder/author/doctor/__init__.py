"""Examines an exercise: the laws that its files and its suite must keep, and what each mistake costs.

`doctor` gives one finding for a law that holds and one for each fault of a law that is broken.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from autograder.author.doctor import leaks, opens, texts, trials
from autograder.author.doctor.finding import Fault, Finding
from autograder.author.doctor.publicly import Caught, catcher
from autograder.author.doctor.trials import Price, Trials
from autograder.author.exercise import load_exercise
from autograder.grade.grade import open_proctor
from autograder.grade.proctor import Proctor
from autograder.layout import Course
from autograder.model import KitError, Sentence

__all__ = ["Examination", "Finding", "Price", "doctor", "examine", "price_list"]


@dataclass(frozen=True)
class Examination:
    """Everything that was found of one exercise."""

    exercise: str
    findings: tuple[Finding, ...]
    prices: tuple[Price, ...]

    @property
    def ok(self) -> bool:
        return all(finding.ok for finding in self.findings)


class _Case:
    """One exercise, read and graded once for all its laws."""

    def __init__(self, course: Course, name: str, proctor: Proctor) -> None:
        self.course, self.exercise, self.proctor = course, load_exercise(course, name), proctor
        self.suite = f"suites/{name}"

    @cached_property
    def caught(self) -> Caught:
        return catcher(self.exercise)

    @cached_property
    def trials(self) -> Trials:
        return Trials(self.proctor)

    @cached_property
    def prices(self) -> list[Price]:
        return self.trials.prices(self.caught)


READABLE = Sentence("The exercise can be read.", "练习可以读取。")
PRICED = Sentence("The price list is for you to approve.", "价目表请您确认。")
Law = Callable[[_Case], Iterable[Fault]]

LAWS: tuple[tuple[Sentence, Law], ...] = (
    (
        Sentence("Both handouts say the same, section by section.", "两份讲义逐节一致。"),
        lambda case: texts.speak_alike(case.course, case.exercise),
    ),
    (
        Sentence("Nothing is left to write.", "没有还没写的地方。"),
        lambda case: texts.are_written(case.course, case.exercise),
    ),
    (
        Sentence("Every aspect rests on a clause of the contract.", "每个检查点都以约定中的一条为依据。"),
        lambda case: texts.announce_what_is_checked(case.course, case.exercise),
    ),
    (
        Sentence("Every sentence is there in both languages.", "每句话都有中英文两种。"),
        lambda case: texts.speak_both_languages(trials.sentences(case.trials, case.suite)),
    ),
    (
        Sentence("Points and weights add up.", "分值与权重相符。"),
        lambda case: texts.add_up(case.course, case.exercise),
    ),
    (
        Sentence("Generated files are fresh.", "生成的文件都是最新的。"),
        lambda case: texts.are_fresh(case.course, case.exercise),
    ),
    (
        Sentence("Nothing hidden is in a release.", "发布内容中没有任何隐藏的东西。"),
        lambda case: leaks.are_kept(case.course, case.exercise),
    ),
    (
        Sentence("Nothing is handed out solved that is still asked.", "还在收作业的练习，没有下发它的答案。"),
        lambda case: opens.are_closed(case.course, case.exercise),
    ),
    (
        Sentence("No student's data is tracked by git.", "git 没有跟踪任何学生数据。"),
        lambda case: texts.keep_students_private(case.course, case.exercise),
    ),
    (
        Sentence("The reference earns full marks.", "参考答案得满分。"),
        lambda case: trials.reference_earns_all(case.trials),
    ),
    (
        Sentence("Stubs and lazy answers earn 0.", "未作答的模板和敷衍的答案得 0 分。"),
        lambda case: trials.nothing_earns_nothing(case.trials),
    ),
    (
        Sentence("Every known mistake loses marks on its step.", "每个已知错误都会在对应步骤失分。"),
        lambda case: trials.mistakes_cost(case.prices, case.suite),
    ),
    (
        Sentence("Every known mistake is named by its own sentence.", "每个已知错误都能被准确指出。"),
        lambda case: trials.mistakes_are_named(case.prices, case.suite),
    ),
    (
        Sentence("Every correct variant earns full marks.", "每种正确写法都得满分。"),
        lambda case: trials.variants_earn_all(case.trials),
    ),
    (
        Sentence("The public checks refuse no correct variant.", "公开检查不会拒绝任何正确写法。"),
        lambda case: trials.variants_pass_publicly(case.trials, case.caught),
    ),
    (
        Sentence("Lazy answers fail the public examples.", "敷衍的答案通不过公开示例。"),
        lambda case: trials.lazy_fails_publicly(case.trials, case.caught),
    ),
)


def examine(course: Course, name: str, laws: Sequence[tuple[Sentence, Law]] = LAWS) -> Examination:
    """What holds of one exercise and what does not, with its price list where all laws are asked for."""
    try:
        with open_proctor(course, name) as proctor:
            case = _Case(course, name, proctor)
            found = tuple(finding for law, check in laws for finding in _judged(name, law, check, case))
            if len(laws) < len(LAWS):
                return Examination(name, found, ())
            return Examination(name, (*found, _bill(case)), tuple(case.prices))
    except KitError as error:
        return Examination(name, (_unreadable(name, READABLE, error),), ())


def doctor(course: Course, names: Sequence[str] | None = None) -> list[Finding]:
    """What holds and what does not, for the exercises named, or for all of the course."""
    return [finding for name in names or course.exercises for finding in examine(course, name).findings]


def price_list(course: Course, name: str) -> tuple[Price, ...]:
    """Each known mistake and the points that it costs on its own step, in the order of the steps."""
    return examine(course, name).prices


def _judged(name: str, law: Sentence, check: Law, case: _Case) -> Iterator[Finding]:
    """One finding for each fault, and one for the law where there is none."""
    holds = True
    try:
        for fault in check(case):
            holds = holds and fault.warning
            yield Finding(name, law, fault.warning, fault.detail, fault.cure, fault.warning)
    except KitError as error:  # the exercise is too broken for this law; the others may still speak
        holds = False
        yield _unreadable(name, law, error)
    if holds:
        yield Finding(name, law, True)


def _unreadable(name: str, law: Sentence, error: KitError) -> Finding:
    fault, _, cure = str(error).partition("\n")
    return Finding(name, law, False, fault, cure)


def _bill(case: _Case) -> Finding:
    """How many mistakes there are, and how many of them students can find before they submit."""
    known = case.prices
    caught = sum(bool(price.public) for price in known)
    share = f"; the public checks catch {caught} of them ({caught / len(known):.0%})" if known else ""
    return Finding(case.exercise.name, PRICED, True, f"Known mistakes: {len(known)}{share}")
