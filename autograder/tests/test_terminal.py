"""python -m selfcheck: for a student without Jupyter, on any console, in either language."""

import pytest

from autograder.selfcheck.words import columns
from autograder.tests.released import NAME, REFERENCE, python, release, selfcheck
from autograder.tests.terminals import STEPS, WRONG_SOFTMAX, solve, write


def test_a_fresh_release_says_which_step_to_write_first(folder, run):
    done = run()
    assert done.returncode == 1
    assert "project_qkv: not written yet" in done.stdout
    assert "Next: write project_qkv" in done.stdout
    assert "handout.en.md" in done.stdout
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


def test_an_endless_loop_at_the_top_of_a_file_is_stopped(folder, module):
    write(module, REFERENCE.replace("import numpy as np", "import numpy as np\nwhile True:\n    pass", 1))
    done = selfcheck(folder, "softmax")
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
