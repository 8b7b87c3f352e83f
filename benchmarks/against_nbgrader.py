"""The same class through stock `nbgrader autograde` and through `attn grade --record`, start-up included.

    python benchmarks/against_nbgrader.py [STUDENTS] [ROUNDS]

Both begin with a released exercise and collected submissions, and end with a full gradebook. Stock nbgrader
gets the same notebook with tests in its grade cells: every call of our hidden suites, packed small, compared
by NumPy's own `allclose` to what the reference answers. They take turns in one run; the medians of the rounds
are printed and drawn beside this file.
"""

import base64
import json
import pickle
import shutil
import statistics
import sys
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from importlib.metadata import version
from pathlib import Path

from measured import Measured, measured
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
PLOT = Path(__file__).with_suffix(".svg")
WAYS = {  # whose course, and the command in it
    "stock `nbgrader autograde`": ("stock", "nbgrader", "autograde", EXERCISE),
    "`attn grade --record`": ("ours", "attn", "grade", EXERCISE, "--record"),
    "`attn grade`, grading alone": ("ours", "attn", "grade", EXERCISE),
}
STOCK = """\
from pathlib import Path

c = get_config()
c.CourseDirectory.course_id = "stock"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
"""
TESTS = """\
### BEGIN HIDDEN TESTS
import base64 as _base64, pickle as _pickle, zlib as _zlib
import numpy as _np
for _args, _kwargs, _expected in _pickle.loads(_zlib.decompress(_base64.b85decode({cases!r}))):
    _got = {step}(*_args, **_kwargs)
    _pairs = zip(_got, _expected) if isinstance(_expected, tuple) else [(_got, _expected)]
    assert all(_np.allclose(g, e, rtol=1e-5, atol=1e-6, equal_nan=True) for g, e in _pairs)
### END HIDDEN TESTS
"""


def main(students: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ours, stock = courses(Path(folder), students)
        found: dict[str, list[Measured]] = {name: [] for name in WAYS}
        for _ in range(rounds):  # in turns, so that a busy moment meets all of them
            for name, (course, *command) in WAYS.items():
                found[name].append(run({"ours": ours, "stock": stock}[course], *command))
    medians = {name: median(several) for name, several in found.items()}
    print(f"{students} students, medians of {rounds} rounds; nbgrader {version('nbgrader')}\n")
    print(*table(medians, students), sep="\n")
    PLOT.write_text(plot(medians, students), encoding="utf-8")


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
    for cell in notebook["cells"]:
        step = cell["metadata"].get("nbgrader", {}).get("grade_id", "").removeprefix("check_")
        if step in cases and cell["metadata"]["nbgrader"]["grade"]:
            packed = base64.b85encode(zlib.compress(pickle.dumps(cases[step])))
            cell["source"] = TESTS.format(cases=packed, step=step)
    return notebook


def run(course: Course, program: str, *arguments: str) -> Measured:
    """From nothing recorded to all recorded."""
    for made in ("autograded", "gradesheets"):
        shutil.rmtree(course.root / made, ignore_errors=True)
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", course.root.name) as gradebook:
        for submission in gradebook.assignment_submissions(EXERCISE):
            gradebook.remove_submission(EXERCISE, submission.student.id)
    return measured([PROGRAMS / program, *arguments], course.root)


def median(several: Sequence[Measured]) -> Measured:
    """The median of each figure by itself."""
    return Measured(*map(statistics.median, zip(*map(astuple, several), strict=True)))


def table(medians: Mapping[str, Measured], students: int) -> list[str]:
    """In Markdown; how many times less than stock nbgrader, in seconds and in CPU seconds."""
    rival = next(iter(medians.values()))
    lines = [
        "| | seconds | a student | times | CPU seconds | times | memory, MB |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, took in medians.items():
        wall = f"{took.wall:.1f} | {took.wall / students:.2f} | {rival.wall / took.wall:.0f}"
        lines.append(f"| {name} | {wall} | {took.cpu:.1f} | {rival.cpu / took.cpu:.0f} | {took.memory:.0f} |")
    return lines


def plot(medians: Mapping[str, Measured], students: int) -> str:
    """Bars of CPU seconds a student, which other work on the machine lengthens least."""
    longest, parts = max(took.cpu for took in medians.values()), []
    for row, (name, took) in enumerate(medians.items()):
        y, width, each = 40 + 50 * row, 600 * took.cpu / longest, took.cpu / students
        parts.append(f'<text x="10" y="{y}">{name.replace("`", "")}</text>')
        parts.append(f'<rect x="10" y="{y + 8}" width="{width:.1f}" height="16" fill="#4477aa"/>')
        parts.append(f'<text x="{width + 16:.1f}" y="{y + 21}">{each:.2f} s</text>')
    title = f"CPU seconds a student, {students} students"
    body = "\n".join([f'<text x="10" y="16" font-weight="bold">{title}</text>', *parts])
    head = (
        'xmlns="http://www.w3.org/2000/svg" width="700" height="190" font-family="sans-serif" font-size="14"'
    )
    return f'<svg {head}>\n<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'


if __name__ == "__main__":
    main(*(int(value) for value in (sys.argv[1:] + ["30", "3"][len(sys.argv) - 1 :])))
