"""Says before nbgrader does what it would refuse: cells that come or go once there are submissions.

Reads the gradebook as a plain SQLite file and changes nothing. Another database is not asked; there nbgrader
speaks for itself.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from autograder.layout import Course
from autograder.settings import load_config

SUBMITTED = """
    SELECT source_cell.name FROM source_cell
    JOIN notebook ON notebook.id = source_cell.notebook_id
    JOIN assignment ON assignment.id = notebook.assignment_id
    WHERE assignment.name = :exercise AND notebook.name = :exercise
    AND EXISTS (SELECT 1 FROM submitted_notebook WHERE submitted_notebook.notebook_id = notebook.id)
"""


def refused_by_nbgrader(course: Course, exercise: str, notebook: Mapping) -> str:
    """Which cells nbgrader would not let come or go; empty where it would take the notebook."""
    recorded = _recorded(course, exercise)
    if not recorded:
        return ""
    new = {
        cell["metadata"]["nbgrader"]["grade_id"]
        for cell in notebook["cells"]
        if "nbgrader" in cell["metadata"]
    }
    changes = [f"{', '.join(sorted(new - recorded))} would be added"] if new - recorded else []
    changes += [f"{', '.join(sorted(recorded - new))} would be removed"] if recorded - new else []
    return "; ".join(changes)


def _recorded(course: Course, exercise: str) -> set[str]:
    """The cells that the gradebook knows, where there are submissions of them."""
    file = gradebook_file(course)
    if file is None or not file.is_file():
        return set()
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            return {name for (name,) in connection.execute(SUBMITTED, {"exercise": exercise})}
    except sqlite3.Error:  # no gradebook yet, or none of nbgrader's
        return set()


def gradebook_file(course: Course) -> Path | None:
    """The gradebook's file, where it is one."""
    url = str(load_config(course).CourseDirectory.get("db_url", ""))
    if not url:
        return course.root / "gradebook.db"
    kind, _, rest = url.partition(":///")
    return course.root / rest.split("?")[0] if kind == "sqlite" else None
