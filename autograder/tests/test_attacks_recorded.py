"""Hostile notebooks on every way into the gradebook, and what must hold of the whole course afterwards."""

import gc
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.cli import main
from autograder.grade.grade import grade_class
from autograder.layout import Course
from autograder.record.gradebook import record
from autograder.tests import classes
from autograder.tests.attempts import MARKER, alone, filled, left_behind, places, verdicts
from autograder.tests.test_attacked_class import CHOSEN, CONFIG
from autograder.tests.test_passes import autograde
from autograder.tests.walls import GOOD, descendants

EXERCISE = classes.EXERCISE
SOME = [
    next(name for name in CHOSEN if name.startswith(kind))
    for kind in sorted({n.split("/")[0] for n in CHOSEN})
]
WRITTEN = ("autograded", "gradesheets", ".attn", "gradebook.db")  # by grading and recording


def by_record(course: Course) -> None:
    assert not [one.fault for one in record(course, EXERCISE) if one.fault]


def by_grade_and_record(course: Course) -> None:
    assert main(["grade", EXERCISE, "--record", "--course", str(course.root)]) == 0


def by_nbgrader(course: Course) -> None:
    assert not autograde(course)
    gc.collect()  # the desks go home with the run that they served


WAYS = {
    "attn record": by_record,
    "attn grade --record": by_grade_and_record,
    "nbgrader autograde": by_nbgrader,
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_one_attack_of_each_kind_is_recorded_as_it_deserves(tmp_path, way):
    attacked(tmp_path, way, SOME)


def attacked(tmp_path, way: Callable[[Course], None], chosen: list[str]) -> None:
    course = classes.released(tmp_path)
    with (course.root / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(CONFIG.split("\n", 1)[1])
    processes = descendants(os.getpid())
    with places() as there:
        students = {name.replace("/", "-"): name for name in chosen}
        for student, name in students.items():
            classes.hand_in(course, student, notebook(course, filled(name, there)))
        for student in ("a first", "z last"):
            classes.hand_in(course, student, notebook(course, GOOD))
        before, reached = untouched(course), left_behind(there)
        way(course)
        assert left_behind(there) == reached and untouched(course) == before
    assert alone(os.getpid(), processes)
    scores = recorded(course)
    assert scores["a first"] == scores["z last"] == 20
    for student, name in students.items():
        right = "pass" in verdicts(name)
        assert scores[student] <= (20 if right else 16), name
    for file in course.root.rglob("*"):
        if file.is_file() and file.relative_to(course.root).parts[0] in WRITTEN:
            assert MARKER.encode() not in file.read_bytes(), file


def notebook(course: Course, source: str) -> dict:
    """Everything as the reference has it but softmax, and that by an attack."""
    whole = classes.solved(course)
    next(cell for cell in whole["cells"] if classes.graded_as(cell) == "softmax")["source"] = source
    return whole


def untouched(course: Course) -> dict[str, bytes]:
    """All files but those that grading and recording write."""
    return {name: data for name, data in classes.tree(course.root).items() if not name.startswith(WRITTEN)}


def recorded(course: Course) -> dict[str, float]:
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", course.root.name) as gradebook:
        return {row.student_id: row.score for row in gradebook.find_assignment(EXERCISE).submissions}


def test_links_and_pipes_are_there_after_nbgrader_and_the_verdict_is_the_same(tmp_path):
    course = classes.released(tmp_path)
    folder = classes.hand_in(course, "ada", classes.solved(course, classes.wrong))
    (folder / f"{EXERCISE}.py").symlink_to(course.seed)
    (folder / "data").mkdir()
    (folder / "data" / "gradebook").symlink_to(course.root / "gradebook.db")
    os.mkfifo(folder / "data" / "pipe")
    before, sheet = listing(folder), grade_class(course, EXERCISE)
    by_nbgrader(course)
    assert listing(folder) == before and not course.aside("ada", EXERCISE).exists()
    assert grade_class(course, EXERCISE, force=True) == sheet and sheet[0].warnings
    copied = course.autograded("ada", EXERCISE)
    assert not [path for path in copied.rglob("*") if path.is_symlink() or "gradebook" in path.name]
    seed = course.seed.read_bytes().strip()
    assert not [path for path in copied.rglob("*") if path.is_file() and seed in path.read_bytes()]


def listing(folder: Path) -> list[tuple[str, int]]:
    return sorted((str(path.relative_to(folder)), path.lstat().st_mode) for path in folder.rglob("*"))
