"""`make demo`: a sample class, from the release to feedback and exported grades, in a course made for it.

All hand in the first exercise, and some of them the later ones. The course is `demo/` beside the kit, or
`demo-2/` and so on where an earlier one is kept.
"""

import itertools
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from autograder.author.exercise import load_exercise
from autograder.cli import main as attn
from autograder.grade.answers import WallsMissing
from autograder.grade.grade import release_of
from autograder.grade.walls import inspect
from autograder.layout import KIT, Course
from autograder.record.classroom import collect, make_feedback, submit_all
from autograder.record.course import init
from autograder.record.opening import opened
from autograder.tests.submissions import DEMO_CLASS, DEMO_NAMES, Sample
from autograder.tests.submissions.later import LATER

FIRST = "self_attention"
CLASSES: Mapping[str, Mapping[str, Sample]] = {FIRST: DEMO_CLASS, **LATER}
NOTHING = "hands_in_nothing"


def say(what: str) -> None:
    print(f"\n— {what}", flush=True)


def free_folder() -> Path:
    """Where no earlier demo lies: somebody may have graded by hand in it."""
    names = itertools.chain(["demo"], (f"demo-{number}" for number in itertools.count(2)))
    return next(KIT / name for name in names if not (KIT / name).exists())


def enrol(course: Course) -> None:
    """Puts the sample class on nbgrader's list of students."""
    with opened(course) as api, api.gradebook as gradebook:
        for student, (first, last) in DEMO_NAMES.items():
            gradebook.update_or_create_student(student, first_name=first, last_name=last)


def hand_in(course: Course, name: str, work: Path) -> None:
    """Each student's sample goes through nbgrader's exchange; who hands in nothing does not."""
    exercise = load_exercise(course, name)
    release = release_of(course, exercise)
    samples = {student: sample for student, sample in CLASSES[name].items() if sample.name != NOTHING}
    for student, sample in samples.items():
        sample.write(work / student / name, exercise, release)
    submit_all(course, name, {student: work / student / name for student in samples})


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


def run(course: Course, name: str) -> bool:
    """One exercise from its release to the feedback; False where that failed."""
    here = ["--course", str(course.root)]
    say(f"{name}: release it, {len(CLASSES[name])} students; collect, grade, record; write feedback")
    if attn(["release", name, *here]):
        return False
    with tempfile.TemporaryDirectory() as work:
        hand_in(course, name, Path(work))
    collect(course, name)
    if attn(["grade", name, "--record", *unsafe(), *here]):
        return False
    make_feedback(course, name)
    return True


def main() -> int:
    began = time.monotonic()
    course = init(free_folder()).course
    enrol(course)
    print(f"A course in {course.root}, {len(DEMO_NAMES)} students")
    if not all(run(course, name) for name in CLASSES):
        return 1
    say(f"Export the grades, and see who waits for what in {FIRST}")
    grades = export(course)
    attn(["status", FIRST, "--course", str(course.root)])
    say(f"Done in {time.monotonic() - began:.0f} s. Where to look:")
    for what, path in (
        ("what students get", course.release(FIRST) / f"{FIRST}.ipynb"),
        ("one student's feedback", course.feedback("fang_zihan", FIRST) / f"{FIRST}.html"),
        ("all gradesheets", course.root / "gradesheets"),
        ("the exported grades", grades),
    ):
        print(f"{what:<24}{path}")
    print(f"{'the formgrader':<24}cd {course.root} && {Path(sys.executable).parent}/jupyter lab")
    return 0


if __name__ == "__main__":
    sys.exit(main())
