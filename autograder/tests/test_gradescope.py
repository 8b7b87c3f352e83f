"""autograder.zip at work, laid out as Gradescope lays it out: whatever happens, results.json is valid."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.layout import KIT
from autograder.record.course import init
from autograder.tests import formats
from autograder.tests.classes import EXERCISE, wrong

SOLUTION = (KIT / "solutions" / f"{EXERCISE}.py").read_text(encoding="utf-8")
NOTHING = [0.0] * 7
FULL = [2.0, 3.0, 2.0, 3.0, 4.0, 2.0, 4.0]


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """autograder.zip of a new course, with a limit of two a day."""
    course = init(tmp_path_factory.mktemp("course")).course
    file = course.root / "autograder.zip"
    command = ["package", EXERCISE, "--for", "gradescope", "--limit", "2", "--output", str(file)]
    assert main([*command, "--course", str(course.root)]) == 0
    return file


@pytest.fixture
def root(packed, tmp_path):
    """The container's folder, with this environment in the place of the one that setup.sh makes."""
    unpack(packed, tmp_path)
    (tmp_path / "source" / "venv").symlink_to(Path(sys.prefix))
    return tmp_path


def unpack(packed, root):
    for name in ("source", "submission", "results"):
        (root / name).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(root / "source")
    for name in ("setup.sh", "run_autograder"):
        (root / "source" / name).chmod(0o755)  # as they are packed, which extractall leaves out


def start(root, **environment):
    return subprocess.Popen(
        [root / "source" / "run_autograder"],
        env=os.environ | {"AUTOGRADER_ROOT": str(root)} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def run(root, submission=None, **environment):
    """The scores of each step, and the whole of results.json; nothing was said that students would see."""
    for name, text in (submission or {}).items():
        (root / "submission" / name).write_text(text, encoding="utf-8")
    process = start(root, **environment)
    said, _ = process.communicate()
    assert said == b"" and process.returncode == 0
    return read(root)


def read(root):
    content = (root / "results" / "results.json").read_bytes()
    found = formats.gradescope(content)
    assert sum(most for _, most in found.values()) == 20
    return [score for score, _ in found.values()], json.loads(content)


def test_the_scripts_can_be_run_and_the_zip_is_the_teachers_alone(packed):
    with zipfile.ZipFile(packed) as archive:
        modes = {info.filename: info.external_attr >> 16 & 0o777 for info in archive.infolist()}
    assert modes["setup.sh"] == modes["run_autograder"] == 0o755 and modes["requirements.txt"] == 0o644
    assert packed.stat().st_mode & 0o077 == 0


def test_right_work_has_all_points(root):
    assert run(root, {f"{EXERCISE}.py": SOLUTION})[0] == FULL


def test_a_grader_that_cannot_begin_leaves_a_valid_result(root):
    shutil.rmtree(root / "source" / "course")
    scores, whole = run(root, {f"{EXERCISE}.py": SOLUTION})
    assert scores == NOTHING and "not a mark" in whole["output"]


@pytest.mark.system
@pytest.mark.parametrize(
    ("submission", "status"),
    [
        ({}, "missing"),
        ({f"{EXERCISE}.ipynb": "{"}, "unreadable"),
        ({"first.py": SOLUTION, "second.py": SOLUTION + "\n#"}, "misnamed"),
        ({f"{EXERCISE}.ipynb": '{"cells": []}'}, "empty"),
        ({"readme.txt": "x"}, "misnamed"),
    ],
)
def test_what_cannot_be_graded_is_told(root, submission, status):
    scores, whole = run(root, submission)
    assert scores == NOTHING and whole["extra_data"]["attn"]["status"] == status and whole["output"]


@pytest.mark.system
def test_a_mistake_is_named_and_nothing_hidden_is_told(root):
    scores, whole = run(root, {f"{EXERCISE}.py": wrong(SOLUTION)})
    assert scores[1] < 3 and scores[6] == 4
    assert "square root" in whole["tests"][1]["output"]
    assert "assert" not in json.dumps(whole) and "test_" not in json.dumps(whole)


ATTACK = """
import os
for target in {targets!r}:
    try:
        with open(target, "w") as out:
            out.write('{{"score": 20}}')
    except OSError:
        pass
print("20 points")
"""


@pytest.mark.system
def test_a_student_cannot_write_or_read_what_is_not_theirs(root):
    targets = [
        str(root / path) for path in ("results/results.json", "source/failed.json", "source/run_autograder")
    ]
    before = (root / "source" / "run_autograder").read_bytes()
    scores, _ = run(root, {f"{EXERCISE}.py": ATTACK.format(targets=targets)})
    assert scores == NOTHING and (root / "source" / "run_autograder").read_bytes() == before


@pytest.mark.system
def test_no_time_and_a_stop_in_the_middle_leave_what_was_found(root):
    scores, whole = run(root, {f"{EXERCISE}.py": SOLUTION}, ATTN_SECONDS="0.05")
    assert scores == NOTHING and "not a mark" in whole["output"]
    slow = SOLUTION.replace("def weighted_sum", "while True:\n    pass\n\n\ndef weighted_sum")
    (root / "submission" / f"{EXERCISE}.py").write_text(slow, encoding="utf-8")
    process = start(root)
    results = root / "results" / "results.json"
    while not results.exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert read(root)[1]["tests"]


@pytest.mark.system
def test_the_limit_of_a_day_gives_the_earlier_result_again(root):
    first, whole = run(root, {f"{EXERCISE}.py": wrong(SOLUTION)})
    one = {"submission_time": "2026-03-02T08:00:00-08:00", "autograder_error": False, "results": whole}
    metadata = {"created_at": "2026-03-02T09:00:00-08:00", "previous_submissions": [one]}
    file = root / "submission_metadata.json"
    file.write_text(json.dumps(metadata), encoding="utf-8")
    assert run(root, {f"{EXERCISE}.py": SOLUTION})[0] == FULL
    file.write_text(json.dumps(metadata | {"previous_submissions": [one, one]}), encoding="utf-8")
    scores, again = run(root)
    assert scores == first and again["extra_data"]["attn"]["repeated"]


@pytest.mark.system
def test_the_image_builds_itself_and_grades_in_gradescopes_own_place(packed):
    """setup.sh and run_autograder for real, in /autograder, with what pip brings."""
    root = Path("/autograder")
    assert os.geteuid() == 0 and not root.exists()
    try:
        unpack(packed, root)
        subprocess.run([root / "source" / "setup.sh"], check=True, capture_output=True)
        assert not [
            path
            for path in (root / "source").rglob("*")
            if path.stat().st_mode & 0o004 and ("suites" in path.parts or "course" in path.parts)
        ]
        assert run(root, {f"{EXERCISE}.py": SOLUTION})[0] == FULL
        assert (root / "results" / "results.json").stat().st_mode & 0o022 == 0
    finally:
        shutil.rmtree(root)
