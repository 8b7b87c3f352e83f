"""Which definition is checked: a real IPython runs cells, and the check says if it is not what is seen."""

import json

import pytest

from autograder.tests.released import NAME, REFERENCE, python, release

SESSION = """
import json, os, pathlib, sys, time
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="nocolor")
for kind, source in json.loads(pathlib.Path("session.json").read_text(encoding="utf-8")):
    if kind == "saved":
        pathlib.Path("self_attention.ipynb").write_text(source, encoding="utf-8")
        os.utime("self_attention.ipynb", (time.time() + 5,) * 2)
    else:
        shell.run_cell(source, store_history=True)
"""
SETUP = ("ran", "import numpy as np\nfrom selfcheck import check")
RIGHT = ("ran", "def softmax(" + REFERENCE.split("\ndef softmax(")[1].split("\ndef ")[0])
WRONG = ("ran", "def softmax(scores, axis=-1):\n    return scores")
CHECK = ("ran", "check(softmax)")


def saved(*sources):
    """The notebook is saved with these code cells."""
    cells = [{"cell_type": "code", "source": source, "metadata": {}, "outputs": []} for source in sources]
    return ("saved", json.dumps({"cells": cells}))


@pytest.fixture
def after(tmp_path):
    """What the session's cells print."""
    release(tmp_path)

    def after(*session):
        (tmp_path / "session.json").write_text(json.dumps(session), encoding="utf-8")
        name = str(tmp_path / f"{NAME}.ipynb")
        done = python(
            tmp_path, "-c", SESSION, JPY_SESSION_NAME=name, IPYTHONDIR=str(tmp_path), PYTHONWARNINGS="default"
        )
        return done.stdout + done.stderr

    return after


def test_a_right_definition_that_just_ran_is_told_as_it_is(after):
    text = after(SETUP, RIGHT, CHECK)
    assert "4 of 4" in text
    assert "did not run" not in text and "again" not in text


def test_a_cell_that_is_no_python_leaves_the_definition_before_it_and_that_is_said(after):
    text = after(SETUP, RIGHT, ("ran", "def softmax(scores:\n    return 1"), CHECK)
    assert "4 of 4" in text
    assert "Your newest softmax did not run" in text


def test_once_it_runs_nothing_is_said_any_more(after):
    text = after(SETUP, ("ran", "def softmax(scores:\n    return 1"), RIGHT, CHECK)
    assert "4 of 4" in text
    assert "did not run" not in text


def test_an_edit_that_was_saved_but_not_run_is_noticed(after):
    assert "edited after it ran" in after(SETUP, WRONG, saved(RIGHT[1]), CHECK)


def test_a_second_definition_further_down_is_noticed(after):
    assert "defines softmax again further down" in after(SETUP, WRONG, saved(WRONG[1], RIGHT[1]), CHECK)


def test_an_old_function_is_told_from_the_one_that_has_its_name_now(after):
    assert "an older softmax" in after(SETUP, WRONG, ("ran", "old = softmax"), RIGHT, ("ran", "check(old)"))
