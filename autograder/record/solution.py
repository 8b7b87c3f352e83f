"""The solved notebook for the class, once everybody's work is due: through nbgrader's own exchange."""

import re
import shutil
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook

from autograder.author.exercise import load_exercise
from autograder.author.notebook import as_text, weave
from autograder.grade.files import write_whole
from autograder.layout import Course
from autograder.model import Exercise
from autograder.record.due import due, now
from autograder.record.gradebook import database
from autograder.record.opening import opened
from autograder.record.policy import NO_DATE, policy
from autograder.record.release import ReleaseError, run
from autograder.settings import TEXT_STUB, load_settings

MARKS = re.compile(r"^[ \t]*### (?:BEGIN|END) SOLUTION[ \t]*(?:\n|\Z)", re.MULTILINE)
SUFFIX = "_solution"  # of the name under which students fetch it


def release_solution(course: Course, name: str) -> Path:
    """Hands out the reference in the notebook, without mark schemes. Raises ReleaseError before its time."""
    if not policy(course, name).solution:
        raise ReleaseError(
            f"The course does not hand out the solution of {name}.\n"
            f"Allow it in nbgrader_config.py: c.Attn.release_solution = {{{name!r}: True}}"
        )
    with opened(course) as api:
        with Gradebook(database(api), api.coursedir.course_id) as gradebook:
            last = due(gradebook, name).last()
        if last is None:
            raise ReleaseError(NO_DATE.format(name=name))
        if now() <= last:
            raise ReleaseError(
                f"The solution of {name} waits until {last:%Y-%m-%d %H:%M} UTC, when the last extension ends."
            )
        _write(course, load_exercise(course, name), load_settings(course).languages)
        out = Path(api.exchange_root, api.course_id, "outbound", name + SUFFIX)
        shutil.rmtree(out, ignore_errors=True)  # the one before: made of the same sources
        run(api.release_assignment(name + SUFFIX), f"the solution of {name} was not released")
        return out


def _write(course: Course, exercise: Exercise, languages: list[str]) -> None:
    """The solved notebook and module, and the pictures and helpers of the release beside them."""
    folder, given = course.release(exercise.name + SUFFIX), course.release(exercise.name)
    kept = {f"{exercise.name}.ipynb", f"{exercise.name}.py"}
    for file in given.rglob("*"):
        if file.is_file() and str(file.relative_to(given)) not in kept:
            write_whole(folder / file.relative_to(given), file.read_bytes())
    write_whole(folder / f"{exercise.name}.ipynb", as_text(solved(exercise, languages)).encode())
    write_whole(folder / f"{exercise.name}.py", MARKS.sub("", exercise.code).encode())


def solved(exercise: Exercise, languages: list[str]) -> dict[str, Any]:
    """The woven notebook as a student may keep it: no marks of nbgrader, and no mark scheme."""
    notebook = weave(exercise, languages)
    notebook["cells"] = [_opened(cell) for cell in notebook["cells"]]
    return notebook


def _opened(cell: dict[str, Any]) -> dict[str, Any]:
    marks = cell["metadata"].get("nbgrader", {})
    if cell["cell_type"] == "markdown" and marks.get("solution"):
        return {**cell, "metadata": {}, "source": TEXT_STUB}
    return {**cell, "metadata": {}, "source": MARKS.sub("", cell["source"])}
