"""Fixtures that several test files of the self-check share; a file's own fixture of the same name wins."""

import numpy as np
import pytest

from autograder.tests.reports import exercise, reference
from autograder.tests.terminals import folder, module, released, run

__all__ = ["exercise", "folder", "module", "reference", "released", "run"]

AS_NUMPY_PRINTS = np.get_printoptions()


@pytest.fixture(autouse=True)
def _arrays_print_as_ever():
    """A notebook that a test runs in its own process sets print options; the next test is spared them."""
    with np.printoptions(**AS_NUMPY_PRINTS):
        yield
