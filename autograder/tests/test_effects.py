"""What a call does beside answering reaches the proctor, and a desk draws the same numbers every time."""

import numpy as np
import pytest

from autograder.grade.client import Outcome, Zygote
from autograder.tests.walls import QUICK, X, ask, cells, one


@pytest.fixture(scope="module")
def walled():
    with Zygote(QUICK) as warm:
        yield warm


def test_changed_arguments_are_told(walled):
    source = "def f(a, b, c=None):\n    a[0] = 9\n    b.append(1)\n    c.shape = (3, 2)"
    with walled.open(one(source)) as desk:
        assert ask(desk, "f", X, [], c=X).effects.arguments == (0, 1, "c")
        assert ask(desk, "f", np.array([9.0]), [], c=X).effects.arguments == (1, "c")
    assert X[0, 0] == 0


def test_an_untouched_nan_is_not_a_change(walled):
    with walled.open(one("def f(a, b): return a")) as desk:
        assert not ask(desk, "f", float("nan"), np.array([np.nan])).effects.arguments


@pytest.mark.parametrize(
    ("body", "moved"),
    [
        ("np.random.rand()", True),
        ("np.random.seed(3)", True),
        ("random.random()", True),
        ("random.seed(3)", True),
        ("np.random.default_rng(3).normal()", False),
        ("random.Random(3).random()", False),
        ("pass", False),
    ],
)
def test_a_moved_generator_is_told(walled, body, moved):
    with walled.open(one(f"import random\nimport numpy as np\ndef f():\n    {body}")) as desk:
        assert [answer.effects.generator for answer in desk.many("f", [((), {})] * 2)] == [False, moved]


def test_two_desks_draw_the_same_numbers(walled):
    source = (
        "import random, numpy\ndef f(): return random.random(), numpy.random.rand(), list({'a', 'b', 'c'})"
    )
    drawn = []
    for _ in range(2):
        with walled.open(one(source)) as desk:
            drawn.append(ask(desk, "f").value)
    assert drawn[0] == drawn[1]


def test_prints_are_kept_to_a_bound_and_the_rest_is_counted(walled):
    source = (
        "def f():\n    print('a' * 10)\n    return 1\ndef g():\n    for _ in range(10**4): print('b' * 1000)"
    )
    with walled.open(one(source)) as desk:
        assert ask(desk, "f").effects.printed == "a" * 10 + "\n"
        flood = ask(desk, "g").effects.printed
    assert len(flood) < 9000 and flood.endswith("10.0 MB more")


@pytest.mark.parametrize(
    "what", ["sys.stdout = None", "sys.stdout.close()", "del sys.stdout", "sys.stdout = 3"]
)
def test_a_broken_stdout_hurts_nobody(walled, what):
    with walled.open(cells(f"import sys\n{what}", "def f():\n    print('x')\n    return 1")) as desk:
        assert ask(desk, "f").value == 1


def test_warnings_are_no_errors(walled):
    source = (
        "import warnings, numpy\nwarnings.simplefilter('error')\ndef f(): return numpy.log(numpy.zeros(1))"
    )
    with walled.open(cells(source, "x = '\\s'")) as desk:
        assert [cell.outcome for cell in desk.loaded] == ["ok", "ok"]
        assert ask(desk, "f").outcome == Outcome.returned
