"""A week of a course by nbgrader's own commands, in a course of `attn init` outside the clone.

The commands run in this process, since each start takes seconds; one is started for real.
"""

import contextlib
import csv
import subprocess
import sys
import warnings
from pathlib import Path

import nbformat
import pytest
from jupyter_core.application import NoStart
from nbformat.warnings import DuplicateCellId, MissingIDFieldWarning
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderApp
from nbgrader.validator import Validator
from sqlalchemy.exc import SAWarning

from autograder.author.build import build
from autograder.record.course import init
from autograder.record.gradebook import record, statuses
from autograder.tests import classes
from autograder.tests.classes import EXERCISE, NOTEBOOK

NBGRADERS_OWN = (SAWarning, DuplicateCellId, MissingIDFieldWarning, DeprecationWarning, ResourceWarning)
STUDENTS = ("ada", "bob")


def command(*words):
    """`nbgrader …` in the working directory. Raises SystemExit where it fails."""
    path = list(sys.path)
    NbGraderApp.clear_instance()
    try:
        with warnings.catch_warnings():
            for kind in (
                SAWarning,
                DuplicateCellId,
                MissingIDFieldWarning,
                DeprecationWarning,
                ResourceWarning,
            ):
                warnings.simplefilter("ignore", kind)
            app = NbGraderApp.instance()
            app.initialize(list(words))
            with contextlib.suppress(NoStart):  # a subcommand has done its work
                app.start()
            app.reset()
    finally:
        sys.path[:] = path
        NbGraderApp.clear_instance()


@pytest.fixture(scope="module")
def week(tmp_path_factory):
    """Generated, released, fetched, solved, submitted, collected, graded and told."""
    folder = tmp_path_factory.mktemp("week")
    course = init(folder / "course").course
    build(course, EXERCISE)
    bare = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}  # as a service starts it: no alembic on PATH
    nbgrader = Path(sys.executable).with_name("nbgrader")
    subprocess.run([nbgrader, "generate_assignment", EXERCISE], cwd=course.root, env=bare, check=True)
    teacher(course, "release_assignment", EXERCISE)
    for student in STUDENTS:
        (folder / student).mkdir()
        at(course, folder / student, "fetch_assignment", EXERCISE)
        solve(course, folder / student / EXERCISE, student)
        at(course, folder / student, "submit", EXERCISE, f"--student={student}")
    for step in ("collect", "autograde", "generate_feedback", "release_feedback"):
        teacher(course, step, EXERCISE)
    teacher(course, "export", "--to=grades.csv")
    for student in STUDENTS:
        at(course, folder / student, "fetch_feedback", EXERCISE, f"--student={student}")
    return course, folder


def teacher(course, *words):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(course.root.parent))
        patch.chdir(course.root)
        command(*words)


def at(course, home, *words):
    """A student's command, in a home of the student's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("JUPYTER_DATA_DIR", str(home / "data"))
        patch.setenv("JUPYTER_CONFIG_PATH", str(course.root / "exchange"))
        patch.chdir(home)
        command(*words)


def solve(course, folder, student):
    change = classes.wrong if student == "bob" else str
    nbformat.write(nbformat.from_dict(classes.solved(course, change)), folder / NOTEBOOK)


def score(course, student):
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        return gradebook.find_submission(EXERCISE, student).score


def test_both_are_graded_and_the_mistake_costs_its_step_alone(week):
    course, _ = week
    assert score(course, "ada") == 20 > score(course, "bob") > 16


def test_the_export_has_both(week):
    course, _ = week
    with (course.root / "grades.csv").open(encoding="utf-8", newline="") as table:
        rows = {row["student_id"]: row for row in csv.DictReader(table)}
    assert {student: float(row["score"]) for student, row in rows.items()} == {
        student: score(course, student) for student in STUDENTS
    }
    assert {row["max_score"] for row in rows.values()} == {"24.0"}


def test_each_student_gets_the_own_feedback(week):
    _, folder = week
    pages = {student: list((folder / student).rglob(f"feedback/**/{EXERCISE}.html")) for student in STUDENTS}
    for student, found in pages.items():
        (page,) = found
        text = page.read_text(encoding="utf-8")
        assert "attn-holds" in text and ('attn-fails">' in text) == (student == "bob")


def test_attn_record_gives_the_same_scores_and_status_shows_them(week):
    course, _ = week
    before = {student: score(course, student) for student in STUDENTS}
    record(course, EXERCISE)
    assert {student: score(course, student) for student in STUDENTS} == before
    assert {row.student: float(row.earned) for row in statuses(course, EXERCISE)} == before


def test_a_student_may_hand_in_again(week):
    course, folder = week
    solve(course, folder / "bob" / EXERCISE, "ada")
    at(course, folder / "bob", "submit", EXERCISE, "--student=bob")
    teacher(course, "collect", EXERCISE, "--update")
    teacher(course, "autograde", EXERCISE)  # takes what is newer, by its time
    assert score(course, "bob") == 20


@pytest.mark.parametrize("done", [False, True], ids=["stub", "solved"])
def test_validate_says_what_check_says(week, tmp_path, done):
    course, _ = week
    work = tmp_path / EXERCISE
    for name, content in classes.tree(course.release(EXERCISE)).items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_bytes(content)
    if done:
        nbformat.write(nbformat.from_dict(classes.solved(course)), work / NOTEBOOK)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the kernel's own start; ours would be in its output
        patch.chdir(work)
        result = Validator().validate(NOTEBOOK)
    failed = [cell["source"] for cell in result.get("failed", [])]
    assert not result.get("changed")
    assert [source for source in failed if source.startswith("check(")] == ([] if done else failed[:7])
    assert bool(failed) is not done
