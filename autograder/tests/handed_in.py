"""What the tests of intake share: the release, a student's work on it, and the way in."""

import json
import re
from pathlib import Path

import nbformat
from hypothesis import HealthCheck, settings

from autograder.author.build import released
from autograder.author.exercise import load_exercise
from autograder.intake.canonical import canonical
from autograder.intake.take import take
from autograder.layout import KIT, Course
from autograder.model import Status, Submission
from autograder.tests.submissions import Work, code

EXERCISE = load_exercise(Course(KIT), "self_attention")
RELEASE = released(EXERCISE, ["en", "zh"])
WORK = Work(Path(), EXERCISE, RELEASE)
NAME = EXERCISE.name
calm = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def taken(tmp_path: Path, data: object, name: str = f"{NAME}.ipynb") -> Submission:
    """What intake makes of a file's bytes, or of a notebook."""
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return take(path, EXERCISE, RELEASE)


def cells(*sources: str) -> dict:
    return WORK.notebook() | {"cells": [code(source) for source in sources]}


def sources(submission: Submission) -> list[str]:
    return [cell.source for cell in submission.cells]


def is_whole(submission: Submission) -> None:
    """Whatever came in: a status, a reason where nothing can be graded, words that can be written."""
    assert submission.status is Status.graded or submission.reason
    said = [submission.file, *submission.answers.values(), *sources(submission)]
    for sentence in (*submission.warnings, *([submission.reason] if submission.reason else [])):
        said += [sentence.en, sentence.zh]
        assert "\n" not in sentence.en
        assert re.search("[一-鿿]", sentence.zh)
    "".join(said).encode()
    nbformat.validate(nbformat.from_dict(canonical(submission, RELEASE)))
