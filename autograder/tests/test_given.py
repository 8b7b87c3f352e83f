"""What is given: earlier functions solved, in notebook, stubs, desk and reference."""

import ast
import sys
from dataclasses import replace

import numpy as np
import pytest

from autograder.author.build import build, released
from autograder.author.doctor.leaks import are_kept
from autograder.author.exercise import ExerciseError, load_exercise
from autograder.author.given import handed_out, importable
from autograder.author.notebook import weave
from autograder.author.unweave import UnweaveError, unweave
from autograder.grade.given import with_given
from autograder.intake.take import take
from autograder.layout import KIT, Course
from autograder.model import Cell, Verdict
from autograder.tests.courses import cell_of, edit
from autograder.tests.given import GIVEN, NAME, SOLUTION, TOML, make_given_course
from autograder.tests.grading import opened, submission, texts
from autograder.tests.submissions import Work


@pytest.fixture
def course(tmp_path):
    return make_given_course(tmp_path)


# --- what it is ---


@pytest.mark.parametrize("name", Course(KIT).exercises)
def test_handed_out_functions_do_what_the_reference_does_and_hold_no_marks(name):
    exercise = load_exercise(Course(KIT), name)
    text = handed_out(exercise.code, [step.name for step in exercise.steps])
    trees = [ast.parse(source).body for source in (text, exercise.code)]
    bare, whole = ([node for node in tree if isinstance(node, ast.FunctionDef)] for tree in trees)
    assert [ast.dump(ast.Module(node.body[1:], [])) for node in bare] == [
        ast.dump(ast.Module(node.body[1:], [])) for node in whole
    ]
    assert not [word for word in ("SOLUTION", ">>>") if word in text]
    assert all(ast.get_docstring(node).count("\n") == 0 for node in bare)


def test_a_given_exercise_must_be_another_one_that_is_there(course):
    toml = course.root / "assignments/more/exercise.toml"
    for wrong in ("more", "nothing"):
        toml.write_text(TOML.replace("two_steps", wrong), encoding="utf-8")
        with pytest.raises(ExerciseError, match=f"given names '{wrong}'.*\nOthers: .*two_steps"):
            load_exercise(course, NAME)


def test_a_grade_depends_on_what_is_given(course):
    before = load_exercise(course, NAME).version
    edit(course.solution(GIVEN), "    return x + x", "    return 2 * x")
    assert load_exercise(course, NAME).version != before


def test_importing_what_is_given_leaves_no_module_behind():
    before = dict(sys.modules)
    with importable(
        {"two_steps": "def double(x):\n    return 2 * x", "json": "def loads(x):\n    return np"}
    ):
        from json import loads

        from two_steps import double

        assert (double(2), loads("1")) == (4, np)
    assert "two_steps" not in sys.modules and sys.modules["json"] is before["json"]


# --- what is released ---


@pytest.mark.parametrize("languages", [["en"], ["zh", "en"]], ids="+".join)
def test_notebook_and_stubs_hold_it_solved_and_locked(course, languages):
    exercise = load_exercise(course, NAME)
    release = released(exercise, languages)
    ids = [cell["id"] for cell in release.notebook["cells"]]
    assert ids[ids.index("setup") + 1] == "given"
    cell = cell_of(release.notebook, "given")
    marks = cell["metadata"]["nbgrader"]
    assert (marks["grade"], marks["solution"], marks["locked"]) == (False, False, True)
    assert cell["metadata"]["editable"] is False
    for text in (cell["source"], release.module):
        names = {"np": np}
        exec(text.split("\n\n\ndef eightfold")[0], names)
        assert np.array_equal(names["quadruple"](np.arange(3)), [0, 4, 8])
    assert "return 2 * quadruple" not in release.module


def test_an_exercise_that_is_given_nothing_has_no_such_cell(course):
    exercise = load_exercise(course, GIVEN)
    assert "given" not in [cell["id"] for cell in weave(exercise, ["en"])["cells"]]


def test_a_teacher_edits_it_where_it_is_from(course):
    exercise = load_exercise(course, NAME)
    notebook = weave(exercise, ["en", "zh"])
    assert unweave(notebook, exercise, ["en", "zh"]) == exercise
    cell_of(notebook, "given")["source"] += "\n"
    assert unweave(notebook, exercise, ["en", "zh"]) == exercise
    cell_of(notebook, "given")["source"] += "more = 1"
    with pytest.raises(UnweaveError, match="cell given: These are the functions of earlier exercises"):
        unweave(notebook, exercise, ["en", "zh"])


