"""Every sample student gets the status, the verdicts and the words that the sample states."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from autograder.author.build import released
from autograder.author.exercise import load_exercise
from autograder.grade.answers import Limits
from autograder.grade.grade import grade
from autograder.grade.proctor import Proctor
from autograder.intake.canonical import canonical
from autograder.intake.take import take
from autograder.layout import KIT, Course
from autograder.model import Exercise, Gradesheet, Release, Status, Submission, Verdict
from autograder.tests.submissions import DEMO_CLASS, DEMO_NAMES, SAMPLES, Sample

COURSE = Course(KIT)
SEED = b"a seed for the samples, always the same"
STUDENT = "someone"
QUICK = Limits(call_seconds=0.5)  # of CPU; the samples that loop would take the whole of it several times


@pytest.fixture(scope="module")
def exercise() -> Exercise:
    return load_exercise(COURSE, "self_attention")


@pytest.fixture(scope="module")
def release(exercise: Exercise) -> Release:
    return released(exercise, ["en", "zh"])


@pytest.fixture(scope="module")
def proctor(exercise: Exercise) -> Iterator[Proctor]:
    name = exercise.name
    with Proctor(exercise, COURSE.suite(name), COURSE.solution(name), SEED, QUICK, walls="none") as proctor:
        yield proctor


@pytest.fixture(params=SAMPLES.values(), ids=lambda sample: sample.name)
def sample(request: pytest.FixtureRequest) -> Sample:
    return request.param


@pytest.fixture
def submission(sample: Sample, tmp_path: Path, exercise: Exercise, release: Release) -> Submission:
    folder = tmp_path / "submitted" / STUDENT / exercise.name
    sample.write(folder, exercise, release)
    return take(folder, exercise, release, STUDENT)


def test_a_sample_gets_what_it_states(sample: Sample, submission: Submission, proctor: Proctor):
    sheet = grade(submission, proctor)
    said = " ".join(s.en for s in (*([sheet.reason] if sheet.reason else []), *sheet.warnings))
    assert sheet.status is sample.status, sheet.reason
    assert {s.name: s.verdict for s in sheet.steps} == expected_verdicts(sample, sheet), said
    for step in sheet.steps:
        full = step.verdict is Verdict.passed
        assert (step.earned == step.points) if full else (step.earned < step.points), step
        if step.verdict in (Verdict.unwritten, Verdict.timed_out):
            assert step.earned == 0
    least, most = sample.points(proctor.exercise)
    assert least <= (sheet.earned or 0) <= most
    assert (sample.warns or "") in said
    if sample.warns is None and sample.status is Status.graded:
        assert not said
    if sample.status is Status.graded:
        assert bool(submission.answers) is (sample.essay is not False)
    json.dumps([s.zh + s.en for s in sheet.warnings], ensure_ascii=False).encode()


def expected_verdicts(sample: Sample, sheet: Gradesheet) -> dict[str, Verdict]:
    """What the sample states; where it states only that a step does not pass, what the step got, if so."""
    found = {step.name: step.verdict for step in sheet.steps}
    stated = dict.fromkeys(found, Verdict.passed)
    for name, verdict in sample.steps.items() if found else ():
        stated[name] = verdict or (found[name] if found[name] is not Verdict.passed else Verdict.failed)
    return stated


def test_the_canonical_notebook_of_a_sample_is_valid_and_takes_nothing_away(
    submission: Submission, exercise: Exercise, release: Release, tmp_path: Path
):
    notebook = canonical(submission, release)
    nbformat.validate(nbformat.from_dict(notebook))
    again = retaken(notebook, exercise, release, tmp_path)
    assert sorted(code(again)) == sorted(code(submission)) or not submission.cells
    assert canonical(again, release) == notebook


def retaken(notebook: dict, exercise: Exercise, release: Release, folder: Path) -> Submission:
    path = folder / "again.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return take(path, exercise, release)


def code(submission: Submission) -> list[str]:
    return [replace(cell, number=0, line=1, place="").source for cell in submission.cells]


def test_the_demo_class_shows_every_kind_of_end():
    assert set(DEMO_CLASS) == set(DEMO_NAMES)
    assert len(DEMO_CLASS) >= 12
    statuses = {sample.status for sample in DEMO_CLASS.values()}
    assert statuses == {Status.graded, Status.empty, Status.unreadable, Status.missing}


def test_every_sample_says_what_is_wrong():
    assert all(sample.make.__doc__ for sample in SAMPLES.values())
    assert {sample.status for sample in SAMPLES.values()} == set(Status) - {Status.grader_fault}
