"""Moodle's grade import: the points, one line of feedback, and a column for each step to map or leave.

A student whom Moodle does not know stops its whole import, so only the enrolled have a row.
"""

from autograder.record.exporters.base import Export, amount, values
from autograder.record.exporters.lines import Sheet
from autograder.record.exporters.table import csv_text, sentence
from autograder.untrusted import table_cell

REFUSED_ABOVE = 100  # points, by Moodle's default


class Moodle(Export):
    """`nbgrader export --exporter=autograder.record.exporters.moodle.Moodle`."""

    kind = ".moodle"

    def text(self, sheet: Sheet, language: str) -> str:
        item = sheet.exercise.name
        steps = list(sheet.parts)
        rows = [["username", "email", "idnumber", item, f"{item} feedback", *(f"{item} {s}" for s in steps)]]
        for line in sheet.lines:
            said = line.why(language) or line.status
            who = map(table_cell, (line.student, line.email, line.lms_id))
            rows.append([*who, amount(line.grade), sentence(said), *values(line, steps)])
        return csv_text(rows)

    def remarks(self, sheet: Sheet) -> list[str]:
        if any(line.grade is not None and line.grade > REFUSED_ABOVE for line in sheet.lines):
            return [f"Moodle refuses grades above {REFUSED_ABOVE} unless a setting of the site allows them."]
        return []
