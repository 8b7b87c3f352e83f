"""Fills grades into a gradebook that Canvas exported; every other byte of it stays as it was.

A cell is left alone where we have no grade for it, and where Canvas says that the student is excused.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from autograder.model import KitError
from autograder.record.exporters.base import amount
from autograder.record.exporters.lines import Line, Sheet
from autograder.record.exporters.preserving import Cell, Table, read_table

ID = re.compile(r"^(?P<title>.*?)\s*\((?P<id>\d+)\)\s*$", re.DOTALL)
COMPUTED = re.compile(r"(?:Current|Final|Override)\s+(?:Score|Points|Grade)\b", re.IGNORECASE)
READ_ONLY = re.compile(r"read.?only", re.IGNORECASE)
DECIMAL_COMMA = re.compile(r"^\d+,\d+$")
EXCUSED = "EX"
TEST_STUDENT = "student, test"
IDENTITY = ("ID", "SIS User ID", "SIS Login ID", "Student")  # in the order in which Canvas looks


@dataclass(frozen=True)
class Filled:
    """The new file, and what a person should know of it."""

    content: bytes
    column: str
    filled: int
    remarks: tuple[str, ...]


def fill(content: bytes, sheet: Sheet, title: str | None = None) -> Filled:
    """Puts grades into the exercise's column. Raises KitError where the file is none of Canvas's.

    title: of the column, where it is not the exercise's name or title.
    """
    table = _table(content)
    header = [cell.value.lstrip("\ufeff") for cell in table.rows[0]]
    first = _first_student(table)
    column = _column(header, table.rows[1:first], sheet, title)
    people, commas = _People(sheet.lines), _has_commas(table)
    values, told = {}, []
    for number, row in enumerate(table.rows[first:], start=first):
        about = dict(zip(header, (cell.value for cell in row), strict=False))
        if not any(cell.value.strip() for cell in row) or _is_test_student(about):
            continue
        grade, why = _grade(row, column, people.find(about), about)
        told += [why] if why else []
        if grade:
            values[number, column] = grade.replace(".", ",") if commas else grade
    absent = [line for line in sheet.lines if line.student not in people.found]
    told += [f"Enrolled here, but not in this file: {line.student} ({line.name})" for line in absent]
    told = [*_points_differ(table.rows[1:first], column, sheet), *told]
    return Filled(table.written(values), header[column], len(values), tuple(told))


def _grade(row: Sequence[Cell], column: int, line: Line | None, about: Mapping[str, str]) -> tuple[str, str]:
    """What is to stand in a student's cell, empty where it stays as it is; and what is to be said of it."""
    if line is None:
        return "", f"In Canvas, but not enrolled here (left as it was): {about.get('Student', '')}"
    if line.grade is None:
        return "", ""  # said already, with the reason
    if column >= len(row):
        return "", f"This row of the file ends before the column, and was left as it was: {line.student}"
    if row[column].value.strip().upper() == EXCUSED:
        return "", f"Excused in Canvas, and left so: {line.student}"
    return amount(line.grade), ""


def _has_commas(table: Table) -> bool:
    """Whether the file writes 9,5 where others write 9.5."""
    cells = (cell for row in table.rows[1:] for cell in row[1:])
    return table.separator != "," and any(DECIMAL_COMMA.match(cell.value.strip()) for cell in cells)


def _table(content: bytes) -> Table:
    try:
        table = read_table(content)
    except ValueError as error:
        raise KitError(f"This is no gradebook that Canvas exported: {error}.") from error
    header = [cell.value.lstrip("\ufeff") for cell in table.rows[0]] if table.rows else []
    if header[:2] != ["Student", "ID"]:
        raise KitError(
            "This is no gradebook that Canvas exported: its first line does not begin with Student, ID.\n"
            "In Canvas: Grades, Export, Export Entire Gradebook."
        )
    return table


def _first_student(table: Table) -> int:
    """The number of the first row below the header, the posting rules and the points possible."""
    above = ("", "Points Possible")
    return next(
        (number for number, row in enumerate(table.rows[1:], start=1) if row[0].value.strip() not in above),
        len(table.rows),
    )


def _column(header: Sequence[str], above: Sequence, sheet: Sheet, title: str | None) -> int:
    """The exercise's column: the one of this title, else of its name, else of its title in any language."""
    exercise = sheet.exercise
    wanted = [title] if title else [exercise.name, exercise.title.en, exercise.title.zh]
    last = header.index("Section") if "Section" in header else 1
    candidates = [
        (number, text)
        for number, text in enumerate(header)
        if number > last
        and not COMPUTED.search(text)
        and not any(number < len(row) and READ_ONLY.search(row[number].value) for row in above)
    ]
    for name in wanted:
        found = [number for number, text in candidates if _same(text, name)]
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(repr(header[number]) for number in found)
            raise KitError(f"Several columns are called so: {several}.\nName one whole: --column TITLE")
    there = "\n".join(f"  {text}" for _, text in candidates) or "  (none)"
    raise KitError(
        f"No column is called {' or '.join(map(repr, wanted))}. Columns that can take grades:\n{there}\n"
        "Name one: --column TITLE. If the assignment is not in Canvas yet, make it there and export again."
    )


def _same(header: str, name: str) -> bool:
    found = ID.match(header)
    plain = {header.strip().casefold(), found["title"].strip().casefold() if found else ""}
    return name.strip().casefold() in plain


def _is_test_student(about: dict[str, str]) -> bool:
    return about.get("Student", "").strip().casefold() == TEST_STUDENT and not about.get("SIS User ID")


class _People:
    """Finds our student for a row as Canvas itself looks: by its id, then by the school's, then by name."""

    def __init__(self, lines: Iterable[Line]):
        self._by: dict[tuple[str, str], list[Line]] = defaultdict(list)
        self.found: set[str] = set()
        for line in lines:
            for key in _keys(line):
                self._by[key].append(line)

    def find(self, about: dict[str, str]) -> Line | None:
        for column in IDENTITY:
            value = about.get(column, "").strip()
            found = self._by[column, value.casefold()] if value else []
            if len(found) == 1:
                self.found.add(found[0].student)
                return found[0]
        return None


def _keys(line: Line) -> set[tuple[str, str]]:
    names = {line.name, f"{line.last_name}, {line.first_name}", f"{line.last_name}{line.first_name}"}
    known = {"ID": {line.lms_id}, "Student": names}
    known["SIS User ID"] = known["SIS Login ID"] = {line.student, line.email, line.lms_id}
    return {
        (column, one.strip().casefold()) for column, values in known.items() for one in values if one.strip()
    }


def _points_differ(above: Sequence, column: int, sheet: Sheet) -> list[str]:
    for row in above:
        if row[0].value.strip() == "Points Possible" and column < len(row):
            text = row[column].value.strip().replace(",", ".")
            if text.replace(".", "", 1).isdigit() and float(text) != float(sheet.points):
                return [f"Canvas has {text} points for this column, the exercise {amount(sheet.points)}."]
    return []
