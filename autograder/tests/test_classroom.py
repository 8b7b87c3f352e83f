"""A classroom on a real JupyterHub: three people, one assignment, from release to feedback and grades."""

import contextlib
import csv
import datetime
import os
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from nbgrader.api import Gradebook
from nbgrader.utils import parse_utc
from playwright.sync_api import expect

from autograder.tests import classroom_attempts as attempts
from autograder.tests import classroom_week as station
from autograder.tests.classroom import classroom, home, hub, set_up
from autograder.tests.classroom_week import EXERCISE
from autograder.tests.jupyter import chromium

pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(1800),  # two environments are installed and four servers started before the first
    pytest.mark.skipif(
        sys.platform != "linux" or os.geteuid() != 0,
        reason="a classroom needs accounts of its own on a Linux machine, and root to make them",
    ),
]


@pytest.fixture(scope="module")
def open_classroom():
    """The classroom, and what closes its Hub."""
    with classroom() as room, contextlib.ExitStack() as stack:
        stack.enter_context(hub(room))
        yield room, stack


@pytest.fixture(scope="module")
def week(open_classroom):
    return station.play(open_classroom[0])


def test_validate_praises_the_good_and_names_the_wrong_step(week):
    good, wrong = week.room.students
    assert "Success" in week.validated[good]
    assert "softmax: 3 of 4" in week.validated[wrong] and "Success" not in week.validated[wrong]


def test_the_gradebook_has_steps_in_part_and_points_by_hand(week):
    good, wrong = week.room.students
    url = f"sqlite:///{week.room.course / 'gradebook.db'}"
    with Gradebook(url, "attention") as gradebook:
        scores = {each.student.id: each.score for each in gradebook.assignment_submissions(EXERCISE)}
    assert scores[good] == 23 and round(scores[wrong], 2) == 22.56
    assert sorted(round(float(points), 2) for points in week.softmax) == [3.56, 4]


def test_grading_was_walled_in_as_an_ordinary_user(week):
    """The Hub runs as root; the instructor's server, and so the grading, does not."""
    owner = (week.room.course / "gradesheets").stat().st_uid
    assert owner == home(week.room.instructor).stat().st_uid != 0
    jail = week.room.run(week.room.instructor, "attn", "jail")
    assert jail.returncode == 0 and "none got through" in jail.stdout


def test_feedback_reaches_each_student_and_says_what_is_wrong(week):
    good, wrong = week.room.students
    assert "23 / 24 points" in week.feedback[good]
    assert "subtract each row's maximum first" in week.feedback[wrong]
    assert "subtract each row's maximum first" not in week.feedback[good]
    assert "Also here" not in week.feedback[good]  # the self-check's own memory is nobody's work


def test_grades_are_exported(week):
    done = week.room.run(week.room.instructor, "nbgrader", "export", "--to=grades.csv", cwd=week.room.course)
    assert done.returncode == 0, done.stderr
    with (week.room.course / "grades.csv").open(encoding="utf-8", newline="") as table:
        rows = {row["student_id"]: float(row["score"]) for row in csv.DictReader(table)}
    assert sorted(rows) == sorted(week.room.students) and max(rows.values()) == 23


@pytest.mark.parametrize("what", attempts.CLOSED)
def test_a_student_cannot_look_into(week, what):
    path = attempts.CLOSED[what](week.room)
    assert path.exists()
    done = week.room.run(week.room.students[1], "python", "-c", attempts.READ, str(path))
    assert done.returncode != 0 and "PermissionError" in done.stderr and not done.stdout


@pytest.mark.parametrize("what", attempts.CLOSED | attempts.FIXED)
def test_a_student_cannot_change(week, what):
    path = (attempts.CLOSED | attempts.FIXED)[what](week.room)
    assert path.exists()
    done = week.room.run(week.room.students[1], "python", "-c", attempts.CHANGE, str(path))
    assert done.returncode == 0 and not done.stdout.split(), done.stdout + done.stderr


def test_a_student_cannot_list_what_others_handed_in(week):
    assert list(week.room.inbound.iterdir())
    done = week.room.run(week.room.students[1], "ls", str(week.room.inbound))
    assert done.returncode != 0 and not done.stdout


def test_the_hub_opens_no_door_of_anothers(week):
    room = week.room
    other, student = room.students
    names = {"INSTRUCTOR": room.instructor, "OTHER": other}
    with chromium() as browser:
        page = station.log_in(browser, room, student, "lab")
        answers = {}
        for door in attempts.DOORS:
            for name, person in names.items():
                door = door.replace(name, person)
            answers[door] = page.request.get(f"{room.address}{door}").status
        assert page.request.get(f"{room.address}/user/{student}/api/contents").status == 200
    assert {door: status for door, status in answers.items() if status not in (403, 404)} == {}


def test_a_server_lets_in_nobody_who_comes_past_the_proxy(week):
    """Its own port, which any process of this machine reaches, asks for the Hub's word too."""
    log = (week.room.root / "hub" / "log").read_text(encoding="utf-8")
    port = re.findall(rf"Adding route /user/{week.room.instructor} -> http://127.0.0.1:(\d+)", log)[-1]
    for address in (
        f"http://127.0.0.1:{port}/user/{week.room.instructor}/api/contents/attention/gradebook.db",
        f"http://127.0.0.1:{week.room.port + 1}/api/routes",
        f"http://127.0.0.1:{week.room.port + 2}/hub/api/users",
    ):
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(address, timeout=30)


