"""`attn release`: what students get is nbgrader's release, and a second one harms nobody's work."""

import json
import shutil

import nbformat
import pytest

from autograder.author.build import build
from autograder.layout import KIT
from autograder.record.release import ReleaseError, release
from autograder.tests import classes
from autograder.tests.classes import EXERCISE, NOTEBOOK


@pytest.fixture
def course(tmp_path):
    """A released course with an exercise of its own to change: the kit's, copied."""
    course = classes.released(tmp_path)
    for folder in ("assignments", "solutions"):
        shutil.copytree(KIT / folder, course.root / folder)
    build(course, EXERCISE)
    return course


def outbound(course):
    return course.root / "exchange" / "course" / "outbound" / EXERCISE


def everything(course):
    """What a refused release must leave as it was."""
    tracked = ("release", "exchange", "source")
    database = (course.root / "gradebook.db").read_bytes()
    return {name: classes.tree(course.root / name) for name in tracked}, database


def edit(file, old, new):
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_students_get_what_was_generated(course):
    assert classes.tree(outbound(course)) == classes.tree(course.release(EXERCISE))
    names = set(classes.tree(outbound(course)))
    assert {NOTEBOOK, f"{EXERCISE}.py", "handout.en.md", "handout.zh.md", "selfcheck/exercise.json"} <= names


def test_a_second_release_is_refused_with_the_command_that_does_it(course):
    before = everything(course)
    with pytest.raises(ReleaseError, match="attn release self_attention --update"):
        release(course, EXERCISE)
    assert everything(course) == before


def test_an_unknown_exercise_is_named_with_the_known_ones(course):
    with pytest.raises(ReleaseError, match="self_attention"):
        release(course, "self_atention")


def test_an_update_without_a_change_touches_nothing(course):
    release(course, EXERCISE, update=True)
    before = everything(course)
    assert release(course, EXERCISE, update=True).changed == ()
    assert everything(course) == before


def change_prose(course):
    for language in ("en", "zh"):
        file = course.assignment(EXERCISE) / f"handout.{language}.md"
        text = file.read_text(encoding="utf-8")
        title, _, rest = text.partition("\n")
        file.write_text(f"{title}\n\nMended.\n{rest}", encoding="utf-8")


def test_changed_prose_goes_out_and_students_are_told_what_to_do(course):
    change_prose(course)
    build(course, EXERCISE)
    out = release(course, EXERCISE, update=True)
    assert {"handout.en.md", "handout.zh.md", NOTEBOOK} <= set(out.changed)
    assert "Mended." in (outbound(course) / "handout.en.md").read_text(encoding="utf-8")
    told = out.todo
    assert f"nbgrader fetch_assignment {EXERCISE} --replace" in told and f"{EXERCISE}/handout.en.md" in told
    assert f"rm -f {EXERCISE}/{NOTEBOOK}" not in told
    assert classes.tree(outbound(course)) == classes.tree(course.release(EXERCISE))


def test_work_handed_in_before_an_update_is_graded_as_before(course):
    from autograder.record.gradebook import record, statuses

    classes.hand_in(course, "ada", classes.solved(course))
    classes.hand_in(course, "bob", classes.SOLUTION, f"{EXERCISE}.py")
    classes.hand_in(course, "bob", classes.stub(course))
    change_prose(course)
    build(course, EXERCISE)
    release(course, EXERCISE, update=True)
    record(course, EXERCISE)
    assert {row.student: row.earned for row in statuses(course, EXERCISE)} == {"ada": 20, "bob": 20}


def in_toml(old, new):
    return lambda course: edit(course.assignment(EXERCISE) / "exercise.toml", old, new)


def in_notebook(change):
    """An edit in JupyterLab that is not taken back."""

    def make(course):
        file = course.source(EXERCISE) / NOTEBOOK
        notebook = json.loads(file.read_text(encoding="utf-8"))
        change(notebook["cells"])
        file.write_text(json.dumps(notebook), encoding="utf-8")

    return make


def add_cell(cells):
    marks = {"grade": True, "solution": False, "locked": True, "task": False, "schema_version": 3}
    marks |= {"grade_id": "extra", "points": 1}
    cells.append(nbformat.v4.new_code_cell("1", metadata={"nbgrader": marks}))


REFUSED = {
    "points": in_toml("points = 4", "points = 5"),
    "another stub": lambda course: edit(
        course.solution(EXERCISE), "def softmax(scores, axis=-1)", "def softmax(scores, axis=0)"
    ),
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED)
def test_changed_cells_are_refused_before_anything_is_touched(course, change):
    change(course)
    build(course, EXERCISE)
    before = everything(course)
    with pytest.raises(ReleaseError, match="softmax"):
        release(course, EXERCISE, update=True)
    assert everything(course) == before


EDITED = {"a cell more": add_cell, "a cell fewer": lambda cells: cells.pop()}


@pytest.mark.parametrize("change", EDITED.values(), ids=EDITED)
def test_an_edited_source_is_refused_before_anything_is_touched(course, change):
    in_notebook(change)(course)
    before = everything(course)
    with pytest.raises(ReleaseError, match="attn absorb"):
        release(course, EXERCISE, update=True)
    assert everything(course) == before


def test_a_first_release_of_a_stale_source_names_every_stale_file(course):
    shutil.rmtree(outbound(course))
    for name in (f"{EXERCISE}.py", "handout.en.md"):
        (course.source(EXERCISE) / name).write_text("old", encoding="utf-8")
    before = everything(course)
    with pytest.raises(ReleaseError) as told:
        release(course, EXERCISE)
    assert everything(course) == before
    assert f"{EXERCISE}.py" in str(told.value) and "handout.en.md" in str(told.value)
    assert str(told.value).count(f"attn build {EXERCISE}") == 1  # one reason, one cure


def test_an_update_before_a_release_names_the_command(course):
    shutil.rmtree(outbound(course))
    with pytest.raises(ReleaseError, match=f"attn release {EXERCISE}$"):
        release(course, EXERCISE, update=True)


def test_what_would_be_refused_is_told_cell_by_cell(course):
    in_toml("points = 4", "points = 5")(course)
    build(course, EXERCISE)
    with pytest.raises(ReleaseError) as told:
        release(course, EXERCISE, update=True)
    assert "check_softmax: has other points" in str(told.value)


def test_no_hidden_test_and_no_mistake_is_released(course):
    text = b"\n".join(classes.tree(outbound(course)).values()).decode()
    sources = [file.read_text(encoding="utf-8") for file in course.suite(EXERCISE).glob("*.py")]
    lines = [line.strip() for source in sources for line in source.splitlines()]
    hidden = [line for line in lines if line.startswith(("def ", "assert ", "agree("))]
    assert len(hidden) > 50
    assert not [line for line in hidden if line in text]
