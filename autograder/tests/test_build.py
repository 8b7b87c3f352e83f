"""A build writes what is released, keeps nothing stale, and overwrites no teacher's edit."""

import doctest
import json

import numpy as np
import pytest

from autograder.author import build as building
from autograder.author.build import BuildError, build, released, stale
from autograder.author.cells import hand_graded
from autograder.author.exercise import load_exercise
from autograder.author.public import ExampleError
from autograder.tests.courses import edit, make_course


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)


@pytest.fixture
def folder(course):
    build(course, "two_steps")
    return course.source("two_steps")


def names(folder):
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def test_everything_that_is_released_is_written(folder):
    expected = {"two_steps.ipynb", "two_steps.py", "handout.en.md", "handout.zh.md", "flow.svg"}
    assert names(folder) >= expected | {"selfcheck/exercise.json", "selfcheck/__init__.py"}


def test_a_second_build_writes_nothing(course, folder):
    assert build(course, "two_steps") == []


def test_what_was_built_is_fresh(course, folder):
    assert stale(course, "two_steps") == []


def test_nothing_is_there_before_the_first_build(course):
    assert {why for _, why, _ in stale(course, "two_steps")} == {"it is not there"}


@pytest.mark.parametrize(
    "name", ["two_steps.py", "handout.zh.md", "selfcheck/exercise.json", "selfcheck/agree.py"]
)
def test_a_changed_file_is_stale_and_built_again(course, folder, name):
    (folder / name).write_text("changed", encoding="utf-8")
    assert [(file, cure) for file, _, cure in stale(course, "two_steps")] == [
        (folder / name, "attn build two_steps")
    ]
    assert build(course, "two_steps") == [folder / name]
    assert stale(course, "two_steps") == []


def test_a_changed_source_makes_its_outputs_stale(course, folder):
    edit(course.assignment("two_steps") / "handout.zh.md", "任意数。\n- 返回", "任何数。\n- 返回")
    assert {file.name for file, _, _ in stale(course, "two_steps")} == {"two_steps.ipynb", "handout.zh.md"}


@pytest.mark.parametrize("name", ["handout.fr.md", "old.svg", "selfcheck/old.py"])
def test_what_an_earlier_build_left_is_taken_away(course, folder, name):
    (folder / name).write_text("old", encoding="utf-8")
    assert [file for file, _, _ in stale(course, "two_steps")] == [folder / name]
    build(course, "two_steps")
    assert not (folder / name).exists()


def test_a_teachers_own_file_is_left_alone(course, folder):
    (folder / "data.csv").write_text("1,2", encoding="utf-8")
    build(course, "two_steps")
    assert (folder / "data.csv").exists() and stale(course, "two_steps") == []


def retitle(folder, old="Two steps", new="Two small steps"):
    edit(folder / "two_steps.ipynb", f'"# {old}\\n"', f'"# {new}\\n"')


def test_an_edited_notebook_is_not_overwritten(course, folder):
    retitle(folder)
    before = (folder / "two_steps.ipynb").read_bytes()
    assert [cure for _, _, cure in stale(course, "two_steps")] == ["attn absorb two_steps"]
    with pytest.raises(BuildError, match="attn absorb two_steps"):
        build(course, "two_steps")
    assert (folder / "two_steps.ipynb").read_bytes() == before
    build(course, "two_steps", force=True)
    assert stale(course, "two_steps") == []


def test_edits_on_both_sides_are_told_apart(course, folder):
    edit(course.assignment("two_steps") / "handout.en.md", "That was all.", "That is all.")
    assert "older" in stale(course, "two_steps")[0].why
    retitle(folder)
    assert "and so were its sources" in stale(course, "two_steps")[0].why


def test_a_notebook_saved_again_by_an_editor_is_fresh(course, folder):
    file = folder / "two_steps.ipynb"
    data = json.loads(file.read_text(encoding="utf-8"))
    data["metadata"]["language_info"] = {"name": "python", "version": "3.12.1"}
    for cell in data["cells"]:
        cell["metadata"]["trusted"] = True
        cell["source"] = "".join(cell["source"])
    file.write_text(json.dumps(data), encoding="utf-8")
    assert stale(course, "two_steps") == []


