"""Enrols the students of a list that Canvas, Moodle or a spreadsheet made, with the LMS's own ids.

Students who are enrolled are updated, by their id here or by the LMS's; none is removed, nothing is emptied.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook, Student

from autograder.layout import Course
from autograder.model import KitError
from autograder.record.exchange import STUDENT
from autograder.record.exporters.preserving import read_table
from autograder.record.gradebook import database, not_held
from autograder.record.opening import opened
from autograder.untrusted import FORMULA

# What a column may be called, by what it means to nbgrader. Moodle's are in the site's language.
COLUMNS = {
    "id": ("id", "student_id", "student id"),
    "username": ("username", "user name", "sis login id", "用户名", "登录名"),
    "number": ("id number", "idnumber", "sis user id", "学号", "编号"),
    "lms_user_id": ("lms_user_id", "user id", "userid"),
    "first_name": ("first_name", "first name", "firstname", "given name", "名", "名字"),
    "last_name": ("last_name", "last name", "lastname", "surname", "family name", "姓", "姓氏"),
    "email": (
        "email",
        "email address",
        "e-mail",
        "e-mail address",
        "电子邮件",
        "电子邮件地址",
        "邮箱",
        "email地址",
    ),
    "name": ("student", "full name", "name", "姓名", "全名"),
}
NOBODY = re.compile(r"\s*(?:Points Possible|Student, Test)?\s*\Z", re.IGNORECASE)
FIELDS = ("first_name", "last_name", "email", "lms_user_id")
LONGEST = 128  # characters that nbgrader's tables take


@dataclass(frozen=True)
class Imported:
    """What became of a list."""

    added: tuple[str, ...]
    updated: Mapping[str, str]  # student -> what changed
    unchanged: int
    refused: tuple[str, ...]  # a sentence each
    absent: tuple[str, ...]  # enrolled, not in the list, left as they are


def import_roster(course: Course, file: Path) -> Imported:
    """Adds and updates. Raises KitError where the file is no list of students."""
    try:
        people, refused = read_roster(file.read_bytes())
    except OSError as error:
        raise KitError(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise KitError(f"{file} is no list of students: {error}") from error
    with opened(course) as api, not_held(), Gradebook(database(api), api.coursedir.course_id) as gradebook:
        return _enrolled(gradebook, people, refused)


def read_roster(content: bytes) -> tuple[list[dict[str, str]], list[str]]:
    """The students of a list, each as nbgrader's fields, and what was not taken. Raises ValueError."""
    rows = [[_text(cell.value) for cell in row] for row in read_table(content).rows]
    if not rows:
        raise ValueError("it is empty")
    canvas = [cell.casefold() for cell in rows[0][:2]] == ["student", "id"]
    meanings = [_meaning(title, canvas) for title in rows[0]]
    if not {"id", "username", "number", "email"} & set(meanings):
        raise ValueError(
            "no column gives an id. Columns that are known: id, username, ID number, SIS Login ID, email"
        )
    people, refused = {}, []
    for number, row in enumerate(rows[1:], start=2):
        about = {meaning: cell for meaning, cell in zip(meanings, row, strict=False) if meaning and cell}
        if not any(row) or (canvas and NOBODY.match(row[0])):
            continue
        person = _person(about, canvas)
        if not STUDENT.match(person["id"]):
            refused.append(f"line {number}: {person['id'] or 'no id'!r} cannot be a student's id")
        elif people.setdefault(person["id"], person) != person:
            refused.append(f"line {number}: {person['id']} stands here a second time, otherwise")
    return list(people.values()), refused


def _text(cell: str) -> str:
    """One line without the apostrophe that an export put before a formula."""
    text = " ".join(cell.lstrip("\ufeff").split())
    return text[1:] if text.startswith("'") and text[1:].strip()[:1] in tuple(FORMULA) else text


def _meaning(title: str, canvas: bool) -> str:
    if canvas and title.casefold() == "id":
        return "lms_user_id"
    return next((meaning for meaning, titles in COLUMNS.items() if title.casefold() in titles), "")


def _person(about: Mapping[str, str], canvas: bool) -> dict[str, str]:
    """nbgrader's fields. The id is the name by which the student logs in, if the list has it."""
    order = (
        ("id", "username", "number", "email", "lms_user_id")
        if canvas
        else ("id", "username", "number", "email")
    )
    person = {"id": next((about[key] for key in order if key in about), "")}
    person |= {key: about[key][:LONGEST] for key in FIELDS if key in about}
    if "number" in about:
        person.setdefault("lms_user_id", about["number"][:LONGEST])
    if "name" in about and not {"first_name", "last_name"} & person.keys():
        person |= _split(about["name"])
    return person


def _split(name: str) -> dict[str, str]:
    """`Last, First`, `First Last`, or a name that is not to be taken apart."""
    last, comma, first = name.partition(", ")
    if not comma:
        first, _, last = name.rpartition(" ")
    return {"first_name": first.strip()[:LONGEST], "last_name": last.strip()[:LONGEST]}


def _enrolled(gradebook: Gradebook, people: Sequence[dict[str, str]], refused: list[str]) -> Imported:
    known = {student.id: student for student in gradebook.students}
    by_lms = {student.lms_user_id: student for student in known.values() if student.lms_user_id}
    added, updated, unchanged, met = [], {}, 0, set()
    for person in people:
        fields = {key: value for key, value in person.items() if key != "id" and value}
        student = known.get(person["id"]) or by_lms.get(person.get("lms_user_id"))
        key = student.id if student else person["id"]
        met.add(key)
        changes = list(_changes(student, fields)) if student else []
        if student and not changes:
            unchanged += 1
            continue
        gradebook.update_or_create_student(key, **fields)
        if student:
            updated[key] = ", ".join(changes)
        else:
            added.append(key)
    absent = tuple(sorted(known.keys() - met))
    return Imported(tuple(added), updated, unchanged, tuple(refused), absent)


def _changes(student: Student, fields: Mapping[str, str]) -> Iterator[str]:
    for field, value in fields.items():
        before = getattr(student, field)
        if before != value:
            yield f"{field} {before or '(none)'} -> {value}"
