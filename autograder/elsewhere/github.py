"""Packs an exercise as a repository that checks itself on GitHub: what students are given, and a workflow.

Nothing hidden is in it, since whatever a workflow can read, those who push can read.
"""

from pathlib import Path

from autograder.author.build import outputs
from autograder.author.exercise import load_exercise
from autograder.author.notebook import as_text
from autograder.grade.grade import release_of
from autograder.layout import Course

FILES = Path(__file__).parent / "github_files"


def files(course: Course, name: str) -> dict[str, bytes]:
    """The files of the repository, by path."""
    exercise, source = load_exercise(course, name), course.source(name)
    given = {
        file.relative_to(source).as_posix(): content
        for file, content in outputs(course, exercise).items()
        if file.is_relative_to(source)
    }
    release = release_of(course, exercise)
    given |= {f"{name}.ipynb": as_text(release.notebook).encode(), f"{name}.py": release.module.encode()}
    script = (FILES / "selfcheck.sh").read_text(encoding="utf-8")
    script = script.replace("EXERCISE", name).replace("STEPS", " ".join(step.name for step in exercise.steps))
    return given | {
        ".github/workflows/selfcheck.yml": (FILES / "selfcheck.yml").read_bytes(),
        ".github/selfcheck.sh": script.encode(),
    }
