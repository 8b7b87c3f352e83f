"""One writer at a time: who comes second is told who writes, and nobody who is gone holds anybody up."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from autograder import lock
from autograder.layout import Course
from autograder.lock import LockedError, locked

NAME = "self_attention"
HOLD = """
import sys
from pathlib import Path
from autograder.layout import Course
from autograder.lock import locked
with locked(Course(Path(sys.argv[1])), "self_attention", "attn grade self_attention"):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def course(tmp_path):
    return Course(tmp_path)


@pytest.fixture
def other(course):
    """A process that holds the exercise until it is told to end, or is killed."""
    command = [sys.executable, "-c", HOLD, str(course.root)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def taken(course, **how):
    """What is said while the lock is taken."""
    said = []
    with locked(course, NAME, "attn record self_attention", say=said.append, **how):
        return said


def test_the_second_is_told_who_and_what_and_since_when_and_what_to_do(course, other):
    with pytest.raises(LockedError) as refused:
        taken(course)
    said = str(refused.value)
    for part in (f"process {other.pid}", "`attn grade self_attention`", "UTC", "--wait", "nothing was"):
        assert part in said


def test_another_exercise_is_free(course, other):
    with locked(course, "multi_head_attention", "attn grade multi_head_attention"):
        pass


def test_who_waits_goes_on_when_the_first_has_ended(course, other, monkeypatch):
    monkeypatch.setattr(lock.time, "sleep", lambda seconds: other.communicate("\n"))
    (line,) = taken(course, wait=60)
    assert "waiting" in line and str(other.pid) in line


def test_a_killed_process_holds_nothing_and_the_next_says_so(course, other):
    other.send_signal(signal.SIGKILL)
    other.wait()
    (line,) = taken(course)
    assert "taken over" in line and f"process {other.pid}" in line
    assert taken(course) == []


def test_whoever_ends_in_an_error_leaves_nothing(course):
    with pytest.raises(ZeroDivisionError), locked(course, NAME, "attn grade self_attention"):
        raise ZeroDivisionError
    assert taken(course) == []


def written_by(course, **facts):
    """A lock's file as a process has left it that no kernel here knows of."""
    file = course.lock(NAME)
    file.parent.mkdir(parents=True)
    gone = replace(lock._ourselves("attn grade self_attention"), **facts)
    file.write_text(json.dumps(asdict(gone)), encoding="utf-8")


def test_a_machine_that_was_started_again_holds_nothing(course):
    written_by(course)  # even where a process of today has the number of then
    (line,) = taken(course)
    assert "taken over" in line


def test_another_machines_lock_stays_and_says_how_to_remove_it(course):
    written_by(course, host="node-7")
    with pytest.raises(LockedError, match="node-7") as refused:
        taken(course, wait=0.5)
    command = str(refused.value).splitlines()[-1].partition("take the lock away: ")[2]
    subprocess.run(command, shell=True, check=True)
    assert taken(course) == []


@pytest.mark.parametrize(
    ("pid", "refuses"), [(os.getppid(), True), (2**22 + 1, False)], ids=["alive", "gone"]
)
def test_where_the_file_system_knows_no_locks_the_process_decides(course, monkeypatch, pid, refuses):
    def unknown(handle, how):
        raise OSError(lock.errno.ENOLCK, "No locks available")

    monkeypatch.setattr(lock.fcntl, "flock", unknown)
    written_by(course, pid=pid)
    if refuses:
        with pytest.raises(LockedError, match=str(pid)):
            taken(course)
    else:
        assert "taken over" in taken(course)[0]


def test_a_folder_that_cannot_be_written_is_said(course, monkeypatch):
    Path(course.root, ".attn").write_text("", encoding="utf-8")
    with pytest.raises(lock.KitError, match="cannot be written"):
        taken(course)
