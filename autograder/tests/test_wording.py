"""What a student and a teacher read of one test."""

import pytest

from autograder.grade.answers import Error, Loaded
from autograder.grade.wording import Narrator, whole
from autograder.layout import KIT, Course
from autograder.model import Cell, Verdict
from autograder.tests.courses import make_course
from autograder.tests.grading import REFERENCE, changed, marks, opened, submission, texts


@pytest.fixture(scope="module")
def proctor():
    with opened(Course(KIT), "self_attention") as ready:
        yield ready


@pytest.fixture
def reference():
    return REFERENCE


def test_an_exception_is_told_by_kind_place_and_shapes_without_its_text(proctor, reference):
    results = marks(proctor, changed(reference, ("np.swapaxes(K, -1, -2) / np", "K / np")))
    rungs = list(texts(results["scaled_scores"]))
    assert any("ValueError" in text and "Q (5, 3) @ K (6, 3)" in text for text in rungs)
    secret = 'raise ValueError(f"matmul: {scores.tolist()}")'
    results = marks(proctor, changed(reference, ("exponentials = np.exp(shifted)", secret)))
    assert not any("[" in text.replace("[0.", "[") for text in texts(results["softmax"]))


LONG = {"lines": "\n", "blanks": " ", "lines of blanks": " \n", "definitions": "def ", "asyncs": "async "}


@pytest.mark.parametrize("unit", LONG.values(), ids=LONG)
def test_a_function_is_looked_for_in_time_proportional_to_the_text(unit):
    """A million of them took hours where the time grew with the square, and stopped the class."""
    cell = Cell(unit * (1_000_000 // len(unit)) + "(", 3)
    report = Loaded(3, "syntax", Error("SyntaxError", "", 1, 3))
    assert Narrator(None, [cell]).loading("softmax", [report]).verdict is Verdict.unwritten


def test_the_pieces_of_a_cell_are_put_together_on_their_lines():
    pieces = [Cell("a\nb", 1), Cell("c", 2), Cell("d", 1, 5), Cell("e", 1, 5), Cell("f\n", 1, 9)]
    assert whole(pieces) == {1: "a\nb\n\n\nd\ne\n\n\nf\n", 2: "c"}


def test_a_misspelt_name_is_told(proctor, reference):
    results = marks(proctor, changed(reference, ("return weights @ V", "return wieghts @ V")))
    assert all("wieghts" in text for text in texts(results["weighted_sum"]))


def test_a_name_that_is_not_in_the_students_source_is_not_told(proctor, reference):
    leaks = "raise NameError(\"name '\" + 'x' * int(V.size) + \"' is not defined\")"
    results = marks(proctor, changed(reference, ("return weights @ V", leaks)))
    assert not any("xx" in text for text in texts(results["weighted_sum"]))


def test_a_write_into_a_locked_argument_is_told(proctor, reference):
    spoils = ("shifted = scores - np", "scores *= 1; scores += 1; shifted = scores - np")
    results = marks(proctor, changed(reference, spoils))
    assert any("it writes into its argument" in text for text in texts(results["softmax"]))


def test_a_changed_argument_is_told_by_its_name(tmp_path):
    with opened(make_course(tmp_path), "two_steps") as proctor:
        double, _ = proctor.grade(submission("def double(x):\n    x += x\n    return x\n"))
    assert list(texts(double)) == ["The call changed x.", "这次调用修改了 x。"]


def test_a_hidden_check_tells_no_number_of_its_own(proctor, reference):
    results = marks(proctor, changed(reference, ("np.exp(shifted)", "np.exp(-shifted)")))
    aspects = [aspect for aspect in results["softmax"].aspects if aspect.verdict is Verdict.failed]
    assert aspects
    for aspect in aspects:
        assert "np.array" in aspect.detail or "..." in aspect.detail
        assert "." not in aspect.rung.en.removesuffix(".").replace("e.g.", "")  # no decimal fraction
