"""python -m selfcheck: for a student without Jupyter, on any console, in either language."""

import importlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from autograder.selfcheck.exercise import load
from autograder.selfcheck.inert import neutral
from autograder.selfcheck.words import columns, encodable, wrapped
from autograder.tests.released import NAME, REFERENCE, python, release, selfcheck

STEPS = [
    "project_qkv",
    "scaled_scores",
    "causal_mask",
    "apply_mask",
    "softmax",
    "weighted_sum",
    "self_attention",
]
WRONG_SOFTMAX = REFERENCE + "\n\ndef softmax(scores, axis=-1):\n    return scores\n"


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """One released folder, whose own selfcheck is imported as a student's Python would."""
    folder = release(tmp_path_factory.mktemp("released"))
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.split(".")[0] == "selfcheck"]:
        del sys.modules[name]


@pytest.fixture
def folder(released):
    """The folder as it was released."""
    for file in released.iterdir():
        if file.is_file():
            file.unlink()
    return release(released)


@pytest.fixture
def module(folder):
    return folder / f"{NAME}.py"


@pytest.fixture
def run(released, monkeypatch):
    """Runs `python -m selfcheck` with arguments, in this process; gives status and text."""

    def run(*arguments, encoding="utf-8", columns="80"):
        out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
        monkeypatch.setenv("COLUMNS", columns)
        monkeypatch.setattr(sys, "stdout", out)
        status = importlib.import_module("selfcheck.terminal").main(list(arguments))
        monkeypatch.undo()
        return SimpleNamespace(returncode=status, stdout=out.buffer.getvalue().decode(encoding))

    return run


def write(module, text=REFERENCE, encoding="utf-8"):
    module.write_bytes(text.encode(encoding))


def solve(folder, source=REFERENCE, drop=()):
    """Writes functions into the cells of the released notebook."""
    file = folder / f"{NAME}.ipynb"
    notebook = json.loads(file.read_text(encoding="utf-8"))
    parts = {part.split("(")[0]: f"def {part}" for part in source.split("\ndef ")[1:]}
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in parts and name not in drop:
            cell["source"] = parts[name]
    file.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
    return file


def test_a_fresh_release_says_which_step_to_write_first(folder, run):
    done = run()
    assert done.returncode == 1
    assert "project_qkv: not written yet" in done.stdout
    assert "Next: write project_qkv" in done.stdout
    assert "scaled_scores" not in done.stdout


def test_when_all_is_right_the_status_is_0_and_hidden_checks_are_named(folder, module, run):
    write(module)
    done = run()
    assert done.returncode == 0, done.stdout
    assert [line.split(":")[0][2:] for line in done.stdout.split("\n") if line.startswith("✓")] == STEPS
    assert "Hidden checks decide the grade" in done.stdout
    assert "--before-submit" in done.stdout


def test_it_stops_at_the_first_step_that_is_not_done(folder, module, run):
    write(module, WRONG_SOFTMAX)
    done = run()
    assert done.returncode == 1
    assert "✗ softmax: 0 of 4" in done.stdout
    assert "weighted_sum" not in done.stdout


def test_a_step_that_is_named_is_checked_alone(folder, module, run):
    write(module, WRONG_SOFTMAX)
    assert run("weighted_sum").returncode == 0
    done = run("softmax", "--lang", "zh")
    assert done.returncode == 1
    assert "4 个公开示例通过了 0 个" in done.stdout
    assert "causal_mask" not in done.stdout


def test_a_misspelt_step_is_answered_with_the_one_that_was_meant(folder, run):
    done = run("sotfmax")
    assert done.returncode == 2
    assert "Did you mean softmax?" in done.stdout


def test_the_release_chooses_the_language(tmp_path):
    done = selfcheck(release(tmp_path, ["zh"]))
    assert "project_qkv：还没有写" in done.stdout
    assert "接下来写" in done.stdout
    assert "not written yet" in selfcheck(tmp_path, "--lang", "en").stdout


def test_the_file_that_differs_from_the_release_is_checked(folder, module, run):
    solve(folder)
    assert f"{NAME}.ipynb\n" in run().stdout
    write(module, WRONG_SOFTMAX)
    done = run()
    assert done.returncode == 0
    assert "the notebook is what counts" in " ".join(done.stdout.split())
    assert run(f"{NAME}.py").returncode == 1


def test_without_any_work_it_says_which_files_it_looks_for(folder, module, run):
    module.unlink()
    (folder / f"{NAME}.ipynb").unlink()
    done = run()
    assert done.returncode == 1
    assert f"Neither {NAME}.py nor {NAME}.ipynb" in done.stdout
    assert "There is no file nothing.py" in run("nothing.py").stdout


def test_a_syntax_error_is_shown_with_line_and_caret(folder, module, run):
    write(module, "import numpy as np\ndef softmax(scores, axis=-1)\n    return scores\n")
    done = run("softmax")
    assert done.returncode == 1
    assert "Line 2: not Python yet" in done.stdout
    assert "def softmax(scores, axis=-1)" in done.stdout
    caret = next(line for line in done.stdout.split("\n") if line.strip() == "^")
    assert caret.index("^") > len("    > def softmax")
    assert "Traceback" not in done.stdout


