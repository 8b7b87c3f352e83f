"""A small class that works through nbgrader's exchange, for tests of what happens every week."""

from pathlib import Path

from nbgrader.api import Gradebook

from autograder.author.build import build
from autograder.layout import Course
from autograder.record.classroom import submit_as
from autograder.record.release import release
from autograder.tests.courses import edit, empty_gradebook, make_course
from autograder.tests.grading import GOOD

NAME = "two_steps"
SQUARES = GOOD.replace("x + x", "x * x")  # loses the points of the first step


def small_exchange(root: Path, *settings: str) -> Course:
    """A course with a small released exercise and an exchange of its own. settings: lines of its file."""
    course = make_course(root)
    (root / "exchange").mkdir()
    (root / "exchange").chmod(0o1777)
    with (root / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        lines = [f"c.Exchange.root = {str(root / 'exchange')!r}", f"c.CourseDirectory.root = {str(root)!r}"]
        config.write("\n".join([*lines, *settings, ""]))
    (root / "gradebook.db").write_bytes(empty_gradebook())
    build(course, NAME)
    release(course, NAME)
    return course


def lie(course: Course, student: str, source: str, when: str = "2026-03-01 12:00:00 UTC") -> None:
    """Puts work where a collector would."""
    folder = course.submitted(student, NAME)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{NAME}.py").write_text(source, encoding="utf-8")
    (folder / "timestamp.txt").write_text(when, encoding="utf-8")


def submit(course: Course, student: str, source: str, folder: Path) -> None:
    """Hands in through the exchange, as the student."""
    work = folder / student / NAME
    work.mkdir(parents=True, exist_ok=True)
    (work / f"{NAME}.py").write_text(source, encoding="utf-8")
    notebook = f"{NAME}.ipynb"
    (work / notebook).write_bytes((course.release(NAME) / notebook).read_bytes())
    submit_as(course, NAME, student, work)


def points(course: Course) -> dict[str, float]:
    """What stands in the gradebook."""
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        return {row.student_id: row.score for row in gradebook.find_assignment(NAME).submissions}


def mend(course: Course) -> None:
    """Changes what the first step's work is worth: who has half of it has nothing now."""
    edit(
        course.assignment(NAME) / "exercise.toml",
        'name = "double"\n',
        'name = "double"\nall_or_nothing = true\n',
    )
