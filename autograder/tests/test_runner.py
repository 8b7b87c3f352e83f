"""The tests' own runner: what it collects is ours alone, and a test that is wrong does fail."""

import subprocess
import sys

from autograder.layout import KIT, PACKAGE

WRONG = "def test_nothing_is_one():\n    assert 0 == 1\n"


def test_a_wrong_test_fails_among_all_the_others(tmp_path):
    probe = tmp_path / "test_that_fails_on_purpose.py"
    probe.write_text(WRONG, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "nothing_is_one"]
    where = [str(PACKAGE / "tests"), str(probe)]
    done = subprocess.run(command + where, cwd=KIT, capture_output=True, encoding="utf-8", check=False)
    assert "1 failed" in done.stdout.splitlines()[-1], done.stdout


def test_no_hostile_or_wrong_program_is_collected():
    folders = ("attacks", "corpus", "submissions")
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    listed = subprocess.run(command, cwd=KIT, capture_output=True, encoding="utf-8", check=True).stdout
    files = {line.split("::")[0] for line in listed.splitlines() if "::test_" in line}
    assert "autograder/tests/test_runner.py" in files
    assert not [file for file in files if any(f"/{folder}/" in file for folder in folders)]
