"""The values keep their laws: they survive JSON, and marks follow from aspects alone."""

import json
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from autograder.model import (
    Aspect,
    Diagnosis,
    Gradesheet,
    Sentence,
    Status,
    StepResult,
    Submission,
    Verdict,
)
from autograder.plain import from_json, to_json

texts = st.text(max_size=12)
points = st.integers(0, 40).map(lambda n: Fraction(n, 4))
sentences = st.builds(Sentence, texts, texts)
weights = st.integers(1, 8).map(lambda n: Fraction(n, 2))
aspects = st.builds(
    Aspect,
    name=texts,
    clause=texts,
    sentence=sentences,
    verdict=st.sampled_from(Verdict),
    detail=texts,
    rung=st.none() | sentences,
    safety=st.booleans(),
    weight=weights,
    excused=st.booleans(),
)
results = st.builds(
    StepResult,
    name=texts,
    points=points,
    aspects=st.lists(aspects, min_size=1, max_size=5).map(tuple),
    diagnosis=st.lists(st.builds(Diagnosis, texts, sentences), max_size=2).map(tuple),
    all_or_nothing=st.booleans(),
)
gradesheets = st.builds(
    Gradesheet,
    exercise=texts,
    student=texts,
    file=texts,
    status=st.sampled_from(Status),
    points=points,
    reason=st.none() | sentences,
    steps=st.lists(results, max_size=3).map(tuple),
    warnings=st.lists(sentences, max_size=2).map(tuple),
)


@given(gradesheets)
def test_a_gradesheet_survives_json(sheet):
    assert from_json(Gradesheet, json.loads(json.dumps(to_json(sheet)))) == sheet


@given(st.builds(Submission, student=texts, exercise=texts, status=st.sampled_from(Status), file=texts))
def test_a_submission_survives_json(submission):
    assert from_json(Submission, json.loads(json.dumps(to_json(submission)))) == submission


@given(results)
def test_a_step_earns_between_nothing_and_its_points(result):
    assert result.earned is None or 0 <= result.earned <= result.points


@given(results)
def test_a_step_earns_everything_when_every_aspect_holds(result):
    if all(aspect.verdict is Verdict.passed for aspect in result.aspects):
        only_safety = all(aspect.safety for aspect in result.aspects)
        assert result.earned == (0 if only_safety else result.points)


@given(results)
def test_safety_alone_earns_nothing(result):
    if not any(aspect.holds and not aspect.safety for aspect in result.aspects):
        assert not result.earned


@given(results)
def test_only_a_fault_of_ours_leaves_the_points_open(result):
    ours = any(aspect.verdict is Verdict.grader_fault for aspect in result.aspects)
    unwritten = any(aspect.verdict is Verdict.unwritten for aspect in result.aspects)
    assert (result.earned is None) == (ours and not unwritten)


@given(gradesheets)
def test_what_could_not_be_read_has_no_points_rather_than_zero(sheet):
    if sheet.status in (Status.unreadable, Status.misnamed, Status.grader_fault):
        assert sheet.earned is None
    if sheet.status in (Status.missing, Status.empty):
        assert sheet.earned == 0
