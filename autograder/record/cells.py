"""A submission's canonical notebook as the gradebook knows it, its verdicts, and its rows' scores.

The one place that both ways share, nbgrader's passes and `attn record`, so that they cannot differ.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader import utils
from nbgrader.api import Notebook, SourceCell, SubmittedNotebook

from autograder.author.notebook import MARK_SCHEME, placed_cells
from autograder.grade.files import sheet_bytes
from autograder.intake.canonical import canonical
from autograder.model import Exercise, Gradesheet, KitError, Release, Sentence, Status, StepResult, Submission
from autograder.record import feedback

MATH_COMMAND = re.compile(r"\\(?=(?:href|style|class|cssId|require|unicode)\b)")
BEGIN, END = MARK_SCHEME.split("\n{0}\n")
SCHEME = Sentence("Mark scheme", "评分标准")
SHEET = "sheet"  # in the notebook's own metadata
NO_GRADE = (Status.unreadable, Status.misnamed, Status.grader_fault)


class CellsDifferError(KitError):
    """The gradebook and the exercise disagree about what is graded."""


@dataclass(frozen=True)
class Known:
    """What the gradebook knows of one notebook's cells, since it was generated."""

    sources: Mapping[str, "Source"]
    points: Mapping[str, float]

    @classmethod
    def of(cls, notebook: Notebook) -> "Known":
        points = {cell.name: cell.max_score for cell in notebook.grade_cells}
        return cls({cell.name: Source.of(cell) for cell in notebook.source_cells}, points)


@dataclass(frozen=True)
class Source:
    """One cell as the gradebook keeps it; a value, since a row is read anew after each transaction."""

    checksum: str
    locked: bool
    cell_type: str
    source: str

    @classmethod
    def of(cls, cell: SourceCell) -> "Source":
        return cls(cell.checksum, cell.locked, cell.cell_type, cell.source)


def restored(submission: Submission, release: Release, known: Known) -> NotebookNode:
    """The release's cells with the student's work in them, sealed with the gradebook's own facts.

    Whatever happened to cells, metadata and outputs on the student's side is gone.
    """
    notebook = nbformat.from_dict(canonical(submission, release))
    given = {cell["metadata"]["nbgrader"]["grade_id"]: cell for cell in _marked(release.notebook["cells"])}
    found = {cell.metadata.nbgrader.grade_id: cell for cell in _marked(notebook.cells)}
    if differing := sorted(
        known.points.keys() ^ {name for name, cell in found.items() if utils.is_grade(cell)}
    ):
        raise CellsDifferError(
            f"release/{submission.exercise} grades other cells than the gradebook: {', '.join(differing)}.\n"
            f"Bring them together: nbgrader generate_assignment {submission.exercise} --force"
        )
    for name, cell in found.items():
        if name not in known.sources:  # prose that has come since
            del cell.metadata["nbgrader"]
            continue
        _seal(cell, known.sources[name], known.points.get(name))
        if _is_answer(cell) and cell.source != given[name]["source"]:
            cell.source = still(cell.source)
    return notebook


def _is_answer(cell: NotebookNode) -> bool:
    """Whether a student writes Markdown in this cell."""
    return cell.cell_type == "markdown" and utils.is_solution(cell)


