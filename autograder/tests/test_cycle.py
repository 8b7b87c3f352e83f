"""One command does the weekly loop; done again at once it does nothing, and no version of a work is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.grade.files import read_sheet
from autograder.lock import locked
from autograder.record.cycle import Cycle, cycle
from autograder.record.versions import kept, lost
from autograder.tests.weekly import GOOD, NAME, SQUARES, lie, mend, points, small_exchange, submit

PARTLY = GOOD.replace("return x + x", "x += x\n    return x")  # changes its argument


@pytest.fixture
def course(tmp_path):
    return small_exchange(tmp_path / "course")


def once(course, **how):
    done = cycle(course, NAME, walls="none", **how)
    assert not done.faults
    return done


def feedback(course):
    """The pages that students can fetch."""
    return {file.name: file.read_bytes() for file in (course.root / "exchange/mini/feedback").glob("*.html")}


def test_what_is_handed_in_is_graded_recorded_and_answered_and_then_there_is_nothing_to_do(course, tmp_path):
    submit(course, "ann", GOOD, tmp_path)
    submit(course, "bob", SQUARES, tmp_path)
    done = once(course)
    assert done == Cycle(collected=2, graded=2, recorded=2, given=2)
    assert done.line(NAME) == f"{NAME}: 2 collected, 2 graded, 2 recorded, feedback for 2"
    assert points(course) == {"ann": 5, "bob": 3} and len(feedback(course)) == 2
    before = written(course)
    assert once(course) == Cycle() and not Cycle().line(NAME)
    changed = {file for file, time in written(course).items() if before.get(file) != time}
    assert changed <= {"gradesheets/run.json", f".attn/standing/{NAME}.json", ".nbgrader.log"}


def written(course):
    """When each file of the course was written last."""
    files = (file for file in course.root.rglob("*") if file.is_file())
    return {str(file.relative_to(course.root)): file.stat().st_mtime_ns for file in files}


def test_the_last_counts_and_the_one_before_is_kept(course, tmp_path):
    submit(course, "ann", GOOD, tmp_path)
    once(course)
    submit(course, "ann", SQUARES, tmp_path)
    assert once(course) == Cycle(collected=1, graded=1, recorded=1, given=1)
    assert points(course) == {"ann": 3} and len(feedback(course)) == 2
    assert [(v / f"{NAME}.py").read_text("utf-8") for v in kept(course, NAME, "ann")] == [GOOD, SQUARES]


@pytest.fixture
def best(tmp_path):
    return small_exchange(tmp_path / "best", 'c.Attn.counts = "best"')


def test_the_best_counts_for_gradebook_gradesheet_and_feedback_alike(best, tmp_path):
    submit(best, "ann", SQUARES, tmp_path)
    once(best)
    submit(best, "ann", GOOD, tmp_path)
    assert once(best).recorded == 1 and points(best) == {"ann": 5}
    submit(best, "ann", "def double(x): pass", tmp_path)
    assert once(best) == Cycle(collected=1, graded=1)
    assert points(best) == {"ann": 5} and read_sheet(best.gradesheet("ann", NAME)).earned == 5
    assert (best.submitted("ann", NAME) / f"{NAME}.py").read_text("utf-8") == GOOD
    assert once(best) == Cycle()  # the worse one is not collected again and again
    assert len(kept(best, NAME, "ann")) == 3


def test_the_best_by_the_checks_of_today(best):
    lie(best, "ann", PARTLY, "2026-03-01 12:00:00 UTC")
    once(best)
    first = points(best)["ann"]
    lie(best, "ann", SQUARES, "2026-03-02 12:00:00 UTC")
    once(best)
    assert points(best)["ann"] == first > 3
    mend(best)  # now the two are worth the same, and the newest of equals counts
    once(best)
    assert (best.submitted("ann", NAME) / f"{NAME}.py").read_text("utf-8") == SQUARES


def test_a_run_that_died_as_it_put_a_version_back_loses_nothing(best):
    lie(best, "ann", GOOD)
    once(best)
    best.submitted("ann", NAME).rename(best.submitted("ann", NAME).with_name(f".{NAME}.old"))
    assert lost(best, NAME) == ["ann"]
    once(best)
    assert (best.submitted("ann", NAME) / f"{NAME}.py").read_text("utf-8") == GOOD


def test_a_student_has_so_many_feedbacks_a_day_and_the_rest_tomorrow(tmp_path):
    course = small_exchange(tmp_path / "course", "c.Attn.feedbacks_a_day = 2")
    done = []
    for number in range(3):
        lie(course, "ann", f"{GOOD}# {number}\n")
        done.append(once(course, today="2026-03-01"))
    assert [(one.given, one.waiting) for one in done] == [(1, 0), (1, 0), (0, 1)]
    assert "1 wait for tomorrow" in done[2].line(NAME) and done[2].recorded == 1
    assert not once(course, today="2026-03-01").line(NAME)
    assert once(course, today="2026-03-02").given == 1


def test_a_mended_suite_changes_no_mark_until_a_teacher_accepts(course, monkeypatch, capsys):
    lie(course, "ann", PARTLY)
    once(course)
    before = points(course)
    mend(course)
    done = once(course)
    assert (done.graded, done.held, done.recorded) == (1, 1, 0) and points(course) == before
    assert f"attn diff {NAME}" in done.line(NAME)
    assert not once(course).line(NAME)
    monkeypatch.chdir(course.root)
    assert main(["record", NAME, "--accept"]) == 0
    assert points(course) != before and once(course).given == 1


def test_without_an_exchange_what_lies_in_submitted_goes_the_same_way(course):
    (course.root / "exchange/mini/inbound").rename(course.root / "inbound")
    lie(course, "ann", GOOD)
    assert once(course) == Cycle(graded=1, recorded=1, given=1)


def test_a_course_in_which_nobody_has_handed_in_is_left_in_peace(course):
    assert once(course) == Cycle()


def attn(course, *words):
    program = Path(sys.executable).with_name("attn")
    done = subprocess.run(
        [program, *words], cwd=course.root, capture_output=True, text=True, env=os.environ, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_from_cron_it_says_one_line_or_nothing_also_while_another_runs(course):
    lie(course, "ann", GOOD)
    with locked(course, NAME, "attn grade two_steps"):
        assert attn(course, "cycle", NAME, "--unsafe") == (0, "", "")
        status, _, said = attn(course, "grade", NAME)
        assert status == 1 and "attn grade two_steps" in said and "--wait" in said
    assert attn(course, "cycle", NAME, "--unsafe") == (
        0,
        f"{NAME}: 1 graded, 1 recorded, feedback for 1\n",
        "",
    )
    assert attn(course, "cycle", NAME, "--unsafe") == (0, "", "")
    assert json.loads(course.run_record.read_bytes())[NAME]["unchanged"] == 1
