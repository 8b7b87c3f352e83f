"""One student's feedback pages, made by nbgrader's own converter in a worker process.

The pages are those of `nbgrader generate_feedback`, to the byte. They are made aside and then put in place
file by file, so that a page is there whole, the old one or the new.
"""

import os
import shutil
from contextlib import ExitStack
from pathlib import Path

from nbgrader.apps.api import NbGraderAPI
from nbgrader.converters import GenerateFeedback

from autograder.layout import Course
from autograder.record.gradebook import database
from autograder.record.opening import opened


class Press:
    """Makes pages of one exercise. A context manager."""

    def __init__(self, course: Course, name: str):
        self._course, self._name, self._stack = course, name, ExitStack()

    def __enter__(self) -> "Press":
        api = self._stack.enter_context(opened(self._course))
        api.coursedir.db_url = database(api)
        self._converter = converter(api, self._name)
        self._converter.convert_notebooks = lambda: None  # `start` only sets the exporter up
        self._converter.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def make(self, student: str) -> None:
        """Writes the student's pages and what lies beside them. Raises whatever the converter raises."""
        made, made_in = self._converter, self._course.private / "pages" / str(os.getpid())
        made.notebooks = sorted(made.assignments[_source(made, self._name, student)])
        directory, made.coursedir.feedback_directory = made.coursedir.feedback_directory, str(made_in)
        try:
            made.run_pre_convert_hook()
            made.init_assignment(self._name, student)
            for notebook in made.notebooks:
                made.convert_single_notebook(notebook)
            new = Path(made._format_dest(self._name, student))
            made.coursedir.feedback_directory = directory
            _put(new, Path(made._format_dest(self._name, student)))
            made.set_permissions(self._name, student)
            made.run_post_convert_hook()
        finally:
            made.coursedir.feedback_directory = directory
            shutil.rmtree(made_in, ignore_errors=True)


def converter(api: NbGraderAPI, name: str) -> GenerateFeedback:
    """nbgrader's own for all students of an exercise, as its command sets it up."""
    api.coursedir.assignment_id = name
    return GenerateFeedback(coursedir=api.coursedir, parent=api)


def _source(made: GenerateFeedback, name: str, student: str) -> str:
    return made._format_source(name, student)


def _put(new: Path, place: Path) -> None:
    """Moves all files to their place, over older ones, and removes what is no longer made."""
    files = {file.relative_to(new) for file in new.rglob("*") if file.is_file()}
    for old in sorted(place.rglob("*"), reverse=True):
        if old.is_dir() and not any(old.iterdir()):
            old.rmdir()
        elif not old.is_dir() and old.relative_to(place) not in files:
            old.unlink()
    for file in sorted(files):
        (place / file).parent.mkdir(parents=True, exist_ok=True)
        (new / file).replace(place / file)
