"""A class of any size, made from the samples and the corpus: the same students for the same seed.

    python -m autograder.tests.large_class FOLDER STUDENTS [SEED]

Makes a course in FOLDER, releases the exercise, enrols the students and hands in for them. Every hundred
students hold the same mix, so that classes of different size can be compared; student 17 is the same in each.
"""

import argparse
import ast
import datetime
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nbgrader.api import Gradebook, Student

from autograder.author.exercise import load_exercise
from autograder.grade.grade import release_of
from autograder.layout import Course
from autograder.record.course import init
from autograder.record.opening import opened
from autograder.record.release import release
from autograder.tests.corpus import STEPS, Entry, read
from autograder.tests.submissions import ESSAY, SAMPLES, Work

EXERCISE = "self_attention"
DUE = datetime.datetime(2026, 3, 9, 12)
MIX = {  # of each hundred students
    "right": 30,
    "one_wrong": 28,
    "some_wrong": 14,
    "unfinished": 10,
    "odd_file": 7,
    "broken_file": 4,
    "endless": 1,
    "missing": 6,
}
LATE = 12  # of each hundred that hand in, about
ODD = (
    *("names_the_file_as_a_copy", "nests_the_folder", "works_in_the_script", "deletes_check_cells"),
    *("saves_with_colab", "saves_with_classic_notebook", "saves_with_crlf", "pastes_into_a_new_notebook"),
    *("exports_with_nbconvert", "uses_magics", "plots_with_matplotlib", "kills_the_process_in_a_cell"),
)
BROKEN = (
    *("hands_in_broken_json", "saves_the_web_page", "uploads_an_empty_file", "changes_nothing"),
    *(
        "names_an_archive_as_a_notebook",
        "hands_in_two_under_other_names",
        "has_no_cells",
        "merges_with_conflicts",
    ),
)
FIRST = "Ada Bao Chiara David Emma Fatima Grace Haoran Ivan Jana Kofi Lin Maria Noor Olga 若溪 子涵 奕辰 晓雨"
LAST = "Byron Chen Diaz Euler Fang Gauss Haddad Ito Jones Kim Larsen Müller Nair Okafor 李 王 张 欧阳 陈"


@dataclass(frozen=True)
class Enrolled:
    """One student: who it is, and what kind of work to expect."""

    number: int
    kind: str
    draw: random.Random

    @property
    def id(self) -> str:
        return f"student_{self.number:05}"


def students(count: int, seed: int) -> Iterator[Enrolled]:
    """The first so many students of the endless class of that seed."""
    kinds: list[str] = []
    for number in range(count):
        if number % 100 == 0:
            kinds = [kind for kind, share in MIX.items() for _ in range(share)]
            random.Random(f"{seed} hundred {number}").shuffle(kinds)
        yield Enrolled(number, kinds[number % 100], random.Random(f"{seed} student {number}"))


def make(folder: Path, count: int, seed: int = 2017) -> Course:
    """The course with the class in it, its work under submitted/."""
    course = init(folder).course
    if not course.release(EXERCISE).is_dir():
        release(course, EXERCISE)
    enrolled = list(students(count, seed))
    _enrol(course, enrolled)
    exercise = load_exercise(course, EXERCISE)
    handed_out = release_of(course, exercise)
    for student in enrolled:
        if student.kind != "missing":
            place = course.submitted(student.id, EXERCISE)
            place.mkdir(parents=True, exist_ok=True)
            _hand_in(student, Work(place, exercise, handed_out))
    return course


def _enrol(course: Course, enrolled: Sequence[Enrolled]) -> None:
    """All at once: nbgrader's own way takes milliseconds for each."""
    with opened(course) as api, Gradebook(api.coursedir.db_url, api.coursedir.course_id) as gradebook:
        gradebook.update_or_create_assignment(EXERCISE, duedate=DUE)
        known = {student.id for student in gradebook.students}
        new = [student for student in enrolled if student.id not in known]
        gradebook.db.add_all(
            Student(id=s.id, first_name=s.draw.choice(FIRST.split()), last_name=s.draw.choice(LAST.split()))
            for s in new
        )
        gradebook.db.commit()


def _hand_in(student: Enrolled, work: Work) -> None:
    draw = random.Random(f"{student.id} {student.draw.random()}")
    if student.kind in ("odd_file", "broken_file", "endless"):
        names = {"odd_file": ODD, "broken_file": BROKEN, "endless": ("loops_forever_in_a_step",)}
        SAMPLES[draw.choice(names[student.kind])].make(work)
    else:
        _write(student.kind, draw, work)
    late = draw.random() * 100 < LATE
    hours = draw.uniform(0, 72) if late else -draw.expovariate(1 / 30)  # most hand in at the last moment
    when = DUE + datetime.timedelta(hours=hours)
    work.put("timestamp.txt", f"{when:%Y-%m-%d %H:%M:%S.%f} UTC")


def _write(kind: str, draw: random.Random, work: Work) -> None:
    """A notebook with every step in one way or another."""
    notebook = work.notebook(all_steps=False)
    count = {"one_wrong": 1, "some_wrong": draw.choice((2, 2, 3))}.get(kind, 0)
    wrong = draw.sample(work.steps, count)
    written = work.steps[: draw.randint(2, 5)] if kind == "unfinished" else work.steps
    for step in written:
        as_hinted = step not in wrong and draw.random() < 0.5  # calling the steps before it
        source = work.solution(step) if as_hinted else _drawn(ways(step, step not in wrong), draw).source
        work.cell(notebook, step)["source"] = source
    if draw.random() < 0.9:
        work.cell(notebook, work.question)["source"] = ESSAY[: draw.randint(40, len(ESSAY))]
    work.write(notebook)


@cache
def ways(step: str, right: bool) -> tuple[Entry, ...]:
    """The right or the wrong ways to write a step that write no other step anew."""
    others = {*STEPS} - {step}
    return tuple(entry for entry in read(step) if entry.right is right and not others & _names(entry))


def _names(entry: Entry) -> set[str]:
    return {getattr(node, "name", "") for node in ast.parse(entry.source).body}


def _drawn(found: Sequence[Entry], draw: random.Random) -> Entry:
    """A few ways are common, most are rare, as in a class: the n-th is drawn 1/n as often as the first."""
    return draw.choices(found, [1 / place for place in range(1, len(found) + 1)])[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("students", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=2017)
    args = parser.parse_args()
    course = make(args.folder, args.students, args.seed)
    print(f"{args.students} students in {course.root}; grade them: cd there, attn grade {EXERCISE} --record")


if __name__ == "__main__":
    main()
