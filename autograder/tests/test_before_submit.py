"""--before-submit: the work as the grader will see it, and files that are no notebook."""

import json

import pytest

from autograder.selfcheck.inert import neutral
from autograder.tests.released import NAME
from autograder.tests.terminals import solve


def test_before_submit_runs_the_notebook_as_the_grader_will(folder, run):
    solve(folder)
    done = run("--before-submit")
    assert "7 of 7 steps pass" in done.stdout
    assert "why_scale has no answer yet" in done.stdout
    assert done.returncode == 1


def test_before_submit_has_nothing_to_say_about_finished_work(folder, run):
    file = solve(folder)
    file.write_text(
        file.read_text(encoding="utf-8").replace("YOUR ANSWER HERE 在此作答", "Because."), encoding="utf-8"
    )
    done = run("--before-submit")
    assert done.returncode == 0, done.stdout
    assert "!" not in done.stdout


def edited(run, folder, change):
    file = solve(folder)
    notebook = json.loads(file.read_text(encoding="utf-8"))
    change(notebook["cells"])
    file.write_text(json.dumps(notebook), encoding="utf-8")
    return " ".join(run("--before-submit").stdout.split())


def code(source):
    return {
        "cell_type": "code",
        "id": "x",
        "metadata": {},
        "source": source,
        "outputs": [],
        "execution_count": None,
    }


def by_name(cells, name):
    return next(cell for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade_id") == name)


def test_before_submit_names_what_only_worked_thanks_to_a_deleted_cell(folder, run):
    (folder / ".selfcheck.json").write_text('{"steps": {"softmax": "passes"}, "hints": {}}', encoding="utf-8")

    def lean(cells):
        by_name(cells, "softmax")["source"] = (
            "def softmax(scores, axis=-1):\n    return my_helper(scores, axis)"
        )

    said = edited(run, folder, lean)
    assert "softmax uses my_helper, which nothing in the file defines" in said
    assert "softmax passed in your notebook but not from a fresh start" in said


def test_before_submit_names_missing_cells_and_double_definitions(folder, run):
    def muddle(cells):
        cells.remove(by_name(cells, "check_softmax"))
        cells.append(code("def softmax(scores, axis=-1):\n    return scores"))

    said = edited(run, folder, muddle)
    assert "The cell check_softmax of the release is gone" in said
    assert "softmax is defined 2 times (cells" in said


def test_before_submit_names_a_wrong_file_name(folder, run):
    solve(folder).rename(folder / "homework (1).ipynb")
    done = run("homework (1).ipynb", "--before-submit")
    assert f"the grader looks for {NAME}.ipynb" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"cells": 3}', '{"cells": [{"cell_type": "code"}]}', "\x00\xff"]
)
def test_a_file_that_is_no_notebook_is_said_to_be_none(folder, content, run):
    (folder / f"{NAME}.ipynb").write_text(content, encoding="utf-8")
    for option in ((), ("--before-submit",), ("--reset", "softmax")):
        done = run(f"{NAME}.ipynb", *option)
        assert done.returncode == 1
        assert "is not a notebook" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    "cell, kept",
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!pip install x\nx = 1", "pass\nx = 1"),
        ("files = !ls\nx = 1", "files = None\nx = 1"),
        ("x = 1\nsoftmax?", "x = 1\npass"),
        ("%%bash\necho", ""),
        ("x = 5 % 3\n", "x = 5 % 3\n"),
        ("if x:\n    %time f()", "if x:\n    pass"),
        ("x = '?'", "x = '?'"),
    ],
)
def test_magics_are_passed_over(cell, kept):
    assert neutral(cell) == kept
