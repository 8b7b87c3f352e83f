"""Courses with a released exercise and students' work in every state, for tests of recording.

Releasing takes seconds, so it happens once in a test run; each test works in a copy.
"""

import json
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from autograder.layout import KIT, Course
from autograder.record.course import init
from autograder.record.release import release
from autograder.settings import load_config

EXERCISE = "self_attention"
NOTEBOOK = f"{EXERCISE}.ipynb"
SOLUTION = (KIT / "solutions" / f"{EXERCISE}.py").read_text(encoding="utf-8")


@cache
def _template() -> tempfile.TemporaryDirectory:
    """Kept by the cache until the test run ends, and removed then."""
    folder = tempfile.TemporaryDirectory(prefix="attn-class-")
    release(init(Path(folder.name, "course")).course, EXERCISE)
    return folder


def released(folder: Path) -> Course:
    """A course in which the exercise has been released."""
    root = folder / "course"
    shutil.copytree(Path(_template().name, "course"), root)
    (root / "exchange").chmod(0o1777)
    return Course(root)


def url(course: Course) -> str:
    """The gradebook's, as the course sets it."""
    return load_config(course).CourseDirectory.get("db_url") or f"sqlite:///{course.root / 'gradebook.db'}"


def read(file: Path) -> dict:
    return json.loads(file.read_text(encoding="utf-8"))


def graded_as(cell: dict) -> str:
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def stub(course: Course) -> dict:
    """The notebook as it was released."""
    return read(course.release(EXERCISE) / NOTEBOOK)


def solved(
    course: Course, change: Callable[[str], str] = lambda source: source, answer: str = "Because."
) -> dict:
    """The released notebook with the reference in its cells, changed as wished, and an answer."""
    theirs = {
        graded_as(cell): "".join(cell["source"]) for cell in read(course.source(EXERCISE) / NOTEBOOK)["cells"]
    }
    notebook = stub(course)
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            code = cell["cell_type"] == "code"
            cell["source"] = change(theirs[graded_as(cell)]) if code else answer
    return notebook


def wrong(source: str) -> str:
    """The scores divided by d_k, not by its root."""
    return source.replace("np.sqrt(d_k)", "d_k")


def hand_in(course: Course, student: str, notebook: dict | str | None, name: str = NOTEBOOK) -> Path:
    """Puts a submission where collect would; None is a folder without a notebook."""
    folder = course.submitted(student, EXERCISE)
    folder.mkdir(parents=True, exist_ok=True)
    if notebook is not None:
        text = notebook if isinstance(notebook, str) else json.dumps(notebook)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "timestamp.txt").write_text("2026-03-01 12:00:00.000000 UTC", encoding="utf-8")
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its content."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
