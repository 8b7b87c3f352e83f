"""`attn record`: the rows of nbgrader's autograde, also where that sees nothing; what people gave stays."""

import datetime
import sqlite3
from contextlib import closing
from fractions import Fraction

import nbformat
import pytest
from nbgrader.api import BaseCell, Comment, Grade, Gradebook, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import select

from autograder.model import Gradesheet, Sentence, Status, StepResult, Verdict
from autograder.record import cells
from autograder.record.gradebook import RecordError, record, statuses
from autograder.tests import classes
from autograder.tests.classes import EXERCISE, hand_in, url
from autograder.tests.states import NO_GRADE, SEEN, everybody
from autograder.tests.test_feedback import aspect
from autograder.tests.test_passes import autograde


def rows(course):
    """Every grade and comment, without the ids that nbgrader draws."""
    whose = SubmittedAssignment.student_id, SubmittedAssignment.timestamp, BaseCell.name
    graded = Grade.auto_score, Grade.manual_score, Grade.needs_manual_grade
    penalty, said = SubmittedNotebook.late_submission_penalty, (Comment.auto_comment, Comment.manual_comment)
    with Gradebook(url(course)) as gradebook:
        return {
            tuple(row)
            for table, columns in ((Grade, (*graded, penalty)), (Comment, said))
            for row in gradebook.db.execute(
                select(*whose, *columns)
                .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
                .join(table, table.notebook_id == SubmittedNotebook.id)
                .join(BaseCell, BaseCell.id == table.cell_id)
            )
        }


def books(course):
    return {file.parts[-3]: file.read_bytes() for file in course.root.glob("autograded/*/*/*.ipynb")}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A class in every state, recorded once."""
    course = everybody(tmp_path_factory.mktemp("class"))
    record(course, EXERCISE)
    return course


def test_everybody_who_handed_in_has_a_row(course):
    with Gradebook(url(course)) as gradebook:
        found = {submission.student_id for submission in gradebook.find_assignment(EXERCISE).submissions}
    assert found == {folder.name for folder in (course.root / "submitted").iterdir()}


@pytest.mark.parametrize("student", ["script", "other_name"])
def test_what_nbgrader_cannot_see_is_recorded_too(course, student):
    with Gradebook(url(course)) as gradebook:
        assert gradebook.find_submission(EXERCISE, student).score == 20


@pytest.mark.parametrize("student", NO_GRADE)
def test_what_cannot_be_read_has_no_grade_rather_than_0_and_says_why(course, student):
    with Gradebook(url(course)) as gradebook:
        row = gradebook.find_submission(EXERCISE, student).notebooks[0]
        assert {grade.auto_score for grade in row.grades} == {None} and row.needs_manual_grade
        (said,) = [comment.auto_comment for comment in row.comments if comment.auto_comment]
        assert "\n" in said  # in both languages, once


def test_nbgraders_autograde_gives_the_same_rows_and_notebooks(course):
    before, written = rows(course), books(course)
    autograde(course)
    assert rows(course) == before
    seen = {*SEEN, "stub", "no_cells"}
    assert {s: b for s, b in books(course).items() if s in seen} == {s: written[s] for s in seen}
    record(course, EXERCISE)  # nbgrader removes the notebooks of those who fail with it
    assert books(course) == written


def test_recording_again_changes_nothing(course):
    before, written = rows(course), books(course)
    record(course, EXERCISE)
    assert (rows(course), books(course)) == (before, written)


def test_only_those_who_are_named_are_recorded(tmp_path):
    course = classes.released(tmp_path)
    for student in ("ada", "bob"):
        hand_in(course, student, classes.stub(course))
    assert [one.student for one in record(course, EXERCISE, ["bob"])] == ["bob"]
    assert {row.student: row.recorded for row in statuses(course, EXERCISE)} == {"ada": False, "bob": True}


def test_what_a_person_entered_is_never_overwritten(tmp_path):
    course = classes.released(tmp_path)
    hand_in(course, "ada", classes.solved(course, classes.wrong))
    record(course, EXERCISE)
    given = {"check_softmax": 1.5, "why_scale": 3.0}
    with Gradebook(url(course)) as gradebook:
        for cell, points in given.items():
            grade = gradebook.find_grade(cell, EXERCISE, EXERCISE, "ada")
            grade.manual_score, grade.extra_credit, grade.needs_manual_grade = points, 0.5, False
        gradebook.find_comment("why_scale", EXERCISE, EXERCISE, "ada").manual_comment = "Well said."
        gradebook.db.commit()
    for again in (lambda: record(course, EXERCISE), lambda: autograde(course)):
        again()
        with Gradebook(url(course)) as gradebook:
            for cell, points in given.items():
                grade = gradebook.find_grade(cell, EXERCISE, EXERCISE, "ada")
                assert (grade.manual_score, grade.extra_credit, grade.score) == (points, 0.5, points + 0.5)
                assert grade.needs_manual_grade  # nbgrader asks for another look
            assert gradebook.find_comment("why_scale", EXERCISE, EXERCISE, "ada").comment == "Well said."


def test_the_time_and_the_penalty_are_nbgraders(tmp_path):
    course = classes.released(tmp_path)
    with (course.root / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')
    for student, day in {"early": 1, "late": 3}.items():
        folder = hand_in(course, student, classes.solved(course))
        (folder / "timestamp.txt").write_text(f"2026-03-0{day} 12:00:00 UTC", encoding="utf-8")
    with Gradebook(url(course)) as gradebook:
        gradebook.update_or_create_assignment(EXERCISE, duedate="2026-03-02 12:00:00 UTC")
    record(course, EXERCISE)
    first = rows(course)
    with Gradebook(url(course)) as gradebook:
        late, early = (gradebook.find_submission(EXERCISE, student) for student in ("late", "early"))
        assert late.timestamp == datetime.datetime(2026, 3, 3, 12)
        assert (late.late_submission_penalty, early.late_submission_penalty) == (20.0, 0.0)
    autograde(course)
    assert rows(course) == first


def test_an_extension_takes_the_penalty_back(tmp_path):
    course = classes.released(tmp_path)
    with (course.root / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')
    hand_in(course, "ada", classes.solved(course))
    with Gradebook(url(course)) as gradebook:
        gradebook.update_or_create_assignment(EXERCISE, duedate="2026-02-28 12:00:00 UTC")
    record(course, EXERCISE)
    with Gradebook(url(course)) as gradebook:
        assert gradebook.find_submission(EXERCISE, "ada").late_submission_penalty == 20
        gradebook.grant_extension(EXERCISE, "ada", days=2)
    record(course, EXERCISE)
    with Gradebook(url(course)) as gradebook:
        assert gradebook.find_submission(EXERCISE, "ada").late_submission_penalty == 0


def sheet(course, *, status=Status.graded, steps=()):
    reason = None if status is Status.graded else Sentence("Ours.", "我们的。")
    return Gradesheet(EXERCISE, "stub", "x", status, Fraction(20), reason, steps)


def saved(course, given, answer="Because."):
    """A gradesheet's scores as they stand in the gradebook; nothing is kept."""
    with Gradebook(url(course)) as gradebook:
        row = gradebook.find_submission_notebook(EXERCISE, EXERCISE, "stub")
        notebook = nbformat.from_dict(classes.solved(course, answer=answer))
        cells.save(row, notebook, given, ["en", "zh"])
        found = {g.name: (g.auto_score, g.needs_manual_grade) for g in row.grades}
        gradebook.db.rollback()
        return found


