"""The guard: what does not come to an end is stopped, and nothing is left behind."""

import time

import pytest

from autograder.selfcheck.guard import TimeUp, limited


def test_the_guard_leaves_nothing_behind():
    def slow():
        end = time.monotonic() + 0.02
        while time.monotonic() < end:
            pass

    stopped = 0
    for _ in range(20):
        try:
            limited(slow, 0.02)
        except TimeUp:
            stopped += 1
    for _ in range(1000):  # nothing may come in late
        pass
    with pytest.raises(TimeUp):
        limited(lambda: [None for _ in iter(int, 1)], 0.05)
    assert stopped <= 20


def test_a_loop_that_swallows_exceptions_is_stopped_too():
    def stubborn():
        swallowed = 0
        while swallowed < 5:
            try:
                while True:
                    pass
            except BaseException:
                swallowed += 1
        return swallowed

    with pytest.raises(TimeUp):
        while True:  # five are swallowed; the call then returns, and a later one does not
            assert limited(stubborn, 0.05) == 5
            limited(lambda: [None for _ in iter(int, 1)], 0.05)
