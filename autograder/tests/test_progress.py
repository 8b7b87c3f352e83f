"""How far a run is, for people and for logs."""

import io

from autograder import progress
from autograder.progress import Pace


def test_the_pace_counts_from_the_first_that_was_done():
    clock = iter([100.0, 100.0, 110.0, 120.0])
    pace = Pace(lambda: next(clock))
    assert pace.text(1, 500) == ""
    assert pace.text(201, 500) == "20 a second, 15 s left"
    assert pace.text(500, 500, ", ") == ", 25 a second"


def test_a_slow_run_tells_tenths_and_minutes():
    clock = iter([0.0, 0.0, 10.0])
    pace = Pace(lambda: next(clock))
    pace.text(1, 10_000)
    assert pace.text(6, 10_000) == "0.5 a second, 5 h 33 min left"


def test_where_nobody_looks_there_are_lines_now_and_then(monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    log = io.StringIO()
    with progress.progress(log) as show:
        for done in (1, 2, 3):
            show(done, 3, None)
    first, *_, last = log.getvalue().splitlines()
    assert first == "1 of 3 graded" and last.startswith("3 of 3 graded, ") and last.endswith("a second")


def test_a_quick_run_says_no_more_than_that_it_is_done():
    log = io.StringIO()
    with progress.progress(log) as show:
        for done in (1, 2, 3):
            show(done, 3, None)
    assert len(log.getvalue().splitlines()) == 1


def test_where_a_person_looks_there_is_a_bar():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    screen = Terminal()
    with progress.progress(screen) as show:
        for done in (1, 2, 3):
            show(done, 3, None)
    assert "3/3" in screen.getvalue() and "graded" in screen.getvalue()
