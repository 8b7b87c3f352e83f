"""The gradebook at a PostgreSQL server: the same facts as in a file, and the same rows."""

import random
import shutil
import sys
import time
from contextlib import closing

import psycopg
import pytest

from autograder.author.doctor.opens import still_open
from autograder.author.submitted import SUBMITTED, asked
from autograder.record.gradebook import RecordError, record, statuses
from autograder.record.opening import opened
from autograder.tests import classes, test_gradebook, test_statuses
from autograder.tests.classes import EXERCISE, hand_in
from autograder.tests.postgresql import server as start
from autograder.tests.states import everybody
from autograder.tests.test_gradebook import books, rows
from autograder.tests.test_interrupted import killed_after

pytestmark = pytest.mark.system
MOMENTS = 10
in_a_file = classes.released
OF_A_FILE = "test_a_gradebook_that_is_held_is_an_error_and_nothing_is_lost"
for module in (test_gradebook, test_statuses):
    globals().update({name: fact for name, fact in vars(module).items() if name.startswith("test_")})
del globals()[OF_A_FILE]


@pytest.fixture(scope="module")
def server():
    with start() as running:
        yield running


@pytest.fixture(scope="module", autouse=True)
def template(server, tmp_path_factory):
    """Every course has its gradebook at the server, in a database of its own: a copy of this one."""
    template = server.database()
    course = move(in_a_file(tmp_path_factory.mktemp("first")), server, template)
    with opened(course) as api:
        assert api.generate_assignment(EXERCISE)["success"]

    def released(folder):
        return move(in_a_file(folder), server, server.database(template))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classes, "released", released)
        yield template


def move(course, server, name):
    (course.root / "gradebook.db").unlink()
    with (course.root / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(f"c.CourseDirectory.db_url = {server.url(name)!r}\n")
    return course


@pytest.fixture(scope="module")
def course(template, tmp_path_factory):
    """A class in every state, recorded once."""
    course = everybody(tmp_path_factory.mktemp("class"))
    record(course, EXERCISE)
    return course


def test_the_rows_are_those_of_a_file(course, tmp_path, monkeypatch):
    monkeypatch.setattr(classes, "released", in_a_file)
    other = everybody(tmp_path)
    record(other, EXERCISE)
    assert not list(course.root.glob("gradebook.db*")) and list(other.root.glob("gradebook.db"))
    assert {(row[0], *row[2:]) for row in rows(course)} == {(row[0], *row[2:]) for row in rows(other)}
    assert books(course) == books(other)


def test_a_table_that_another_holds_is_an_error_and_nothing_is_lost(tmp_path, monkeypatch):
    course = classes.released(tmp_path)
    hand_in(course, "ada", classes.solved(course))
    record(course, EXERCISE)
    before = rows(course)
    monkeypatch.setattr("autograder.record.gradebook.BUSY_SECONDS", 0)
    hand_in(course, "ada", classes.solved(course, classes.wrong))
    with closing(psycopg.connect(classes.url(course))) as holder:
        holder.execute("LOCK TABLE grade, submitted_assignment IN ACCESS EXCLUSIVE MODE")
        for command in (record, statuses):
            with pytest.raises(RecordError, match="run the same command again"):
                command(course, EXERCISE)
    assert rows(course) == before
    record(course, EXERCISE)
    assert rows(course) != before


def test_a_recording_that_is_killed_at_any_moment_is_finished_by_the_next(tmp_path, server, template):
    course = classes.released(tmp_path)
    for number, work in enumerate((classes.solved(course), classes.solved(course, classes.wrong)) * 2):
        hand_in(course, f"s{number}", work)
    record(course, EXERCISE)  # and graded
    began = time.monotonic()
    record(course, EXERCISE)
    whole, undisturbed = time.monotonic() - began, (rows(course), books(course))
    name, draw = classes.url(course).split("/")[3].split("?")[0], random.Random(2017)
    for _ in range(MOMENTS):
        shutil.rmtree(course.root / "autograded")
        server.order(f"DROP DATABASE {name} WITH (FORCE)")
        server.order(f"CREATE DATABASE {name} TEMPLATE {template}")
        killed_after(course, draw.uniform(0, whole))
        record(course, EXERCISE)
        assert (rows(course), books(course)) == undisturbed


def test_what_the_author_asks_of_the_gradebook_is_answered(course):
    assert ("softmax",) in asked(course, SUBMITTED, EXERCISE)
    assert "not graded" in still_open(course, EXERCISE)
    with opened(course) as api, api.gradebook as gradebook:
        gradebook.update_or_create_assignment(EXERCISE, duedate="2100-01-02 12:00:00 UTC")
    assert "2100-01-02 12:00" in still_open(course, EXERCISE)


def test_without_the_driver_the_command_that_installs_it_is_named(course, monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(RecordError, match=r"pip install 'self-attention-kit\[postgresql\]'"):
        record(course, EXERCISE)
