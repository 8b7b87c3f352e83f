"""A small course with two exercises, the second of which is given the functions of the first."""

from pathlib import Path

from autograder.layout import Course
from autograder.tests.courses import make_course

NAME, GIVEN = "more", "two_steps"
TOML = """\
given = ["two_steps"]
title = { en = "More", zh = "更多" }

[[step]]
name = "eightfold"
points = 2
"""
SOLUTION = '''\
"""More: the reference."""

import numpy as np
from two_steps import quadruple


def eightfold(x):
    """Double three times.

    >>> eightfold(np.array([1.0, 3.0]))
    array([ 8., 24.])
    """
    ### BEGIN SOLUTION
    if x.size == 0:
        raise ValueError("nothing to double")
    return 2 * quadruple(x)
    ### END SOLUTION
'''
SUITE = '''\
import numpy as np
import pytest
from autograder.selfcheck import agree


@pytest.mark.clause("values")
def test_is_eight_times_x(eightfold, reference, rng):
    """Eight times x.

    是 x 的八倍。
    """
    x = rng.normal(size=5)
    agree(eightfold(x), 4 * reference.double(x))


@pytest.mark.safety
@pytest.mark.clause("empty")
def test_refuses_nothing(eightfold):
    """No number at all raises a ValueError.

    一个数也没有时抛出 ValueError。
    """
    (answer,) = eightfold.many([(np.zeros(0),)])
    assert answer.error is not None and answer.error.name == "ValueError"
'''
HANDOUT = """\
# More

## `eightfold` — eight times

### Contract

- Returns eight times `x`. <!-- clause: values -->
- Where `x` is empty, a `ValueError` is raised. <!-- clause: empty -->
"""


def make_given_course(root: Path) -> Course:
    course = make_course(root)
    files = {"assignments/more/exercise.toml": TOML, "solutions/more.py": SOLUTION}
    files |= {"assignments/more/handout.en.md": HANDOUT, "assignments/more/handout.zh.md": HANDOUT}
    files |= {"suites/more/test_eightfold.py": SUITE, "suites/more/mistakes.py": ""}
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return course
