"""Canvas's gradebook CSV. Its columns are assignments, so each exercise has one, and steps have none."""

from autograder.record.exporters.base import Export, amount
from autograder.record.exporters.lines import Line, Sheet
from autograder.record.exporters.table import csv_text
from autograder.untrusted import table_cell

IDENTITY = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
POINTS_POSSIBLE = "    Points Possible"  # Canvas knows the row by these four spaces
NEW = (
    "The column {title!r} has no id of Canvas's, so importing this file makes a new assignment there.\n"
    "Fill in a file that Canvas itself exported: attn export {title} --to canvas --from FILE"
)


class Canvas(Export):
    """`nbgrader export --exporter=autograder.record.exporters.canvas.Canvas`."""

    kind = ".canvas"

    def text(self, sheet: Sheet, language: str) -> str:
        first = [POINTS_POSSIBLE, "", "", "", "", amount(sheet.points)]
        rows = [[*who(line), amount(line.grade)] for line in sheet.lines]
        return csv_text([[*IDENTITY, sheet.exercise.name], first, *rows])

    def remarks(self, sheet: Sheet) -> list[str]:
        return [NEW.format(title=sheet.exercise.name)]


def who(line: Line) -> list[str]:
    """The identity columns; Canvas looks for its own id first, then for the school's."""
    name = ", ".join(filter(None, (line.last_name, line.first_name))) or line.student
    return [table_cell(cell) for cell in (name, line.lms_id, "", line.student, "")]
