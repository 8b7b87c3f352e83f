"""Opens a course as nbgrader would, in this process: its command line takes three seconds a start."""

import contextlib
import logging
import warnings
from collections.abc import Iterator

from nbformat.warnings import DuplicateCellId, MissingIDFieldWarning
from nbgrader.apps.api import NbGraderAPI
from nbgrader.apps.baseapp import NbGrader
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from autograder.layout import Course
from autograder.settings import reach_programs


def _quiet() -> logging.Logger:
    """nbgrader's log goes into the results of its API, not onto the teacher's terminal."""
    log = logging.getLogger("autograder.nbgrader")
    log.propagate = False
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    return log


def nbgrader_config(course: Course) -> Config:
    """All that nbgrader would read in the course's folder: the settings of machine, user and course."""
    with contextlib.chdir(course.root):
        app = NbGrader(log=_quiet())
        app.load_config_file()
    config = app.config
    config.CourseDirectory.root = str(course.root)
    return config


@contextlib.contextmanager
def opened(course: Course) -> Iterator[NbGraderAPI]:
    """nbgrader's own API for this course, working in its folder as its commands do."""
    reach_programs()
    config, log = nbgrader_config(course), _quiet()
    with contextlib.chdir(course.root), warnings.catch_warnings():
        # Of how nbgrader adds a row; of what Restore puts right; of a stamp that nbgrader does not close.
        for kind in (SAWarning, DuplicateCellId, MissingIDFieldWarning, ResourceWarning):
            warnings.simplefilter("ignore", kind)
        coursedir = CourseDirectory(config=config, log=log)
        yield NbGraderAPI(coursedir, config=config, log=log)
