"""Grades small pieces of code in tests: what a proctor needs, and short words for what it finds."""

from autograder.author.exercise import load_exercise
from autograder.grade.answers import Limits
from autograder.grade.load import Source
from autograder.grade.proctor import Proctor
from autograder.layout import KIT, Course
from autograder.model import Cell, Status, Submission
from autograder.tests.courses import make_course

REFERENCE = (KIT / "solutions" / "self_attention.py").read_text(encoding="utf-8")
SEED = bytes(range(32))
QUICK = Limits(call_seconds=0.5, step_seconds=1.0)


def reference(name):
    """The functions of a kit's exercise, with those that it is given."""
    exercise = load_exercise(Course(KIT), name)
    return Source(KIT / "solutions" / f"{name}.py", exercise.given).functions()


def opened(course, name, walls="none", limits=QUICK):
    exercise = load_exercise(course, name)
    return Proctor(exercise, course.suite(name), course.solution(name), SEED, limits, walls)


def submission(*sources):
    cells = tuple(Cell(source, number) for number, source in enumerate(sources))
    return Submission("s1", "self_attention", Status.graded, cells=cells)


def changed(source, *pairs):
    for old, new in pairs:
        assert source.count(old) == 1, f"{old!r} is there {source.count(old)} times"
        source = source.replace(old, new)
    return source


def marks(proctor, *sources):
    return {result.name: result for result in proctor.grade(submission(*sources))}


def lost(results):
    return {name: result.verdict for name, result in results.items() if result.earned != result.points}


def texts(result):
    for aspect in result.aspects:
        if aspect.rung is not None:
            yield from (aspect.rung.en, aspect.rung.zh)


GOOD = "def double(x):\n    return x + x\n\n\ndef quadruple(x):\n    return double(double(x))\n"
CLASS = {
    "ann": GOOD,
    "bob": GOOD.replace("x + x", "x * x"),
    "cem": GOOD.replace("x + x", "x + y"),
    "dee": "def double(x:\n",
    "eve": GOOD.replace("return x + x", "raise ValueError(object())"),
    "王": GOOD.replace("x + x", "2 * x"),
}


def small_class(folder):
    """A course with one small exercise, and the work of six students."""
    course = make_course(folder)
    for student, source in CLASS.items():
        submit(course, student, source)
    return course


def submit(course, student, source):
    file = course.submitted(student, "two_steps") / "two_steps.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source, encoding="utf-8")
