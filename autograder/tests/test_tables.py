"""Answers that are the same to the byte are one object; nothing else about an answer is taken on trust."""

import numpy as np

from autograder.desk import cases
from autograder.grade.client import Limits, Outcome, Zygote
from autograder.grade.tables import key_of
from autograder.model import Cell
from autograder.tests.test_wire import wire

DOUBLE = "import numpy as np\ndef f(x):\n    return {}"
TABLE = tuple(((np.arange(3.0) + number,), {}) for number in range(4))


def key(frame, number, place=0):
    reader = wire.Reader()
    reader.feed(frame)
    return key_of(*reader.cut(), place, number)


def test_an_answers_key_leaves_its_number_out_and_nothing_else():
    one, other = cases.answer(5, np.zeros(2)), cases.answer(71, np.zeros(2))
    assert key(one, 5) == key(other, 71) != key(cases.answer(5, np.ones(2)), 5)
    assert key(one, 5) != key(one, 5, place=1)


def test_an_answer_with_another_number_or_two_numbers_must_be_read():
    assert key(cases.answer(5, np.zeros(2)), 6) is None
    assert key(cases.answer(50, np.zeros(2)), 5) is None
    twice = b'{"k":"answer","i":5,"o":"missing","i":6}'
    spelled = b'{"k":"answer","i":5,"o":"missing","\\u0069":6}'
    assert [key(wire.frame(text, b""), 5) for text in (twice, spelled)] == [None, None]


def test_equal_answers_are_one_object_for_all_who_give_them():
    with Zygote(Limits(), "none") as zygote:
        told = []
        for source in ("x + x", "2 * x", "x + x + (x > 2)"):
            with zygote.open([Cell(DOUBLE.format(source))]) as desk:
                told.append(desk.many("f", TABLE))
    first, same, other = told
    assert all(answer.known and answer.outcome is Outcome.returned for answer in first)
    assert all(one is another for one, another in zip(first, same, strict=True))
    assert [one is another for one, another in zip(first, other, strict=True)] == [True, False, False, False]
    assert not first[0].value.flags.writeable


def test_what_takes_too_long_is_never_known():
    slow = "import time\ndef f(x):\n    while True: pass"
    with Zygote(Limits(call_seconds=0.2), "none") as zygote, zygote.open([Cell(slow)]) as desk:
        told = desk.many("f", TABLE)
    assert [answer.outcome for answer in told] == ["timed_out", "skipped", "skipped", "skipped"]
    assert not any(answer.known for answer in told)
    assert told[0].error.text == "not done after 0.2 s"