@pytest.mark.parametrize("status", [s for s in Status if s is not Status.graded])
def test_a_status_without_a_grade_waits_and_one_of_no_work_is_0(course, status):
    found = saved(course, sheet(course, status=status))
    expected = (0.0, False) if status in (Status.missing, Status.empty) else (None, True)
    assert set(found.values()) == {expected}


def test_a_fault_of_ours_in_one_step_is_no_score_for_that_step_alone(course):
    steps = (
        StepResult("softmax", Fraction(4), (aspect(Verdict.grader_fault),)),
        StepResult("apply_mask", Fraction(3), (aspect(), aspect(), aspect(Verdict.failed))),
    )
    found = saved(course, sheet(course, steps=steps))
    assert found["check_softmax"] == (None, True)
    assert found["check_apply_mask"] == (2.0, False)


def test_an_answer_is_a_persons_to_grade_and_an_untouched_one_is_0(course):
    assert saved(course, sheet(course))["why_scale"] == (None, True)


def test_a_gradebook_that_is_held_is_an_error_and_nothing_is_lost(tmp_path, monkeypatch):
    course = classes.released(tmp_path)
    hand_in(course, "ada", classes.solved(course))
    record(course, EXERCISE)
    before = rows(course)
    monkeypatch.setattr("autograder.record.gradebook.BUSY_SECONDS", 0)
    hand_in(course, "ada", classes.solved(course, classes.wrong))
    with closing(sqlite3.connect(course.root / "gradebook.db")) as holder:
        holder.execute("begin exclusive")
        for command in (record, statuses):
            with pytest.raises(RecordError, match="run the same command again"):
                command(course, EXERCISE)
        holder.rollback()
    assert rows(course) == before
    record(course, EXERCISE)
    assert rows(course) != before


def test_what_was_never_released_names_the_command(tmp_path):
    course = classes.released(tmp_path)
    with Gradebook(url(course)) as gradebook:
        gradebook.remove_assignment(EXERCISE)
    with pytest.raises(RecordError, match=f"attn release {EXERCISE}"):
        record(course, EXERCISE)
