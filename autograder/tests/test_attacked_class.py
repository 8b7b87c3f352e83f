"""A class of hostile notebooks, graded whole: none is our fault, gains a mark or stops the next."""

import json
from dataclasses import replace

import pytest

from autograder.grade.grade import grade_files
from autograder.layout import Course
from autograder.model import Status, Verdict
from autograder.plain import to_json
from autograder.show import gradesheet_text
from autograder.tests.attempts import ATTACKS, MARKER, filled, places, verdicts
from autograder.tests.grading import REFERENCE
from autograder.tests.walls import GOOD

CONFIG = "c = get_config()\nc.Attn.call_seconds = 0.2\nc.Attn.step_seconds = 0.4\nc.Attn.memory_mb = 256\n"
OTHERS = REFERENCE.replace("def softmax(", "def right_softmax(")
CHOSEN = [name for name in ATTACKS if "timeout" not in verdicts(name)]  # time is tried elsewhere
SHARES = 4  # so that several processes may take them


def notebook(*sources):
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
        for source in sources
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})


def hand_in(folder, name, source):
    path = folder / name.replace("/", "-") / "self_attention.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(notebook(OTHERS, source), encoding="utf-8")
    return path


@pytest.mark.parametrize("share", range(SHARES))
def test_a_class_of_attacks_is_graded_to_the_end(tmp_path, share):
    (tmp_path / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    chosen = CHOSEN[share::SHARES]
    with places() as there:
        paths = [hand_in(tmp_path, name, filled(name, there)) for name in chosen]
        good = [hand_in(tmp_path, name, GOOD) for name in ("first", "last")]
        sheets = list(grade_files(Course(tmp_path), "self_attention", [good[0], *paths, good[1]]))
    first, *attacked, last = sheets
    assert first.earned == 20 and replace(last, file=first.file) == first
    for name, sheet in zip(chosen, attacked, strict=True):
        steps = {step.name: step for step in sheet.steps}
        assert sheet.status is Status.graded, name
        assert Verdict.grader_fault not in {step.verdict for step in steps.values()}, name
        assert steps["softmax"].earned < 4 or "pass" in verdicts(name), name
        said = json.dumps(to_json(sheet)) + gradesheet_text(sheet, ["en", "zh"])
        assert MARKER not in said and "<script" not in said and "\x1b" not in said, name
