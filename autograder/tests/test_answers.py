"""What people read of a student's exception is short and hides nothing."""

import pytest

from autograder.grade import answers
from autograder.grade.client import Zygote
from autograder.tests.walls import QUICK, ask, one


@pytest.fixture(scope="module")
def walled():
    with Zygote(QUICK) as warm:
        yield warm


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[2J", "\\u001b[2J"),
        ("a\nb\tc", "a⏎b c"),
        ("\u202egnp", "\\u202egnp"),
        ("\ud800", "\\ud800"),
        ("<script>", "‹script>"),
        ("</pre>", "‹/pre>"),
        ("1 < 2", "1 < 2"),
        ("<__main__.A object at 0x7f1234567890>", "<__main__.A object at 0x…>"),
        ("形状不对", "形状不对"),
    ],
)
def test_a_message_hides_nothing(text, shown):
    assert answers.printable(text) == shown
    assert shown.isprintable()


def test_a_message_is_short():
    assert len(answers.printable("x" * 10**6)) == answers.ERROR_TEXT


@pytest.mark.parametrize("name", ["SystemExit", "KeyboardInterrupt", "AssertionError", "GeneratorExit"])
def test_no_exception_keeps_a_name_that_means_something_to_us(walled, name):
    with walled.open(one(f"def f(): raise {name}('why')")) as desk:
        error = ask(desk, "f").error
    assert (error.name, error.text) == ("Exception", f"{name}: why")


def test_an_exception_of_their_own_goes_by_its_ordinary_base(walled):
    with walled.open(one("class Mine(KeyError): pass\ndef f(): raise Mine('why')")) as desk:
        error = ask(desk, "f").error
    assert (error.name, error.text) == ("KeyError", "Mine: 'why'")
