"""The clock of a call: a busy machine takes nobody's time, and working or sleeping ends."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder.grade import line
from autograder.grade.answers import LostError
from autograder.grade.line import GRACE, NOTICE, Clock

SECONDS = 2.0


class Machine:
    """Time as a test would have it pass."""

    def __init__(self):
        self.now = self.cpu = self.queue = 0.0

    def passes(self, seconds, *, cpu=0.0, queue=0.0):
        self.now, self.cpu, self.queue = self.now + seconds, self.cpu + cpu, self.queue + queue


@pytest.fixture
def machine(monkeypatch):
    there = Machine()
    monkeypatch.setattr(line.time, "monotonic", lambda: there.now)
    monkeypatch.setattr(Clock, "_used", lambda self: there.cpu)
    monkeypatch.setattr(Clock, "_queued", lambda self: there.queue)
    return there


@pytest.fixture
def clock(machine):
    started = Clock(1, SECONDS)
    machine.passes(0.06, cpu=0.06)
    started.patience()
    return started


def why(clock):
    with pytest.raises(LostError) as caught:
        clock.patience()
    return caught.value.why


def test_working_ends_with_its_cpu_seconds(clock, machine):
    machine.passes(SECONDS, cpu=SECONDS)
    assert 0 < clock.patience() <= GRACE
    machine.passes(GRACE, cpu=GRACE)
    assert why(clock) == "cpu"


def test_sleeping_ends_a_little_later(clock, machine):
    machine.passes(SECONDS)
    assert clock.patience() > 0
    machine.passes(2 * SECONDS)
    assert why(clock) == "idle"


def test_waiting_for_a_processor_takes_nobody_s_time(clock, machine):
    machine.passes(10 * SECONDS, cpu=0.1, queue=10 * SECONDS - 0.1)
    assert clock.patience() > 0
    assert clock.spent() == pytest.approx(0.16)


def test_waiting_for_a_processor_ends_too_and_says_so(clock, machine):
    machine.passes(100 * SECONDS, queue=100 * SECONDS)
    assert why(clock) == "wall"


def test_what_the_proctor_takes_is_not_counted(clock, machine):
    with clock.pause():
        machine.passes(100 * SECONDS)
    assert clock.patience() > 0
    assert clock.spent() == pytest.approx(0.06)


def test_sleeping_is_charged_and_queueing_is_not(clock, machine):
    machine.passes(1.0)
    assert clock.spent() == pytest.approx(1.06)
    machine.passes(1.0, queue=1.0)
    assert clock.spent() == pytest.approx(1.06)


def test_a_new_call_begins_at_nothing(clock, machine):
    machine.passes(1.0, cpu=1.0)
    clock.restart(SECONDS)
    assert clock.spent() == 0.0
    machine.passes(0.01, cpu=0.005)
    assert clock.spent() == pytest.approx(0.005)


def test_where_nobody_tells_queueing_from_sleeping_only_much_wall_time_counts(machine, monkeypatch):
    monkeypatch.setattr(Clock, "_queued", lambda self: None)
    clock = Clock(1, SECONDS)
    machine.passes(5 * SECONDS)
    assert clock.patience() > 0
    machine.passes(20 * SECONDS)
    assert why(clock) == "wall"


def test_the_kernel_tells_of_this_process():
    clock = Clock(os.getpid(), SECONDS)
    assert clock._used() > 0
    assert clock._queued() is None or clock._queued() >= 0


def waited():
    return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e9


def test_a_desk_that_we_have_no_processor_to_answer_is_charged_nothing():
    processors = os.sched_getaffinity(0)
    asleep = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    os.sched_setaffinity(0, {min(processors)})  # and a rival on the same processor
    rival = subprocess.Popen([sys.executable, "-c", "for _ in range(10**9): pass"])
    try:
        clock = Clock(asleep.pid, SECONDS)
        time.sleep(2 * NOTICE)
        clock.patience()
        began, queued = time.monotonic(), waited()
        while waited() - queued < 0.2:
            pass
        busy = waited() - queued
        assert clock.spent() < time.monotonic() - began - busy + 4 * NOTICE
    finally:
        os.sched_setaffinity(0, processors)
        for child in (asleep, rival):
            child.kill()
            child.wait()
