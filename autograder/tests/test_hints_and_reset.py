"""--hint, --reset, --list and --watch: what a student does while the work is on its way."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from autograder.selfcheck.exercise import load
from autograder.tests.released import NAME, REFERENCE
from autograder.tests.terminals import STEPS, WRONG_SOFTMAX, solve, write


def test_hints_come_one_at_a_time_from_the_handout(folder, run):
    hints = load(folder / "selfcheck").step("softmax").hints
    for number, hint in enumerate([*hints["en"], hints["en"][-1]], 1):
        done = run("--hint", "softmax")
        assert done.returncode == 0
        assert f"hint {min(number, 3)} of 3" in done.stdout
        assert "".join(hint.replace("`", "").split()) in "".join(done.stdout.split())
    assert hints["zh"][0][:4] in run("--hint", "causal_mask", "--lang", "zh").stdout or hints["zh"]


def test_a_hint_without_a_step_is_for_the_first_that_is_not_done(folder, module, run):
    write(module, WRONG_SOFTMAX)
    assert "softmax, hint 1 of 3" in run("--hint").stdout


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_reset_puts_one_stub_back_and_keeps_the_old_text(folder, module, newline, mark, run):
    stub = load(folder / "selfcheck").step("softmax").stub
    old = (mark + "# mine 我的\n" + REFERENCE).replace("\n", newline).encode()
    module.write_bytes(old)
    assert run("--reset", "softmax").returncode == 0
    kept = [file for file in folder.iterdir() if "before-reset" in file.name]
    assert [file.read_bytes() for file in kept] == [old]
    new = module.read_bytes().decode()
    begin, end = REFERENCE.index("def softmax"), REFERENCE.index("\n\n\ndef weighted_sum")
    expected = mark + "# mine 我的\n" + REFERENCE[:begin] + stub + REFERENCE[end:]
    assert new == expected.replace("\n", newline)
    assert "is as it was released" in run("--reset", "softmax").stdout
    assert len([file for file in folder.iterdir() if "before-reset" in file.name]) == 1


def test_reset_mends_a_function_that_is_no_python(folder, module, run):
    write(
        module, REFERENCE.replace("    exponentials = np.exp(shifted)", "    exponentials = np.exp(shifted")
    )
    assert run("--reset", "softmax").returncode == 0
    assert "softmax: not written yet" in run("softmax").stdout
    assert run("weighted_sum").returncode == 0


def test_reset_in_a_notebook_changes_one_cell(folder, run):
    file = solve(folder)
    before = json.loads(file.read_text(encoding="utf-8"))["cells"]
    assert run(f"{NAME}.ipynb", "--reset", "softmax").returncode == 0
    after = json.loads(file.read_text(encoding="utf-8"))["cells"]
    changed = [b["id"] for a, b in zip(before, after, strict=True) if a["source"] != b["source"]]
    assert changed == ["softmax"]


def test_reset_without_the_function_changes_nothing_and_shows_the_stub(folder, module, run):
    write(module, "x = 1\n")
    done = run(f"{NAME}.py", "--reset", "softmax")
    assert done.returncode == 1
    assert module.read_text(encoding="utf-8") == "x = 1\n"
    assert "def softmax(scores, axis=-1):" in done.stdout


def test_a_file_that_cannot_be_replaced_is_named_and_stays(folder, module, run, monkeypatch):
    write(module, WRONG_SOFTMAX)

    def held(self, target):
        raise PermissionError(13, "The process cannot access the file", str(target))

    monkeypatch.setattr(type(module), "replace", held)
    done = run("--reset", "softmax")
    assert done.returncode == 1
    assert f"{NAME}.py: The process cannot access the file. Nothing was changed." in done.stdout
    assert module.read_text(encoding="utf-8") == WRONG_SOFTMAX


def test_when_all_is_right_a_hint_is_only_given_for_a_step_that_is_named(folder, module, run):
    write(module)
    assert "hint 1" not in run("--hint").stdout
    assert "softmax, hint 1 of 3" in run("--hint", "softmax").stdout


def test_list_shows_where_you_are(folder, module, run):
    write(module, WRONG_SOFTMAX)
    run()
    done = run("--list")
    assert done.returncode == 1
    assert [line.split()[1] for line in done.stdout.split("\n") if line[:1] in "✓✗○" and line] == STEPS
    assert "← next" in next(line for line in done.stdout.split("\n") if "softmax" in line)


def test_watching_checks_again_on_save_and_leaves_cleanly(folder, module):
    log = folder / "log.txt"
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "80"}
    with log.open("w", encoding="utf-8") as stream:
        running = subprocess.Popen(
            [sys.executable, "-m", "selfcheck", "--watch"],
            cwd=folder,
            stdout=stream,
            stderr=stream,
            env=environment,
        )
    try:
        assert appears(log, "project_qkv: not written yet")
        write(module, WRONG_SOFTMAX)
        assert appears(log, "✗ softmax: 0 of 4")
        write(module, "def broken(:\n" + REFERENCE)
        assert appears(log, "not Python yet")
        write(module)
        assert appears(log, "Hidden checks decide the grade")
        assert appears(log, "Ctrl-C to leave", after="Hidden checks decide the grade")  # the check has ended
        running.send_signal(signal.SIGINT)
        assert running.wait(30) == 0
    finally:
        running.kill()
    assert "Traceback" not in log.read_text(encoding="utf-8")


def appears(log, text, after="", seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        said = log.read_text(encoding="utf-8")
        if text in said[said.find(after) :]:
            return True
        time.sleep(0.1)
    return False
