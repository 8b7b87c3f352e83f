"""Work that has not changed is not even read again; whatever may have changed is."""

import os
import shutil

import pytest

from autograder.author.build import build, released
from autograder.author.exercise import load_exercise
from autograder.author.notebook import as_text
from autograder.grade import standing
from autograder.grade.classes import grade_class
from autograder.grade.standing import Standing
from autograder.tests.courses import edit
from autograder.tests.grading import GOOD, small_class, submit

NAME = "two_steps"


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A class that was graded, and time enough has passed since."""
    monkeypatch.setattr(standing, "SETTLED", -60.0)
    course = small_class(tmp_path)
    build(course, NAME)
    release = released(load_exercise(course, NAME), ["en", "zh"])
    folder = course.release(NAME)
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_text(as_text(release.notebook), encoding="utf-8")
    (folder / f"{NAME}.py").write_text(release.module, encoding="utf-8")
    grade_class(course, NAME, walls="none")
    return course


def vouched(course):
    return set(Standing(course, NAME, sorted(f.name for f in (course.root / "submitted").iterdir())).sheets())


EVERYBODY = {"ann", "bob", "cem", "dee", "eve", "王"}


def test_whoever_was_graded_is_vouched_for_with_the_same_gradesheet(course):
    assert vouched(course) == EVERYBODY
    stands = Standing(course, NAME, ["ann"]).sheets()["ann"]
    assert stands == grade_class(course, NAME, ["ann"], walls="none", force=True)[0]


def test_nothing_is_collected_where_nothing_is_new(course):
    shutil.rmtree(course.suite(NAME) / "__pycache__", ignore_errors=True)
    told = []
    grade_class(course, NAME, walls="none", progress=lambda *what: told.append(what[:2]))
    assert told == [(number, 6) for number in range(1, 7)]
    assert not (course.suite(NAME) / "__pycache__").exists()


def replaced(course):
    """Another file of the same size, with the time of the old one."""
    file = course.submitted("ann", NAME) / f"{NAME}.py"
    facts = file.stat()
    file.write_text(GOOD.replace("x + x", "x * x"), encoding="utf-8")
    os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))


CHANGES = {
    "another file of the same size and time": (replaced, {"ann"}),
    "one file more": (lambda c: (c.submitted("ann", NAME) / "more.py").write_text("", "utf-8"), {"ann"}),
    "a file less": (lambda c: (c.submitted("ann", NAME) / f"{NAME}.py").unlink(), {"ann"}),
    "a gradesheet written over": (lambda c: c.gradesheet("bob", NAME).write_text("{}", "utf-8"), {"bob"}),
    "a gradesheet removed": (lambda c: c.gradesheet("bob", NAME).unlink(), {"bob"}),
    "links that wait aside": (lambda c: c.aside("eve", NAME).mkdir(parents=True), {"eve"}),
    "other points": (
        lambda c: edit(c.assignment(NAME) / "exercise.toml", "points = 2\n", "points = 1\n"),
        EVERYBODY,
    ),
    "another seed": (lambda c: c.seed.unlink(), EVERYBODY),
    "another release": (
        lambda c: edit(c.release(NAME) / f"{NAME}.py", "def double", "def  double"),
        EVERYBODY,
    ),
    "no release": (lambda c: shutil.rmtree(c.release(NAME)), EVERYBODY),
    "notes that cannot be read": (lambda c: c.standing(NAME).write_text("[", "utf-8"), EVERYBODY),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_may_have_changed_is_read(course, change):
    make, concerned = CHANGES[change]
    make(course)
    assert vouched(course) == EVERYBODY - concerned


def test_another_grader_vouches_for_nobody(course, monkeypatch):
    monkeypatch.setattr(standing, "grader_version", lambda: "newer")
    assert vouched(course) == set()


def test_what_changed_a_moment_ago_may_change_again_unseen(course, monkeypatch):
    monkeypatch.setattr(standing, "SETTLED", 60.0)
    submit(course, "ann", GOOD)
    grade_class(course, NAME, walls="none")
    assert vouched(course) == set()
