"""Hostile notebooks on every way into the gradebook, and what must hold of the whole course afterwards."""

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.cli import main
from autograder.grade.classes import grade_class
from autograder.layout import Course
from autograder.record.exchange import tidy
from autograder.record.gradebook import record
from autograder.tests import classes
from autograder.tests.attempts import ATTACKS, MARKER, alone, filled, left_behind, places, verdicts
from autograder.tests.test_attacked_class import CHOSEN, CONFIG
from autograder.tests.test_passes import autograde
from autograder.tests.walls import GOOD, descendants

EXERCISE = classes.EXERCISE
SOME = [
    next(name for name in CHOSEN if name.startswith(kind))
    for kind in sorted({n.split("/")[0] for n in CHOSEN})
]
GOOD_STUDENTS = ("a first", "z last")
PROBED_POINTS = 2  # weighted_sum is given up, so that the probe can be called in its place
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
    processes = descendants(os.getpid())
    with places() as there:
        course, reached = hostile_class(tmp_path, chosen, there), left_behind(there)
        before = untouched(course)
        way(course)
        assert left_behind(there) == reached and untouched(course) == before
    assert alone(os.getpid(), processes)
    assert not undeserved(course, chosen)
    assert not told(course)


# all of them, by the commands that a teacher types

PROBED = "def weighted_sum(weights, V):\n    raise RuntimeError(str(probe()))  # a teacher reads it"
COMMANDS = {
    "attn record": ["attn", "record", EXERCISE],
    "attn grade --record": ["attn", "grade", EXERCISE, "--record"],
    "nbgrader autograde": ["nbgrader", "autograde", EXERCISE],
}


@pytest.mark.system
@pytest.mark.timeout(1800)  # where others use the machine too
def test_every_attack_is_recorded_as_it_deserves_by_every_command(tmp_path):
    """All at once, since most of the time goes to waiting for what sleeps."""
    with places() as there:
        courses = {way: hostile_class(tmp_path / way.replace(" ", "-"), ATTACKS, there) for way in COMMANDS}
        reached = left_behind(there)
        graded_by_hand(courses["attn record"])
        before = {way: (untouched(course), rows_of("a first", course)) for way, course in courses.items()}
        running = {way: started(way, course) for way, course in courses.items()}
        try:
            ends = {way: process.wait(timeout=1700) for way, process in running.items()}
        finally:
            for process in running.values():
                process.kill()
        assert left_behind(there) == reached
    for way, course in courses.items():
        said = (course.root.parent / "said.txt").read_text(encoding="utf-8")
        assert ends[way] == 0 and "Traceback" not in said, said[-5000:]
        assert not of_session(running[way].pid), "a process is left"
        assert untouched(course) == before[way][0], way
        assert not undeserved(course, ATTACKS), way
        assert not told(course), way
        assert before[way][1] in ([], rows_of("a first", course)), way


