"""nbgrader's own Autograde and Generate with our passes: no damage costs a mark, and none stops the batch."""

import contextlib
import os

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException

from autograder.lock import locked
from autograder.record import passes
from autograder.record.opening import opened
from autograder.tests import classes
from autograder.tests.classes import EXERCISE, hand_in
from autograder.tests.damage import DAMAGE, marked


@pytest.fixture(scope="module")
def batch(tmp_path_factory):
    """A class of every damage, wrong in one step so that full marks are told from true ones, in one run."""
    course = classes.released(tmp_path_factory.mktemp("batch"))
    for student, damage in DAMAGE.items():
        hand_in(course, student, damage(classes.solved(course, classes.wrong)))
    others(course)
    failed = autograde(course)
    return course, failed


def others(course):
    hand_in(course, "stub", classes.stub(course))
    hand_in(course, "no_cells", classes.stub(course) | {"cells": []})
    answer = "<script>alert(1)</script> $\\href{javascript:alert(1)}{x}$ and a < b"
    hand_in(course, "script_in_answer", classes.solved(course, answer=answer))
    hand_in(course, "not_json", "{")
    hand_in(course, "not_a_notebook", "[1, 2]")
    os.mkfifo(hand_in(course, "a_pipe", None) / f"{EXERCISE}.ipynb")
    (hand_in(course, "a_link", None) / f"{EXERCISE}.ipynb").symlink_to(
        course.release(EXERCISE) / f"{EXERCISE}.ipynb"
    )
    folder = hand_in(course, "bad_timestamp", classes.solved(course, classes.wrong))
    (folder / "timestamp.txt").write_text("yesterday", encoding="utf-8")
    folder = hand_in(course, "hostile_files", classes.solved(course, classes.wrong))
    for name in ("numpy.py", "conftest.py", "sitecustomize.py", "usercustomize.py"):
        (folder / name).write_text("raise SystemExit('hostile')", encoding="utf-8")
    (folder / "db.txt").symlink_to(course.root / "gradebook.db")
    (folder / "seed.txt").symlink_to(course.seed)
    os.mkfifo(folder / "pipe")


def autograde(course, student="*"):
    """`nbgrader autograde --force`; returns those who have no graded notebook after it."""
    with opened(course) as api:
        api.coursedir.assignment_id, api.coursedir.student_id = EXERCISE, student
        app = Autograde(coursedir=api.coursedir, parent=api, force=True)
        with contextlib.suppress(NbGraderException):
            app.start()
        return {f.parent.name for f in (course.root / "submitted").glob(f"*/{EXERCISE}")} - {
            f.parent.name for f in (course.root / "autograded").glob(f"*/{EXERCISE}")
        }


def scores(course, student):
    with Gradebook(classes.url(course)) as gradebook:
        row = gradebook.find_submission_notebook(EXERCISE, EXERCISE, student)
        return {grade.name: grade.auto_score for grade in row.grades}


def total(course, student):
    return sum(score for name, score in scores(course, student).items() if name.startswith("check_"))


def book(course, student):
    return nbformat.read(course.autograded(student, EXERCISE) / f"{EXERCISE}.ipynb", as_version=4)


@pytest.mark.parametrize("student", DAMAGE)
def test_damage_neither_costs_nor_earns_a_mark(batch, student):
    course, _ = batch
    assert scores(course, student)["check_scaled_scores"] < 3
    assert total(course, student) == total(course, "untouched") > 16


@pytest.mark.parametrize("student", ["bad_timestamp", "hostile_files"])
def test_what_lies_beside_the_notebook_does_not_matter(batch, student):
    course, _ = batch
    assert total(course, student) == total(course, "untouched")


@pytest.mark.parametrize("student", ["stub", "no_cells"])
def test_empty_work_earns_nothing(batch, student):
    course, _ = batch
    assert set(scores(course, student).values()) == {0.0}


def test_nobody_fails(batch):
    assert batch[1] == set()


@pytest.mark.parametrize("student", ["not_json", "not_a_notebook", "a_pipe", "a_link"])
def test_what_could_not_be_read_has_no_score_and_not_zero(batch, student):
    course, _ = batch
    assert set(scores(course, student).values()) == {None}
    assert "no points yet" in nbformat.writes(book(course, student))


