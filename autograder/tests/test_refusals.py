"""What an edited notebook holds that no file can take is refused by name, and everything at once."""

import copy

import pytest

from autograder.author.exercise import load_exercise
from autograder.author.unweave import UnweaveError, unweave
from autograder.tests.courses import cell_of, make_course, opened


@pytest.fixture(scope="module")
def exercise(tmp_path_factory):
    return load_exercise(make_course(tmp_path_factory.mktemp("course")), "two_steps")


def _attach(notebook):
    cell_of(notebook, "intro-1")["attachments"] = {"image.png": {"image/png": "AAAA"}}


def _docstring(notebook):
    target = cell_of(notebook, "double")
    target["source"] = target["source"].replace("any numbers", "some numbers")


def _change(name, text):
    def change(notebook):
        cell_of(notebook, name)["source"] += text

    return change


def _remove(name):
    return lambda notebook: notebook["cells"].remove(cell_of(notebook, name))


def _to_front(name):
    return lambda notebook: notebook["cells"].insert(
        0, notebook["cells"].pop(notebook["cells"].index(cell_of(notebook, name)))
    )


def _mark(name, **marks):
    return lambda notebook: cell_of(notebook, name)["metadata"]["nbgrader"].update(marks)


def _raw(notebook):
    notebook["cells"].append({"cell_type": "raw", "id": "raw", "metadata": {}, "source": "raw"})


def _twice(notebook):
    notebook["cells"].append(copy.deepcopy(cell_of(notebook, "double")))


REFUSED = {
    "A handout holds text alone": _attach,
    "cell double: Only the solution's lines": _docstring,
    "cell promises_double: This follows from the points": _change("promises_double", "\n- more"),
    "cell setup: The first code cell is the same": _change("setup", "\nimport math"),
    "cell check_double: The check is the same": _change("check_double", "\ncheck(1)"),
    "cell check_quadruple: It was deleted": _remove("check_quadruple"),
    "cell double: It was deleted": _remove("double"),
    "cell double: It must stand in the section": _to_front("double"),
    "cell intro-2: A new graded cell needs": _mark("intro-2", grade=True, solution=True, points=3),
    "cell check_double: It must carry points": _mark("check_double", points=-1),
    "A raw cell has no place": _raw,
    "cell double: A new graded cell needs": _twice,
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_has_no_place_to_go_is_refused_by_name(exercise, said):
    notebook = opened(exercise, ["en", "zh"])
    REFUSED[said](notebook)
    with pytest.raises(UnweaveError, match=said):
        unweave(notebook, exercise, ["en", "zh"])


def test_everything_that_is_refused_is_named_at_once(exercise):
    notebook = opened(exercise, ["en"])
    _attach(notebook)
    _raw(notebook)
    with pytest.raises(UnweaveError) as caught:
        unweave(notebook, exercise, ["en"])
    assert str(caught.value).count("\ncell ") == 2