def _marked(cells: Sequence[Any]) -> list[Any]:
    return [cell for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade_id")]


def _seal(cell: NotebookNode, source: Source, points: float | None) -> None:
    """Sets what nbgrader compares and adds up; a locked cell gets the text that was released."""
    marks = cell.metadata.nbgrader
    marks.checksum, marks.locked, marks.cell_type = source.checksum, source.locked, source.cell_type
    if points is not None:
        marks.points = points
    if source.locked:
        cell.source = source.source


def still(text: str) -> str:
    """A student's Markdown whose formulas cannot act on the page: a link or a style in one is plain text."""
    return MATH_COMMAND.sub(r"\\ ", text)


def graded(
    notebook: NotebookNode, exercise: Exercise, sheet: Gradesheet, languages: Sequence[str], shows: str
) -> NotebookNode:
    """The notebook with the verdicts in its cells, and the mark of the gradesheet that they are from."""
    feedback.write(notebook, exercise, sheet, languages, shows)
    notebook.cells[0] = nbformat.from_dict(notebook.cells[0])  # what is new in it, as nbformat has it
    for _, cell in feedback.grade_cells(notebook):
        cell.outputs = nbformat.from_dict(cell.outputs)
    about = {**notebook.metadata.get("attn", {}), SHEET: mark_of(sheet)}
    notebook.metadata["attn"] = nbformat.from_dict(about)
    return notebook


def with_schemes(
    given: Iterable[NotebookNode], exercise: Exercise, languages: Sequence[str]
) -> Iterator[NotebookNode]:
    """The cells, each answer below its mark scheme: for graders' eyes, never for a file."""
    schemes = {
        placed.cell["id"]: placed.cell["source"].replace(BEGIN, "").replace(END, "").strip()
        for placed in placed_cells(exercise, languages)
        if placed.role == "answer" and BEGIN in placed.cell["source"]
    }
    title = SCHEME.in_languages(languages, " ")
    for cell in given:
        if _is_answer(cell) and (scheme := schemes.get(cell.metadata.nbgrader.grade_id)):
            text = f"<details open><summary><b>{title}</b></summary>\n\n{scheme}\n\n</details>"
            yield new_markdown_cell(text, id=f"scheme-{cell.metadata.nbgrader.grade_id}"[:64])
        yield cell


def mark_of(sheet: Gradesheet) -> str:
    """Tells one gradesheet from another."""
    return hashlib.sha256(sheet_bytes(sheet)).hexdigest()[:16]


def save(row: SubmittedNotebook, notebook: NotebookNode, sheet: Gradesheet, languages: Sequence[str]) -> None:
    """Puts automatic scores and comments into the gradebook's rows; what a person entered stays."""
    found = scores(notebook, sheet, {grade.name: grade.cell.max_score for grade in row.grades})
    for grade in row.grades:
        grade.auto_score = found[grade.name]
        grade.needs_manual_grade = grade.auto_score is None or grade.manual_score is not None
    said = comments(notebook, sheet, languages, [comment.name for comment in row.comments])
    for comment in row.comments:
        comment.auto_comment = said[comment.name]


def scores(notebook: NotebookNode, sheet: Gradesheet, most: Mapping[str, float]) -> dict[str, float | None]:
    """The automatic score of each grade cell; `most`: its points."""
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in _marked(notebook.cells)}
    steps = {f"check_{step.name}": step for step in sheet.steps}
    return {name: _score(cells.get(name), steps.get(name), sheet, points) for name, points in most.items()}


def comments(
    notebook: NotebookNode, sheet: Gradesheet, languages: Sequence[str], names: Iterable[str]
) -> dict[str, str | None]:
    """The automatic comment of each cell that has one."""
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in _marked(notebook.cells)}
    found = {name: _comment(cells.get(name)) for name in names}
    if sheet.status is not Status.graded and sheet.reason:
        first = next((name for name, cell in cells.items() if utils.is_solution(cell)), None)
        said = sheet.reason.in_languages(languages)
        return {name: said if name == first else None for name in found}
    return found


def _score(
    cell: NotebookNode | None, step: StepResult | None, sheet: Gradesheet, most: float
) -> float | None:
    """The points of one grade cell; None where a person must look."""
    if sheet.status is not Status.graded:
        return None if sheet.status in NO_GRADE else 0.0
    if step is not None:
        return None if step.earned is None else float(step.earned / step.points * Fraction(most))
    return None if cell is None else utils.determine_grade(cell)[0]


def _comment(cell: NotebookNode | None) -> str | None:
    """nbgrader's own words for a cell that is as it was released."""
    unchanged = cell is not None and cell.metadata.nbgrader.checksum == utils.compute_checksum(cell)
    return "No response." if unchanged else None
