"""Every way to write a step that we know of, graded: wrong ones lose on that step, right ones nothing."""

import functools
import re
import textwrap
from itertools import zip_longest

import pytest

from autograder.grade.local import LocalDesk
from autograder.grade.suite import Suite
from autograder.layout import KIT, Course
from autograder.tests.corpus import STEPS, changed, entries, read
from autograder.tests.grading import REFERENCE, marks, opened

ENTRIES = entries()
WRONG, RIGHT = ([entry for entry in ENTRIES if entry.right is right] for right in (False, True))
# One of each step that needs no other go into one submission: what is wrong in one must not show in another.
TOGETHER = list(zip_longest(*(read(step) for step in STEPS[:-1])))
GROUPS = [tuple(filter(None, group)) for group in TOGETHER] + [(entry,) for entry in read(STEPS[-1])]


def cell(entry):
    """The entry's code with its other names to itself."""
    body = textwrap.indent(entry.source.strip(), "    ")
    return f"def _made():\n{body}\n    return {entry.step}\n{entry.step} = _made()\n"


@pytest.fixture(scope="module")
def graded():
    """The results of a group in the place of the reference's functions, graded once."""
    with opened(Course(KIT), "self_attention") as proctor:
        yield functools.cache(lambda group: marks(proctor, REFERENCE, *map(cell, group)))


@pytest.fixture(scope="module")
def result(graded):
    """The result of one entry."""
    of = {entry: group for group in GROUPS for entry in group}
    return lambda entry: graded(of[entry])[entry.step]


@pytest.fixture(scope="module", params=[b"one seed", b"another"], ids=str)
def suite(request):
    course = Course(KIT)
    module: dict = {}
    exec(REFERENCE, module)
    return Suite(
        course.suite("self_attention"), list(STEPS), {step: module[step] for step in STEPS}, request.param
    )


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
    here = [entry.step for entry in group]
    lost = [step for step, one in graded(group).items() if one.earned < one.points]
    assert set(lost) <= set(here)


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
    assert {entry.step for entry in lazy} == set(STEPS)
    assert not [str(entry) for entry in lazy if result(entry).earned and entry.severity == "bug"]


@pytest.mark.parametrize("step", STEPS)
def test_other_inputs_find_the_same(suite, step):
    """What the suite sees does not hang on the numbers that a course's seed happens to give."""
    odd = []
    for entry in (entry for entry in ENTRIES if entry.step == step and "print" not in entry.source):
        module: dict = {}
        exec(entry.source, module)
        played = suite.run(step, LocalDesk({step: module[step]}))
        if all(one.raised is None for one in played) is not entry.right:
            odd.append(str(entry))
    assert not odd


def test_a_change_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="not found once"):
        changed("a = 1\n", "- b = 1\n+ b = 2\n")
