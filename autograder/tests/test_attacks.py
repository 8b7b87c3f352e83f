"""No program that a student sends in learns, changes or stops anything, whichever the walls are."""

import os

import pytest

from autograder.grade.client import Zygote
from autograder.tests.attempts import (
    LIMITS,
    MARKER,
    alone,
    attempt,
    left_behind,
    places,
    runs,
    saw_names,
    verdicts,
)
from autograder.tests.walls import GOOD, descendants, one, verdict


@pytest.fixture(scope="module")
def zygotes():
    """One warm zygote for each way of walling in, started when it is first needed."""
    warm = {}
    os.environ["ATTACKED_TOKEN"] = MARKER

    def zygote(mode):
        if mode not in warm:
            warm[mode] = Zygote(LIMITS, mode).__enter__()
        return warm[mode]

    yield zygote
    del os.environ["ATTACKED_TOKEN"]
    for each in warm.values():
        each.__exit__()


@pytest.fixture(scope="module")
def there():
    with places() as filled_in:
        yield filled_in


@pytest.mark.parametrize(("mode", "name"), runs())
def test_an_attack_gains_nothing(zygotes, there, mode, name):
    zygote = zygotes(mode)
    pid = zygote.process_id
    processes, before = descendants(pid), left_behind(there)
    done = attempt(zygote, mode, name, there)
    assert done.verdict in verdicts(name), done
    assert not done.escaped and not saw_names(done, mode), done.probed
    assert done.seconds < 20
    assert MARKER not in repr(done)
    assert all(len(text) <= 200 and text.isprintable() for text in done.messages), done.messages
    assert left_behind(there) == before
    assert alone(pid, processes), "a process is left"
    with zygote.open(one(GOOD)) as desk:
        assert verdict(desk) == "pass"
        assert not alone(pid, processes, 1), "a process would be seen if there were one"
