"""A graded notebook's text is nbformat's own, to the byte."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.record import book
from autograder.tests import classes

ODD = new_notebook(
    cells=[
        new_markdown_cell("# 标题\n\ntwo lines\n", metadata={"trusted": True}),
        new_code_cell(
            "",
            outputs=[new_output("stream", text="a\nb\n"), new_output("display_data", {"text/html": "<b>\n"})],
        ),
        new_code_cell(
            "x = '\u2028\\n'\ny", execution_count=3, metadata={"nbgrader": {"points": 2.0, "grade": True}}
        ),
        new_markdown_cell("long " * 20_000),
    ],
    metadata={"orig_nbformat": 4, "language_info": {"name": "python"}},
)


@pytest.mark.parametrize("notebook", [new_notebook(), ODD], ids=["empty", "odd"])
def test_the_text_is_nbformats(notebook):
    for _ in range(2):  # the second time from what is kept
        assert book.text(notebook) == nbformat.writes(notebook)


def test_the_text_of_a_class_is_nbformats(tmp_path):
    course = classes.released(tmp_path)
    for notebook in (classes.stub(course), classes.solved(course), classes.solved(course, classes.wrong)):
        notebook = nbformat.from_dict(notebook)
        assert book.text(notebook) == nbformat.writes(notebook)