def test_nothing_of_the_course_is_copied_through_a_students_link(batch):
    course, _ = batch
    names = {path.name for path in course.autograded("hostile_files", EXERCISE).rglob("*")}
    assert not names & {"db.txt", "seed.txt", "pipe"}


def test_no_output_of_the_students_side_is_left(batch):
    course, _ = batch
    for student in DAMAGE:
        text = nbformat.writes(book(course, student))
        assert "hostile" not in text and "x" * 1000 not in text


@pytest.mark.parametrize("student", DAMAGE)
def test_every_graded_notebook_has_the_releases_cells(batch, student):
    course, _ = batch
    released = [classes.graded_as(cell) for cell in marked(classes.stub(course))]
    assert [
        classes.graded_as(cell) for cell in book(course, student).cells if classes.graded_as(cell)
    ] == released


def test_an_answer_cannot_act_on_the_graders_browser(batch):
    course, _ = batch
    (cell,) = [c for c in book(course, "script_in_answer").cells if classes.graded_as(c) == "why_scale"]
    assert "<script" not in cell.source and "\\href" not in cell.source
    assert "alert(1)" in cell.source and "a < b" in cell.source  # it is all there to be read


def test_an_answer_waits_for_a_person_and_an_untouched_one_does_not(batch):
    course, _ = batch
    assert scores(course, "untouched")["why_scale"] is None
    assert scores(course, "stub")["why_scale"] == 0


def test_grading_again_gives_the_same_notebook(batch):
    course, _ = batch
    before = classes.tree(course.autograded("untouched", EXERCISE))
    autograde(course, "untouched")
    assert classes.tree(course.autograded("untouched", EXERCISE)) == before


def test_an_assignment_that_is_none_of_ours_goes_nbgraders_own_way(tmp_path):
    course = classes.released(tmp_path)
    source = course.root / "source" / "ps1"
    source.mkdir()
    marks = {"schema_version": 3, "grade": True, "solution": False, "locked": True, "task": False}
    cell = nbformat.v4.new_code_cell(
        "assert answer == 42", metadata={"nbgrader": marks | {"grade_id": "a", "points": 2}}
    )
    solution = {**marks, "grade": False, "solution": True, "locked": False, "grade_id": "b"}
    code = "### BEGIN SOLUTION\nanswer = 42\n### END SOLUTION"
    cells = [nbformat.v4.new_code_cell(code, metadata={"nbgrader": solution}), cell]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), source / "ps1.ipynb")
    with opened(course) as api:
        assert api.generate_assignment("ps1")["success"]
        assert "在此" not in (course.root / "release" / "ps1" / "ps1.ipynb").read_text(encoding="utf-8")
        for student, answer in {"ada": 42, "bob": 41}.items():
            folder = course.root / "submitted" / student / "ps1"
            folder.mkdir(parents=True)
            notebook = nbformat.read(course.root / "release" / "ps1" / "ps1.ipynb", as_version=4)
            notebook.cells[0].source = f"answer = {answer}"
            nbformat.write(notebook, folder / "ps1.ipynb")
            assert api.autograde("ps1", student)["success"]
        with api.gradebook as gradebook:
            found = {s: gradebook.find_submission("ps1", s).score for s in ("ada", "bob")}
    assert found == {"ada": 2.0, "bob": 0.0}


def test_a_stale_source_is_refused_before_anything_is_touched(tmp_path):
    course = classes.released(tmp_path)
    (course.source(EXERCISE) / f"{EXERCISE}.py").write_text("# old", encoding="utf-8")
    before = {name: classes.tree(course.root / name) for name in ("release", "exchange")}
    with opened(course) as api:
        result = api.generate_assignment(EXERCISE)
    assert not result["success"] and f"attn build {EXERCISE}" in result["log"]
    assert {name: classes.tree(course.root / name) for name in before} == before


def test_while_another_writes_autograde_refuses_before_anything_is_touched(tmp_path, monkeypatch):
    monkeypatch.setattr(passes, "PATIENCE", 0.0)
    course = classes.released(tmp_path)
    hand_in(course, "ada", classes.solved(course))
    autograde(course)
    before = classes.tree(course.root / "autograded"), scores(course, "ada")
    hand_in(course, "ada", classes.stub(course))
    with locked(course, EXERCISE, "attn grade self_attention"):
        autograde(course)
    assert (classes.tree(course.root / "autograded"), scores(course, "ada")) == before
    autograde(course)
    assert total(course, "ada") == 0
