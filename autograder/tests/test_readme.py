"""The README's sessions work by copy and paste, and print what the README says.

`python -m autograder.tests.test_readme` writes what they print into the README.
"""

import getpass
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.layout import KIT

README = KIT / "README.md"
BLOCK = re.compile(r"```(sh|text)\n(.*?)```\n", re.DOTALL)
STOPPED = re.compile(r"^(attn|bash|cp|mkdir|make): |^Traceback|No module named", re.MULTILINE)
MARK = "=== end of block ==="
VARIES = (
    (re.compile(r"\d+(\.\d+)? s\b"), "… s"),
    (re.compile(r"wrote \d+ files"), "wrote … files"),  # as many as the self-check has by now
    (re.compile(rf"^{re.escape(getpass.getuser())}\b", re.MULTILINE), "ada".ljust(len(getpass.getuser()))),
)


def sessions(clone: Path) -> list[str]:
    """What each ```sh block prints, all of them run in one shell in a clone that has been set up."""
    scripts = [text for kind, text in BLOCK.findall(README.read_text(encoding="utf-8")) if kind == "sh"]
    whole = "".join(f"{text}\necho '{MARK}'\n" for text in scripts)
    environment = os.environ | {"PATH": f"{clone}/.venv/bin:{os.environ['PATH']}", "COLUMNS": "80"}
    done = subprocess.run(
        ["bash", "-u"], input=whole, cwd=clone, env=environment, capture_output=True, text=True, check=False
    )
    assert not STOPPED.search(done.stderr), done.stdout + done.stderr
    told = done.stdout.replace(str(clone.parent), "…")
    return [varied(part.strip("\n") + "\n") for part in told.split(MARK)[:-1]]


def varied(text: str) -> str:
    for pattern, instead in VARIES:
        text = pattern.sub(instead, text)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def plain(text: str) -> str:
    """Without the widths of columns, which hang on the user's name."""
    return re.sub(" +", " ", text)


def with_outputs(text: str, outputs: list[str]) -> str:
    """The README with each ```text block saying what the ```sh block before it printed."""
    printed, last = iter(outputs), ""

    def put(block: re.Match) -> str:
        nonlocal last
        if block[1] == "sh":
            last = next(printed)
            return block[0]
        return f"```text\n{last}```\n"

    return BLOCK.sub(put, text)


def fresh_clone(folder: Path) -> Path:
    """A clone of the last commit, set up as a newcomer would."""
    clone = folder / "kit"
    subprocess.run(["git", "clone", "--quiet", str(KIT), str(clone)], check=True)
    return clone


@pytest.mark.system  # it sets up a clone of its own, and every nbgrader command takes seconds
def test_the_readmes_sessions_print_what_it_says(tmp_path):
    text = README.read_text(encoding="utf-8")
    assert plain(with_outputs(text, sessions(fresh_clone(tmp_path)))) == plain(text)


if __name__ == "__main__":
    told = sessions(fresh_clone(Path(sys.argv[1])))
    README.write_text(with_outputs(README.read_text(encoding="utf-8"), told), encoding="utf-8")
