"""Writes all that is released into source/<exercise>/, and says what there is stale.

Writes nothing over a notebook that a teacher has edited. Knows nothing of grading.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple

from autograder.author import cells, notebook, stub
from autograder.author.exercise import load_exercise
from autograder.author.public import public
from autograder.author.reading import announced
from autograder.author.submitted import refused_by_nbgrader
from autograder.layout import PACKAGE, Course
from autograder.model import Exercise, KitError, Release
from autograder.settings import load_settings

FIGURES = ("*.svg", "*.png")


MISSING = "it is not there"


class BuildError(KitError):
    """Building would lose something; the message says what, and what to do instead."""


class Stale(NamedTuple):
    """One released file that is not what its sources make of it."""

    file: Path
    why: str
    cure: str


def build(course: Course, name: str, *, force: bool = False) -> list[Path]:
    """Makes source/<name>/ anew and returns what was written.

    Unless forced, stops before edits that were not taken back and cells that nbgrader would refuse.
    """
    exercise = load_exercise(course, name)
    folder = course.source(name)
    texts = outputs(course, exercise)
    ours = folder / f"{name}.ipynb"
    if not force and is_edited(ours):
        raise BuildError(f"{ours} was edited and would be lost.\nTake the edits back: attn absorb {name}")
    if not force:
        refuse_what_nbgrader_would(course, name, notebook.from_text(texts[ours].decode()))
    changed = [file for file, content in texts.items() if not file.is_file() or file.read_bytes() != content]
    for file in changed:
        write(file, texts[file])
    for file in _strangers(folder, texts):
        file.unlink()
    return changed


def refuse_what_nbgrader_would(course: Course, name: str, woven: Mapping) -> None:
    """Raises BuildError where cells come or go although there are submissions of them."""
    if why := refused_by_nbgrader(course, name, woven):
        raise BuildError(
            f"{name} has submissions in the gradebook, so nbgrader refuses other cells: {why}.\n"
            f"Write new text into a cell that is there, or build all the same: attn build --force {name}"
        )


def released(exercise: Exercise, languages: list[str]) -> Release:
    """What a student gets: the notebook as nbgrader releases it, and the stubs."""
    return Release(
        notebook.weave(exercise, languages, solved=False),
        stub.module(exercise, languages[0]),
    )


def outputs(course: Course, exercise: Exercise) -> dict[Path, bytes]:
    """Every generated file and its content."""
    languages, name = load_settings(course).languages, exercise.name
    folder, module = course.source(name), stub.module(exercise, languages[0]).encode()
    files = {
        folder / f"{name}.ipynb": notebook.as_text(notebook.weave(exercise, languages)).encode(),
        folder / f"{name}.py": module,
        folder / "selfcheck" / "exercise.json": _json(public(exercise, languages)),
    }
    for language, text in exercise.prose.items():
        files[folder / f"handout.{language}.md"] = announced(text, _asked(exercise, language)).encode()
    files |= {folder / file: text.encode() for file, text in exercise.files.items()}
    for figure in (file for pattern in FIGURES for file in sorted(course.assignment(name).glob(pattern))):
        files[folder / figure.name] = figure.read_bytes()
    for file in sorted((PACKAGE / "selfcheck").glob("*.py")):
        files[folder / "selfcheck" / file.name] = file.read_bytes()
    if course.assignment(name).is_relative_to(
        course.root
    ):  # the kit's own folder is not a course's to write in
        files[course.assignment(name) / f"{name}.py"] = module
    return files


def _asked(exercise: Exercise, language: str) -> dict[str, str]:
    """Each step's signature and what is graded, for those who read the handout without the notebook."""
    steps = {
        step.name: f"```python\ndef {step.name}{stub.signature(exercise, step.name)}: ...\n```\n\n"
        + cells.announcement(step, language)
        for step in exercise.steps
    }
    return steps | {question.name: cells.hand_graded(question, language) for question in exercise.questions}


def _json(data: Mapping) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def write(file: Path, content: bytes) -> None:
    """Writes a file so that it is there whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=file.parent, prefix=".", delete=False) as temporary:
        temporary.write(content)
    Path(temporary.name).chmod(0o644)
    Path(temporary.name).replace(file)


def _strangers(folder: Path, texts: Mapping[Path, bytes]) -> Iterator[Path]:
    """Files that an earlier build left. A teacher's own file beside the notebook is none of them."""
    for pattern in ("handout.*.md", "selfcheck/*", *FIGURES):
        for file in sorted(folder.glob(pattern)):
            if file not in texts and file.is_file():
                yield file


def is_edited(file: Path) -> bool:
    """Whether the notebook holds anything that was not woven."""
    try:
        found = notebook.from_text(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return False
    except ValueError:
        return True
    return found.get("metadata", {}).get("attn", {}).get("woven") != notebook.digest(found["cells"])


def build_missing(course: Course) -> list[Path]:
    """Weaves what has no source/ yet, so that nbgrader's own commands and its formgrader find it."""
    missing = [name for name in course.exercises if not course.source(name).exists()]
    for name in missing:
        build(course, name)
    return [course.source(name) for name in missing]


def follow_languages(course: Course, name: str) -> None:
    """Weaves again what was woven for other languages than the course has now, unless a person edited it."""
    file = course.source(name) / f"{name}.ipynb"
    if not file.is_file() or is_edited(file):
        return
    found = notebook.from_text(file.read_text(encoding="utf-8"))
    if found["metadata"]["attn"].get("languages") != list(load_settings(course).languages):
        build(course, name)


def stale(course: Course, name: str) -> list[Stale]:
    """What in source/<name>/ is not what the files of the exercise make of it; empty when all is fresh."""
    exercise = load_exercise(course, name)
    texts = outputs(course, exercise)
    cure = f"attn build {name}"
    found = []
    for file, content in texts.items():
        if not file.is_file():
            found.append(Stale(file, MISSING, cure))
        elif file.suffix == ".ipynb":
            found += _stale_notebook(file, exercise, content)
        elif file.read_bytes() != content:
            found.append(Stale(file, "it is not what its sources make of it", cure))
    return found + [
        Stale(file, "an earlier build left it", cure) for file in _strangers(course.source(name), texts)
    ]


def _stale_notebook(file: Path, exercise: Exercise, content: bytes) -> Iterator[Stale]:
    """A notebook may differ because it was edited, because its sources were, or both."""
    woven = notebook.from_text(content.decode())
    try:
        found = notebook.from_text(file.read_text(encoding="utf-8"))
    except ValueError as error:
        yield Stale(file, f"it is no notebook: {error}", f"attn build --force {exercise.name}")
        return
    if notebook.digest(found["cells"]) == notebook.digest(woven["cells"]):
        return  # an editor saved it again, which changes nothing that counts
    older = found.get("metadata", {}).get("attn", {}).get("sources") != woven["metadata"]["attn"]["sources"]
    if not is_edited(file):
        yield Stale(file, "it is older than what it is woven from", f"attn build {exercise.name}")
    elif older:
        yield Stale(file, "it was edited, and so were its sources", f"attn absorb {exercise.name}")
    else:
        yield Stale(file, "it was edited", f"attn absorb {exercise.name}")
