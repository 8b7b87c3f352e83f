"""Desks, as a proctor sees them: honest accidents stay local, and nothing that a desk does is our fault."""

import os
import signal
import time
from dataclasses import replace

import numpy as np
import pytest

from autograder.grade.client import Outcome, Zygote
from autograder.model import Cell
from autograder.tests.walls import GOOD, QUICK, WHOLE, X, ask, cells, descendants, one, right, verdict


@pytest.fixture(scope="module", params=[WHOLE[0], "none"])
def zygote(request):
    """With and without walls: what holds of a desk holds of both."""
    with Zygote(QUICK, request.param) as warm:
        yield warm


@pytest.fixture(scope="module")
def walled():
    with Zygote(QUICK) as warm:
        yield warm


def test_a_right_answer_arrives(zygote):
    with zygote.open(one(GOOD)) as desk:
        assert verdict(desk) == "pass"
        assert desk.defined == {"np", "softmax"}


@pytest.mark.parametrize(
    "crowd",
    ["from numpy import *", "globals().update((f'a{i}', i) for i in range(9_000))"],
    ids=["star", "many"],
)
def test_no_crowd_of_names_hides_a_function(zygote, crowd):
    with zygote.open(one(f"{crowd}\n\ndef softmax(x): return x")) as desk:
        assert "softmax" in desk.defined
        np.testing.assert_array_equal(ask(desk, "softmax", X).value, X)


def test_a_table_of_cases_has_an_answer_for_each(zygote):
    source = "def f(n):\n    if n % 2: raise ValueError(n)\n    return n"
    with zygote.open(one(source)) as desk:
        found = desk.many("f", [((n,), {}) for n in range(6)])
    assert [answer.value if answer.outcome == "returned" else answer.error.text for answer in found] == [
        *(0, "1", 2, "3", 4, "5"),
    ]


def test_keyword_arguments_arrive_by_name_even_the_worker_s_own(zygote):
    with zygote.open(one("def f(**names): return sorted(names)")) as desk:
        names = {"seconds": 1, "function": 2, "self": 3, "name": 4}
        assert ask(desk, "f", **names).value == sorted(names)


@pytest.mark.parametrize("value", [None, True, 3, 2.5, float("nan"), "text", (1, [2.0, (X,)]), X, X > 2])
def test_arguments_and_results_cross_unchanged(zygote, value):
    with zygote.open(one("def same(value): return value")) as desk:
        np.testing.assert_equal(ask(desk, "same", value).value, value)


def test_a_missing_name_is_missing(zygote):
    with zygote.open(cells("def softmx(x): return x", "softmax = 3")) as desk:
        assert ask(desk, "softmax", X).outcome == ask(desk, "nowhere", X).outcome == Outcome.missing


def test_a_callable_object_will_do(zygote):
    with zygote.open(one("class S:\n    def __call__(self, x): return x + 1\nsoftmax = S()")) as desk:
        np.testing.assert_array_equal(ask(desk, "softmax", X).value, X + 1)


# accidents while cells load

ACCIDENTS = {
    "raises": ("1 / 0", "raised"),
    "exits": ("raise SystemExit", "raised"),
    "quits": ("exit()", "raised"),
    "interrupts": ("raise KeyboardInterrupt", "raised"),
    "does_not_compile": ("def b(:\n    pass", "syntax"),
    "null_byte": ("x = '\0'", "syntax"),
    "nested": ("x = " + "(" * 3000 + ")" * 3000, "syntax"),
    "lone_surrogate": ("x = '\ud800'", "syntax"),
    "huge": ("x = '" + "a" * (3 << 20) + "'", "syntax"),
    "loops": ("n = 0\nwhile True:\n    n += 1", "timed_out"),
    "swallows_its_time_out": ("while True:\n    try:\n        pass\n    except:\n        pass", "timed_out"),
    "sleeps": ("import time\ntime.sleep(100)", "timed_out"),
    "ends_the_process": ("import os\nos._exit(0)", "died"),
    "crashes": ("import ctypes\nctypes.string_at(0)", "died"),
    "asks_the_keyboard": ("input()", "raised"),
}


@pytest.mark.parametrize(("source", "outcome"), ACCIDENTS.values(), ids=ACCIDENTS)
def test_an_accident_in_one_cell_costs_that_cell(zygote, source, outcome):
    with zygote.open(cells("before = lambda: 1", source, "after = lambda: before() + 1")) as desk:
        assert [cell.outcome for cell in desk.loaded] == ["ok", outcome, "ok"]
        assert ask(desk, "before").value == 1
        assert ask(desk, "after").value == 2


PLACES = {
    "raises": ("x = 1\n\ny = x / 0", 3),
    "does_not_compile": ("x = 1\ndef b(:", 2),
    "loops": ("x = 1\nwhile True:\n    x += 1", (2, 3)),
    "swallows_its_time_out": (ACCIDENTS["swallows_its_time_out"][0], (1, 2, 3, 4, 5)),
    "raises_below": ("def f():\n    return [] + 1\n\nf()", 2),
}


