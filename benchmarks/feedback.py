"""A class's feedback pages through `nbgrader generate_feedback` and `attn feedback`, start-up included.

    python benchmarks/feedback.py [STUDENTS] [ROUNDS]

Both make the same pages, to the byte, in the same course. They take turns in one run; medians are printed.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from autograder.author.exercise import load_exercise
from autograder.grade.classes import grade_class
from autograder.grade.grade import release_of
from autograder.layout import Course
from autograder.record.course import init
from autograder.record.gradebook import record
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
COMMANDS = {
    "nbgrader generate_feedback": ("nbgrader", "generate_feedback", EXERCISE),
    "attn feedback": ("attn", "feedback", EXERCISE),
}


def graded(folder: Path, students: int) -> Course:
    """A course whose class is graded and recorded."""
    course = init(folder / "course").course
    release(course, EXERCISE)
    exercise = load_exercise(course, EXERCISE)
    handed_out = release_of(course, exercise)
    for number in range(students):
        place = course.submitted(f"student_{number:04}", EXERCISE)
        SAMPLES[MIX[number % len(MIX)]].write(place, exercise, handed_out)
    grade_class(course, EXERCISE)
    record(course, EXERCISE)
    return course


def seconds(course: Course, program: str, *arguments: str) -> float:
    began = time.monotonic()
    command = [Path(sys.executable).parent / program, *arguments]
    subprocess.run(command, cwd=course.root, check=True, capture_output=True)
    return time.monotonic() - began


def pages(course: Course) -> dict[str, bytes]:
    folder = course.root / "feedback"
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def main(students: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        course = graded(Path(folder), students)
        taken: dict[str, list[float]] = {name: [] for name in (*COMMANDS, "attn feedback, unchanged")}
        for _ in range(rounds):
            made = []
            for name, command in COMMANDS.items():
                shutil.rmtree(course.root / "feedback", ignore_errors=True)
                taken[name].append(seconds(course, *command))
                made.append(pages(course))
            assert made[0] == made[1], "the pages differ"
            taken["attn feedback, unchanged"].append(seconds(course, *COMMANDS["attn feedback"]))
    medians = {name: statistics.median(values) for name, values in taken.items()}
    print(f"{students} students, medians of {rounds} rounds")
    for name, value in medians.items():
        print(f"{name:<28}{value:8.1f} s   {value / students * 1000:8.0f} ms a student")
    theirs, ours, _ = medians.values()
    print(f"ratio {theirs / ours:.1f}")


if __name__ == "__main__":
    main(*(int(value) for value in (sys.argv[1:] + ["60", "3"][len(sys.argv) - 1 :])))
