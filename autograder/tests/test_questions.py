"""Questions that a desk asks its proctor: answered for the functions agreed on, bounded, never our fault."""

import time

import numpy as np
import pytest

from autograder.grade.client import Outcome, Refused, Zygote
from autograder.tests.walls import QUICK, X, ask, cells


@pytest.fixture(scope="module")
def walled():
    with Zygote(QUICK) as warm:
        yield warm


def doubled(x, times=2):
    return x * times


def test_a_stand_in_answers_for_a_function_whatever_the_cells_define(walled):
    sources = "def softmax(x): return 'own'", "def f(x): return softmax(x), softmax(x, times=3)"
    with walled.open(cells(*sources), stand_ins={"softmax": doubled}) as desk:
        first, second = ask(desk, "f", X).value
        assert "softmax" in desk.defined
    np.testing.assert_array_equal(first, 2 * X)
    np.testing.assert_array_equal(second, 3 * X)


def test_a_stand_in_may_be_asked_while_cells_load(walled):
    with walled.open(cells("y = softmax(2)\ndef f(): return y"), stand_ins={"softmax": doubled}) as desk:
        assert ask(desk, "f").value == 4


def test_only_what_cells_define_is_defined(walled):
    with walled.open(cells("f = 1"), stand_ins={"softmax": doubled}) as desk:
        assert desk.defined == {"f"}


@pytest.mark.parametrize(
    "error", [Refused("too large"), ValueError("too large"), ZeroDivisionError("too large")]
)
def test_a_refusal_is_the_student_s_exception(walled, error):
    def refuse(x):
        raise error

    with walled.open(cells("def f(x): return softmax(x)"), stand_ins={"softmax": refuse}) as desk:
        answer = ask(desk, "f", X)
    assert answer.outcome == Outcome.raised
    assert answer.error.text == "too large" and answer.error.line == 1
    assert answer.error.name == (type(error).__name__ if type(error) is not Refused else "ValueError")


def test_a_student_may_catch_a_refusal(walled):
    def refuse(x):
        raise Refused("no", "IndexError")

    source = "def f(x):\n    try: return softmax(x)\n    except IndexError: return 1"
    with walled.open(cells(source), stand_ins={"softmax": refuse}) as desk:
        assert ask(desk, "f", X).value == 1


def test_questions_are_counted(walled):
    source = "def f(n): return [softmax(1) for _ in range(n)] and 1\ndef g(): return 1"
    with walled.open(cells(source), stand_ins={"softmax": doubled}, max_asks=10) as desk:
        assert ask(desk, "f", 10).value == 1
        assert ask(desk, "f", 1).outcome == Outcome.died
        assert ask(desk, "g").value == 1


def test_the_proctor_s_own_time_is_not_the_student_s(walled):
    def slow(x):
        time.sleep(2 * QUICK.call_seconds + 1.5)
        return x

    with walled.open(cells("def f(x): return softmax(x)"), stand_ins={"softmax": slow}) as desk:
        assert ask(desk, "f", 1).value == 1


def test_questions_in_the_middle_of_a_table_of_cases(walled):
    with walled.open(cells("def f(x): return softmax(x)"), stand_ins={"softmax": doubled}) as desk:
        assert [answer.value for answer in desk.many("f", [((n,), {}) for n in range(50)])] == [
            2 * n for n in range(50)
        ]


def test_large_tables_do_not_block_each_other(walled):
    big = np.ones(1 << 16)  # each fills the line both ways, and copying all is a small part of the limit
    with walled.open(cells("def f(x): return x")) as desk:
        found = desk.many("f", [((big,), {})] * 24)
    assert all(answer.value.nbytes == big.nbytes for answer in found)


def test_questions_without_end_are_stopped_though_each_is_quick(walled):
    def slow(x):
        end = time.thread_time() + 0.02
        while time.thread_time() < end:
            pass
        return x

    source = "def f():\n    while True: softmax(1)\ndef g(): return 1"
    with walled.open(cells(source), stand_ins={"softmax": slow}) as desk:
        assert ask(desk, "f").outcome == Outcome.timed_out
        assert ask(desk, "g").value == 1


def test_questions_whose_answers_nobody_takes_are_stopped(walled):
    source = """
import gc, json, os, struct
def f():
    desk = next(o for o in gc.get_objects() if type(o).__name__ == "Desk")
    header = {"k": "ask", "i": desk._request, "n": 1, "name": "big", "v": {"t": [{"t": []}, []]}, "a": []}
    text = json.dumps(header).encode()
    for _ in range(1000): os.write(3, struct.pack("<4sII", b"DSK1", len(text), 0) + text)
def g(): return 1
"""
    with walled.open(cells(source), stand_ins={"big": lambda: np.zeros(4 << 20)}) as desk:
        assert ask(desk, "f").outcome == Outcome.died
        assert ask(desk, "g").value == 1
