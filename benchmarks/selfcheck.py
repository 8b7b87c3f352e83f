"""How long a student waits: one step from a cold terminal, and `check` in a running notebook's kernel.

    python benchmarks/selfcheck.py [ROUNDS]

Medians and the slowest of the rounds; the promise is 0.5 s and 20 ms. Other work on the machine adds to
them, but not to the processor seconds.
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from jupyter_client.manager import start_new_kernel

from autograder.tests.released import NAME, REFERENCE, release

TIMES = """
import json, time
from selfcheck.exercise import load
times = {{}}
for step in load().steps:
    for _ in range({rounds} + 1):
        begun = time.perf_counter()
        check(step.name)
        times.setdefault(step.name, []).append(time.perf_counter() - begun)
print(json.dumps(times))
"""


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        released = release(Path(folder))
        (released / f"{NAME}.py").write_text(REFERENCE, encoding="utf-8")
        cold = [seconds(lambda: terminal(released, "softmax")) for _ in range(rounds)]
        say("python -m selfcheck softmax, cold", cold)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        say("the same in processor seconds", [(used.ru_utime + used.ru_stime) / rounds])
        say(
            "python -m selfcheck, all seven steps, cold",
            [seconds(lambda: terminal(released)) for _ in range(rounds)],
        )
        for step, times in in_a_kernel(released, rounds).items():
            say(f"check({step}) and its panel, the first", times[:1])
            say(f"check({step}) and its panel, after it", times[1:])


def terminal(folder: Path, *steps: str) -> None:
    subprocess.run([sys.executable, "-m", "selfcheck", *steps], cwd=folder, check=True, capture_output=True)


def in_a_kernel(folder: Path, rounds: int) -> dict[str, list[float]]:
    """The seconds that each check takes in a kernel in which the cells before it have run."""
    manager, client = start_new_kernel(cwd=str(folder))
    try:
        client.execute_interactive("from selfcheck import check", output_hook=lambda message: None)
        client.execute_interactive(REFERENCE, output_hook=lambda message: None)
        said = []
        client.execute_interactive(TIMES.format(rounds=rounds), timeout=120, output_hook=said.append)
        printed = "".join(m["content"]["text"] for m in said if m["msg_type"] == "stream")
        return json.loads(printed.strip().splitlines()[-1])
    finally:
        manager.shutdown_kernel(now=True)


def seconds(work) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def say(what: str, times: list[float]) -> None:
    middle, slowest = statistics.median(times) * 1000, max(times) * 1000
    print(f"{what:45} median {middle:7.1f} ms   slowest {slowest:7.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
