"""Which process grades whom decides nothing, and neither a killed worker nor a busy machine costs a grade."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
import weakref
from concurrent.futures import Future
from functools import partial

import pytest

from autograder.grade import classes, pools
from autograder.grade import grade as grading
from autograder.tests.grading import GOOD, small_class, submit

grade_class = partial(classes.grade_class, walls="none")  # quick; all work here is our own
PROGRAM = """
import sys
from pathlib import Path
from autograder.grade.classes import grade_class
from autograder.layout import Course

if __name__ == "__main__":
    grade_class(Course(Path(sys.argv[1])), "two_steps", walls="none")
"""


@pytest.fixture
def course(tmp_path):
    return small_class(tmp_path)


def sheets(course):
    return {file.parent.name: file.read_bytes() for file in course.root.glob("gradesheets/*/two_steps.json")}


def test_a_killed_worker_costs_no_grade(course):
    for number in range(30):
        submit(course, f"s{number:02}", GOOD)
    grade_class(course, "two_steps", workers=1)
    before, killed = sheets(course), []

    def kill(done, of, sheet):
        if not killed:
            killed.extend(child.pid for child in multiprocessing.active_children())
            for pid in killed:
                os.kill(pid, signal.SIGKILL)

    graded = grade_class(course, "two_steps", force=True, workers=2, progress=kill)
    assert killed
    assert [sheet.student for sheet in graded] == grading.students_with_work(course, "two_steps")
    assert sheets(course) == before


def test_whom_the_machine_was_too_busy_for_is_graded_once_more(course, monkeypatch):
    sit, tried = grading.Proctor.sit, []

    def busy(self, submission):
        tried.append(submission.student)
        steps, _ = sit(self, submission)
        return steps, tried.count(submission.student) == 1 and submission.student == "bob"

    monkeypatch.setattr(grading.Proctor, "sit", busy)
    grade_class(course, "two_steps")
    assert {name: tried.count(name) for name in tried} == {name: 1 + (name == "bob") for name in tried}
    assert len(tried) == 7


def test_a_small_class_is_not_spread(course):
    order = pools.Order(course, "two_steps", walls="none")
    with pools.each(order, ["ann"], None) as run:
        assert run.workers == 1
    with pools.each(order, ["ann"], 8) as run:
        assert run.workers == 1
    assert pools.cores() >= 1


def test_a_run_that_is_killed_at_any_moment_is_finished_by_the_next(course, tmp_path):
    grade_class(course, "two_steps")
    undisturbed = sheets(course)
    program = tmp_path / "run.py"
    program.write_text(PROGRAM, encoding="utf-8")
    for written in (0, 1, 3, 5):
        for file in course.root.glob("gradesheets/*/two_steps.json"):
            file.unlink()
        process = subprocess.Popen([sys.executable, str(program), str(course.root)])
        while len(sheets(course)) < written and process.poll() is None:
            time.sleep(0.01)
        process.kill()
        process.wait()
        assert set(sheets(course).items()) <= set(undisturbed.items())
        grade_class(course, "two_steps")
        assert sheets(course) == undisturbed


class Result:
    """What a worker gives back."""


def test_of_a_large_class_only_a_few_results_are_held_at_a_time():
    held = weakref.WeakSet()

    class Pool:
        def submit(self, function, student):
            future, result = Future(), Result()
            held.add(result)
            future.set_result(result)
            return future

    most, told = 0, []
    for student, future in pools._submitted(Pool(), map(str, range(2000))):
        future.result()
        told.append(student)
        most = max(most, len(held))
        del future
    assert sorted(told, key=int) == [str(number) for number in range(2000)]
    assert most <= pools.AHEAD