def test_the_search_for_hidden_text_allows_exactly_it(course):
    build(course, NAME)
    exercise = load_exercise(course, NAME)
    assert not list(are_kept(course, exercise))
    for hidden in ("return 2 * quadruple(x)", "test_doubles_each_entry", "你求了平方；翻倍是相加。"):
        file = course.root / "source/more/note.txt"
        file.write_text(hidden, encoding="utf-8")
        assert [fault for fault in are_kept(course, exercise) if "note.txt" in fault.detail], hidden


# --- at the desk ---


WRITTEN = "{0}\ndef eightfold(x):\n    if not x.size: raise ValueError\n    return {1}"
WAYS = {
    "by name": WRITTEN.format("", "quadruple(double(x))"),
    "all": WRITTEN.format("from two_steps import *", "quadruple(double(x))"),
    "by import": WRITTEN.format("from two_steps import double", "4 * double(x)"),
    "the module": WRITTEN.format("import two_steps as given", "4 * given.double(x)"),
    "as the reference": SOLUTION,
}


@pytest.mark.parametrize("source", WAYS.values(), ids=WAYS)
def test_it_is_there_by_name_and_by_import(course, source):
    with opened(course, NAME) as proctor:
        result = proctor.grade(submission(source))[0]
    assert result.earned == result.points


def test_a_student_s_own_function_of_that_name_is_the_student_s(course):
    source = "def double(x):\n    return 0 * x\ndef eightfold(x):\n    return quadruple(double(x))"
    with opened(course, NAME) as proctor:
        assert proctor.grade(submission(source))[0].aspects[0].verdict is Verdict.failed
        given = load_exercise(course, NAME).given[GIVEN]
        later = submission(given.replace("times=2", "times=3"), "def eightfold(x): return quadruple(x)")
        assert proctor.grade(later)[0].aspects[0].verdict is Verdict.passed


def test_the_locked_cell_is_put_right_and_what_was_added_to_it_stays(course):
    given = load_exercise(course, NAME).given[GIVEN]
    spoilt = given.replace("times=2", "times=3") + "\n\n\ndef helper(x):\n    return 2 * quadruple(x)"
    cells = submission(spoilt, "def eightfold(x):\n    return helper(x)").cells
    with opened(course, NAME) as proctor:
        for place, verdict in (("given", Verdict.passed), ("eightfold", Verdict.failed)):
            changed = (replace(cells[0], place=place), cells[1])
            result = proctor.grade(replace(submission(""), cells=changed))[0]
            assert result.aspects[0].verdict is verdict


def test_an_error_inside_it_is_told_with_the_student_s_line(course):
    source = "\n\ndef eightfold(x):\n    return quadruple(x, 'twice')"
    with opened(course, NAME) as proctor:
        result = proctor.grade(submission("", source))[0]
    assert any("line 4 of cell 1" in text for text in texts(result))


def test_copies_of_it_are_left_out_and_nothing_else(course):
    given = load_exercise(course, NAME).given
    first, second = given[GIVEN].split("\n\n\n")
    own = [Cell("x = 1", 4), Cell(first.replace("x + x", "x * 2"), 5)]
    copies = [Cell("# Given.\n\n" + given[GIVEN], 1), Cell(first + "\n\n", 2), Cell(second, 3)]
    found = with_given(given, [*copies, *own])
    assert list(found[1:]) == own and "two_steps" in found[0].source
    assert with_given({}, copies) == tuple(copies)


def test_where_an_exception_is_asked_for_an_answer_is_told_so(course):
    source = "def eightfold(x):\n    return 8 * x"
    with opened(course, NAME) as proctor:
        result = proctor.grade(submission(source))[0]
        assert [aspect.verdict for aspect in result.aspects] == [Verdict.passed, Verdict.failed]
        assert "The call gives an answer, and must raise an exception." in texts(result)
        other = proctor.grade(submission(source.replace("return", "assert x.size\n    return")))[0]
    assert any("It raises Exception at line 2" in text for text in texts(other))


def test_a_notebook_without_its_cell_is_graded_all_the_same(tmp_path):
    kit, name = Course(KIT), "multi_head_attention"
    exercise = load_exercise(kit, name)
    release = released(exercise, ["en"])
    work = Work(tmp_path / "work", exercise, release)
    notebook = work.notebook()
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] != "given"]
    work.write(notebook)
    taken = take(work.folder, exercise, release)
    assert ["Code that was handed out" in warning.en for warning in taken.warnings] == [True]
    with opened(kit, name) as proctor:
        assert [step.earned for step in proctor.grade(taken)] == [step.points for step in exercise.steps]
