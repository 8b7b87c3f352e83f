"""A released folder for the tests of the self-check, as a student has it."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from autograder.author.build import outputs
from autograder.author.build import released as build_released
from autograder.author.exercise import load_exercise
from autograder.layout import KIT, Course
from autograder.settings import load_settings

NAME = "self_attention"
REFERENCE = (KIT / "solutions" / f"{NAME}.py").read_text(encoding="utf-8")


@cache
def _files() -> dict[str, bytes]:
    course = Course(KIT)
    exercise, source = load_exercise(course, NAME), course.source(NAME)
    files = {
        str(path.relative_to(source)): content
        for path, content in outputs(course, exercise).items()
        if path.is_relative_to(source)
    }
    notebook = build_released(exercise, load_settings(course).languages).notebook
    return files | {f"{NAME}.ipynb": json.dumps(notebook, ensure_ascii=False, indent=1).encode()}


def release(folder: Path, languages: list[str] | None = None) -> Path:
    """Writes the release into the folder."""
    for name, content in _files().items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    if languages:
        data = json.loads((folder / "selfcheck" / "exercise.json").read_text(encoding="utf-8"))
        data["languages"] = languages
        (folder / "selfcheck" / "exercise.json").write_text(json.dumps(data), encoding="utf-8")
    return folder


def python(folder: Path, *arguments: str, executable: str = sys.executable, **environment: str):
    """Runs Python in the folder, as a student would; output as text."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("NBGRADER", "PYTHON"))}
    return subprocess.run(
        [executable, *arguments],
        cwd=folder,
        env=kept | {"PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "error", "COLUMNS": "80"} | environment,
        capture_output=True,
        encoding=environment.get("PYTHONIOENCODING", "utf-8").split(":")[0],
        timeout=120,
        check=False,
    )


def selfcheck(folder: Path, *arguments: str, **environment: str):
    return python(folder, "-m", "selfcheck", *arguments, **environment)
