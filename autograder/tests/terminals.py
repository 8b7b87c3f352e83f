"""A terminal in which a student runs `python -m selfcheck`: fixtures and helpers of the tests."""

import importlib
import io
import json
import sys
from types import SimpleNamespace

import pytest

from autograder.tests.released import NAME, REFERENCE, release

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
