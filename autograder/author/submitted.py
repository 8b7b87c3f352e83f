"""Says before nbgrader does what it would refuse: cells that come or go once there are submissions.

Asks the gradebook itself, a file or a server's database, and changes nothing in it.
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
    return {name for (name,) in asked(course, SUBMITTED, exercise)}


def asked(course: Course, query: str, exercise: str) -> list[tuple]:
    """What the gradebook answers; nothing where there is none of nbgrader's yet."""
    file = gradebook_file(course)
    if file is None:
        return _asked_of_server(str(load_config(course).CourseDirectory.db_url), query, exercise)
    if not file.is_file():
        return []
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute(query, {"exercise": exercise}).fetchall()
    except sqlite3.Error:
        return []


def _asked_of_server(url: str, query: str, exercise: str) -> list[tuple]:
    from sqlalchemy import create_engine, text  # here, since most gradebooks are files
    from sqlalchemy.exc import SQLAlchemyError

    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(query), {"exercise": exercise})]
    except SQLAlchemyError:
        return []
    finally:
        engine.dispose()


def gradebook_file(course: Course) -> Path | None:
    """The gradebook's file, where it is one."""
    url = str(load_config(course).CourseDirectory.get("db_url", ""))
    if not url:
        return course.root / "gradebook.db"
    kind, _, rest = url.partition(":///")
    return course.root / rest.split("?")[0] if kind == "sqlite" else None