def test_what_students_can_read_holds_no_hidden_part_of_the_kit(week, tmp_path):
    room = week.room
    release = room.inbound.with_name("outbound") / EXERCISE
    released = "\n".join(file.read_text(encoding="utf-8", errors="replace") for file in release.rglob("*.*"))
    words = tmp_path / "words"
    words.write_text("\n".join(attempts.hidden_texts(released)) + "\n", encoding="utf-8")
    looking = attempts.looking_for_it(words, room.root, home(room.instructor), home(room.students[0]))
    for folder in (tmp_path, *list(tmp_path.parents)[:2]):
        folder.chmod(0o755)
    there = subprocess.run(looking, capture_output=True, text=True, check=False).stdout.split("\n")
    assert any("/staff/" in name for name in there) and any("/attention/source/" in name for name in there)
    found = room.run(room.students[1], *looking)
    assert "Permission denied" in found.stderr and not found.stdout


def test_a_student_has_no_kit_to_import(week):
    done = week.room.run(week.room.students[1], "python", "-c", "import autograder")
    assert "No module named 'autograder'" in done.stderr
    packages = week.room.run(week.room.students[1], "python", "-m", "site").stdout
    assert "/staff/" not in packages


def test_work_in_anothers_name_changes_nothing_of_theirs(week):
    room = week.room
    theirs = room.course / "submitted" / room.students[0] / EXERCISE
    before = {file.name: file.read_bytes() for file in theirs.iterdir() if file.is_file()}
    attempts.hand_in(room, f"{room.students[0]}+{EXERCISE}+{attempts.LATEST}+x")
    assert f"in the name of {room.students[0]}" in attempts.collected(room)
    assert {file.name: file.read_bytes() for file in theirs.iterdir() if file.is_file()} == before


def test_names_with_a_path_in_them_lead_nowhere(week):
    room = week.room
    names = (
        f"..+{EXERCISE}+{attempts.LATEST}+x",
        f".attn+{EXERCISE}+{attempts.LATEST}+x",
        f"a\n..+{EXERCISE}+{attempts.LATEST}+x",
    )
    for name in names:
        attempts.hand_in(room, name)
    before = sorted(path.name for path in room.course.iterdir())
    attempts.collected(room)
    assert sorted(path.name for path in room.course.iterdir()) == before
    assert {path.name for path in (room.course / "submitted").iterdir()} == set(room.students)


def test_links_in_a_submission_are_reported_and_never_followed(week):
    """Whoever collects could read where they lead: the seed, the gradebook, the whole course."""
    room = week.room
    course, student = room.course, room.students[1]
    attempts.hand_in(
        room,
        f"{student}+{EXERCISE}+2098-01-01 00:00:00.000000 UTC+x",
        f"ln -sf {course}/gradebook.db notes.txt",
        f"ln -sf {course}/source/{EXERCISE}/{EXERCISE}.ipynb {EXERCISE}.py",
        f"ln -s {course} data",
        f"ln -s {course}/.attn/seed seed",
    )
    log = attempts.collected(room)
    assert "refused, since no regular files: ['data', 'notes.txt', 'seed', 'self_attention.py']" in log
    names = {path.name for path in (course / "submitted" / student / EXERCISE).rglob("*")}
    assert names == {f"{EXERCISE}.ipynb", "timestamp.txt"}


def test_a_time_before_the_deadline_does_not_make_late_work_early(week):
    room = week.room
    student = room.students[1]
    due = ("nbgrader", "db", "assignment", "add", EXERCISE, "--duedate=2026-01-31 12:00:00 UTC")
    assert room.run(room.instructor, *due, cwd=room.course).returncode == 0
    for folder in (*room.inbound.glob(f"{student}+*"), room.course / "submitted" / student):
        shutil.rmtree(folder)
    early = "2026-01-31 11:59:59.000000 UTC"
    attempts.hand_in(room, f"{student}+{EXERCISE}+{early}+x", f"echo {early} > timestamp.txt")
    assert "after its deadline" in attempts.collected(room)
    stamp = room.course / "submitted" / student / EXERCISE / "timestamp.txt"
    arrived = parse_utc(stamp.read_text(encoding="utf-8"))
    assert abs(arrived - datetime.datetime.now(datetime.UTC).replace(tzinfo=None)).total_seconds() < 3600


def test_several_graders_share_a_formgrader_that_students_cannot_open(open_classroom, week):
    room, stack = open_classroom
    stack.close()
    set_up(room, "Several graders")
    stack.enter_context(hub(room))
    with chromium() as browser:
        teacher = station.log_in(browser, room, room.instructor, "lab")
        teacher.goto(f"{room.address}/services/attention/formgrader")
        station.press(teacher, "collect", "service-collected")
        student = station.log_in(browser, room, room.students[0], "lab")
        assert student.goto(f"{room.address}/services/attention/formgrader").status == 403
        student.goto(f"{room.address}/user/{room.students[0]}/lab")
        station.open_list(student)
        expect(station.listed(student, "submitted").first).to_be_visible()
