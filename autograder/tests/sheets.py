"""Classes made up of gradesheets in memory, for tests of what is shown of them."""

import datetime
import itertools
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from autograder.author.exercise import load_exercise
from autograder.layout import KIT, Course
from autograder.model import Aspect, Diagnosis, Gradesheet, Sentence, Status, StepResult, Verdict
from autograder.record.due import Arrival, Due
from autograder.record.glance import Class, Pupil
from autograder.record.gradebook import NOT_GRADED, NOT_HANDED_IN, Row

EXERCISE = load_exercise(Course(KIT), "self_attention")
DUE = datetime.datetime(2026, 3, 1, 12)
MISTAKE = Diagnosis("divides_by_d_k", Sentence("You divided by `d_k`.", "你除以了 `d_k`。"))
NOBODY = datetime.timedelta()
HOSTILE = {
    "markup": "<script>document.title='x'</script>",
    "an attribute": '"><img src=x onerror="document.title=\'x\'">',
    "a template": "{{ 7 * 7 }}{% raw %}",
    "control characters": "a\x1b[31m\x00b\x07",
    "a mark of direction": "\u202egpj.exe",
    "a lone surrogate": "\ud800",
    "a formula": '=HYPERLINK("http://127.0.0.1:9/")',
    "a path": "../../../etc/passwd",
    "a scheme": "javascript:document.title='x'",
    "a line break": "two\nlines",
    "very long": "x" * 5000,
}


def step(name: str, *verdicts: Verdict, diagnosis: Iterable[Diagnosis] = ()) -> StepResult:
    """A step's result; verdicts are those of its first aspects, and the rest hold."""
    given, rest = EXERCISE.step(name), itertools.repeat(Verdict.passed)
    aspects = tuple(
        Aspect(promise.name, promise.clause, promise.sentence, verdict, safety=promise.safety)
        for promise, verdict in zip(given.promises, itertools.chain(verdicts, rest), strict=False)
    )
    return StepResult(name, given.points, aspects, tuple(diagnosis))


def sheet(*others: StepResult, student: str = "ada", **more: object) -> Gradesheet:
    """Everything is right but for what is given."""
    changed = {other.name: other for other in others}
    steps = tuple(changed.get(given.name) or step(given.name) for given in EXERCISE.steps)
    points = sum((given.points for given in EXERCISE.steps), Fraction(0))
    found = Gradesheet("self_attention", student, "f.ipynb", Status.graded, points, steps=steps)
    return replace(found, **more)


def pupil(student: str, found: Gradesheet | None = None, *, name: str = "", **more: object) -> Pupil:
    """One who handed in (or not: no sheet)."""
    status = found.status if found else Status.missing
    earned = found.earned if found else Fraction(0)
    reason = found.reason if found else NOT_HANDED_IN
    waiting = 1 if found and status is Status.graded else 0
    row = Row(student, name, status, reason, Fraction(24), earned, found is not None, waiting, found)
    return replace(Pupil(row, NOBODY, 0.0, 0.5 if found else None, ""), **more)


def ungraded(student: str) -> Pupil:
    """One whose work waits for `attn grade`."""
    return Pupil(
        Row(student, "", Status.graded, NOT_GRADED, Fraction(24), None, False, 0), NOBODY, 0.0, None, ""
    )


def classroom(*pupils: Pupil, languages: tuple[str, ...] = ("en", "zh"), **more: object) -> Class:
    arrivals = {one.row.student: Arrival(DUE + one.late) for one in pupils}
    run = {"began": 1.7e9, "seconds": 12.5, "cpu_seconds": 20.25, "graded": 3, "seconds_each": {"ada": 0.4}}
    return replace(Class(EXERCISE, languages, pupils, Due(DUE, arrivals), run), **more)


def of_many(count: int) -> Class:
    """A class of every kind of student, and hostile ones among them."""
    failed, kinds = Verdict.failed, itertools.cycle(HOSTILE.values())
    wrong = [
        sheet(),
        sheet(step("scaled_scores", failed, failed, diagnosis=[MISTAKE])),
        sheet(step("softmax", *[failed] * 9), step("causal_mask", Verdict.grader_fault)),
        sheet(*(step(each.name, *[Verdict.unwritten] * 12) for each in EXERCISE.steps)),
        sheet(
            status=Status.unreadable, steps=(), reason=Sentence(HOSTILE["markup"], HOSTILE["an attribute"])
        ),
    ]
    pupils = []
    for number in range(count):
        found = [*wrong, None][number % 6]
        late = datetime.timedelta(hours=number % 50) if number % 5 == 0 else NOBODY
        address = f"../feedback/s{number}/self_attention/self_attention.html" if found else ""
        pupils.append(pupil(f"s{number}{next(kinds)}", found, name=next(kinds), late=late, feedback=address))
    return classroom(*pupils)
