"""Answers an appeal: what a student's step did, and why it earned what it earned. Runs no student's code.

The failing calls are made again from the course's seed, their right answers from the reference.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from autograder.grade.files import write_whole
from autograder.grade.grade import open_proctor, release_of, taken, unchanged
from autograder.grade.proctor import Proctor
from autograder.grade.remote import Asked
from autograder.grade.replay import array_text, call_text
from autograder.layout import Course
from autograder.model import Aspect, Gradesheet, KitError, StepResult, Submission, Verdict
from autograder.plain import number
from autograder.settings import load_settings

CALL = re.compile(r"(?P<test>.+), call (?P<place>\d+)\n")
COMMENT = re.compile(r"(?m)\s*#.*$")
CASE = '''\
"""A case from an appeal: a {step}, as it was written, and the calls on which it lost points."""

import numpy as np

from autograder.selfcheck import agree


{source}
{tests}'''
SIGNS = {Verdict.passed: "+", Verdict.grader_fault: "?"}


def explain(
    course: Course, exercise: str, student: str, step: str, *, as_case: bool = False, anonymous: bool = False
) -> str:
    """All about one step of one student. `as_case`: writes it as an anonymous test case, and says where.

    anonymous: without id, path and comments; what stands in strings of the student's code is left.

    Raises KitError where there is no such step, or no gradesheet that holds.
    """
    proctor = open_proctor(course, exercise)
    names = [one.name for one in proctor.exercise.steps]
    if step not in names:
        raise KitError(f"{exercise} has no step {step}.\nIts steps: {', '.join(names)}")
    submission = taken(course, proctor.exercise, release_of(course, proctor.exercise), student)
    sheet = unchanged(course, submission, proctor)
    if sheet is None:
        raise KitError(
            f"{student} has no gradesheet for {exercise} that holds for the present work and checks.\n"
            f"Make it: attn grade {exercise} --student {student}"
        )
    result = next((one for one in sheet.steps if one.name == step), None)
    if anonymous:
        sheet = replace(sheet, student="a student", file="")
        cells = tuple(replace(cell, source=COMMENT.sub("", cell.source)) for cell in submission.cells)
        submission = replace(submission, cells=cells)
    if result is None:
        reason = sheet.reason.in_languages(load_settings(course).languages) if sheet.reason else ""
        said = f"{sheet.student}, {exercise}: {sheet.status}"
        return said if anonymous else f"{said}\n{reason}".rstrip()
    if as_case:
        return _written(course, proctor, submission, result)
    return "\n".join(_lines(proctor, submission, sheet, result, load_settings(course).languages))


def _lines(
    proctor: Proctor, submission: Submission, sheet: Gradesheet, result: StepResult, languages: Sequence[str]
) -> Iterator[str]:
    earned = "not graded" if result.earned is None else f"{number(result.earned):.4g}"
    yield f"{sheet.student}, {sheet.exercise}, {result.name}: {result.verdict}"
    yield f"{earned} of {number(result.points)} points. {sheet.file}\n"
    yield function_text(submission, result.name) or f"No cell defines {result.name}."
    for diagnosis in result.diagnosis:
        paid = "" if diagnosis.charged else " (charged in an earlier step, not here)"
        yield f"\nmistake: {diagnosis.mistake}{paid}"
        yield _indented(diagnosis.sentence.in_languages(languages))
    for aspect in result.aspects:
        yield from _aspect_lines(proctor, result.name, aspect, languages)


def _aspect_lines(proctor: Proctor, step: str, aspect: Aspect, languages: Sequence[str]) -> Iterator[str]:
    verdict = f"{aspect.verdict}, excused" if aspect.excused else str(aspect.verdict)
    yield f"\n{SIGNS.get(aspect.verdict, '-')} {aspect.name}: {verdict} (clause {aspect.clause})"
    yield _indented(aspect.sentence.in_languages(languages))
    if aspect.rung is not None:
        yield _indented(aspect.rung.in_languages(languages))
    line = failing_call(proctor, step, aspect)
    if line is not None:
        yield _indented("\n".join(call_lines(proctor, line)), 4)
        yield _indented(f"# found: {aspect.detail.rstrip().splitlines()[-1]}", 4)
    elif aspect.detail:
        yield _indented(aspect.detail, 4)


def failing_call(proctor: Proctor, step: str, aspect: Aspect) -> Asked | None:
    """The call that an aspect failed on, with all its numbers, where the test always makes it."""
    match = CALL.match(aspect.detail)
    tests = [test for test in proctor.suite.of(step) if match and test.name == match["test"]]
    for test in tests:
        if test.function == aspect.name and int(match["place"]) <= len(test.script):
            return test.script[int(match["place"]) - 1]
    return None


def call_lines(proctor: Proctor, line: Asked) -> Iterator[str]:
    """The call and its right answer as NumPy that runs."""
    yield "import numpy as np"
    yield call_text(proctor.suite.reference.functions[line.step], line, whole=True)
    yield f"# expected: {_expected(proctor, line)}"


def _expected(proctor: Proctor, line: Asked) -> str:
    if proctor.suite.refuses(line):
        return "an exception"
    right = proctor.suite.expected(line)
    parts = right if isinstance(right, tuple) else (right,)
    texts = [array_text(part, whole=True) if isinstance(part, np.ndarray) else repr(part) for part in parts]
    return texts[0] if not isinstance(right, tuple) else f"({', '.join(texts)})"


def function_text(submission: Submission, step: str) -> str:
    """The student's function as it stands there: from its def line up to the next line at the margin.

    Found by lines, not by parsing: the text is only shown.
    """
    found = ""
    for cell in submission.cells:
        lines = cell.source.splitlines()
        for start, line in enumerate(lines):
            if re.match(rf"(async\s+)?def\s+{re.escape(step)}\b", line):
                inside = (n for n in range(start + 1, len(lines)) if re.match(r"[^\s#)\]}]", lines[n]))
                found = "\n".join(lines[start : next(inside, len(lines))]).rstrip()
    return found


def _written(course: Course, proctor: Proctor, submission: Submission, result: StepResult) -> str:
    source = re.sub(r"(?m)(?<!\s)\s*#.*$", "", function_text(submission, result.name))
    digest = hashlib.sha256(source.encode("utf-8", "replace")).hexdigest()[:8]
    file = course.private / "cases" / proctor.exercise.name / f"test_{result.name}_{digest}.py"
    failing = [line for aspect in result.aspects if (line := failing_call(proctor, result.name, aspect))]
    lines = [line for line in failing if not proctor.suite.refuses(line)]
    tests = (_case(proctor, line, f"test_case_{digest}_{place}") for place, line in enumerate(lines, start=1))
    text = CASE.format(step=result.name, source=source, tests="".join(tests))
    write_whole(file, text.encode("utf-8", "replace"))
    return f"{file}\nIts text names nobody; look it over for names in strings before you hand it on."


def _case(proctor: Proctor, line: Asked, name: str) -> str:
    function = proctor.suite.reference.functions[line.step]
    arguments, _, call = call_text(function, line, whole=True).rpartition("\n")
    arguments = _indented(arguments, 4) + "\n" if arguments else ""
    return f"\n\ndef {name}():\n{arguments}    agree({call}, {_expected(proctor, line)})\n"


def _indented(text: str, width: int = 2) -> str:
    return "\n".join(" " * width + line for line in text.splitlines())
