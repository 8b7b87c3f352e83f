"""CSV with everything that is known of each student: for a spreadsheet, or a system that is none of ours."""

import csv
import io
from collections.abc import Iterable, Sequence

from autograder.record.exporters.base import Export, amount, moment, values
from autograder.record.exporters.lines import Sheet
from autograder.untrusted import on_one_line, table_cell

WHO = ("student", "last_name", "first_name", "email", "lms_user_id")
WHAT = ("status", "reason", "submitted", "seconds_late", "waiting")
HOW_MUCH = ("raw", "late_penalty", "grade", "points")
SENTENCES = 1000  # characters of a reason


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV; every cell is taken as it is."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return out.getvalue()


def sentence(text: str) -> str:
    """A reason as a cell: one line, and no formula."""
    return table_cell(on_one_line(" ".join(text.split()), SENTENCES))


class Csv(Export):
    """`nbgrader export --exporter=autograder.record.exporters.table.Csv`."""

    def text(self, sheet: Sheet, language: str) -> str:
        rows = [[*WHO, *WHAT, *sheet.parts, *HOW_MUCH]]
        for line in sheet.lines:
            who = (line.student, line.last_name, line.first_name, line.email, line.lms_id)
            what = line.status, sentence(line.why(language)), moment(line.submitted)
            rows.append(
                [
                    *map(table_cell, who),
                    *what,
                    str(line.seconds_late),
                    str(line.waiting),
                    *values(line, list(sheet.parts)),
                    amount(line.raw),
                    amount(line.penalty),
                    amount(line.grade),
                    amount(line.points),
                ]
            )
        return csv_text(rows)
