"""How long a student waits: one step from a cold terminal, and `check` in a running notebook.

    python benchmarks/selfcheck.py [ROUNDS]

Medians and the slowest of the rounds; the promise is 0.5 s and 20 ms.
"""

import contextlib
import io
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from autograder.selfcheck.check import examine
from autograder.selfcheck.exercise import load
from autograder.selfcheck.panel import panel
from autograder.tests.released import NAME, REFERENCE, release


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        released = release(Path(folder))
        (released / f"{NAME}.py").write_text(REFERENCE, encoding="utf-8")
        cold = [seconds(lambda: terminal(released, "softmax")) for _ in range(rounds)]
        say("python -m selfcheck softmax, cold", cold)
        say(
            "python -m selfcheck, all seven steps, cold",
            [seconds(lambda: terminal(released)) for _ in range(rounds)],
        )
        exercise, functions = load(released / "selfcheck"), {}
        exec(REFERENCE, functions)
        for step in exercise.steps:
            warm = [seconds(lambda s=step: in_a_notebook(exercise, s, functions)) for _ in range(rounds)]
            say(f"check({step.name}) and its panel, warm", warm)


def terminal(folder: Path, *steps: str) -> None:
    subprocess.run([sys.executable, "-m", "selfcheck", *steps], cwd=folder, check=True, capture_output=True)


def in_a_notebook(exercise, step, functions: dict) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        panel(exercise, examine(functions[step.name], step, exercise, functions), "en")


def seconds(work) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def say(what: str, times: list[float]) -> None:
    middle, slowest = statistics.median(times) * 1000, max(times) * 1000
    print(f"{what:45} median {middle:7.1f} ms   slowest {slowest:7.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
