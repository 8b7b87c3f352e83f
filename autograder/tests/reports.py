"""What `check` finds in a student's source, for the tests of the self-check."""

import linecache

import numpy as np
import pytest

from autograder.selfcheck import notebook
from autograder.selfcheck.check import examine
from autograder.selfcheck.exercise import load
from autograder.tests.released import REFERENCE, release


@pytest.fixture(scope="module")
def exercise(tmp_path_factory):
    return load(release(tmp_path_factory.mktemp("released")) / "selfcheck")


@pytest.fixture
def reference():
    namespace = {}
    exec(REFERENCE, namespace)
    return namespace


def write(source, namespace=None):
    """The functions that a student's source defines, with lines that tracebacks can show."""
    name = f"<cell {abs(hash(source))}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace = {"np": np} if namespace is None else namespace
    exec(compile(source, name, "exec"), namespace)
    return namespace


def report(exercise, source, step="softmax", **others):
    namespace = write(source, {"np": np, **others})
    return examine(namespace.get(step), exercise.step(step), exercise, namespace)


def told(found, language="en"):
    return "\n".join(notebook.lines([found], language))
