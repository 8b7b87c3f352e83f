"""Writes what a new exercise or a new step begins with: every file, with TODO where a person must write.

What is written loads, weaves and can be graded at once; `attn doctor` names each TODO that is left.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from autograder.author import templates
from autograder.author.build import write
from autograder.author.exercise import load_exercise
from autograder.author.handout import Section, sections
from autograder.layout import KIT, PACKAGE, Course
from autograder.model import KitError

NAME = re.compile(r"[a-z][a-z0-9_]*")
TODO = "TODO"


class ScaffoldError(KitError):
    """It cannot be made; nothing was written. The message says why."""


def new_exercise(course: Course, name: str, step: str) -> list[Path]:
    """The files of a new exercise with its first step. Raises ScaffoldError."""
    _require_free(name, course.exercises, "an exercise")
    _require_free(step, (), "a step")
    folder, suite = course.root / "assignments" / name, suite_folder(course, name)
    files = {
        folder / "exercise.toml": templates.TOML,
        folder / "handout.en.md": templates.HANDOUT["en"],
        folder / "handout.zh.md": templates.HANDOUT["zh"],
        course.root / "solutions" / f"{name}.py": templates.REFERENCE,
    }
    return _written(_with_step(files, folder, suite, step))


def new_step(course: Course, exercise: str, step: str) -> list[Path]:
    """The files of an exercise with one step more, after the others. Raises ScaffoldError."""
    folder, files = _own_files(course, exercise, step)
    return _written(_with_step(files, folder, course.suite(exercise), step))


def new_question(course: Course, exercise: str, question: str) -> list[Path]:
    """The files of an exercise with one question more, graded by hand. Raises ScaffoldError."""
    folder, files = _own_files(course, exercise, question)
    toml = folder / "exercise.toml"
    new = {toml: f"{files.pop(toml).rstrip()}\n\n{templates.named(templates.QUESTION, question)}"}
    for path in folder.glob("handout.*.md"):
        section = templates.named(templates.ASKED[path.suffixes[0][1:]], question)
        new[path] = with_question(files[path], section)
    return _written(new)


def _own_files(course: Course, exercise: str, name: str) -> tuple[Path, dict[Path, str]]:
    """The folder and the texts of an exercise of the course's own, for a step or question of a free name."""
    known = load_exercise(course, exercise)
    taken = [each.name for each in (*known.steps, *known.questions)]
    _require_free(name, taken, f"a step or question of {exercise}")
    folder, solution = course.assignment(exercise), course.solution(exercise)
    if not (folder.is_relative_to(course.root) and solution.is_relative_to(course.root)):
        raise ScaffoldError(f"{exercise} is the kit's.\nMake one of your own: attn new exercise NAME STEP")
    paths = [folder / "exercise.toml", *sorted(folder.glob("handout.*.md")), solution]
    return folder, {path: path.read_text(encoding="utf-8") for path in paths}


def suite_folder(course: Course, name: str) -> Path:
    """Where an exercise's hidden suite goes: the kit keeps its own inside the package."""
    return (PACKAGE if course.root == KIT else course.root) / "suites" / name


def _require_free(name: str, taken: Iterable[str], what: str) -> None:
    if not NAME.fullmatch(name):
        raise ScaffoldError(f"{name!r} is no name for {what}.\nUse small letters, digits and _.")
    if name in taken:
        raise ScaffoldError(f"There is {what} called {name}.\nTake another name.")


def _with_step(files: Mapping[Path, str], folder: Path, suite: Path, step: str) -> dict[Path, str]:
    """The files with one step more in each of them."""
    toml = folder / "exercise.toml"
    new = {
        suite / f"test_{step}.py": templates.named(templates.SUITE, step),
        suite / f"mistakes_{step}.py": templates.named(templates.MISTAKES, step),
    }
    for path, text in files.items():
        if path == toml:
            new[path] = with_table(text, templates.named(templates.STEP, step))
        elif path.parent == folder:
            language = path.suffixes[0][1:]
            new[path] = with_section(text, templates.named(templates.SECTION[language], step))
        else:
            new[path] = f"{text.rstrip()}\n\n\n{templates.named(templates.FUNCTION, step)}"
    return new


def with_table(toml: str, table: str) -> str:
    """The toml text with one table more: behind the steps, before the questions."""
    before, found, after = toml.partition("[[question]]")
    return f"{before.rstrip()}\n\n{table}" + (f"\n{found}{after}" if found else "")


def with_section(handout: str, section: str) -> str:
    """The handout with one section more: behind the last step, before whatever follows it."""
    found = sections(handout)
    last = max((i for i, each in enumerate(found) if each.kind == "step"), default=None)
    questions = [i for i, each in enumerate(found) if each.kind == "question"]
    place = min([i for i in questions if last is None or i > last], default=len(found))
    return _with(found, place, section)


def with_question(handout: str, section: str) -> str:
    """The handout with one question more: behind the last question, or else the last step."""
    found = sections(handout)
    return _with(found, 1 + max(i for i, each in enumerate(found) if each.kind != "prose"), section)


def _with(found: Sequence[Section], place: int, section: str) -> str:
    texts = [each.text.strip("\n") for each in found]
    return "\n\n".join(text for text in [*texts[:place], section.strip("\n"), *texts[place:]] if text) + "\n"


def _written(files: Mapping[Path, str]) -> list[Path]:
    for path, text in files.items():
        write(path, text.encode())
    return list(files)


def left_to_write(course: Course, exercise: str) -> Iterator[tuple[Path, int, str]]:
    """Every line of an exercise's files that still says TODO."""
    folder = course.assignment(exercise)
    files = [folder / "exercise.toml", *sorted(folder.glob("handout.*.md")), course.solution(exercise)]
    for path in (*files, *sorted(course.suite(exercise).glob("*.py"))):
        if path.is_file():
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if TODO in line:
                    yield path, number, line.strip()
