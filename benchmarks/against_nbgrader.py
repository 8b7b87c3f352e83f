"""The same class through stock `nbgrader autograde` and through `attn grade --record`, start-up included.

    python benchmarks/against_nbgrader.py [STUDENTS] [ROUNDS]

Both begin with a released exercise and collected submissions, and end with a full gradebook. Stock nbgrader
gets the same notebook with tests in its grade cells: every call of our hidden suites, compared by NumPy's own
`allclose` to what the reference answers. They take turns in one run; medians of the rounds are printed.
"""

import json
import pickle
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.author.exercise import load_exercise
from autograder.grade.grade import open_proctor, release_of
from autograder.layout import Course
from autograder.record.course import init
from autograder.record.opening import opened
from autograder.record.release import release
from autograder.tests.submissions import SAMPLES

EXERCISE = "self_attention"
MIX = (
    "solves_everything",
    "divides_by_d_k",
    "solves_everything_in_chinese",
    "sums_over_queries",
    "forgets_scaling",
)
PROGRAMS = Path(sys.executable).parent
STOCK = """\
from pathlib import Path

c = get_config()
c.CourseDirectory.course_id = "stock"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
"""
TESTS = """\
### BEGIN HIDDEN TESTS
import pickle as _pickle
import numpy as _np
for _args, _kwargs, _expected in _pickle.loads({cases!r})[{step!r}]:
    _got = {step}(*_args, **_kwargs)
    _pairs = zip(_got, _expected) if isinstance(_expected, tuple) else [(_got, _expected)]
    assert all(_np.allclose(g, e, rtol=1e-5, atol=1e-6, equal_nan=True) for g, e in _pairs)
### END HIDDEN TESTS
"""


def main(students: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ours, stock = courses(Path(folder), students)
        seconds: dict[str, list[float]] = {"stock nbgrader autograde": [], "attn grade --record": []}
        for _ in range(rounds):
            seconds["stock nbgrader autograde"].append(run(stock, "nbgrader", "autograde", EXERCISE))
            seconds["attn grade --record"].append(run(ours, "attn", "grade", EXERCISE, "--record"))
        report(students, rounds, seconds)


def courses(folder: Path, students: int) -> tuple[Course, Course]:
    """Two courses with the same released exercise and the same submissions."""
    ours = init(folder / "ours").course
    release(ours, EXERCISE)
    exercise = load_exercise(ours, EXERCISE)
    handed_out = release_of(ours, exercise)
    for number in range(students):
        place = ours.submitted(f"student_{number:04}", EXERCISE)
        SAMPLES[MIX[number % len(MIX)]].write(place, exercise, handed_out)
    stock = Course(folder / "stock")
    stock.root.mkdir()
    (stock.root / "nbgrader_config.py").write_text(STOCK, encoding="utf-8")
    stock.source(EXERCISE).mkdir(parents=True)
    notebook = with_tests(json.loads((ours.source(EXERCISE) / f"{EXERCISE}.ipynb").read_text("utf-8")), ours)
    (stock.source(EXERCISE) / f"{EXERCISE}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    shutil.copytree(ours.source(EXERCISE) / "selfcheck", stock.source(EXERCISE) / "selfcheck")
    shutil.copytree(ours.root / "submitted", stock.root / "submitted")
    with opened(stock) as api:
        assert api.generate_assignment(EXERCISE)["success"]
    return ours, stock


def with_tests(notebook: dict, course: Course) -> dict:
    """The woven notebook with the calls of the hidden suites in its grade cells."""
    proctor = open_proctor(course, EXERCISE)
    cases: dict[str, list] = {}
    for test in proctor.suite.tests:
        for line in test.script:
            cases.setdefault(line.step, []).append((line.args, line.kwargs, proctor.suite.expected(line)))
    packed = pickle.dumps(cases)
    for cell in notebook["cells"]:
        step = cell["metadata"].get("nbgrader", {}).get("grade_id", "").removeprefix("check_")
        if step in cases and cell["metadata"]["nbgrader"]["grade"]:
            cell["source"] = TESTS.format(cases=packed, step=step)
    return notebook


def run(course: Course, program: str, *arguments: str) -> float:
    """Seconds from nothing recorded to all recorded."""
    for made in ("autograded", "gradesheets"):
        shutil.rmtree(course.root / made, ignore_errors=True)
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", course.root.name) as gradebook:
        for submission in gradebook.assignment_submissions(EXERCISE):
            gradebook.remove_submission(EXERCISE, submission.student.id)
    began = time.monotonic()
    subprocess.run([PROGRAMS / program, *arguments], cwd=course.root, check=True, capture_output=True)
    return time.monotonic() - began


def report(students: int, rounds: int, seconds: dict[str, list[float]]) -> None:
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    rival, own = medians.values()
    print(f"{students} students, medians of {rounds} rounds")
    for name, value in medians.items():
        print(f"{name:<28}{value:8.1f} s   {value / students * 1000:8.0f} ms a student")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"ratio {rival / own:.1f}; largest process {peak:.0f} MB")


if __name__ == "__main__":
    main(*(int(value) for value in (sys.argv[1:] + ["30", "3"][len(sys.argv) - 1 :])))
