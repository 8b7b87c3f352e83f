"""What has no end costs its time once: in cells that load, by itself or in a function that they call."""

from dataclasses import replace

import pytest

from autograder.grade.client import Zygote
from autograder.tests.walls import QUICK, ask, cells


@pytest.fixture(scope="module")
def warm():
    with Zygote(QUICK) as zygote:
        yield zygote


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
def test_a_function_without_an_end_costs_its_time_once_however_many_cells_call_it(warm, loop):
    sources = [BEGIN, LOOPS[loop], *["endless()"] * 30, END]
    with warm.open(cells(*sources)) as desk:
        assert [cell.outcome for cell in desk.loaded] == ["ok", "ok", *["timed_out"] * 30, "ok"]
        assert QUICK.call_seconds <= ask(desk, "f").value < 4 * QUICK.call_seconds  # of CPU


def test_a_function_that_ran_out_of_time_in_a_cell_gets_less_when_it_is_called(warm):
    loop = "while n: pass\n    return 7"
    sources = [
        f"def endless(n):\n    {loop}",
        "def through(n): return endless(n)",
        "endless(1)",
        "through(1)",
    ]
    with warm.open(cells(*sources)) as desk:
        before = warm.cpu_seconds
        assert ask(desk, "endless", 1).outcome == "timed_out"
        assert ask(desk, "through", 0).value == 7
    assert warm.cpu_seconds - before < 2 * QUICK.call_seconds  # the cells' own included


def test_cells_that_loop_by_themselves_share_the_seconds_of_a_notebook():
    limits, sources = replace(QUICK, load_seconds=1.0), [BEGIN, *["while True: pass"] * 30, END]
    with Zygote(limits, "none") as warm, warm.open(cells(*sources)) as desk:
        assert [cell.outcome for cell in desk.loaded] == ["ok", *["timed_out"] * 30, "ok"]
        assert ask(desk, "f").value < 1.5 * limits.load_seconds
        with warm.open(cells(*sources), late=desk.late) as again:  # as for a step that needs others
            assert ask(again, "f").value < 2 * limits.call_seconds


SWALLOWING = {
    "a bare except": "try:\n        while True: pass\n    except: pass",
    "an except that asks again": "try:\n        number = int(input())\n    except: print('again')",
    "an except with a name": "try:\n        while True: pass\n    except BaseException as e: kept = e",
    "contextlib": "with contextlib.suppress(BaseException):\n        while True: pass",
    "finally": "try:\n        while True: pass\n    finally: continue",
}


@pytest.mark.parametrize("inside", [False, True], ids=["in the cell", "in a function"])
@pytest.mark.parametrize("body", SWALLOWING.values(), ids=SWALLOWING)
def test_a_loop_that_swallows_every_exception_does_not_take_its_cell_along(warm, body, inside):
    loop = f"while True:\n    {body}"
    if inside:
        loop = "def loop():\n    " + loop.replace("\n", "\n    ") + "\nloop()"
    with warm.open(
        cells(f"import contextlib\ndef before(): return 7\n{loop}", "def after(): return 8")
    ) as desk:
        assert [cell.outcome for cell in desk.loaded] == ["timed_out", "ok"]
        assert [ask(desk, name).value for name in ("before", "after")] == [7, 8]
        if inside:
            assert ask(desk, "loop").outcome == "timed_out" and ask(desk, "before").value == 7


def test_what_was_in_time_is_not_interrupted_later(warm):
    source = "def late():\n    while True: pass\ndef slow():\n    return sum(i for i in range(100_000))"
    with warm.open(cells(source)) as desk:
        assert ask(desk, "late").outcome == "timed_out"
        assert ask(desk, "slow").value == 4_999_950_000


FORGED = """
import gc, json, os, struct
desk = next(o for o in gc.get_objects() if type(o).__name__ == "Desk")
def say(names):
    late = {"k": "late", "i": desk._request, "at": [1, 1], "in": names}
    text = json.dumps(late, ensure_ascii=False).encode()
    os.write(3, struct.pack("<4sII", b"DSK1", len(text), 0) + text)
heard = sorted(desk._patience._late)
def told(): return len(heard), max(map(len, heard), default=0)
"""
NAMES = {
    "long": "['a' * 40_000]",
    "long in another writing": "['\u5b57' * 20_000]",
    "many": "[f'{letter}{number}' for number in range(99)]",
    "many in rare letters": "[chr(0x20000 + number) * 24 for number in range(99)]",
    "none": "[None, 3, '', 'a b', []]",
}


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_names_of_endless_functions_that_are_forged_cost_their_cell_alone(warm, names):
    forging = f"for letter in 'ab': say({names})\nif not heard: os._exit(1)"
    with warm.open(cells(FORGED, f"if not heard:\n    {forging.replace(chr(10), chr(10) + '    ')}")) as desk:
        assert desk.loaded[0].outcome == "ok"
        number, longest = ask(desk, "told").value
        assert number <= 100 and longest <= 100


def test_what_a_called_desk_says_does_not_reach_the_one_that_follows(warm):
    """It may know a hidden input, and what stops the next one's cells is told."""
    source = "def f(x):\n    say([f'x{x}'])\n    os._exit(1)"
    with warm.open(cells(FORGED, source)) as desk:
        assert ask(desk, "f", 42).outcome == "died"
        assert ask(desk, "told").value == (0, 0)
