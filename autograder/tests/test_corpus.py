"""Every way to write a step that we know of, graded: wrong ones lose on that step, right ones nothing."""

import functools
import re
import textwrap
from contextlib import ExitStack
from itertools import zip_longest

import pytest

from autograder.author.exercise import load_exercise
from autograder.author.given import importable
from autograder.grade.answers import Limits
from autograder.grade.local import LocalDesk
from autograder.grade.suite import Suite
from autograder.layout import KIT, Course
from autograder.tests.corpus import EXERCISES, changed, entries, read
from autograder.tests.grading import QUICK, marks, opened, reference

COURSE = Course(KIT)
LIMITS = {"why_it_works": Limits()}  # there a helper that is wrong is asked thousands of times
EXERCISE = {step: exercise for exercise, steps in EXERCISES.items() for step in steps}
ENTRIES = [entry for exercise in EXERCISES for entry in entries(exercise)]
WRONG, RIGHT = ([entry for entry in ENTRIES if entry.right is right] for right in (False, True))


def together(steps):
    """One entry of each step that needs no other: what is wrong in one must not show in another."""
    *single, last = map(read, steps)
    return [tuple(filter(None, group)) for group in zip_longest(*single)] + [(entry,) for entry in last]


GROUPS = [group for steps in EXERCISES.values() for group in together(steps)]


def cell(entry):
    """The entry's code with its other names to itself."""
    body = textwrap.indent(entry.source.strip(), "    ")
    return f"def _made():\n{body}\n    return {entry.step}\n{entry.step} = _made()\n"


@pytest.fixture(scope="module")
def graded():
    """The results of a group in the place of the reference's functions, graded once."""
    with ExitStack() as stack:
        proctors = {
            name: stack.enter_context(opened(COURSE, name, limits=LIMITS.get(name, QUICK)))
            for name in EXERCISES
        }

        @functools.cache
        def grade(group):
            proctor = proctors[EXERCISE[group[0].step]]
            return marks(proctor, proctor.exercise.code, *map(cell, group))

        yield grade


@pytest.fixture(scope="module")
def result(graded):
    """The result of one entry."""
    of = {entry: group for group in GROUPS for entry in group}
    return lambda entry: graded(of[entry])[entry.step]


@pytest.fixture(scope="module", params=[b"one seed", b"another"], ids=str)
def suites(request):
    return {
        name: Suite(COURSE.suite(name), list(steps), reference(name), request.param)
        for name, steps in EXERCISES.items()
    }


@pytest.mark.parametrize("entry", RIGHT, ids=str)
def test_a_right_one_earns_everything(result, entry):
    assert not {aspect.name: aspect.detail for aspect in result(entry).aspects if not aspect.holds}
    assert result(entry).earned == result(entry).points


@pytest.mark.parametrize("entry", WRONG, ids=str)
def test_a_wrong_one_loses_marks_and_is_called_by_its_name(result, entry):
    assert result(entry).earned < result(entry).points
    assert entry.is_named_by([diagnosis.mistake for diagnosis in result(entry).diagnosis])


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: str(group[0]))
def test_a_wrong_one_costs_nothing_in_another_step(graded, group):
    elsewhere = {step: one for step, one in graded(group).items() if step not in {e.step for e in group}}
    lost = {step: one for step, one in elsewhere.items() if one.earned < one.points}
    assert not {(step, a.name): a.detail for step, one in lost.items() for a in one.aspects if not a.holds}


def test_a_lazy_answer_earns_nothing(result):
    words = (
        "zeros",
        "ones",
        "handed back",
        "hands back",
        "no return",
        "not yet",
        "uniform weights",
        "plain mean",
    )
    lazy = [entry for entry in WRONG if any(re.search(rf"\b{word}\b", entry.what) for word in words)]
    assert {entry.step for entry in lazy} == set(EXERCISE)
    assert not [str(entry) for entry in lazy if result(entry).earned and entry.severity == "bug"]


@pytest.mark.parametrize("step", EXERCISE)
def test_other_inputs_find_the_same(suites, step):
    """What the suite sees does not hang on the numbers that a course's seed happens to give."""
    odd, given = [], load_exercise(COURSE, EXERCISE[step]).given
    for entry in (entry for entry in ENTRIES if entry.step == step and "print" not in entry.source):
        module: dict = {}
        with importable(given):
            exec(entry.source, module)
        played = suites[EXERCISE[step]].run(step, LocalDesk({step: module[step]}))
        if all(one.raised is None for one in played) is not entry.right:
            odd.append(str(entry))
    assert not odd


def test_a_change_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="not found once"):
        changed("a = 1\n", "- b = 1\n+ b = 2\n")
