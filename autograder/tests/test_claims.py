"""Whose a hand-in is and when it last changed, by what its student cannot write."""

import datetime
import getpass
import os

import pytest

from autograder.record import claims, classroom
from autograder.record.classroom import collect
from autograder.record.exchange import arrival
from autograder.tests.classes import EXERCISE, released
from autograder.tests.test_exchange import arrived, inbound

NOBODY = 65534
LONG_AGO = datetime.datetime(2026, 3, 1, 12)
NAMED = f"{LONG_AGO} UTC"


@pytest.fixture
def course(tmp_path):
    return released(tmp_path)


@pytest.fixture
def collected_by_another(monkeypatch):
    """As if the folders that this person makes were a student's, and somebody else collected."""
    monkeypatch.setattr(claims.os, "geteuid", lambda: NOBODY)


def made_by_a_student(folder):
    """The folder of an ordinary user: ours, or nobody's where we are root, who may hand in for anyone."""
    if os.getuid() == 0:
        os.chown(folder, 1, 1)
    return claims.pwd.getpwuid(folder.lstat().st_uid).pw_name


def test_a_folder_is_its_owners_whatever_it_is_called(tmp_path, collected_by_another):
    owner = made_by_a_student(tmp_path)
    assert claims.maker(tmp_path, owner) == ""
    assert claims.maker(tmp_path, "ada") == owner


def test_whoever_collects_may_hand_in_for_a_student(tmp_path):
    assert claims.maker(tmp_path, f"not-{getpass.getuser()}") == ""


def test_a_folder_that_is_gone_is_nobodys(tmp_path):
    assert claims.maker(tmp_path / "gone", "ada") == ""


def test_work_in_anothers_name_is_refused_and_does_not_hide_theirs(course, collected_by_another):
    honest = inbound(course, f"{made_by_a_student(course.root)}+{EXERCISE}+{NAMED}+abc")
    made_by_a_student(honest)
    made_by_a_student(inbound(course, f"ada+{EXERCISE}+2099-01-01 00:00:00 UTC+abc"))
    log = collect(course, EXERCISE)
    assert arrived(course) == [claims.pwd.getpwuid(honest.stat().st_uid).pw_name]
    assert "in the name of ada" in log


def with_deadline(course, due):
    with classroom.opened(course) as api, api.gradebook as gradebook:
        gradebook.update_or_create_assignment(EXERCISE, duedate=due)


def now():
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)


def test_a_name_that_tells_of_an_earlier_day_does_not_make_it_one(course):
    """The folder was made just now, after the deadline, and says that it was made before."""
    with_deadline(course, LONG_AGO + datetime.timedelta(days=1))
    inbound(course, f"ada+{EXERCISE}+{NAMED}+abc")
    log = collect(course, EXERCISE)
    assert now() - arrival(course.submitted("ada", EXERCISE)) < datetime.timedelta(hours=1)
    assert "after its deadline" in log


def test_a_restored_exchange_can_be_trusted(course):
    with_deadline(course, LONG_AGO + datetime.timedelta(days=1))
    with (course.root / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write("c.Collect.trust_times = True\n")
    inbound(course, f"ada+{EXERCISE}+{NAMED}+abc")
    collect(course, EXERCISE)
    assert arrival(course.submitted("ada", EXERCISE)) == LONG_AGO


@pytest.mark.parametrize("due", [None, now() + datetime.timedelta(days=1), LONG_AGO - datetime.timedelta(1)])
def test_a_change_that_crosses_no_deadline_changes_no_time(tmp_path, due):
    assert claims.changed_late(tmp_path, LONG_AGO, due) is None


def test_a_hand_in_that_goes_away_stops_nobody(course, monkeypatch):
    """As a student does who removes the folder between the collector's first look and the copying."""
    gone = inbound(course, f"ada+{EXERCISE}+{NAMED}+abc")
    inbound(course, f"bob+{EXERCISE}+{NAMED}+abc")
    stat = os.stat

    def vanished(path, *rest, **more):
        if str(path) == str(gone):
            raise FileNotFoundError(2, "gone", str(gone))
        return stat(path, *rest, **more)

    monkeypatch.setattr("nbgrader.exchange.default.collect.os.stat", vanished)
    assert "Not collected" in collect(course, EXERCISE)
    assert "bob" in arrived(course)
