"""A woven notebook comes apart into the exercise again, edited or not; no edit is lost in silence."""

import copy
import json

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from autograder.author.exercise import load_exercise
from autograder.author.handout import sections
from autograder.author.matching import normal
from autograder.author.notebook import points, weave
from autograder.author.unweave import UnweaveError, unweave
from autograder.layout import KIT, Course
from autograder.tests.courses import cell_of, make_course, opened

LANGUAGES = [("en",), ("zh",), ("en", "zh"), ("zh", "en")]


@pytest.fixture(scope="module")
def exercise(tmp_path_factory):
    return load_exercise(make_course(tmp_path_factory.mktemp("course")), "two_steps")


@pytest.mark.parametrize("languages", LANGUAGES, ids="+".join)
def test_unweaving_what_was_woven_gives_it_back(exercise, languages):
    assert unweave(opened(exercise, languages), exercise, languages) == exercise


@pytest.mark.parametrize("name", Course(KIT).exercises)
@pytest.mark.parametrize("languages", LANGUAGES, ids="+".join)
def test_the_kits_own_exercises_come_back_too(name, languages):
    own = load_exercise(Course(KIT), name)
    assert unweave(opened(own, languages), own, languages) == own


# Edits as a teacher makes them in a notebook. Text without "<" and "#" writes no mark of ours by accident.

words = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="<#`~"),
    min_size=1,
    max_size=12,
).filter(str.strip)
places = st.integers(0, 40)
TEXT_CELL = {"cell_type": "markdown", "metadata": {}}
CODE_CELL = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}


def _prose(notebook, place):
    """A cell of prose or free code, by number."""
    free = [
        c
        for c in notebook["cells"]
        if not {"grade", "solution"} & {k for k, v in c["metadata"].get("nbgrader", {}).items() if v is True}
        and not c["id"].startswith(("setup", "promises"))
    ]
    return free[place % len(free)] if free else None


def reword(notebook, place, text):
    if target := _prose(notebook, place):
        head, *rest = target["source"].split("\n")
        target["source"] = "\n".join([head, "", text, *rest])


def add_text(notebook, place, text):
    notebook["cells"].insert(
        place % len(notebook["cells"]) + 1, {**copy.deepcopy(TEXT_CELL), "id": f"n{place}", "source": text}
    )


def add_section(notebook, place, text):
    add_text(notebook, place, f"## {text}\n\nNew.")


def add_code(notebook, place, text):
    source = f"shown = {text!r}\nprint(shown)"
    notebook["cells"].insert(
        place % len(notebook["cells"]) + 1, {**copy.deepcopy(CODE_CELL), "id": f"n{place}", "source": source}
    )


def delete(notebook, place, text):
    if target := _prose(notebook, place):
        notebook["cells"].remove(target)


def move(notebook, place, text):
    if target := _prose(notebook, place):
        notebook["cells"].remove(target)
        notebook["cells"].insert(len(text) * 7 % len(notebook["cells"]) + 1, target)


def repoint(notebook, place, text):
    cell_of(notebook, ["check_double", "check_quadruple", "why_twice"][place % 3])["metadata"]["nbgrader"][
        "points"
    ] = 1 + len(text) / 2


def rewrite_solution(notebook, place, text):
    target = cell_of(notebook, ["double", "quadruple"][place % 2])
    target["source"] = target["source"].replace("    return", f"    # {len(text)}\n    return")


EDITS = [reword, add_text, add_section, add_code, delete, move, repoint, rewrite_solution]
edits = st.lists(st.tuples(st.sampled_from(EDITS), places, words), min_size=1, max_size=4)


