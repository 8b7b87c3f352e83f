"""A generator among the arguments travels as its seed, and each call has one that begins there."""

import numpy as np
import pytest

from autograder.desk import cases
from autograder.desk.arguments import Seed
from autograder.grade.client import Zygote
from autograder.grade.local import LocalDesk
from autograder.grade.remote import fingerprint
from autograder.tests.walls import INNER, OUTER, QUICK, cells


@pytest.fixture(scope="module", params=[*OUTER[:1], *INNER[:1], "none"])
def warm(request):
    with Zygote(QUICK, request.param) as zygote:
        yield zygote


@pytest.mark.parametrize("number", [0, 1, 2**32 - 1])
def test_a_generator_arrives_at_its_beginning_at_every_call(warm, number):
    expected = np.random.default_rng(number).random(3)
    with warm.open(cells("def f(rng, n=3): return rng.random(n)")) as desk:
        answers = desk.many("f", [((Seed(number),), {}), ((), {"rng": Seed(number)})])
    assert all(np.array_equal(answer.value, expected) for answer in answers)
    assert not any(answer.effects.arguments or answer.effects.generator for answer in answers)


def test_a_seed_is_shown_as_the_code_that_makes_its_generator():
    made = eval(repr(Seed(7)), {"np": np})
    assert made.random() == Seed(7).generator().random()


def test_a_generator_is_the_same_in_this_process():
    here = LocalDesk({"f": lambda rng: rng.random(3)}).many("f", [((Seed(5),), {})] * 2)
    assert all(np.array_equal(answer.value, np.random.default_rng(5).random(3)) for answer in here)


def test_a_generator_that_was_used_counts_as_unchanged():
    frozen = cases.argument(Seed(9))
    made = cases.handed(frozen, None)
    made.random(100)
    assert not cases.changed(frozen, made)


def test_arguments_are_told_apart_by_seed_and_by_function():
    assert fingerprint(Seed(1)) == fingerprint(Seed(1)) != fingerprint(Seed(2))
    assert fingerprint(abs) == fingerprint(abs) != fingerprint(sum)
