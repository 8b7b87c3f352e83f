"""Copies of the gradebook: one before each recording, whole, private and bounded."""

import sqlite3
from contextlib import closing

import pytest

from autograder.record.backup import KEPT, back_up, database_file
from autograder.record.course import init
from autograder.record.gradebook import record
from autograder.tests import classes
from autograder.tests.classes import EXERCISE, hand_in


def dump(file):
    """All that a database says."""
    with closing(sqlite3.connect(file)) as database:
        return list(database.iterdump())


def test_each_recording_begins_with_a_copy(tmp_path):
    course = classes.released(tmp_path)
    hand_in(course, "ada", classes.stub(course))
    before = dump(course.root / "gradebook.db")
    record(course, EXERCISE)
    (copy,) = (course.private / "backups").glob("*.db")
    assert dump(copy) == before != dump(course.root / "gradebook.db")
    assert copy.stat().st_mode & 0o777 == 0o600


def test_the_copies_are_bounded_and_the_newest_stay(tmp_path):
    course = init(tmp_path).course
    database = course.root / "gradebook.db"
    for number in range(KEPT + 5):
        with closing(sqlite3.connect(database)) as opened_database:
            opened_database.execute(f"create table t{number} (x)")
        newest = back_up(course, f"sqlite:///{database}")
    copies = sorted((course.private / "backups").iterdir())
    assert len(copies) == KEPT and copies[-1] == newest and dump(newest) == dump(database)


def test_an_unchanged_gradebook_is_not_copied_twice(tmp_path):
    course = classes.released(tmp_path)
    assert back_up(course, f"sqlite:///{course.root / 'gradebook.db'}") == back_up(
        course, f"sqlite:///{course.root / 'gradebook.db'}"
    )


@pytest.mark.parametrize("server", ["postgresql+psycopg://db/course", "sqlite://"])
def test_a_database_server_has_backups_of_its_own(tmp_path, server):
    assert database_file(server) is None and back_up(init(tmp_path).course, server) is None