def test_a_syntax_error_in_one_cell_leaves_the_others(folder, run):
    solve(folder, REFERENCE.replace("return weights @ V", "return weights @"))
    assert run("softmax").returncode == 0
    done = run("weighted_sum")
    assert done.returncode == 1
    assert "Cell " in done.stdout
    assert "not Python yet" in done.stdout


def test_what_a_module_does_besides_defining_harms_nothing(folder, module, run):
    nonsense = "\nprint('noise')\nimport matplotlib.pyplot as plt\nplt.plot([1])\ninput('?')\n"
    write(module, REFERENCE + nonsense)
    done = run()
    assert done.returncode == 0, done.stdout
    assert "noise" not in done.stdout


def test_an_endless_loop_at_the_top_of_a_file_is_stopped(folder, module, run):
    write(module, REFERENCE.replace("import numpy as np", "import numpy as np\nwhile True:\n    pass", 1))
    done = run("softmax")
    assert done.returncode == 1
    assert "Traceback" not in done.stdout


def test_code_that_hangs_in_c_ends_the_program(folder, module):
    write(module, REFERENCE + "\nimport time\ndef softmax(s, axis=-1):\n    time.sleep(600)\n")
    done = selfcheck(folder, "softmax")
    assert done.returncode == 1
    assert "nothing can interrupt" in done.stdout


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "cp1252", "ascii", "latin-1", "cp437"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_console_is_too_old(folder, module, encoding, language, run):
    write(module, WRONG_SOFTMAX)
    for arguments in ((), ("--list",), ("--hint",), ("--before-submit",), ("no_such",)):
        done = run(*arguments, "--lang", language, encoding=encoding)
        assert "softmax" in done.stdout
        assert done.stdout.count("?") < 4  # symbols become letters, not question marks


def test_help_does_not_die_on_an_old_console(folder, run):
    done = run("--help", encoding="ascii")
    assert done.returncode == 0
    assert "--before-submit" in done.stdout


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gbk"])
def test_a_file_in_another_encoding_is_read_and_the_encoding_named(folder, module, encoding, run):
    write(module, "# 我的作业\n" + REFERENCE, encoding)
    done = run("softmax")
    assert done.returncode == 0, done.stdout
    assert ("is not UTF-8" in done.stdout) == (encoding != "utf-8-sig")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_sixty_columns_are_enough(folder, module, language, run):
    write(module, WRONG_SOFTMAX)
    for arguments in ((), ("--before-submit",), ("--hint", "softmax")):
        done = run(*arguments, "--lang", language, columns="60")
        assert max(columns(line) for line in done.stdout.split("\n")) <= 60


def test_no_colour_where_there_is_no_terminal(folder, run):
    assert "\x1b" not in run().stdout


def test_a_whole_run_in_a_process_of_its_own_writes_nothing_to_stderr(folder, module):
    write(module, WRONG_SOFTMAX)
    for encoding in ("gbk", "ascii"):
        done = selfcheck(folder, PYTHONIOENCODING=encoding)
        assert done.stderr == ""
        assert done.returncode == 1
        assert "softmax: 0 of 4 public examples pass" in done.stdout


# Hints, reset, list


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


def test_list_shows_where_you_are(folder, module, run):
    write(module, WRONG_SOFTMAX)
    run()
    done = run("--list")
    assert done.returncode == 1
    assert [line.split()[1] for line in done.stdout.split("\n") if line[:1] in "✓✗○" and line] == STEPS
    assert "← next" in next(line for line in done.stdout.split("\n") if "softmax" in line)


# Before submitting


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


# Watching


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
        running.send_signal(signal.SIGINT)
        assert running.wait(30) == 0
    finally:
        running.kill()
    assert "Traceback" not in log.read_text(encoding="utf-8")


def appears(log, text, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if text in log.read_text(encoding="utf-8"):
            return True
        time.sleep(0.1)
    return False


# Widths and symbols


def test_chinese_takes_two_columns_and_never_begins_a_line_with_a_full_stop():
    assert columns("查询 Q") == 6
    text = "一个批次的结果与逐个句子计算的结果相同，数值大小相差再大也一样。" * 3
    for width in range(12, 60):
        lines = list(wrapped(text, width))
        assert all(columns(line) <= width + 2 for line in lines)
        assert not [line for line in lines if line[0] in "，。"]
        assert "".join(lines) == text


def test_symbols_become_letters_where_the_encoding_has_none():
    assert encodable("✓ softmax → √d_k … “x”", "ascii") == 'ok softmax -> sqrt d_k ... "x"'
    assert encodable("查询", "gbk") == "查询"
    assert encodable("查询", "no-such-encoding") == "查询"
    assert encodable("查询", "cp1252") == "??"


def test_a_closed_pipe_is_no_error(folder, module):
    write(module)
    code = """
import subprocess, sys
command = [sys.executable, "-m", "selfcheck"]
running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
running.stdout.close()
running.wait()
sys.stdout.write(running.stderr.read().decode())
"""
    assert "Traceback" not in python(folder, "-c", code).stdout
