"""`make demo`: a sample class, from the release to feedback and exported grades, in a course made for it.

The course is `demo/` beside the kit, or `demo-2/` and so on where an earlier one is kept.
"""

import itertools
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.author.exercise import load_exercise
from autograder.cli import main as attn
from autograder.grade.answers import WallsMissing
from autograder.grade.grade import release_of
from autograder.grade.walls import inspect
from autograder.layout import KIT, Course
from autograder.record.classroom import collect, make_feedback, submit_all
from autograder.record.course import init
from autograder.tests.submissions import DEMO_CLASS, DEMO_NAMES

EXERCISE = "self_attention"
NOTHING = "hands_in_nothing"


def say(what: str) -> None:
    print(f"\n— {what}", flush=True)


def free_folder() -> Path:
    """Where no earlier demo lies: somebody may have graded by hand in it."""
    names = itertools.chain(["demo"], (f"demo-{number}" for number in itertools.count(2)))
    return next(KIT / name for name in names if not (KIT / name).exists())


def enrol(course: Course) -> None:
    """Puts the sample class on nbgrader's list of students."""
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", course.root.name) as gradebook:
        for student, (first, last) in DEMO_NAMES.items():
            gradebook.update_or_create_student(student, first_name=first, last_name=last)


def hand_in(course: Course, work: Path) -> None:
    """Each student's sample goes through nbgrader's exchange; who hands in nothing does not."""
    exercise = load_exercise(course, EXERCISE)
    release = release_of(course, exercise)
    folders = {student: work / student / EXERCISE for student, s in DEMO_CLASS.items() if s.name != NOTHING}
    for student, folder in folders.items():
        DEMO_CLASS[student].write(folder, exercise, release)
    submit_all(course, EXERCISE, folders)


def unsafe() -> list[str]:
    """The samples are our own: where a machine gives no walls, they are graded without, which is said."""
    try:
        inspect()
    except WallsMissing:
        return ["--unsafe"]
    return []


def export(course: Course) -> Path:
    """`nbgrader export`, as a teacher types it."""
    grades = course.root / "grades.csv"
    command = [Path(sys.executable).with_name("nbgrader"), "export", f"--to={grades.name}"]
    subprocess.run(command, cwd=course.root, check=True, capture_output=True)
    return grades


def main() -> int:
    began = time.monotonic()
    course = init(free_folder()).course
    here = ["--course", str(course.root)]
    say(f"A course in {course.root}; release {EXERCISE} to {len(DEMO_CLASS)} students")
    if attn(["release", EXERCISE, *here]):
        return 1
    enrol(course)
    say("The students hand in their work; collect it")
    with tempfile.TemporaryDirectory() as work:
        hand_in(course, Path(work))
    collect(course, EXERCISE)
    say("Grade it and record the grades")
    if attn(["grade", EXERCISE, "--record", *unsafe(), *here]):
        return 1
    say("Write feedback, export the grades, and see who waits for what")
    make_feedback(course, EXERCISE)
    grades = export(course)
    attn(["status", EXERCISE, *here])
    say(f"Done in {time.monotonic() - began:.0f} s. Where to look:")
    for what, path in (
        ("what students get", course.release(EXERCISE) / f"{EXERCISE}.ipynb"),
        ("one student's feedback", course.feedback("fang_zihan", EXERCISE) / f"{EXERCISE}.html"),
        ("all gradesheets", course.root / "gradesheets"),
        ("the exported grades", grades),
    ):
        print(f"{what:<24}{path}")
    print(f"{'the formgrader':<24}cd {course.root} && {Path(sys.executable).parent}/jupyter lab")
    return 0


if __name__ == "__main__":
    sys.exit(main())
