"""What takes the place of nbgrader's pages: a student's feedback, and what a grader sees in the formgrader.

Other people's assignments are shown as nbgrader shows them.
"""

from html import escape
from pathlib import Path
from typing import Any

from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from nbgrader.converters.base import NbGraderException

from autograder.layout import Course
from autograder.record import cells, student_page
from autograder.record.due import now
from autograder.record.passes import Passed, work_of
from autograder.record.policy import must_wait
from autograder.record.work import Work
from autograder.untrusted import visible


class Pages(HTMLExporter):
    """A student's page in the place of nbgrader's; refused before the teacher's policy allows it."""

    def from_notebook_node(
        self, nb: NotebookNode, resources: ResourcesDict | None = None, **more: Any
    ) -> tuple[str, ResourcesDict]:
        about = resources["nbgrader"]
        work = work_of(self.parent, about["assignment"])
        if work is None or about["notebook"] != work.name:
            return super().from_notebook_node(nb, resources=resources, **more)
        student, url = about["student"], about["db_url"]
        if why := must_wait(work.policy, work.due(url), student, work.name, now()):
            raise NbGraderException(f"{student}: {why}")
        sheet = student_page.sheet_behind(work, student, nb)
        resources["output_extension"] = self.file_extension
        return student_page.page(work, nb, sheet, student_page.marks(url, work.name, student)), resources


class ForGraders(Preprocessor):
    """In the formgrader: mark schemes, all that the checks have found, and names as text."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Passed:
        name = resources.get("assignment_id")
        if not resources.get("submission_id"):
            return nb, resources  # a page of feedback
        student = resources["student"]
        for key in ("student", "first_name", "last_name"):  # nbgrader's template takes them for markup
            resources[key] = escape(visible(resources[key] or ""))
        if resources.get("notebook_id") != name:
            return nb, resources
        course = Course(Path(self.config.CourseDirectory.get("root", Path.cwd())))
        if name in course.exercises:
            with Work(course, name) as work:
                nb = student_page.everything(work, nb, student)
                nb.cells = list(cells.with_schemes(nb.cells, work.exercise, work.languages))
        return nb, resources
