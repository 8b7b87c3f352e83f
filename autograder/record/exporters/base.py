"""What all exports have in common: which exercises, which file, and grades that are up to date."""

import datetime
from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin

from autograder.grade.files import write_whole
from autograder.layout import Course
from autograder.record.exporters.lines import Line, Sheet, sheet
from autograder.record.late import settle
from autograder.settings import load_settings

PLACES = 4  # of decimals: thirds of a point add up again, and no LMS shows more


class Export(ExportPlugin):
    """An ExportPlugin for exercises of ours; each goes into a file of its own."""

    ending = ".csv"
    kind = ""  # in the name of the file

    @abstractmethod
    def text(self, sheet: Sheet, language: str) -> str:
        """The whole file."""

    def export(self, gradebook: Gradebook) -> None:
        """`nbgrader export --exporter=...`."""
        course = Course(Path(self.parent.coursedir.root))
        for name in self._exercises(course, gradebook):
            for line in self.write(course, gradebook, name):
                self.log.warning(line)

    def write(self, course: Course, gradebook: Gradebook, name: str) -> list[str]:
        """Writes one exercise's grades; returns what a person should know of them."""
        settle(gradebook, name, self.parent)
        graded = self._chosen(sheet(course, gradebook, name))
        language = load_settings(course).languages[0]
        self.file, self.rows = self._file(course, name), len(graded.lines)
        write_kept(self.file, self.text(graded, language).encode("utf-8"))
        return [*remarks(graded, language), *self.remarks(graded)]

    def remarks(self, sheet: Sheet) -> list[str]:
        """What only this format makes necessary to know."""
        return []

    def _exercises(self, course: Course, gradebook: Gradebook) -> list[str]:
        asked = [str(name) for name in self.assignment]
        names = asked or [assignment.name for assignment in gradebook.assignments]
        for name in names:
            if name not in course.exercises:
                self.log.warning("%s is none of attn's exercises, and is left to nbgrader's own export", name)
        self._several = len(names) > 1
        return [name for name in names if name in course.exercises]

    def _chosen(self, whole: Sheet) -> Sheet:
        only = {str(student) for student in self.student}
        lines = [line for line in whole.lines if not only or line.student in only]
        return Sheet(whole.exercise, whole.parts, lines)

    def _file(self, course: Course, name: str) -> Path:
        if not self.to:
            return course.root / "exports" / f"{name}{self.kind}{self.ending}"
        file = Path(self.to)
        return file.with_suffix(f".{name}{file.suffix}") if getattr(self, "_several", False) else file


def remarks(graded: Sheet, language: str) -> list[str]:
    """Who has no grade and why; whose grade is not whole yet."""
    none = [f"{line.student}: no grade. {line.why(language)}" for line in graded.lines if line.grade is None]
    waiting = [line.student for line in graded.lines if line.waiting and line.grade is not None]
    if waiting:
        none.append(f"{len(waiting)} of these grades lack points that a person has still to give.")
    return none


def write_kept(file: Path, content: bytes, mode: int = 0o600) -> None:
    """Writes a file; what stood there stays beside it under a number, unless it is the same."""
    if file.is_file() and file.read_bytes() != content:
        names = (file.with_suffix(f".{number}{file.suffix}") for number in range(1, 10**6))
        file.rename(next(name for name in names if not name.exists()))
    write_whole(file, content, mode)


def amount(value: Fraction | None) -> str:
    """Points for a program: empty where there are none."""
    return "" if value is None else f"{round(float(value), PLACES):.10g}"


def moment(when: datetime.datetime | None) -> str:
    return f"{when:%Y-%m-%d %H:%M:%S} UTC" if when else ""


def values(line: Line, names: Sequence[str]) -> list[str]:
    """The points of a line's parts, in this order."""
    return [amount(line.parts[name]) for name in names]
