"""Every way to write a step that we know of, graded: wrong ones lose on that step, right ones nothing."""

from fractions import Fraction

import pytest

from autograder.grade.local import LocalDesk
from autograder.grade.suite import Suite
from autograder.layout import KIT, Course
from autograder.tests.corpus import STEPS, changed, entries
from autograder.tests.grading import REFERENCE, marks, opened

ENTRIES = entries()
WRONG, RIGHT = ([entry for entry in ENTRIES if entry.right is right] for right in (False, True))
NAMED = Fraction(95, 100)  # of the wrong ones at least


@pytest.fixture(scope="module")
def graded():
    """The results of one entry in the place of the reference's function, graded once."""
    with opened(Course(KIT), "self_attention") as proctor:
        known = {}

        def grade(entry):
            if entry not in known:
                known[entry] = marks(proctor, REFERENCE, entry.source)
            return known[entry]

        yield grade


@pytest.fixture(scope="module", params=[b"one seed", b"another", b"and a third"], ids=str)
def suite(request):
    course = Course(KIT)
    module: dict = {}
    exec(REFERENCE, module)
    return Suite(
        course.suite("self_attention"), list(STEPS), {step: module[step] for step in STEPS}, request.param
    )


@pytest.mark.parametrize("entry", RIGHT, ids=str)
def test_a_right_one_earns_everything(graded, entry):
    lost = {
        aspect.name: aspect.detail
        for result in graded(entry).values()
        for aspect in result.aspects
        if not aspect.holds
    }
    assert not lost


@pytest.mark.parametrize("entry", WRONG, ids=str)
def test_a_wrong_one_loses_marks_on_its_step_alone(graded, entry):
    assert [step for step, result in graded(entry).items() if result.earned < result.points] == [entry.step]


@pytest.mark.parametrize("entry", WRONG, ids=str)
def test_a_wrong_one_is_called_by_its_name(graded, entry):
    found = [diagnosis.mistake for diagnosis in graded(entry)[entry.step].diagnosis]
    assert entry.is_named_by(found)


def test_most_wrong_ones_have_a_name():
    certain = [entry for entry in WRONG if entry.named != "?"]
    assert sum(entry.named != "-" for entry in certain) >= NAMED * Fraction(3, 4) * len(certain)


def test_a_lazy_answer_earns_nothing(graded):
    lazy = (
        "zeros",
        "ones",
        "handed back",
        "hands back",
        "no return",
        "not yet",
        "uniform weights",
        "plain mean",
    )
    chosen = [entry for entry in WRONG if any(word in entry.what for word in lazy)]
    assert {entry.step for entry in chosen} == set(STEPS)
    assert not {str(entry): e for entry in chosen if (e := graded(entry)[entry.step].earned)}


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