def hostile_class(folder: Path, chosen: Iterable[str], there: Mapping[str, str]) -> Course:
    """A course in which the chosen attacks were handed in, between two students who are right."""
    folder.mkdir(exist_ok=True)
    course = classes.released(folder)
    with (course.root / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(CONFIG.split("\n", 1)[1])
    for name in chosen:
        source = filled(name, there)
        probed = PROBED if "def probe" in source else None
        classes.hand_in(course, name.replace("/", "-"), notebook(course, source, probed))
    for student in GOOD_STUDENTS:
        classes.hand_in(course, student, notebook(course, GOOD))
    return course


def graded_by_hand(course: Course) -> None:
    """One student is in the gradebook already, with a grade that a person gave."""
    assert not [one.fault for one in record(course, EXERCISE, GOOD_STUDENTS[:1]) if one.fault]
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", course.root.name) as gradebook:
        grade = gradebook.find_grade("why_scale", EXERCISE, EXERCISE, GOOD_STUDENTS[0])
        grade.manual_score = grade.max_score_gradecell / 2
        gradebook.db.commit()


def rows_of(student: str, course: Course) -> list[tuple]:
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", course.root.name) as gradebook:
        found = gradebook.find_assignment(EXERCISE).submissions
        grades = [g for row in found if row.student_id == student for n in row.notebooks for g in n.grades]
        return sorted((grade.name, grade.auto_score, grade.manual_score or -1) for grade in grades)


def started(way: str, course: Course) -> subprocess.Popen:
    """The command in a session of its own, so that whatever it leaves behind can be found."""
    bin_folder = Path(sys.executable).parent
    command = [bin_folder / COMMANDS[way][0], *COMMANDS[way][1:]]
    environment = os.environ | {"PATH": f"{bin_folder}:{os.environ['PATH']}", "ATTACKED_TOKEN": MARKER}
    with (course.root.parent / "said.txt").open("wb") as said:
        streams = {"stdin": subprocess.DEVNULL, "stdout": said, "stderr": said}
        return subprocess.Popen(command, **streams, cwd=course.root, env=environment, start_new_session=True)


def of_session(session: int, tries: int = 500) -> list[str]:
    """The processes that are still there of a session a moment after it has ended."""
    for _ in range(tries):
        found = [file.read_text(encoding="utf-8") for file in Path("/proc").glob("[0-9]*/stat")]
        there = [stat for stat in found if int(stat.rpartition(")")[2].split()[3]) == session]
        if not there:
            return []
        time.sleep(0.01)
    return there


# what must hold afterwards


def undeserved(course: Course, chosen: Iterable[str]) -> list[tuple[str, float, float]]:
    """Who has another score than their honest part allows, and what that would be."""
    scores = recorded(course)
    assert [scores[student] for student in GOOD_STUDENTS] == [20, 20]
    found = []
    for name in chosen:
        honest = 20 - 4 * ("pass" not in verdicts(name)) - PROBED_POINTS * ("def probe" in ATTACKS[name])
        if not 0 <= scores[name.replace("/", "-")] <= honest:
            found.append((name, scores[name.replace("/", "-")], honest))
    return found


def told(course: Course) -> list[str]:
    """Files that hold what nobody was to see, or what was not to act on who reads them."""
    files = [file for file in course.root.rglob("*") if file.is_file()]
    written = [file for file in files if file.relative_to(course.root).parts[0] in WRITTEN]
    seed, found = course.seed.read_bytes().strip(), []
    for file in written:
        data = file.read_bytes()
        if MARKER.encode() in data or (seed in data and file != course.seed):
            found.append(f"{file} holds a secret")
        if b"ESCAPED" in data and file.suffix == ".json":  # a notebook holds the attack's own text
            found.append(f"{file}: a probe got through")
        if b"\x1b" in data and file.suffix in (".json", ".ipynb", ".html"):
            found.append(f"{file} would act on a terminal")
    return found


def notebook(course: Course, source: str, probed: str | None = None) -> dict:
    """Everything as the reference has it but softmax, and that by an attack; its probe is called as well."""
    whole, sources = classes.solved(course), {"softmax": source, "weighted_sum": probed}
    for cell in whole["cells"]:
        cell["source"] = sources.get(classes.graded_as(cell)) or cell["source"]
    return whole


def untouched(course: Course) -> dict[str, bytes]:
    """All files but those that grading and recording write."""
    return {name: data for name, data in classes.tree(course.root).items() if not name.startswith(WRITTEN)}


def recorded(course: Course) -> dict[str, float]:
    """What each student earned by the checks."""
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", course.root.name) as gradebook:
        rows = gradebook.find_assignment(EXERCISE).submissions
        grades = {row.student_id: [g.auto_score for n in row.notebooks for g in n.grades] for row in rows}
    return {student: sum(filter(None, scores)) for student, scores in grades.items()}


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


def test_links_are_there_again_where_nbgrader_died_before_it_read_them(tmp_path):
    course = classes.released(tmp_path)
    folder = classes.hand_in(course, "ada", classes.solved(course))
    (folder / f"{EXERCISE}.py").symlink_to(course.seed)
    before, sheet = listing(folder), grade_class(course, EXERCISE)
    assert tidy(folder, course.aside("ada", EXERCISE)) and listing(folder) != before
    assert grade_class(course, EXERCISE, force=True) == sheet
    assert listing(folder) == before and not course.aside("ada", EXERCISE).exists()


def listing(folder: Path) -> list[tuple[str, int]]:
    return sorted((str(path.relative_to(folder)), path.lstat().st_mode) for path in folder.rglob("*"))
