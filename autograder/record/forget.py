"""Erases one person from a course: everywhere that the kit and nbgrader put something, and says where.

What was made of many people's data (reports, exports) is removed whole, since it can be made again.
"""

import json
import os
import re
import shutil
import sqlite3
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.utils import notebook_hash

from autograder.grade.files import write_whole
from autograder.layout import Course
from autograder.model import KitError
from autograder.record.backup import database_file
from autograder.record.exchange import SECRET
from autograder.record.gradebook import database
from autograder.record.hand_in import small_text
from autograder.record.opening import opened

OF_A_STUDENT = ("submitted", "autograded", "feedback", "gradesheets")  # one folder for each person
OF_MANY = ("reports", "exports")  # made of everybody's data, and made again by a command
LARGEST = 64 << 20  # bytes of a file that is searched for what is left
BEYOND = (
    "other copies: an LMS, e-mail, version control, backups of this machine",
    "what the student's own account holds, there and in Jupyter",
    "exports and packages that were written elsewhere with --output",
)


@dataclass(frozen=True)
class Forgotten:
    """What was erased, what still names the person, and what lies beyond the course's reach."""

    erased: tuple[str, ...]
    left: tuple[str, ...]
    beyond: tuple[str, ...] = BEYOND


def traces(course: Course, student: str) -> list[Path]:
    """Files and folders that are this person's, or name this person and can be made again."""
    _named_safely(student)
    with opened(course) as api:
        exchange = Path(api.exchange_root, api.course_id)
    found = [folder / name for folder in _parents(course) for name in (student, f".{student}")]
    inbound = [path for path in _inside(exchange / "inbound") if path.name.startswith(f"{student}+")]
    pages = [exchange / "feedback" / f"{key}.html" for key in _keys(course, student, inbound)]
    many = [
        f
        for name in OF_MANY
        for f in _files(course.root / name)
        if f.name != ".gitignore" and _names(f, student)
    ]
    return [path for path in (*found, *inbound, *pages, *many) if os.path.lexists(path)]


def forget(course: Course, student: str) -> Forgotten:
    """Erases the person. Raises KitError where nobody is called so; what cannot be erased is told as left."""
    there, known = traces(course, student), _in_gradebook(course, student)
    if not there and not known:
        raise KitError(f"nobody here is called {student!r}; who there is: attn status EXERCISE")
    erased = [f"{path}: {why}" for path, why in _databases(course, student)]
    erased += [str(path) for path in there if _remove(path)]
    for file in (course.run_record, *_files(course.private), course.root / ".nbgrader.log"):
        if file.is_file() and _names(file, student) and _rewritten(file, student):
            erased.append(f"{file}: what was said of this person")
    left = [path for path in there if os.path.lexists(path)]
    left += [file for file in _files(course.root) if _names(file, student) and file not in left]
    return Forgotten(tuple(erased), tuple(map(str, left)))


def _named_safely(student: str) -> None:
    if not student or student in (".", "..") or Path(student).name != student:
        raise KitError(f"{student!r} is no student's id")


def _parents(course: Course) -> Iterator[Path]:
    """Folders that hold a folder of each person."""
    yield from (course.root / name for name in OF_A_STUDENT)
    yield from (folder for folder in _inside(course.private) if folder.is_dir() and folder.name != "backups")


def _keys(course: Course, student: str, inbound: Iterable[Path]) -> Iterator[str]:
    """The names of this person's released feedback, which only the secrets of the hand-ins tell."""
    folders = [work for name in OF_A_STUDENT for work in _inside(course.root / name / student)]
    for folder in (*folders, *inbound):
        name = folder.name.rsplit("+", 3)[-2] if "+" in folder.name else folder.name
        for exercise in {name, *course.exercises}:
            if secret := small_text(folder / SECRET):
                yield notebook_hash(secret=secret, notebook_id=exercise)


def _inside(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() and not folder.is_symlink() else []


def _files(folder: Path) -> Iterator[Path]:
    """Every regular file below; follows no link, and leaves the programs of an environment alone."""
    for where, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".venv", ".git", "node_modules")]
        yield from (Path(where, name) for name in sorted(files) if not Path(where, name).is_symlink())


def _names(file: Path, student: str) -> bool:
    """Whether a file's text holds the id as a word of its own."""
    word = re.compile(rb"(?<![\w.-])" + re.escape(student.encode()) + rb"(?![\w-]|\.\w)")
    try:
        return file.stat().st_size <= LARGEST and word.search(file.read_bytes()) is not None
    except OSError:
        return False


def _remove(path: Path) -> bool:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
    return not os.path.lexists(path)


def _in_gradebook(course: Course, student: str) -> bool:
    with opened(course) as api, Gradebook(database(api), api.coursedir.course_id) as gradebook:
        return any(one.id == student for one in gradebook.students)


def _databases(course: Course, student: str) -> Iterator[tuple[str, str]]:
    """The gradebook and its copies."""
    with opened(course) as api:
        urls = [database(api), *(f"sqlite:///{file}" for file in (course.private / "backups").glob("*.db"))]
        for url in urls:
            if _struck(url, api.coursedir.course_id, student):
                yield (
                    str(database_file(url) or "the gradebook"),
                    "enrolment, submissions, grades and comments",
                )


def _struck(url: str, course_id: str, student: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of how nbgrader deletes
        with Gradebook(url, course_id) as gradebook:
            try:
                gradebook.remove_student(student)
            except MissingEntry:
                return False
    if (file := database_file(url)) is not None:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("VACUUM")  # a deleted row's bytes stay in the file until then
    return True


def _rewritten(file: Path, student: str) -> bool:
    """A log without the lines, or JSON without the entries, that are about this person."""
    if file.suffix not in (".json", ".log"):
        return False
    content = file.read_bytes()
    if file.suffix == ".log":
        lines = content.splitlines(keepends=True)
        write_whole(file, b"".join(line for line in lines if student.encode() not in line))
        return True
    try:
        data = _without(json.loads(content), student)
    except ValueError:
        return False
    write_whole(
        file, json.dumps(data, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace") + b"\n"
    )
    return True


def _without(data: Any, student: str) -> Any:
    """JSON data without what stands under the id, or is a record that holds it."""
    if isinstance(data, dict):
        return {k: _without(v, student) for k, v in data.items() if k != student and not _about(v, student)}
    if isinstance(data, list):
        return [_without(item, student) for item in data if not _about(item, student)]
    return data


def _about(value: Any, student: str) -> bool:
    return value == student or (isinstance(value, dict) and student in value.values())


def said(found: Forgotten) -> Sequence[str]:
    """The same for a terminal."""
    lines = [f"erased {one}" for one in found.erased]
    lines += [f"still names this person: {one}" for one in found.left]
    return [*lines, "Out of reach:", *(f"  {one}" for one in found.beyond)]
