"""What a desk runs of the handout's own cells: all that a student's code can see of them, and no more."""

import pytest

from autograder.author.exercise import load_exercise
from autograder.author.notebook import weave
from autograder.grade.demonstrations import Demonstrations
from autograder.layout import KIT, Course
from autograder.model import Cell
from autograder.settings import LANGUAGES

EXERCISES = {name: load_exercise(Course(KIT), name) for name in Course(KIT).exercises}
SHOWN = """\
import os

length = 1000
big = draw(length)
small = big[:2]
small[0] = 1

def helper(x):
    return x

for n in (1, 2):
    print(n, helper(small))
print(big)
"""


@pytest.fixture
def few(monkeypatch):
    """The demonstrations of an exercise that has one cell of them."""
    found = Demonstrations(EXERCISES["self_attention"])
    monkeypatch.setattr(found, "_known", {SHOWN: Demonstrations.statements(SHOWN)})
    return found


def run(few, *sources):
    """The lines that are left of the demonstration beside these cells."""
    cells = [Cell(SHOWN, 2), *(Cell(source, number) for number, source in enumerate(sources, start=3))]
    thinned = few.thinned(cells)
    assert list(thinned[1:]) == cells[1:]
    return [line for line in thinned[0].source.split("\n") if line]


def test_nothing_is_left_that_nobody_mentions(few):
    assert run(few, "def f(x):\n    return x") == []


def test_what_is_mentioned_stays_with_all_that_it_is_made_of(few):
    chain = ["length = 1000", "big = draw(length)", "small = big[:2]", "small[0] = 1"]
    assert run(few, "def f():\n    return small") == chain
    assert run(few, "os.name") == ["import os"]
    assert run(few, "y = 'a text that names helper'") == ["def helper(x):", "    return x"]


@pytest.mark.parametrize("way", ["globals()['b' + 'ig']", "eval('b' 'ig')", "import doctest", "vars()"])
def test_where_names_may_be_found_unwritten_all_stay(few, way):
    assert run(few, way) == [line for line in SHOWN.split("\n") if line]


def test_a_name_in_other_letters_is_the_same_name(few):
    assert run(few, "\N{MATHEMATICAL BOLD SMALL B}\N{MATHEMATICAL BOLD SMALL I}g") == [
        "length = 1000",
        "big = draw(length)",
    ]


def test_the_examples_of_a_docstring_are_not_run(few):
    assert run(few, 'def f():\n    """A line.\n\n    >>> big + small\n    3\n    """') == []


def test_what_is_left_keeps_its_line(few):
    thinned = few.thinned([Cell(SHOWN, 2), Cell("small", 3)])[0].source
    assert thinned.split("\n").index("small[0] = 1") == SHOWN.split("\n").index("small[0] = 1")


def test_a_cell_that_was_touched_is_the_students(few):
    cells = (Cell(SHOWN + "# mine", 2), Cell("f = 1", 3))
    assert few.thinned(cells) == cells


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EXERCISES)
def test_of_the_kits_own_notebooks_nothing_is_printed_and_what_they_define_is_the_same(name, language):
    exercise = EXERCISES[name]
    sources = [c["source"] for c in weave(exercise, [language])["cells"] if c["cell_type"] == "code"]
    cells = [Cell(text, number) for number, text in enumerate(sources) if not text.startswith("check(")]
    thinned = Demonstrations(exercise).thinned(cells)
    assert [cell.number for cell in thinned] == [cell.number for cell in cells]
    solutions = [step.name for step in exercise.steps]
    for before, after in zip(cells, thinned, strict=True):
        is_own = any(f"def {name}(" in before.source for name in solutions)
        assert after == before if is_own else "print(" not in after.source