@pytest.mark.parametrize(("source", "lines"), PLACES.values(), ids=PLACES)
def test_an_accident_names_its_cell_and_line(walled, source, lines):
    with walled.open([Cell("pass", 3), Cell(source, 8)]) as desk:
        error = desk.loaded[1].error
    assert error.cell == 8
    assert error.line in np.atleast_1d(lines)


def test_names_bound_before_a_cell_raises_stay_bound(zygote):
    with zygote.open(one("def f(): return 1\nassert f() == 2\ndef g(): return 2")) as desk:
        assert ask(desk, "f").value == 1
        assert ask(desk, "g").outcome == Outcome.missing


def test_the_last_definition_counts(zygote):
    with zygote.open(cells("def f(): return 1", "def f(): return 2")) as desk:
        assert ask(desk, "f").value == 2


def test_many_crashing_cells_end(zygote):
    crashing = ["import os\nos._exit(0)"] * 30
    start = time.monotonic()
    with zygote.open(cells("def f(): return 1", *crashing)) as desk:
        assert len(desk.loaded) == 31
        assert ask(desk, "f").outcome in (Outcome.returned, Outcome.skipped)
    assert time.monotonic() - start < 30


# accidents in calls


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "while True:\n        try: 1\n        except: 2",
        "try:\n        while True: pass\n    except BaseException: return 1",
        "import time; time.sleep(100)",
    ],
    ids=["loops", "swallows_its_time_out", "answers_after_its_time_out", "sleeps"],
)
def test_a_late_step_is_called_once_and_the_others_go_on(zygote, body):
    source = f"def slow(n):\n    if n < 2: return n\n    {body}\ndef quick(): return 7"
    with zygote.open(one(source)) as desk:
        found = desk.many("slow", [((n,), {}) for n in range(5)])
        assert [answer.outcome for answer in found] == [
            "returned",
            "returned",
            "timed_out",
            "skipped",
            "skipped",
        ]
        assert ask(desk, "slow", 0).outcome == Outcome.skipped
        assert ask(desk, "quick").value == 7


def test_all_calls_of_a_step_share_its_seconds(walled):
    source = (
        "import time\ndef f():\n    end = time.process_time() + 0.1\n    while time.process_time() < end: 0"
    )
    with walled.open(one(source)) as desk:  # half of what a call may take, so that none is late by itself
        found = [answer.outcome for answer in desk.many("f", [((), {})] * 10)]
    assert found[:2] == ["returned"] * 2 and "timed_out" in found and found[-1] == "skipped"


def test_a_crash_keeps_the_answers_before_it(zygote):
    source = "import os\ndef f(n): return n if n < 2 else os._exit(0)\ndef g(): return 7"
    with zygote.open(one(source)) as desk:
        found = desk.many("f", [((n,), {}) for n in range(4)])
        assert [answer.outcome for answer in found] == ["returned", "returned", "died", "skipped"]
        assert ask(desk, "g").value == 7


def test_memory_is_bounded(zygote):
    with zygote.open(one("import numpy as np\ndef f(): return np.zeros(1 << 31)")) as desk:
        assert ask(desk, "f").error.name == "MemoryError"


def test_a_killed_desk_is_reopened(zygote):
    with zygote.open(one(GOOD)) as desk:
        os.kill(desk._line.pid, signal.SIGKILL)
        while desk._line.silent:
            time.sleep(0.01)
        assert verdict(desk) == "pass"


def test_a_killed_zygote_is_started_again(zygote):
    with zygote.open(one(GOOD)) as desk:
        zygote._process.kill()
        zygote._process.wait()
        assert verdict(desk) in ("pass", "died")
    with zygote.open(one(GOOD)) as desk:
        assert verdict(desk) == "pass"


def test_nothing_is_left_of_a_zygote(zygote):
    with Zygote(QUICK, "none") as other:
        pid = other.process_id
        with other.open(one(GOOD)) as desk:
            assert verdict(desk) == "pass"
    assert not descendants(pid)


def test_a_step_starved_by_the_machine_says_so(monkeypatch):
    from autograder.grade import line

    monkeypatch.setattr(line.Clock, "_used", lambda self: 0.0)
    monkeypatch.setattr(line.Clock, "_queued", lambda self: None)
    monkeypatch.setattr(line, "WALL_MORE", 0.0)
    with Zygote(replace(QUICK, call_seconds=0.1), "none") as warm, warm.open(one(GOOD)) as desk:
        assert right(ask(desk, "softmax", X), ((X,), {}))
        with warm.open(one("import time\ndef f(): time.sleep(100)")) as other:
            answer = ask(other, "f")
    assert (answer.outcome, answer.starved) == (Outcome.timed_out, True)


def test_what_was_defined_before_a_loop_is_there_at_every_desk(zygote):
    cells = [Cell("def before(x): return x\n\nwhile True: pass", 1), Cell("def after(x): return x", 2)]
    with zygote.open(cells) as first:
        assert first.late == {0} and first.defined == {"before", "after"}
        with zygote.open(cells, late=first.late) as second:
            assert second.late == {0} and second.defined == first.defined
            assert [cell.outcome for cell in second.loaded] == ["timed_out", "ok"]
