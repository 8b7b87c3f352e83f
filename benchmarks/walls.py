"""What the walls cost: a submission's desk behind them over one without, both measured in the same run.

Run it on a quiet machine: python benchmarks/walls.py [rounds]
"""

import sys
import time

import numpy as np

from autograder.grade.client import Zygote
from autograder.model import Cell

SOFTMAX = """import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
CASE = ((np.random.default_rng(1).normal(size=(4, 6)),), {})


def seconds(zygote: Zygote, exchanges: int, cases: int) -> float:
    """One submission: a desk opened, so many exchanges of so many cases, the desk closed and gone."""
    start = time.perf_counter()
    with zygote.open([Cell(SOFTMAX, 1)]) as desk:
        for _ in range(exchanges):
            desk.many("softmax", [CASE] * cases)
    return time.perf_counter() - start


def measure(rounds: int, exchanges: int, cases: int) -> dict[str, float]:
    """The least for each way of walling in; they take turns, so that a busy moment meets all of them."""
    taken: dict[str, list[float]] = {}
    with Zygote(walls="none") as bare, Zygote() as walled:
        for _ in range(rounds):
            for zygote in (bare, walled):
                took = seconds(zygote, exchanges, cases)
                taken.setdefault("+".join(zygote.walls["used"]), []).append(took)
    return {used: min(times) * 1000 for used, times in taken.items()}


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for exchanges, cases in ((0, 0), (40, 1), (40, 5)):
        found = measure(rounds, exchanges, cases)
        bare, walled = found.values()
        print(f"{exchanges} exchanges of {cases} cases, the least of {rounds}:")
        for used, took in found.items():
            print(f"  {took:6.2f} ms  {used}")
        print(f"  {walled - bare:+6.2f} ms, {walled / bare:.2f} times")


if __name__ == "__main__":
    main()
