"""Whatever stands in a file, and however often: reading it takes time and memory in proportion.

What takes the square of it would hold these tests for minutes, as it would hold a class.
"""

import pytest

from autograder.intake.canonical import canonical
from autograder.intake.reading import MAX_TEXT
from autograder.tests.handed_in import RELEASE, WORK, is_whole, taken

MANY = 150_000
RUNS = {
    "spaces after a check": "check(softmax)" + " " * MANY + "x",
    "spaces around a semicolon": "check()" + " " * MANY + ";" + " " * MANY + "x",
    "words in a check": "check(" + "a, " * MANY + "!",
    "dots": "." * MANY + "(",
    "open brackets": "([{" * MANY,
    "calls": "a(" * MANY,
    "quotes": '"' * MANY,
    "apostrophes": "'" * (MANY + 1),
    "docstrings": '"""' * (MANY + 1),
    "backslashes": "\\" * MANY,
    "spaces after def": "def" + " " * MANY,
    "imports": "from a " + "import " * MANY,
    "names that are needed": "np " * MANY,
    "commas": "np" + ", a" * MANY,
    "tags": "<b " * MANY,
    "half a tag": "<b" + " " * MANY + "x",
    "entities": "&" + "a" * MANY + "&" * MANY,
    "links": "](" * (MANY // 4),
    "links far away": ("](" + " " * 500) * 200,
    "empty lines": "\n" * MANY + "x",
}


@pytest.mark.parametrize("kind", ["code", "markdown"])
@pytest.mark.parametrize("run", RUNS)
def test_no_run_of_anything_holds_us(tmp_path, run, kind):
    notebook = WORK.notebook("softmax")
    answer = {"cell_type": "markdown", "metadata": {"nbgrader": {"grade_id": "why"}}, "source": RUNS[run]}
    extra = {"cell_type": kind, "metadata": {}, "source": RUNS[run]}
    notebook["cells"] += [extra, answer]
    submission = taken(tmp_path, notebook)
    is_whole(submission)
    canonical(submission, RELEASE)


@pytest.mark.parametrize("times", [1, 100, 100_000])
def test_a_picture_may_be_shown_often_and_not_for_ever(tmp_path, times):
    notebook = WORK.notebook("softmax")
    picture = {"attachments": {"a": {"image/png": "A" * 1_000_000}}}
    source = "(attachment:a)" * times
    notebook["cells"].append({"cell_type": "markdown", "metadata": {}, "source": source} | picture)
    submission = taken(tmp_path, notebook)
    is_whole(submission)
    assert sum(len(note.source) for note in submission.notes) <= MAX_TEXT
