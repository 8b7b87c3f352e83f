"""Names and lengths of files in a hand-in: whatever they are, the class is read to its end."""

import pytest

from autograder.intake.folder import COPY
from autograder.intake.reading import LARGE, read
from autograder.intake.take import take
from autograder.model import Status
from autograder.tests.handed_in import EXERCISE, NAME, RELEASE
from autograder.tests.submissions import Work

COPIES = (
    *("1", "7 ", "_", "-", " ", "(1)", "（2）", "copy", "copy1", "copy 1 ", "-Copy2", "final", "final1_"),
    *("副本", "副本1", "的副本", "拷贝 3", "最终", "最终版", "的", "(", "（", "1)", "copy副本1"),
)


@pytest.mark.parametrize("part", COPIES)
@pytest.mark.parametrize("end", ["x", "", ")", " "])
def test_a_name_of_copies_of_copies_does_not_hold_up_the_class(tmp_path, part, end):
    """Tried every way, forty digits alone are 2 to the power of forty ways."""
    work = Work(tmp_path, EXERCISE, RELEASE)
    work.write(work.notebook(), f"{NAME}.ipynb")
    long = part * (180 // len(part.encode()))
    for stem in (long + end, f"{NAME}{long}{end}"[:80]):
        work.write(work.notebook(), f"{stem}.ipynb")
    assert take(tmp_path, EXERCISE, RELEASE, "ada").status is Status.graded


@pytest.mark.parametrize("begin", ["", '"', '{"cells": ['])
@pytest.mark.parametrize(
    "part", ['\\"', '"\\', '"', "\\", "[", '{"a":', '"a\n', "\n", " ", "<", "<<<<<<< \n"]
)
def test_a_large_file_that_is_no_notebook_is_told_in_time_proportional_to_its_length(begin, part):
    """Four million characters; each quote that opens nothing was looked for to the end of the file."""
    data = (begin + part * (LARGE // len(part) + 10)).encode()
    assert read("x.ipynb", data).problem is not None


@pytest.mark.parametrize("part", COPIES[:-5])
def test_what_systems_append_to_a_copy_is_no_part_of_the_name(part):
    assert COPY.sub("", f"softmax{part}1") == "softmax"
