"""The released folder in a process of its own: what a student types, what comes out, under any Python."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.layout import PACKAGE
from autograder.selfcheck.check import NotYet
from autograder.tests.released import REFERENCE, python, release

WRONG = "import numpy as np\nfrom selfcheck import check\ndef softmax(s, axis=-1):\n    return s\n"


def test_check_prints_where_there_is_no_notebook(tmp_path):
    done = python(
        release(tmp_path), "-c", WRONG + "check(softmax)\ncheck('softmax', lang='zh')\nprint('goes on')"
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "0 of 4 public examples pass" in done.stdout
    assert "4 个公开示例通过了 0 个" in done.stdout
    assert done.stdout.endswith("goes on\n")


def test_check_speaks_english_where_a_console_has_no_chinese(tmp_path):
    code = WRONG + "from selfcheck import inspect_attention, progress\ncheck(softmax, lang='zh')\n"
    code += "progress(lang='zh')\ninspect_attention([[1.0]], lang='zh')"
    done = python(release(tmp_path), "-c", code, PYTHONIOENCODING="cp1252")
    assert done.returncode == 0, done.stderr
    assert "0 of 4 public examples pass" in done.stdout
    assert "?" not in done.stdout


def test_check_without_a_release_beside_it_says_so(tmp_path):
    release(tmp_path)
    (tmp_path / "selfcheck" / "exercise.json").unlink()
    done = python(tmp_path, "-c", WRONG + "check(softmax)")
    assert done.returncode == 0
    assert "Fetch the assignment again" in done.stdout


def test_a_function_is_known_by_the_name_that_it_has_here(tmp_path):
    code = WRONG + "import functools\nsoftmax = functools.partial(np.sum, axis=-1)\ncheck(softmax)"
    done = python(release(tmp_path), "-c", code)
    assert done.returncode == 0, done.stderr
    assert "softmax: 0 of 4 public examples pass" in done.stdout


def test_an_unknown_function_is_no_step(tmp_path):
    done = python(release(tmp_path), "-c", WRONG + "check(print)\ncheck('soft')\ncheck(3)")
    assert done.returncode == 0
    assert done.stdout.count("The steps are: project_qkv") == 3


@pytest.mark.parametrize("variable", ["NBGRADER_EXECUTION", "NBGRADER_VALIDATING"])
def test_a_failing_check_raises_in_validate_alone(tmp_path, variable):
    release(tmp_path)
    value = {"NBGRADER_EXECUTION": "validate", "NBGRADER_VALIDATING": "1"}[variable]
    done = python(tmp_path, "-c", WRONG + "check(softmax)", **{variable: value})
    assert "NotYet: ✗ softmax: 0 of 4 public examples pass" in done.stderr
    assert python(tmp_path, "-c", WRONG + "check(softmax)", NBGRADER_EXECUTION="autograde").returncode == 0


def test_what_validate_shows_is_our_lines_and_no_traceback():
    error = NotYet(["softmax: not written yet", "  more"])
    assert error._render_traceback_() == ["softmax: not written yet", "  more"]
    assert str(error) == "softmax: not written yet"


def test_what_was_done_is_remembered_and_may_be_lost(tmp_path):
    release(tmp_path)
    show = "from selfcheck import progress\nprogress()"
    python(tmp_path, "-c", REFERENCE + "\nfrom selfcheck import check\ncheck(softmax)")
    assert "✓ softmax" in python(tmp_path, "-c", show).stdout
    for content in ("", "{", '{"steps": 3}', '{"steps": {"softmax": "x"}, "hints": {}}'):
        (tmp_path / ".selfcheck.json").write_text(content, encoding="utf-8")
        done = python(tmp_path, "-c", show)
        assert done.returncode == 0, done.stderr
        assert "○ softmax" in done.stdout


PYTHONS = os.environ.get("SELFCHECK_PYTHONS", "").split(os.pathsep)
NAMES = ("python3.9", "python3.10", "python3.12", "python3.13", "python3.14")


def has_numpy(executable):
    try:
        done = subprocess.run(
            [executable, "-c", "import numpy"], capture_output=True, timeout=60, check=False, cwd="/"
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


OTHERS = [found for name in (*PYTHONS, *NAMES) if name and (found := shutil.which(name)) and has_numpy(found)]


@pytest.mark.parametrize("executable", [sys.executable, *OTHERS])
def test_it_runs_under_every_python_on_this_machine_that_has_numpy(tmp_path, executable):
    release(tmp_path)
    code = REFERENCE + "\nfrom selfcheck import check\ncheck()\nsoftmax = print\ncheck(softmax)"
    done = python(tmp_path, "-c", code, executable=executable)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("✓") == 7


@pytest.mark.parametrize("file", sorted((PACKAGE / "selfcheck").glob("*.py")), ids=lambda file: file.name)
def test_every_module_is_python_3_9(file):
    tree = ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 9))
    assert ast.get_docstring(tree)
    assert not [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and "autograder" in (node.module or "")
    ]


def test_the_released_folder_needs_nothing_of_the_kit(tmp_path):
    files = sorted(path.name for path in (release(tmp_path) / "selfcheck").glob("*"))
    assert "exercise.json" in files
    assert not [name for name in files if "suite" in name or "mistake" in name]
    data = json.loads((Path(tmp_path) / "selfcheck" / "exercise.json").read_text(encoding="utf-8"))
    assert data["version"] == 1
