"""What nbgrader would refuse once there are submissions is said before anything is written."""

import json
import shutil
import warnings

import pytest

from autograder.author.absorb import absorb
from autograder.author.build import BuildError, build, stale
from autograder.tests.courses import edit, empty_gradebook, make_course
from autograder.tests.test_absorb import contents, reword, saved


@pytest.fixture
def course(tmp_path):
    course = make_course(tmp_path)
    build(course, "two_steps")
    return course


@pytest.fixture
def submitted(course):
    """The course with one submission in nbgrader's gradebook."""
    from nbgrader.api import Gradebook

    (course.root / "gradebook.db").write_bytes(empty_gradebook())
    data = json.loads((course.source("two_steps") / "two_steps.ipynb").read_text(encoding="utf-8"))
    names = [cell["metadata"]["nbgrader"]["grade_id"] for cell in data["cells"] if cell["metadata"]]
    with warnings.catch_warnings(), Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        warnings.simplefilter("ignore")  # nbgrader's way with SQLAlchemy warns of itself
        gradebook.add_assignment("two_steps")
        gradebook.add_notebook("two_steps", "two_steps")
        for name in names:
            gradebook.add_source_cell(name, "two_steps", "two_steps", cell_type="markdown")
        gradebook.add_student("ada")
        gradebook.add_submission("two_steps", "ada")
    return course


def test_once_there_are_submissions_new_cells_are_refused_first(submitted):
    edit(
        submitted.assignment("two_steps") / "handout.en.md",
        "That was all.",
        "That was\n\n<!-- cell -->\n\nall.",
    )
    before = contents(submitted)
    with pytest.raises(BuildError, match="why_twice-3 would be added"):
        build(submitted, "two_steps")
    assert contents(submitted) == before
    assert build(submitted, "two_steps", force=True)


def test_once_there_are_submissions_removed_cells_are_refused_first(submitted):
    saved(submitted, lambda cells, everything: everything.remove(cells["double-2"]))
    before = contents(submitted)
    with pytest.raises(BuildError, match="double-2 would be removed"):
        absorb(submitted, "two_steps")
    assert contents(submitted) == before


def test_once_there_are_submissions_words_and_points_may_change(submitted):
    saved(submitted, reword)
    absorb(submitted, "two_steps")
    assert stale(submitted, "two_steps") == []


def test_a_broken_gradebook_stops_no_build(course):
    (course.root / "gradebook.db").write_bytes(b"not a database")
    shutil.rmtree(course.source("two_steps"))
    assert build(course, "two_steps")
