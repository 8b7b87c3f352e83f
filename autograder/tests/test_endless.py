"""What has no end costs its time once: in cells that load, by itself or in a function that they call."""

from dataclasses import replace

import pytest

from autograder.grade.client import Zygote
from autograder.tests.walls import QUICK, ask, cells

LOOPS = {
    "by itself": "def endless():\n    while True: pass",
    "through another": "def inner():\n    while True: pass\ndef endless(): inner()",
    "by another name": "def inner():\n    while True: pass\nendless = inner",
    "in a method": "class A:\n    def endless(self):\n        while True: pass\nendless = A().endless",
}


BEGIN, END = (
    "import time\nbegan = time.process_time()",
    "spent = time.process_time() - began\ndef f(): return spent",
)


@pytest.mark.parametrize("loop", LOOPS)
def test_a_function_without_an_end_costs_its_time_once_however_many_cells_call_it(loop):
    sources = [BEGIN, LOOPS[loop], *["endless()"] * 30, END]
    with Zygote(QUICK, "none") as warm, warm.open(cells(*sources)) as desk:
        assert [cell.outcome for cell in desk.loaded] == ["ok", "ok", *["timed_out"] * 30, "ok"]
        assert QUICK.call_seconds <= ask(desk, "f").value < 4 * QUICK.call_seconds  # of CPU


def test_cells_that_loop_by_themselves_share_the_seconds_of_a_notebook():
    limits, sources = replace(QUICK, load_seconds=1.0), [BEGIN, *["while True: pass"] * 30, END]
    with Zygote(limits, "none") as warm, warm.open(cells(*sources)) as desk:
        assert [cell.outcome for cell in desk.loaded] == ["ok", *["timed_out"] * 30, "ok"]
        assert ask(desk, "f").value < 1.5 * limits.load_seconds
        with warm.open(cells(*sources), late=desk.late) as again:  # as for a step that needs others
            assert ask(again, "f").value < 2 * limits.call_seconds
