"""Takes a teacher's edits of the notebook back into handouts, reference and exercise.toml.

Everything is worked out before the first file is written. Where files and notebook have both changed, neither
is touched.
"""

import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

from autograder.author import notebook
from autograder.author.build import build, is_edited, refuse_what_nbgrader_would, write
from autograder.author.exercise import load_exercise
from autograder.author.handout import sections
from autograder.author.matching import normal
from autograder.author.unweave import unweave
from autograder.layout import Course
from autograder.model import Exercise, KitError
from autograder.plain import number

TABLES = ("step", "question")
POINTS = r"(?m)^(\s*points\s*=\s*)[^\s#]+"


class AbsorbError(KitError):
    """The edits cannot be taken back; nothing was written. The message says why, and what to do."""


def absorb(course: Course, name: str) -> str:
    """Writes the notebook's edits into the files that it is woven from, weaves it anew; says what changed."""
    file, base = course.source(name) / f"{name}.ipynb", load_exercise(course, name)
    found = _read(file, name)
    attn = found.get("metadata", {}).get("attn", {})
    if not is_edited(file):
        return f"{file} holds no edits."
    if attn.get("sources") != notebook.fingerprint(base):
        raise AbsorbError(_both_changed(course, file, name))
    languages = attn["languages"]
    taken = unweave(found, base, languages)
    woven = notebook.weave(taken, languages)
    if normal(woven, languages) != normal(found, languages):
        raise AbsorbError(f"{file}: the edits would not come back as they are.\nEdit the handouts instead.")
    refuse_what_nbgrader_would(course, name, woven)
    changed = dict(_changes(course, base, taken))
    _own(course, name)
    for path, text in changed.items():
        write(path, text.encode())
    build(course, name, force=True)
    return "\n".join(["Taken back into:", *map(str, changed), *_to_translate(base, taken)])


def _read(file: Path, name: str) -> dict:
    try:
        return notebook.from_text(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise AbsorbError(f"{file} is not there.\nMake it: attn build {name}") from None
    except ValueError as error:
        raise AbsorbError(f"{file} is no notebook: {error}\nMake it: attn build --force {name}") from None


def _both_changed(course: Course, file: Path, name: str) -> str:
    """What to do where the notebook was edited and so was what it is woven from."""
    sources = f"{course.assignment(name)} {course.solution(name)}"
    return (
        f"{file} was edited, and so was what it is woven from. Nothing was written.\n"
        f"To have both: git stash push -- {sources}; attn absorb {name}; git add {sources}; "
        f"git stash pop; attn build {name}\n"
        f"To drop the notebook's edits: attn build --force {name}"
    )


def _changes(course: Course, base: Exercise, taken: Exercise) -> Iterator[tuple[Path, str]]:
    """Each file that changes, with its new text."""
    folder = course.root / "assignments" / base.name
    for language, text in taken.prose.items():
        if text != base.prose[language]:
            yield folder / f"handout.{language}.md", text
    if taken.code != base.code:
        yield course.root / "solutions" / f"{base.name}.py", taken.code
    old, new = points_of(base), points_of(taken)
    if changed := {key: value for key, value in new.items() if old[key] != value}:
        text = with_points(course.assignment(base.name) / "exercise.toml", changed)
        yield folder / "exercise.toml", text


def _own(course: Course, name: str) -> None:
    """A course that changes an exercise of the kit has its own copy from then on."""
    own, used = course.root / "assignments" / name, course.assignment(name)
    if own != used:
        shutil.copytree(used, own)


def points_of(exercise: Exercise) -> dict[tuple[str, str], Fraction]:
    """The points of all steps and questions, by (table, name)."""
    steps = {("step", step.name): step.points for step in exercise.steps}
    return steps | {("question", question.name): question.points for question in exercise.questions}


def with_points(toml: Path, changed: Mapping[tuple[str, str], Fraction]) -> str:
    """The toml file's text with other points, every comment and blank kept."""
    text = toml.read_text(encoding="utf-8")
    blocks = re.split(r"(?m)^(?=\s*\[)", text)
    for (table, name), value in changed.items():
        for index, block in enumerate(blocks):
            if _is_table(block, table, name):
                blocks[index] = re.sub(POINTS, rf"\g<1>{number(value)}", block, count=1)
    new = "".join(blocks)
    data = tomllib.loads(new)
    there = {(table, entry["name"]): entry["points"] for table in TABLES for entry in data.get(table, [])}
    if any(Fraction(str(there[key])) != value for key, value in changed.items()):
        raise AbsorbError(
            f"{toml}: the points stay as they are.\nWrite points = NUMBER on a line of its own."
        )
    return new


def _is_table(block: str, table: str, name: str) -> bool:
    head = rf"\s*\[\[\s*{table}\s*\]\]"
    return bool(re.match(head, block) and re.search(rf"(?m)^\s*name\s*=\s*[\"']{name}[\"']", block))


def _to_translate(base: Exercise, taken: Exercise) -> Iterator[str]:
    """Where a language has cells without words that another has."""
    for language, text in taken.prose.items():
        new = _wordless(text) - _wordless(base.prose[language])
        if new:
            cells = "1 cell waits" if new == 1 else f"{new} cells wait"
            yield f"handout.{language}.md: {cells} for a translation"


def _wordless(text: str) -> int:
    return sum(not piece.text for s in sections(text) for piece in s.pieces if piece.kind == "markdown")
