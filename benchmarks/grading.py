"""How fast one process grades, beside the bare cost of forking, loading and calling without pytest and walls.

    python benchmarks/grading.py [ROUNDS]

Both take turns in one run, on one machine, over the same calls; medians of the rounds are printed.
`bare` opens a desk without walls for each submission, loads its cells and makes every call of the suite;
it compares nothing. `graded` is all of grading, a second desk and diagnosis included where a step is wrong.
Submissions of a row answer alike, as many of a class do; `new digits` are numbers that nobody gave before.
"""

import functools
import itertools
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from autograder.grade.client import Zygote
from autograder.grade.grade import open_proctor
from autograder.layout import KIT, Course
from autograder.model import Cell, Status, Submission

EXERCISE, EACH = "self_attention", 20  # submissions in a row
WRONG = {
    "right": (),
    "one step wrong": (("/ np.sqrt(d_k)", "/ d_k"),),
    "three steps wrong": (("/ np.sqrt(d_k)", ""), ("np.tril(", "np.triu("), ("np.exp(shifted)", "shifted")),
}
OTHER_DIGITS = """
def _other(value):
    if isinstance(value, tuple):
        return tuple(map(_other, value))
    return value * {factor!r} if value.dtype.kind == "f" else value

for _name in {names}:
    globals()[_name] = (lambda right: lambda *args, **more: _other(right(*args, **more)))(globals()[_name])
"""


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")
        proctor = open_proctor(Course(Path(folder)), EXERCISE)
    tests, calls = len(proctor.suite.tests), sum(len(test.script) for test in proctor.suite.tests)
    print(f"{EXERCISE}: {tests} tests with {calls} calls a submission; medians of {rounds} rounds of {EACH}")
    with proctor, Zygote(walls="none") as zygote:
        proctor.ready()
        print(f"walls around what is graded: {proctor.walls.get('mode')}")
        for name, pairs in WRONG.items():
            submission = written(pairs)
            compare(
                name,
                rounds,
                lambda s=submission: proctor.grade(s),
                lambda s=submission: bare(zygote, proctor, s),
            )
        others = (in_other_digits(proctor, number) for number in itertools.count(1))
        compare(
            "right, new digits",
            rounds,
            lambda: proctor.grade(next(others)),
            lambda: bare(zygote, proctor, next(others)),
        )


def compare(name: str, rounds: int, graded: Callable[[], object], bare_run: Callable[[], object]) -> None:
    graded(), bare_run()  # once, so that nothing is done for the first time below
    seconds = {"graded": [], "bare": []}
    own = []
    for _ in range(rounds):
        seconds["bare"].append(timed(bare_run)[0])
        wall, cpu = timed(graded)
        seconds["graded"].append(wall)
        own.append(cpu)
    took = {key: statistics.median(values) for key, values in seconds.items()}
    print(
        f"{name:>18}: {1000 * took['graded']:6.1f} ms graded, {1000 * took['bare']:6.1f} ms bare, "
        f"{took['graded'] / took['bare']:4.2f} times; {1 / took['graded']:5.0f} a second and process; "
        f"{1000 * statistics.median(own):5.1f} ms of the proctor's own CPU"
    )


def timed(run: Callable[[], object]) -> tuple[float, float]:
    """Wall and own CPU seconds of one of EACH."""
    wall, cpu = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
    for _ in range(EACH):
        run()
    after = resource.getrusage(resource.RUSAGE_SELF)
    used = after.ru_utime + after.ru_stime - cpu.ru_utime - cpu.ru_stime
    return (time.perf_counter() - wall) / EACH, used / EACH


def bare(zygote: Zygote, proctor, submission: Submission) -> None:
    """The same desk and the same calls, and nothing made of the answers."""
    with zygote.open(submission.cells) as desk:
        for step, table in tables(proctor).items():
            desk.many(step, table)


@functools.cache
def tables(proctor) -> dict[str, tuple]:
    """The calls of each step; a tuple is encoded once, as it is when a class is graded."""
    found = {}
    for step in proctor.exercise.steps:
        script = [line for test in proctor.suite.of(step.name) for line in test.script]
        found[step.name] = tuple((line.args, line.kwargs) for line in script)
    return found


def written(pairs: tuple[tuple[str, str], ...]) -> Submission:
    source = (KIT / "solutions" / f"{EXERCISE}.py").read_text(encoding="utf-8")
    for old, new in pairs:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return Submission("bench", EXERCISE, Status.graded, cells=(Cell(source),))


def in_other_digits(proctor, number: int) -> Submission:
    """Right, and no number the same as anybody else's."""
    names = [step.name for step in proctor.exercise.steps]
    right = written(()).cells[0].source
    cell = Cell(right + OTHER_DIGITS.format(factor=1 + number * 2.0**-50, names=names))
    return Submission("bench", EXERCISE, Status.graded, cells=(cell,))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 7)
