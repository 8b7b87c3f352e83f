"""What the tests of the walls share: the walls that this machine can show, and a good submission."""

import ctypes
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import numpy as np

from autograder.desk import landlock
from autograder.grade.client import Answer, Desk, Limits, Outcome
from autograder.model import Cell

GOOD = """import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
QUICK = Limits(call_seconds=0.2, step_seconds=0.6, load_seconds=3.0)
X = np.arange(6.0).reshape(2, 3)
_RNG = np.random.default_rng(7)
CASES = [
    ((_RNG.normal(size=3),), {}),
    ((_RNG.normal(size=(2, 3)),), {}),
    ((_RNG.normal(size=(2, 4, 5)),), {"axis": 1}),
    ((_RNG.normal(size=(4, 2)),), {}),
]


def _bubblewrap_works() -> bool:
    command = ["bwrap", "--ro-bind", "/", "/", "--unshare-pid", "--unshare-net", "true"]
    return bool(shutil.which("bwrap")) and subprocess.run(command, capture_output=True).returncode == 0


def _landlock() -> int:
    return landlock.abi(ctypes.CDLL(None, use_errno=True))


OUTER = ["bubblewrap"] if _bubblewrap_works() else []
INNER = ["landlock"] if _landlock() else []
WHOLE = [*OUTER, *INNER, "strict"]  # each a way of walling in that stands alone
OLDER = [f"landlock:{abi}" for abi in (1, 2, 4) if abi < _landlock()]  # as on older kernels
REDUCED = [*OLDER, *(f"{mode}:0" for mode in OUTER)]


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def right(answer: Answer, case: tuple[tuple, dict]) -> bool:
    expected = softmax(*case[0], **case[1])
    got = answer.value
    return type(got) is np.ndarray and got.shape == expected.shape and np.allclose(got, expected)


def verdict(desk: Desk) -> str:
    """pass, fail, error, timeout, died or load-error, as the kit's proctor would find it."""
    answers = desk.many("softmax", CASES)
    outcomes = {answer.outcome for answer in answers}
    for outcome, word in ((Outcome.timed_out, "timeout"), (Outcome.died, "died"), (Outcome.raised, "error")):
        if outcome in outcomes:
            return word
    if Outcome.missing in outcomes or Outcome.skipped in outcomes:
        ends = {"timed_out": "timeout", "died": "died", "raised": "load-error", "syntax": "load-error"}
        return next((ends[cell.outcome] for cell in desk.loaded if cell.outcome != "ok"), "error")
    return "pass" if all(map(right, answers, CASES)) else "fail"


def one(source: str) -> list[Cell]:
    return [Cell(source, 1)]


def cells(*sources: str) -> list[Cell]:
    return [Cell(source, number) for number, source in enumerate(sources, 1)]


def ask(desk: Desk, function: str, /, *args: object, **kwargs: object) -> Answer:
    return desk.many(function, [(args, kwargs)])[0]


def descendants(pid: int) -> set[int]:
    """Processes below a process, zombies too."""
    found: set[int] = set()
    with suppress(OSError):  # it may end while we look
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in map(int, children.read_text(encoding="ascii").split()):
                found |= {child} | descendants(child)
    return found
