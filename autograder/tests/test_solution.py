"""The solved notebook: not before everybody's work is due, and never with a mark scheme."""

import datetime
import warnings

import pytest
from nbgrader.api import Gradebook
from sqlalchemy.exc import SAWarning

from autograder.author.exercise import load_exercise
from autograder.cli import main as attn
from autograder.layout import KIT, Course
from autograder.record.due import now
from autograder.record.solution import solved
from autograder.tests.classes import EXERCISE, hand_in, read, released
from autograder.tests.classes import solved as work

DAY = datetime.timedelta(days=1)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = released(tmp_path_factory.mktemp("solution"))
    hand_in(course, "ada", work(course))
    return course


def dated(course, duedate, extension=None):
    file = f"sqlite:///{course.root}/gradebook.db"
    with warnings.catch_warnings(), Gradebook(file) as gradebook:
        warnings.simplefilter("ignore", SAWarning)  # nbgrader's way with SQLAlchemy warns of itself
        gradebook.update_or_create_assignment(EXERCISE, duedate=duedate)
        gradebook.update_or_create_student("ada")
        gradebook.update_or_create_submission(EXERCISE, "ada", extension=extension)


def allow(course, value):
    file = course.root / "nbgrader_config.py"
    kept = file.read_text("utf-8").partition("\n# decided\n")[0]
    file.write_text(f"{kept}\n# decided\nc.Attn.release_solution = {value!r}\n", encoding="utf-8")


def refused(course, capsys):
    assert attn(["release", EXERCISE, "--solution", "--course", str(course.root)]) == 1
    assert not (course.root / "exchange" / "course" / "outbound" / f"{EXERCISE}_solution").exists()
    return capsys.readouterr().err


def test_it_comes_when_it_is_allowed_and_the_last_one_is_due_and_not_before(course, capsys):
    dated(course, now() - DAY)
    assert "c.Attn.release_solution" in refused(course, capsys)
    allow(course, {EXERCISE: True})
    dated(course, None)
    assert "duedate" in refused(course, capsys)
    dated(course, now() + DAY)
    assert "waits until" in refused(course, capsys)
    dated(course, now() - DAY, extension=2 * DAY)
    assert "last extension" in refused(course, capsys)
    dated(course, now() - DAY, extension=DAY / 2)
    assert attn(["release", EXERCISE, "--solution", "--course", str(course.root)]) == 0
    assert attn(["release", EXERCISE, "--solution", "--course", str(course.root)]) == 0  # again, as it is now
    out = course.root / "exchange" / "course" / "outbound" / f"{EXERCISE}_solution"
    assert str(out) in capsys.readouterr().out
    notebook = read(out / f"{EXERCISE}.ipynb")
    assert any("return weights" in "".join(cell["source"]) for cell in notebook["cells"])
    assert (out / "figure.svg").is_file() and (out / f"{EXERCISE}.py").is_file()


@pytest.mark.parametrize("name", Course(KIT).exercises)
def test_it_has_the_code_and_the_explanations_and_no_mark_scheme(name):
    exercise = load_exercise(Course(KIT), name)
    cells = solved(exercise, ["en", "zh"])["cells"]
    text = "\n".join(cell["source"] for cell in cells)
    for mark in ("MARK SCHEME", "BEGIN SOLUTION", "END SOLUTION"):
        assert mark not in text
    assert all(f"def {step.name}(" in text and f"`{step.name}`" in text for step in exercise.steps)
    assert not any(cell["metadata"] for cell in cells)
