"""A submission's canonical notebook as the gradebook knows it, its verdicts, and its rows' scores.

The one place that both ways share, nbgrader's passes and `attn record`, so that they cannot differ.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Notebook, SourceCell, SubmittedNotebook

from autograder.grade.canonical import canonical
from autograder.model import Exercise, Gradesheet, KitError, Release, Status, Submission
from autograder.record import feedback

MATH_COMMAND = re.compile(r"\\(?=(?:href|style|class|cssId|require|unicode)\b)")
NO_GRADE = (Status.unreadable, Status.misnamed, Status.grader_fault)


class CellsDifferError(KitError):
    """The gradebook and the exercise disagree about what is graded."""


@dataclass(frozen=True)
class Known:
    """What the gradebook knows of one notebook's cells, since it was generated."""

    sources: Mapping[str, SourceCell]
    points: Mapping[str, float]

    @classmethod
    def of(cls, notebook: Notebook) -> "Known":
        points = {cell.name: cell.max_score for cell in notebook.grade_cells}
        return cls({cell.name: cell for cell in notebook.source_cells}, points)


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


def _seal(cell: NotebookNode, source: SourceCell, points: float | None) -> None:
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
    notebook: NotebookNode, exercise: Exercise, sheet: Gradesheet, languages: Sequence[str]
) -> NotebookNode:
    """The notebook with the verdicts in its cells."""
    feedback.write(notebook, exercise, sheet, languages)
    return nbformat.from_dict(notebook)


def save(row: SubmittedNotebook, notebook: NotebookNode, sheet: Gradesheet, languages: Sequence[str]) -> None:
    """Puts automatic scores and comments into the gradebook's rows; what a person entered stays."""
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in _marked(notebook.cells)}
    for grade in row.grades:
        grade.auto_score = _score(cells.get(grade.name), grade.name, sheet, grade.cell.max_score)
        grade.needs_manual_grade = grade.auto_score is None or grade.manual_score is not None
    first = next((name for name, cell in cells.items() if utils.is_solution(cell)), None)
    for comment in row.comments:
        comment.auto_comment = _comment(cells.get(comment.name))
        if sheet.status is not Status.graded and sheet.reason:
            comment.auto_comment = sheet.reason.in_languages(languages) if comment.name == first else None


def _score(cell: NotebookNode | None, name: str, sheet: Gradesheet, most: float) -> float | None:
    """The points of one grade cell; None where a person must look."""
    if sheet.status is not Status.graded:
        return None if sheet.status in NO_GRADE else 0.0
    steps = {f"check_{step.name}": step for step in sheet.steps}
    if name in steps:
        step = steps[name]
        return None if step.earned is None else float(step.earned / step.points * Fraction(most))
    return None if cell is None else utils.determine_grade(cell)[0]


def _comment(cell: NotebookNode | None) -> str | None:
    """nbgrader's own words for a cell that is as it was released."""
    unchanged = cell is not None and cell.metadata.nbgrader.checksum == utils.compute_checksum(cell)
    return "No response." if unchanged else None
