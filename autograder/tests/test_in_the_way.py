"""A full disk, a gradebook that is held, a folder that is read-only: told, nothing lost, and it goes on."""

import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.grade.classes import grade_class
from autograder.record.gradebook import record
from autograder.tests.weekly import GOOD, NAME, SQUARES, lie, points, small_exchange

LATE = ('c.LateSubmissionPlugin.penalty_method = "zero"',)
HELD = 7  # seconds; SQLite's own patience ends after 5


@pytest.fixture
def course(tmp_path):
    course = small_exchange(tmp_path / "course", *LATE)
    for student, source in {"ann": GOOD, "bob": SQUARES}.items():
        lie(course, student, source)
    return course


def attn(course, *words, limit=None, around=()):
    """The command in a process that may write files of so many bytes alone."""
    program = str(Path(sys.executable).with_name("attn"))
    script = 'ulimit -f "$0"; exec "$@"' if limit is not None else 'exec "$@"'
    command = ["bash", "-c", script, str((limit or 0) // 1024), *around, program, *words]
    done = subprocess.run(
        command, cwd=course.root, capture_output=True, text=True, env=os.environ, check=False
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def test_a_disk_without_room_for_a_gradesheet_is_told_and_the_same_command_goes_on(course):
    status, _, said = attn(course, "grade", NAME, "--unsafe", limit=1024)
    assert status == 1 and "cannot be written" in said and "same command again" in said
    assert not list(course.root.glob("gradesheets/*/*.part"))
    status, out, _ = attn(course, "grade", NAME, "--unsafe")
    assert status == 0 and "2 graded" in out


def test_a_disk_without_room_for_the_gradebook_loses_nothing(course):
    grade_class(course, NAME, walls="none")
    record(course, NAME, ["ann"])
    before = points(course)
    file = course.root / "gradebook.db"
    for number in range(60):  # so many that the file must grow
        lie(course, f"s{number:02}", GOOD)
    grade_class(course, NAME, walls="none")
    status, _, said = attn(course, "record", NAME, limit=file.stat().st_size)
    assert status == 1 and "gradebook" in said and "run the same command again" in said
    assert points(course) == before
    status, out, _ = attn(course, "record", NAME)
    assert status == 0 and "62 of 62 recorded" in out
    assert len(points(course)) == 62


def test_a_person_who_holds_the_gradebook_for_long_makes_no_recording_fail(course):
    """Also where a penalty is worked out, which is nbgrader's own code with a connection of its own."""
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate="2026-02-28 12:00:00 UTC")
    grade_class(course, NAME, walls="none")
    with closing(sqlite3.connect(course.root / "gradebook.db", check_same_thread=False)) as person:
        person.execute("begin immediate")
        letting_go = threading.Timer(HELD, person.rollback)
        letting_go.start()
        done = record(course, NAME)
        letting_go.join()
    assert [one.fault for one in done] == ["", ""]
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        assert gradebook.find_submission(NAME, "ann").late_submission_penalty == 5


def test_our_writing_holds_nobody_up(course, monkeypatch):
    """Between two of our batches, and while notebooks are written, a person can write at once."""
    from autograder.record.writing import Writer

    grade_class(course, NAME, walls="none")
    free, write = [], Writer._write

    def someone_else_writes(self, *about):
        with closing(sqlite3.connect(course.root / "gradebook.db", timeout=0)) as person:
            person.execute("begin immediate")
            person.rollback()
            free.append(True)
        write(self, *about)

    monkeypatch.setattr(Writer, "_write", someone_else_writes)
    record(course, NAME)
    assert free == [True, True]


@pytest.mark.system  # bubblewrap makes the folder one that not even root can write
@pytest.mark.parametrize("words", [("grade", NAME), ("record", NAME), ("feedback", NAME), ("cycle", NAME)])
def test_a_folder_that_cannot_be_written_is_named(course, words):
    root = str(course.root)
    around = ("bwrap", "--dev-bind", "/", "/", "--ro-bind", root, root, "--chdir", root)
    status, _, said = attn(course, *words, around=around)
    assert status == 1 and root in said and "cannot be written" in said
