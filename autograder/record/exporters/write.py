"""`attn export`: the same exporters as nbgrader's command, and Canvas's own file filled in."""

from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.layout import Course
from autograder.model import KitError
from autograder.record.exporters.base import Export, remarks, write_kept
from autograder.record.exporters.canvas import Canvas
from autograder.record.exporters.data import Json
from autograder.record.exporters.fill import fill
from autograder.record.exporters.lines import sheet
from autograder.record.exporters.moodle import Moodle
from autograder.record.exporters.table import Csv
from autograder.record.gradebook import database, not_held
from autograder.record.late import settle
from autograder.record.opening import opened
from autograder.settings import load_settings
from autograder.untrusted import visible

FORMATS: dict[str, type[Export]] = {"canvas": Canvas, "moodle": Moodle, "csv": Csv, "json": Json}


@dataclass(frozen=True)
class Written:
    """What was exported, and what a person should know of it."""

    file: Path
    told: str
    remarks: tuple[str, ...]


def export(
    course: Course,
    name: str,
    to: str,
    source: Path | None = None,
    target: Path | None = None,
    column: str | None = None,
) -> Written:
    """Writes the grades of one exercise. source: Canvas's own export, to be filled in."""
    with opened(course) as api, not_held(), Gradebook(database(api), api.coursedir.course_id) as gradebook:
        if source is not None:
            settle(gradebook, name, api)
            return _filled(course, gradebook, name, source, target, column)
        exporter = FORMATS[to](parent=api)
        exporter.to = str(target.resolve()) if target else ""
        told = exporter.write(course, gradebook, name)
    return Written(exporter.file, f"{exporter.rows} students", tuple(map(visible, told)))


def _filled(
    course: Course, gradebook: Gradebook, name: str, source: Path, target: Path | None, column: str | None
) -> Written:
    try:
        content = source.read_bytes()
    except OSError as error:
        raise KitError(f"{source} cannot be read: {error.strerror}") from error
    graded = sheet(course, gradebook, name)
    done = fill(content, graded, column)
    file = target or course.root / "exports" / f"{name}.canvas.csv"
    if file.resolve() == source.resolve():
        raise KitError(f"{source} is Canvas's own file and stays as it is: name another with --output")
    write_kept(file, done.content)
    told = [*remarks(graded, load_settings(course).languages[0]), *done.remarks]
    return Written(file, f"{done.filled} grades in column {done.column!r}", tuple(map(visible, told)))
