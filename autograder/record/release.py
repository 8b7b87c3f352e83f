"""Releases an exercise through nbgrader, and again without harming the work that students have begun.

Whatever would be refused is refused before anything is touched.
"""

import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbgrader.apps.api import NbGraderAPI
from nbgrader.converters import GenerateAssignment

from autograder.author.build import build, follow_languages
from autograder.layout import Course
from autograder.model import KitError
from autograder.record.opening import opened
from autograder.record.passes import staleness

WRITES_DATABASE = "nbgrader.preprocessors.SaveCells"


class ReleaseError(KitError):
    """Nothing was released; the message says why, and what to do."""


@dataclass(frozen=True)
class Released:
    """What is out, and what students must do who fetched it before."""

    folder: Path  # in the exchange
    changed: tuple[str, ...] = ()  # files that differ from what students have
    todo: str = ""


def release(course: Course, name: str, update: bool = False) -> Released:
    """nbgrader's generate_assignment and release_assignment. Raises ReleaseError.

    update: release again, where only prose, figures and the self-check differ from what students have.
    """
    _ready(course, name, update)
    with opened(course) as api:
        out = Path(api.exchange_root, api.course_id, "outbound", name)
        if update:
            return _update(course, name, api, out)
        if out.is_dir():
            raise ReleaseError(
                f"{name} is released already, in {out}.\nBring it up to date: attn release {name} --update"
            )
        run(api.generate_assignment(name), f"{name} was not generated")
        run(api.release_assignment(name), f"{name} was generated, not released")
        return Released(out, tuple(sorted(_files(out))))


def generate(course: Course, name: str) -> Path:
    """release/ alone, for classes without an exchange. Raises ReleaseError as `release` does."""
    _ready(course, name, False)
    folder = course.release(name)
    with opened(course) as api:
        if not folder.is_dir() or _changed(name, api, folder):
            run(api.generate_assignment(name), f"{name} was not generated")
    return folder


def _ready(course: Course, name: str, update: bool) -> None:
    """Raises ReleaseError where the source is not fit to be released."""
    if name not in course.exercises:
        raise ReleaseError(f"There is no exercise {name}; there are: {', '.join(course.exercises)}.")
    if not course.source(name).is_dir():
        build(course, name)
    elif not update:
        follow_languages(course, name)
    if told := staleness(course, name):
        raise ReleaseError(f"{name} was not released, and nothing was touched:\n{told}")


def run(result: Mapping[str, Any], what: str) -> None:
    """nbgrader's outcome, as one error with the lines of its log that say why."""
    if not result["success"]:
        log = [
            line for line in result.get("log", "").splitlines() if line.startswith(("[ERROR]", "[CRITICAL]"))
        ]
        reasons = log or result["error"].strip().splitlines()[-1:]
        raise ReleaseError("\n".join([f"{what}:", *(line.partition("] ")[2] or line for line in reasons)]))


def _update(course: Course, name: str, api: NbGraderAPI, out: Path) -> Released:
    if not out.is_dir():
        raise ReleaseError(f"{name} was never released.\nRelease it: attn release {name}")
    changed = _changed(name, api, out)
    if not changed:
        return Released(out)
    run(api.generate_assignment(name), f"{name} was not generated")
    shutil.rmtree(out)
    run(api.release_assignment(name), f"{name} was generated, not released: run attn release {name}")
    return Released(out, tuple(changed), _todo(api, name, changed))


def _changed(name: str, api: NbGraderAPI, out: Path) -> list[str]:
    """Files that a new release would change. Raises ReleaseError where students' cells would be others."""
    with tempfile.TemporaryDirectory() as scratch:
        new = _rehearsed(name, api, Path(scratch))
        old_cells, new_cells = (_graded_cells(folder / f"{name}.ipynb") for folder in (out, new))
        changes = [f"  {cell}: {why}" for cell, why in _differences(old_cells, new_cells)]
        if changes:
            raise ReleaseError(
                f"{name} was not released, since cells differ that students already work in:\n"
                + "\n".join(changes)
                + "\nTake these changes back, or give the exercise another name."
            )
        return _changed_files(out, new)


def _rehearsed(name: str, api: NbGraderAPI, scratch: Path) -> Path:
    """The release that generating would give, in a folder of its own and without the gradebook."""
    kept = api.coursedir.release_directory, api.coursedir.assignment_id
    try:
        api.coursedir.release_directory, api.coursedir.assignment_id = str(scratch), name
        app = GenerateAssignment(coursedir=api.coursedir, parent=api)
        app.preprocessors = [each for each in app.preprocessors if each != WRITES_DATABASE]
        app.no_database = True
        try:
            app.start()
        except Exception as error:
            raise ReleaseError(f"{name} was not generated, and nothing was touched:\n{error}") from error
    finally:
        api.coursedir.release_directory, api.coursedir.assignment_id = kept
    return scratch / name


def _graded_cells(notebook: Path) -> dict[str, tuple[str, Any, str]]:
    """What students and grades hang on: by id: kind, points, and the text where it is theirs."""
    cells = {}
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("grade") or marks.get("solution"):
            text = "".join(cell["source"])
            cells[marks["grade_id"]] = (cell["cell_type"], marks.get("points"), text)
        elif marks:
            cells[marks["grade_id"]] = (cell["cell_type"], None, "")
    return cells


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = [(name, "is no longer there") for name in old if name not in new]
    found += [(name, "is new") for name in new if name not in old]
    reasons = ("is of another kind", "has other points", "has another text")
    for name in old.keys() & new.keys():
        for before, after, reason in zip(old[name], new[name], reasons, strict=True):
            if before != after:
                found.append((name, reason))
    return sorted(found)


def _files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def _changed_files(old: Path, new: Path) -> list[str]:
    """Names, within the release, of all that was added, removed or changed."""
    before, after = _files(old), _files(new)
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def _todo(api: NbGraderAPI, name: str, changed: list[str]) -> str:
    """What a student does who fetched it before: nbgrader brings back only what is missing."""
    others = [file for file in changed if file != f"{name}.ipynb"]
    lines = ["Students who fetched it before keep their notebook and their work."]
    if others:
        lines += [
            "For the rest each of them removes, in the folder that holds it:",
            f"  rm -f {' '.join(f'{name}/{file}' for file in others)}",
            f"and fetches what is missing: nbgrader fetch_assignment {name} --replace",
        ]
    if f"{name}.ipynb" in changed:
        lines += [f"The notebook's new wording they can read in {name}/handout.*.md."]
    return "\n".join(lines)
