"""Fixtures that several test files of the self-check share; a file's own fixture of the same name wins."""

from autograder.tests.reports import exercise, reference
from autograder.tests.terminals import folder, module, released, run

__all__ = ["exercise", "folder", "module", "reference", "released", "run"]
