"""A teacher's edits in the notebook go back into the files, and only they do."""

import json
import subprocess

import pytest

from autograder.author.absorb import AbsorbError, absorb
from autograder.author.build import build, stale
from autograder.author.exercise import load_exercise
from autograder.author.unweave import UnweaveError
from autograder.layout import KIT
from autograder.tests.courses import edit, make_course


@pytest.fixture
def course(tmp_path):
    course = make_course(tmp_path)
    build(course, "two_steps")
    git(course, "init", "-q")
    git(course, "add", ".")
    git(course, "commit", "-q", "-m", "all")
    return course


def git(course, *arguments):
    done = subprocess.run(
        ["git", *arguments], cwd=course.root, capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout


def saved(course, change):
    """The notebook as JupyterLab saves it after `change(cells by id, all cells)`."""
    file = course.source("two_steps") / "two_steps.ipynb"
    data = json.loads(file.read_text(encoding="utf-8"))
    for cell in data["cells"]:
        cell["source"] = "".join(cell["source"])
    change({cell["id"]: cell for cell in data["cells"]}, data["cells"])
    data["metadata"]["language_info"] = {
        "name": "python",
        "version": "3.11.2",
        "nbconvert_exporter": "python",
    }
    for cell in data["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
    file.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def reword(cells, _):
    cells["double-1"]["source"] = cells["double-1"]["source"].replace("The idea is", "The idea:")


def changed_lines(course, *paths):
    diff = git(course, "diff", "-U0", "--", *paths)
    return [
        line for line in diff.split("\n") if line.startswith(("+", "-")) and line[:3] not in ("+++", "---")
    ]


def test_a_changed_word_is_the_whole_difference(course):
    saved(course, reword)
    assert "handout.en.md" in absorb(course, "two_steps")
    assert changed_lines(course, "assignments", "solutions", "suites") == [
        "-The idea is $$y = 2x$$",
        "+The idea: $$y = 2x$$",
    ]
    assert stale(course, "two_steps") == []


def test_changed_points_keep_the_comments(course):
    def change(cells, _):
        cells["check_quadruple"]["metadata"]["nbgrader"]["points"] = 3.5
        cells["why_twice"]["metadata"]["nbgrader"]["points"] = 6

    saved(course, change)
    absorb(course, "two_steps")
    assert changed_lines(course, "assignments/two_steps/exercise.toml") == [
        "-points = 3  # the harder one",
        "+points = 3.5  # the harder one",
        "-points = 4",
        "+points = 6",
    ]
    assert stale(course, "two_steps") == []


def test_an_added_cell_waits_for_its_translation(course):
    def change(cells, everything):
        new = {"cell_type": "markdown", "id": "abc", "metadata": {}, "source": "One more thought."}
        everything.insert(everything.index(cells["double-2"]), new)

    saved(course, change)
    assert "handout.zh.md: 1 cell waits for a translation" in absorb(course, "two_steps")
    assert changed_lines(course, "assignments/two_steps/handout.en.md") == [
        "+One more thought.",
        "+",
        "+<!-- cell -->",
        "+",
    ]
    assert stale(course, "two_steps") == []


def test_a_changed_solution_reaches_the_reference(course):
    def change(cells, _):
        cells["double"]["source"] = cells["double"]["source"].replace("return x + x", "return 2 * x")

    saved(course, change)
    absorb(course, "two_steps")
    assert changed_lines(course, "solutions") == ["-    return x + x", "+    return 2 * x"]


def test_the_hidden_language_is_kept(tmp_path):
    course = make_course(tmp_path, ("en",))
    build(course, "two_steps")
    before = (course.assignment("two_steps") / "handout.zh.md").read_bytes()
    saved(course, reword)
    absorb(course, "two_steps")
    assert (course.assignment("two_steps") / "handout.zh.md").read_bytes() == before


def test_without_edits_nothing_is_written(course):
    saved(course, lambda *_: None)
    assert "no edits" in absorb(course, "two_steps")
    assert changed_lines(course, "assignments", "solutions") == []


def contents(course):
    return {
        file: file.read_bytes()
        for file in course.root.rglob("*")
        if file.is_file() and ".git" not in file.parts
    }


def test_edits_on_both_sides_are_both_kept(course):
    saved(course, reword)
    edit(course.assignment("two_steps") / "handout.en.md", "That was all.", "That is all.")
    before = contents(course)
    with pytest.raises(AbsorbError, match="and so was what it is woven from"):
        absorb(course, "two_steps")
    assert contents(course) == before


def test_the_way_out_that_is_offered_keeps_both(course):
    saved(course, reword)
    edit(course.assignment("two_steps") / "handout.en.md", "That was all.", "That is all.")
    git(
        course,
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "stash",
        "push",
        "--",
        "assignments/two_steps",
    )
    absorb(course, "two_steps")
    git(course, "add", "assignments/two_steps")
    git(course, "stash", "pop")
    build(course, "two_steps")
    text = (course.assignment("two_steps") / "handout.en.md").read_text(encoding="utf-8")
    assert "The idea:" in text and "That is all." in text


def test_what_cannot_be_taken_leaves_everything_as_it_was(course):
    def change(cells, _):
        reword(cells, _)
        cells["promises_double"]["source"] += "\n- More."

    saved(course, change)
    before = contents(course)
    with pytest.raises(UnweaveError, match="promises_double"):
        absorb(course, "two_steps")
    assert contents(course) == before


@pytest.mark.parametrize(("text", "said"), [(None, "build two_steps"), ("no", "build --force two_steps")])
def test_without_a_notebook_the_cure_is_named(course, text, said):
    file = course.source("two_steps") / "two_steps.ipynb"
    file.unlink()
    if text:
        file.write_text(text, encoding="utf-8")
    with pytest.raises(AbsorbError, match=said):
        absorb(course, "two_steps")


def test_a_kits_exercise_becomes_the_courses_own(tmp_path):
    course = make_course(tmp_path)
    build(course, "self_attention")
    file = course.source("self_attention") / "self_attention.ipynb"
    points = '"grade_id": "check_softmax",\n     "locked": true,\n     "points": 4,'
    edit(file, points, points.replace("4", "5"))
    kits = {path: path.read_bytes() for path in (KIT / "assignments").rglob("*") if path.is_file()}
    absorb(course, "self_attention")
    assert {path: path.read_bytes() for path in kits} == kits
    assert course.assignment("self_attention") == course.root / "assignments" / "self_attention"
    assert load_exercise(course, "self_attention").step("softmax").points == 5