@pytest.mark.parametrize("languages", LANGUAGES, ids="+".join)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=edits)
def test_every_edit_is_in_what_is_woven_next(exercise, languages, edits):
    notebook = opened(exercise, languages)
    for edit, place, text in edits:
        edit(notebook, place, text)
    try:
        taken = unweave(notebook, exercise, languages)
        again = weave(taken, languages)
    except UnweaveError:
        assume(False)  # a moved heading took a graded cell out of its section
    assert normal(json.loads(json.dumps(again)), languages) == normal(notebook, languages)
    assert unweave(opened(taken, languages), taken, languages) == taken


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=edits)
def test_a_hidden_language_keeps_its_own(exercise, edits):
    notebook = opened(exercise, ["en"])
    for edit, place, text in edits:
        if edit is not delete:
            edit(notebook, place, text)
    try:
        taken = unweave(notebook, exercise, ["en"])
    except UnweaveError:
        assume(False)
    old = sorted(
        piece.text for s in sections(exercise.prose["zh"]) for piece in s.pieces if piece.kind == "markdown"
    )
    new = [piece.text for s in sections(taken.prose["zh"]) for piece in s.pieces]
    for text in old:
        assert text in new
    assert [s.kind for s in sections(taken.prose["zh"])] == [s.kind for s in sections(taken.prose["en"])]


def test_changed_points_reach_their_step_and_question(exercise):
    notebook = opened(exercise, ["en"])
    cell_of(notebook, "check_quadruple")["metadata"]["nbgrader"]["points"] = 2.5
    cell_of(notebook, "why_twice")["metadata"]["nbgrader"]["points"] = 6.0
    taken = unweave(notebook, exercise, ["en"])
    assert float(taken.step("quadruple").points) == 2.5 and taken.questions[0].points == 6
    assert taken.step("double") == exercise.step("double")


def test_a_changed_word_changes_that_line_and_no_other(exercise):
    notebook = opened(exercise, ["en", "zh"])
    target = cell_of(notebook, "double-1")
    target["source"] = target["source"].replace("The idea is", "The idea:")
    taken = unweave(notebook, exercise, ["en", "zh"])
    assert taken.prose["en"] == exercise.prose["en"].replace("The idea is", "The idea:")
    assert taken.prose["zh"] == exercise.prose["zh"]


def test_text_behind_the_folded_language_belongs_to_the_open_one(exercise):
    notebook = opened(exercise, ["en", "zh"])
    cell_of(notebook, "double-2")["source"] += "\n\nOne more thing."
    taken = unweave(notebook, exercise, ["en", "zh"])
    assert "of nothing?\n\nOne more thing.\n" in taken.prose["en"]
    assert taken.prose["zh"] == exercise.prose["zh"]


def test_a_cell_of_code_goes_into_every_handout(exercise):
    notebook = opened(exercise, ["en"])
    notebook["cells"].insert(4, {**CODE_CELL, "id": "new", "source": "print(1)\n"})
    taken = unweave(notebook, exercise, ["en"])
    assert all("```python cell\nprint(1)\n```" in text for text in taken.prose.values())


def test_code_with_fences_in_it_is_taken_whole(exercise):
    notebook = opened(exercise, ["en"])
    source = 'print("""\n```\n## no heading\n````\n""")'
    notebook["cells"].insert(4, {**CODE_CELL, "id": "new", "source": source})
    assert source in [c["source"] for c in weave(unweave(notebook, exercise, ["en"]), ["en"])["cells"]]


def test_an_unclosed_fence_swallows_nothing(exercise):
    notebook = opened(exercise, ["en"])
    cell_of(notebook, "intro-2")["source"] += "\n\n```python\nx = 1"
    taken = unweave(notebook, exercise, ["en"])
    assert [c["id"] for c in weave(taken, ["en"])["cells"]] == [c["id"] for c in notebook["cells"]]


def test_cells_are_found_where_an_editor_dropped_ids_and_metadata_of_prose(exercise):
    notebook = opened(exercise, ["en"])
    for each in notebook["cells"]:
        del each["id"]
        if not {"grade", "solution"} & {k for k, v in each["metadata"].get("nbgrader", {}).items() if v}:
            each["metadata"] = {}
    assert unweave(notebook, exercise, ["en"]) == exercise


def test_points_are_read_as_numbers(exercise):
    assert points(cell_of(opened(exercise, ["en"]), "check_double")) == 2.0
