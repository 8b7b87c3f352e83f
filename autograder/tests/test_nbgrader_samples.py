"""Every sample student through `attn record` and, in one batch, `nbgrader autograde`: the same grades."""

import pytest
from nbgrader.api import Gradebook

from autograder.author.exercise import load_exercise
from autograder.grade.classes import grade_class
from autograder.grade.grade import release_of
from autograder.model import Status
from autograder.record.gradebook import record
from autograder.tests import classes
from autograder.tests.classes import EXERCISE, NOTEBOOK
from autograder.tests.submissions import SAMPLES
from autograder.tests.test_passes import autograde


def rows(course):
    """Automatic score and need of a person for each student's cells."""
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        return {
            submission.student_id: {
                grade.name: (grade.auto_score, grade.needs_manual_grade)
                for notebook in submission.notebooks
                for grade in notebook.grades
            }
            for submission in gradebook.find_assignment(EXERCISE).submissions
        }


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """All samples handed in, recorded, then autograded by nbgrader: the outcome of each."""
    course = classes.released(tmp_path_factory.mktemp("samples"))
    exercise = load_exercise(course, EXERCISE)
    release = release_of(course, exercise)
    for name, sample in SAMPLES.items():
        sample.write(course.submitted(name, EXERCISE), exercise, release)
    seen = {name for name in SAMPLES if (course.submitted(name, EXERCISE) / NOTEBOOK).is_file()}
    sheets = {sheet.student: sheet for sheet in grade_class(course, EXERCISE)}
    outcomes = record(course, EXERCISE)
    first = rows(course)
    failed = autograde(course)
    return seen, sheets, outcomes, first, rows(course), failed


@pytest.fixture(params=SAMPLES)
def name(request):
    return request.param


def test_every_sample_is_recorded(recorded):
    outcomes = recorded[2]
    assert {one.student for one in outcomes} == set(SAMPLES) and not [one for one in outcomes if one.fault]


def test_the_gradebook_says_what_the_gradesheet_says(recorded, name):
    _, sheets, _, first, _, _ = recorded
    sheet, row = sheets[name], first[name]
    if sheet.status is Status.graded:
        assert {f"check_{s.name}": s.earned and float(s.earned) for s in sheet.steps} == {
            cell: score for cell, (score, _) in row.items() if cell.startswith("check_")
        }
    else:
        expected = (None, True) if sheet.earned is None else (0.0, False)
        assert set(row.values()) == {expected}


def test_nbgrader_gives_the_same(recorded, name):
    _, _, _, first, second, _ = recorded
    assert second[name] == first[name]


def test_nbgrader_passes_over_those_alone_whose_notebook_it_cannot_see(recorded):
    seen, _, _, _, _, failed = recorded
    assert not failed & seen