def test_what_is_no_notebook_is_named(course, folder):
    (folder / "two_steps.ipynb").write_text("not JSON", encoding="utf-8")
    assert "no notebook" in stale(course, "two_steps")[0].why


def test_a_crash_in_the_middle_of_writing_leaves_the_old_file(course, folder, monkeypatch):
    file = folder / "two_steps.py"

    def crash(*_):
        raise KeyboardInterrupt

    before = file.read_bytes()
    monkeypatch.setattr(building.Path, "replace", crash)
    with pytest.raises(KeyboardInterrupt):
        building.write(file, b"half")
    assert file.read_bytes() == before


def test_the_kits_own_folder_is_not_written_from_another_course(course):
    written = building.outputs(course, load_exercise(course, "self_attention"))
    assert all(file.is_relative_to(course.root) for file in written)


def test_stubs_hold_the_contract_and_the_examples_but_no_solution(course):
    text = released(load_exercise(course, "two_steps"), ["en"]).module
    compile(text, "two_steps.py", "exec")
    assert "Returns y (..., n), twice √4 times x over 2." in text
    assert ">>> double(np.array([1.0, 2.0]))" in text and "x + x" not in text and "clause" not in text


def test_the_stubs_examples_hold_for_the_reference(course):
    exercise = load_exercise(course, "two_steps")
    namespace = {"np": np}
    exec(exercise.code, namespace)
    exec(released(exercise, ["zh"]).module, stubs := {})
    for step in exercise.steps:
        text = stubs[step.name].__doc__
        test = doctest.DocTestParser().get_doctest(text, dict(namespace), step.name, "two_steps.py", 0)
        assert test.examples
        assert doctest.DocTestRunner().run(test).failed == 0


def public(folder):
    return json.loads((folder / "selfcheck" / "exercise.json").read_text(encoding="utf-8"))


def test_public_examples_carry_what_they_need_and_their_value(folder):
    double, quadruple = public(folder)["steps"]
    assert double["examples"][1] == {
        "example": 2,
        "source": "x = np.array([[1, 2], [3, 4]])\ny = double(x)\ny",
        "expected": {"array": [[2, 4], [6, 8]], "dtype": "int64"},
    }
    assert quadruple["examples"][0]["expected"] == {"array": [[4.0], ["inf"]], "dtype": "float64"}


def test_public_facts_of_a_step(folder):
    double, quadruple = public(folder)["steps"]
    assert double["signature"] == "(x)" and quadruple["signature"] == "(x, times=2)"
    assert double["axes"] == {"x": ["n"], "y": ["n"], "return": ["n"]}
    assert double["heading"] == {"en": "`double` — twice as much", "zh": "`double`——两倍"}
    assert double["hints"] == {"en": ["Add it to itself."], "zh": ["自己加自己。"]}
    assert quadruple["needs"] == ["double"] and quadruple["points"] == 3


def test_an_example_that_raises_is_named(course):
    edit(course.solution("two_steps"), ">>> y = double(x)", ">>> y = double(z)")
    with pytest.raises(ExampleError, match="double: an example raises NameError"):
        build(course, "two_steps")


def test_a_handout_by_itself_has_no_marks_and_no_mark_scheme(folder):
    text = (folder / "handout.en.md").read_text(encoding="utf-8")
    assert "<!--" not in text and "because it is" not in text and "python cell" not in text
    assert "Why is two enough?" in text and "numbers = np.array" in text


def test_a_handout_by_itself_says_what_is_asked_and_what_it_carries(course):
    exercise = load_exercise(course, "two_steps")
    for language in ("en", "zh"):
        text = building.outputs(course, exercise)[
            course.source("two_steps") / f"handout.{language}.md"
        ].decode()
        for step in exercise.steps:
            assert f"def {step.name}(" in text
            assert all(getattr(promise.sentence, language) in text for promise in step.promises)
        assert hand_graded(exercise.questions[0], language) in text
        assert "<!--" not in text
