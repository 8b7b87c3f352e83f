"""A recording that is killed at any moment, or spoilt by one entry, is mended by the next."""

import os
import random
import shutil
import signal
import sqlite3
import time
from contextlib import closing

import pytest
from nbgrader.api import Gradebook
from sqlalchemy.exc import IntegrityError

from autograder.grade.files import read_sheet
from autograder.grade.grade import Graded
from autograder.record.along import Along
from autograder.record.gradebook import RecordError, record
from autograder.record.rows import Entry, Rows
from autograder.tests import classes
from autograder.tests.classes import EXERCISE, hand_in
from autograder.tests.test_gradebook import books, rows, url

MOMENTS = 20


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A class whose work is graded, and not recorded yet."""
    course = classes.released(tmp_path_factory.mktemp("class"))
    for number, work in enumerate((classes.solved(course), classes.solved(course, classes.wrong)) * 2):
        hand_in(course, f"s{number}", work)
    shutil.copy(course.root / "gradebook.db", course.root / "before.db")
    record(course, EXERCISE)
    return course


def unrecorded(course):
    for file in course.root.glob("gradebook.db*"):
        file.unlink()
    shutil.copy(course.root / "before.db", course.root / "gradebook.db")
    shutil.rmtree(course.root / "autograded", ignore_errors=True)


def killed_after(course, seconds):
    """A recording in a process of its own that ends without a chance to tidy up."""
    pid = os.fork()
    if pid == 0:
        try:
            record(course, EXERCISE)
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def test_a_recording_that_is_killed_at_any_moment_is_finished_by_the_next(course):
    unrecorded(course)
    began = time.monotonic()
    record(course, EXERCISE)
    whole, undisturbed = time.monotonic() - began, (rows(course), books(course))
    draw = random.Random(2017)
    for _ in range(MOMENTS):
        unrecorded(course)
        killed_after(course, draw.uniform(0, whole))
        record(course, EXERCISE)
        assert (rows(course), books(course)) == undisturbed
        assert not [file for file in course.root.glob("autograded/**/*") if file.name.endswith(".part")]


def sheets(course):
    return [read_sheet(course.gradesheet(f"s{number}", EXERCISE)) for number in range(4)]


def columns(course, table):
    with closing(sqlite3.connect(course.root / "gradebook.db")) as database:
        names = [row[1] for row in database.execute(f"pragma table_info({table})")]
        kept = ", ".join(name for name in names if name != "id" and not name.endswith("notebook_id"))
        return sorted(map(repr, database.execute(f"select {kept} from {table}")))


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # of how nbgrader adds a row
def test_new_rows_are_those_that_nbgraders_api_adds(course):
    """Every column, but for scores, comments and the ids that nbgrader draws."""
    found = []
    for add in ("ours", "theirs"):
        unrecorded(course)
        with Gradebook(url(course)) as gradebook:
            if add == "ours":
                made = Rows(gradebook, EXERCISE)
                made.write([Entry("new", None, {}, {})])
            else:
                gradebook.update_or_create_student("new")
                gradebook.update_or_create_submission(EXERCISE, "new")
        found.append([columns(course, table) for table in ("student", "grade", "comment")])
        with closing(sqlite3.connect(course.root / "gradebook.db")) as database:
            parts = "flagged, late_submission_penalty from submitted_notebook"
            found[-1].append(database.execute(f"select {parts}").fetchall())
            parts = "student_id, timestamp, extension from submitted_assignment"
            found[-1].append(database.execute(f"select {parts}").fetchall())
    assert found[0] == found[1] and found[0][1]


def test_one_entry_that_cannot_be_written_spoils_no_other(course, monkeypatch):
    unrecorded(course)
    write = Rows.write

    def spoilt(self, entries):
        if any(entry.student == "s2" for entry in entries):
            raise IntegrityError("insert", {}, ValueError("spoilt"))
        write(self, entries)

    monkeypatch.setattr(Rows, "write", spoilt)
    done = record(course, EXERCISE)
    assert [(one.student, bool(one.fault)) for one in done] == [(f"s{n}", n == 2) for n in range(4)]
    with Gradebook(url(course)) as gradebook:
        assert {row.student_id for row in gradebook.find_assignment(EXERCISE).submissions} == {
            *("s0", "s1", "s3")
        }


def test_a_gradebook_that_cannot_be_written_stops_no_grading(course):
    unrecorded(course)
    with Gradebook(url(course)) as gradebook:
        gradebook.remove_assignment(EXERCISE)
    with Along(course, EXERCISE) as along:
        for one in sheets(course):
            along.add(Graded(one))
    with pytest.raises(RecordError, match="Release it first"):
        along.recorded()


def test_a_class_recorded_while_it_is_graded_is_as_if_recorded_after(course):
    unrecorded(course)
    record(course, EXERCISE)
    after = rows(course), books(course)
    unrecorded(course)
    with Along(course, EXERCISE) as along:
        for sheet in reversed(sheets(course)):
            along.add(Graded(sheet))
    assert [one.student for one in along.recorded()] == [f"s{number}" for number in range(4)]
    assert (rows(course), books(course)) == after
