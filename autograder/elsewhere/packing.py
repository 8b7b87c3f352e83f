"""Packs an exercise for Gradescope: all that grades it, which stays on that side and reaches no student.

The kit goes along as it is here; NumPy and pytest come by pip, held to the hashes that hold the kit here.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from autograder.author.exercise import load_exercise
from autograder.elsewhere import results
from autograder.elsewhere.gradescope import SETTINGS
from autograder.grade.files import course_seed
from autograder.grade.grade import release_of
from autograder.layout import CONFIG, KIT, PACKAGE, Course
from autograder.model import Exercise, KitError, Status
from autograder.settings import SHOWS, Attn, load_settings

FILES = Path(__file__).parent / "gradescope_files"
# What grading imports, and what that imports.
NEEDED = ("iniconfig", "numpy", "packaging", "pluggy", "pygments", "pytest", "traitlets")
LEFT_OUT = ("tests", "record", "commands", "cli.py", "show.py", "progress.py", "_kit")
CONFIG_TEXT = "# The course's settings, as they were when this was packed.\nc = get_config()\n"


def gradescope(course: Course, name: str, limit: int = 0) -> dict[str, bytes]:
    """The files of autograder.zip. limit: graded submissions a day, 0 for any number."""
    exercise, settings = load_exercise(course, name), load_settings(course)
    release = release_of(course, exercise)
    failed = results.ungraded(exercise, Status.grader_fault, None, settings.languages)
    told = {"exercise": name, "limit": limit, "shows": _shows(settings, name)}
    inner = {
        CONFIG: (CONFIG_TEXT + "".join(_settings(settings))).encode(),
        SETTINGS: json.dumps(told).encode(),
        ".attn/seed": course_seed(course).hex().encode(),
        f"release/{name}/{name}.ipynb": json.dumps(release.notebook, ensure_ascii=False).encode(),
        f"release/{name}/{name}.py": release.module.encode(),
    }
    return {
        "setup.sh": (FILES / "setup.sh").read_bytes(),
        "run_autograder": (FILES / "run_autograder").read_bytes(),
        "requirements.txt": requirements(_pinned()).encode(),
        "failed.json": json.dumps(failed, ensure_ascii=False, indent=1).encode(),
        **{f"kit/autograder/{path}": data for path, data in _kit()},
        **dict(_sources(course, exercise)),
        **{f"course/{path}": data for path, data in inner.items()},
    }


def _settings(settings: Attn) -> Iterator[str]:
    for name in ("languages", "call_seconds", "step_seconds", "memory_mb"):
        yield f"c.Attn.{name} = {getattr(settings, name)!r}\n"


def _shows(settings: Attn, name: str) -> str:
    """How much students see of this exercise's hidden checks, as the course has decided it."""
    decided = settings.feedback_shows
    return decided.get(name, SHOWS[-1]) if isinstance(decided, Mapping) else decided


def _kit() -> Iterator[tuple[str, bytes]]:
    for file in sorted(PACKAGE.rglob("*")):
        path = file.relative_to(PACKAGE)
        if file.is_file() and path.parts[0] not in LEFT_OUT and "__pycache__" not in path.parts:
            yield path.as_posix(), file.read_bytes()


def _sources(course: Course, exercise: Exercise) -> Iterator[tuple[str, bytes]]:
    """Texts, references and suites, where the kit or the course has them; those it is given come too."""
    for name in (exercise.name, *exercise.given):
        for part in (course.assignment(name), course.solution(name), course.suite(name)):
            for file in sorted(part.rglob("*")) if part.is_dir() else [part]:
                if file.is_file() and "__pycache__" not in file.parts:
                    yield _place(course, file), file.read_bytes()


def _place(course: Course, file: Path) -> str:
    for root, place in ((PACKAGE, "kit/autograder"), (KIT, "kit"), (course.root, "course")):
        if file.is_relative_to(root):
            return f"{place}/{file.relative_to(root).as_posix()}"
    raise KitError(f"{file} lies outside of the course and the kit, and cannot be packed.")


def _pinned() -> str:
    try:
        return (KIT / "requirements.txt").read_text(encoding="utf-8")
    except OSError as error:
        raise KitError(f"{KIT / 'requirements.txt'} is needed, with its hashes: {error.strerror}") from error


def requirements(pinned: str, names: tuple[str, ...] = NEEDED) -> str:
    """The lines of a hashed requirements file for these packages. Raises KitError where one is lacking."""
    entries = re.split(r"\n(?=[A-Za-z0-9])", pinned)
    chosen = [entry.rstrip() for entry in entries if re.split(r"[=\s;]", entry, maxsplit=1)[0] in names]
    if lacking := set(names) - {re.split(r"[=\s;]", entry, maxsplit=1)[0] for entry in chosen}:
        raise KitError(f"requirements.txt pins no {', '.join(sorted(lacking))}")
    return "\n".join(chosen) + "\n"
