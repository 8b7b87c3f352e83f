"""The demo's students of the later exercises get what their samples state, and what is wrong is named."""

import pytest

from autograder.author.build import released
from autograder.author.exercise import load_exercise
from autograder.grade.grade import grade
from autograder.grade.proctor import Proctor
from autograder.intake.take import take
from autograder.layout import KIT, Course
from autograder.model import Status, Verdict
from autograder.tests.submissions import DEMO_NAMES
from autograder.tests.submissions.later import LATER

COURSE = Course(KIT)
SEED = b"a seed for the samples, always the same"


@pytest.fixture(scope="module", params=LATER)
def proctor(request):
    exercise, name = load_exercise(COURSE, request.param), request.param
    with Proctor(exercise, COURSE.suite(name), COURSE.solution(name), SEED, walls="none") as proctor:
        yield proctor


@pytest.mark.parametrize("student", [*next(iter(LATER.values()))])
def test_a_sample_gets_what_it_states(proctor, student, tmp_path):
    exercise = proctor.exercise
    sample, release = LATER[exercise.name][student], released(exercise, ["en", "zh"])
    folder = tmp_path / student / exercise.name
    sample.write(folder, exercise, release)
    submission = take(folder, exercise, release, student)
    sheet = grade(submission, proctor)
    assert sheet.status is sample.status
    graded = sample.status is Status.graded
    stated = dict.fromkeys((step.name for step in exercise.steps) if graded else (), Verdict.passed)
    assert {step.name: step.verdict for step in sheet.steps} == stated | dict(sample.steps)
    assert all(step.diagnosis for step in sheet.steps if step.verdict is Verdict.failed)
    if graded:
        assert not sheet.warnings
        assert bool(submission.answers) is (sample.essay is not False)


def test_those_who_hand_in_are_of_the_class():
    assert {student for samples in LATER.values() for student in samples} <= set(DEMO_NAMES)
