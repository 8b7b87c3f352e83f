"""The gradebook's rows of one exercise: many students in one transaction, through nbgrader's own models.

What nbgrader's API does for one student after the other costs fifteen milliseconds each.
"""

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nbgrader.api import (
    Comment,
    Grade,
    Gradebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    new_uuid,
)
from sqlalchemy import select

from autograder.record import contents
from autograder.record.changes import Standing
from autograder.record.contents import Content

MANY = 500  # ids in one question; SQLite takes some thousands


@dataclass(frozen=True)
class Entry:
    """What is to stand in one student's rows."""

    student: str
    when: datetime.datetime | None  # of the hand-in; None leaves what is there
    scores: Mapping[str, float | None]  # by the grade cell's name
    comments: Mapping[str, str | None]
    content: Content | None = None  # what the scores were given for


@dataclass(frozen=True)
class _Notebook:
    """One notebook of the assignment: the ids and names of the cells that have rows."""

    id: str
    grades: Mapping[str, str]
    comments: Mapping[str, str]


class Rows:
    """Writes entries. What a person entered stays. Raises MissingEntry where the exercise is not there."""

    def __init__(self, gradebook: Gradebook, name: str):
        assignment = gradebook.find_assignment(name)
        self._db, self._id, self._due = gradebook.db, assignment.id, assignment.duedate
        self._main = gradebook.find_notebook(name, name).id
        main = next(one for one in assignment.notebooks if one.id == self._main)
        graded, answered = (*main.grade_cells, *main.task_cells), (*main.solution_cells, *main.task_cells)
        self.points = {cell.name: cell.max_score for cell in graded}  # of each cell that has a score
        self.commented = [cell.name for cell in answered]
        self._notebooks = [
            _Notebook(
                notebook.id,
                {cell.id: cell.name for cell in (*notebook.grade_cells, *notebook.task_cells)},
                {cell.id: cell.name for cell in (*notebook.solution_cells, *notebook.task_cells)},
            )
            for notebook in assignment.notebooks
        ]
        self._main_notebook = next(one for one in self._notebooks if one.id == self._main)

    def write(self, entries: Sequence[Entry]) -> None:
        """All of them, or none: where something fails, nothing is changed, and it is raised."""
        try:
            there = self._submissions([entry.student for entry in entries])
            added = self._add([entry for entry in entries if entry.student not in there])
            changed = {there[entry.student]: entry for entry in entries if entry.student in there}
            self._change(changed)
            noted = {key: entry.content for key, entry in (added | changed).items() if entry.content}
            contents.note(self._db, noted)
            self._db.commit()
        except BaseException:
            self._db.rollback()
            raise

    def standing(self, students: Sequence[str]) -> dict[str, Standing]:
        """What is recorded of each of them who has rows."""
        there, names = self._submissions(students), self._main_notebook.grades
        known = contents.known(self._db, there.values())
        scores: dict[str, dict[str, float | None]] = {student: {} for student in there}
        by_hand: dict[str, dict[str, float]] = {student: {} for student in there}
        columns = SubmittedAssignment.student_id, Grade.cell_id, Grade.auto_score, Grade.manual_score
        found = self._select(columns, SubmittedAssignment.student_id, students, self._of_main_grades)
        for student, cell, ours, theirs in found:
            scores[student][names[cell]] = ours
            if theirs is not None:
                by_hand[student][names[cell]] = theirs
        self._db.rollback()  # ends the reading, so that the next writer need not wait for us
        return {
            student: Standing(known.get(key), scores[student], by_hand[student])
            for student, key in there.items()
        }

    def late(self, students: Sequence[str]) -> list[str]:
        """Those whose penalty is to be worked out: who came late, and who has paid for it before."""
        columns = (
            SubmittedAssignment.student_id,
            SubmittedAssignment.timestamp,
            SubmittedAssignment.extension,
            SubmittedNotebook.late_submission_penalty,
        )
        rows = self._select(columns, SubmittedAssignment.student_id, students, self._of_main)
        self._db.rollback()  # ends the reading, so that the next writer need not wait for us
        return sorted(student for student, *about in rows if self._is_late(*about))

    def _is_late(self, when: Any, extension: Any, penalty: float | None) -> bool:
        if penalty is not None:
            return True
        due = self._due and self._due + (extension or datetime.timedelta())
        return bool(when and due and when > due)

    # what is there

    def _submissions(self, students: Sequence[str]) -> dict[str, str]:
        columns = SubmittedAssignment.student_id, SubmittedAssignment.id
        return dict(self._select(columns, SubmittedAssignment.student_id, students, self._of_exercise))

    def _of_exercise(self, query: Any) -> Any:
        return query.where(SubmittedAssignment.assignment_id == self._id)

    def _of_main(self, query: Any) -> Any:
        joined = query.join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        return self._of_exercise(joined).where(SubmittedNotebook.notebook_id == self._main)

    def _of_main_grades(self, query: Any) -> Any:
        return self._of_main(query).join(Grade, Grade.notebook_id == SubmittedNotebook.id)

    def _select(
        self, columns: Sequence[Any], by: Any, ids: Iterable[str], narrowed: Callable[[Any], Any]
    ) -> Iterator[Any]:
        ids = list(ids)
        for start in range(0, len(ids), MANY):
            yield from self._db.execute(narrowed(select(*columns).where(by.in_(ids[start : start + MANY]))))

    # new ones

    def _add(self, entries: Sequence[Entry]) -> dict[str, Entry]:
        enrolled = self._select((Student.id,), Student.id, [e.student for e in entries], lambda query: query)
        known = {row[0] for row in enrolled}
        students = [{"id": entry.student} for entry in entries if entry.student not in known]
        submissions, notebooks, grades, comments = [], [], [], []
        added = {new_uuid(): entry for entry in entries}
        for key, entry in added.items():
            whole = {"id": key, "assignment_id": self._id, "student_id": entry.student}
            submissions.append(whole | {"timestamp": entry.when})
            for notebook in self._notebooks:
                part = {"id": new_uuid(), "assignment_id": whole["id"], "notebook_id": notebook.id}
                notebooks.append(part)
                told = entry if notebook.id == self._main else None
                grades += [self._grade(part["id"], *cell, told) for cell in notebook.grades.items()]
                comments += [self._comment(part["id"], *cell, told) for cell in notebook.comments.items()]
        tables = Student, SubmittedAssignment, SubmittedNotebook, Grade, Comment
        for table, rows in zip(tables, (students, submissions, notebooks, grades, comments), strict=True):
            self._db.bulk_insert_mappings(table, rows)
        return added

    def _grade(self, notebook: str, cell: str, name: str, entry: Entry | None) -> dict[str, Any]:
        row = {"id": new_uuid(), "notebook_id": notebook, "cell_id": cell}
        if entry is None:  # another notebook of the assignment, of which we know nothing
            return row | {"auto_score": None, "needs_manual_grade": True}
        score = entry.scores.get(name)
        return row | {"auto_score": score, "needs_manual_grade": score is None}

    def _comment(self, notebook: str, cell: str, name: str, entry: Entry | None) -> dict[str, Any]:
        said = entry and entry.comments.get(name)
        return {"id": new_uuid(), "notebook_id": notebook, "cell_id": cell, "auto_comment": said}

    # old ones

    def _change(self, entries: Mapping[str, Entry]) -> None:
        times = [{"id": key, "timestamp": entry.when} for key, entry in entries.items() if entry.when]
        self._db.bulk_update_mappings(SubmittedAssignment, times)
        columns = SubmittedNotebook.id, SubmittedNotebook.assignment_id
        found = self._select(columns, SubmittedNotebook.assignment_id, entries, self._main_alone)
        notebooks = {notebook: entries[submission] for notebook, submission in found}
        self._db.bulk_update_mappings(Grade, list(self._graded(notebooks)))
        self._db.bulk_update_mappings(Comment, list(self._commented(notebooks)))

    def _main_alone(self, query: Any) -> Any:
        return query.where(SubmittedNotebook.notebook_id == self._main)

    def _graded(self, notebooks: Mapping[str, Entry]) -> Iterator[dict[str, Any]]:
        names = self._main_notebook.grades
        columns = Grade.id, Grade.notebook_id, Grade.cell_id, Grade.manual_score
        for key, notebook, cell, by_hand in self._select(columns, Grade.notebook_id, notebooks, _all):
            score = notebooks[notebook].scores.get(names.get(cell))
            yield {
                "id": key,
                "auto_score": score,
                "needs_manual_grade": score is None or by_hand is not None,
            }

    def _commented(self, notebooks: Mapping[str, Entry]) -> Iterator[dict[str, Any]]:
        names = self._main_notebook.comments
        columns = Comment.id, Comment.notebook_id, Comment.cell_id
        for key, notebook, cell in self._select(columns, Comment.notebook_id, notebooks, _all):
            yield {"id": key, "auto_comment": notebooks[notebook].comments.get(names.get(cell))}


def _all(query: Any) -> Any:
    return query
