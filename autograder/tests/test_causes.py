"""Exceptions in words: each cause by what Python or NumPy really raises, and no text of a desk's."""

import subprocess
import sys

import numpy as np
import pytest

from autograder.desk.asking import Asker
from autograder.desk.errors import describe
from autograder.grade.causes import CAUSES, OPERATIONS, cause
from autograder.grade.lent import handed
from autograder.grade.local import plain


def locked():
    array = np.zeros(2)
    array.flags.writeable = False
    array += 1


def endless():
    return endless()


TOO_MANY = """
import threading
threading.stack_size(2**46)  # more than any machine has to give
try:
    threading.Thread(target=int).start()
except RuntimeError as error:
    print(error, end="")
"""


def crowded():
    # Elsewhere: a thread that could not start stays in CPython's list under the name of the thread that asked
    # for it, and would get what the guard raises there.
    said = subprocess.run([sys.executable, "-c", TOO_MANY], capture_output=True, text=True, check=True).stdout
    raise RuntimeError(said)


def asked_again_and_again():
    lent = handed(abs)
    while True:
        lent(-1)


def asked_too_late():
    requests = iter([1, 2])
    Asker(None, lambda: next(requests)).lent()()


RAISES = {
    "it writes into its argument": locked,
    "an array of whole numbers cannot hold an infinity or nan": lambda: np.zeros(2, int).__setitem__(
        0, -np.inf
    ),
    "floats are to be written into an array of whole numbers in place": lambda: np.ones(2, int).__itruediv__(
        2
    ),
    "~, & and | need truth values": lambda: ~np.ones(2),
    "the function that it was passed is asked too often": asked_again_and_again,
    "the function that it was passed is asked with too many numbers, or too long an axis": lambda: handed(
        abs
    )(np.ones(5000)),
    "a function that was passed to another call is used": asked_too_late,
    "an `if`, `and`, `or` was given a whole array": lambda: bool(np.ones(2)),
    "a result is unpacked into the wrong number of names": lambda: exec("a, b = [1, 2, 3]"),
    "something other than whole numbers is used as an index": lambda: np.ones(3)[np.ones(2)],
    "None is used as a value: is a `return` missing?": lambda: None + 1,
    "a function is called with other arguments than it takes": lambda: locked(1),
    "an index has not the shape of the array that it is used on": lambda: np.ones(3)[np.ones(2, bool)],
    "what comes back is neither numbers nor arrays of them": lambda: plain({"output": np.ones(2)}),
    "an array is a key: nothing can be looked up by an array": lambda: {np.ones(2): 1},
    "there are no more threads here": crowded,
    "something that is no function is called": lambda: len("x")(2),
    "there is no such axis or index": lambda: np.ones(2).sum(axis=1),
    "the function calls itself without end": endless,
    "only NumPy and Python's own modules are there": lambda: exec("import no_such_module"),
}
MISFITS = {
    "matmul (@)": lambda a, b: a @ b,
    "dot": np.dot,
    "einsum": lambda a, b: np.einsum("ijk,jk->i", a, b),
    "broadcasting": lambda a, b: a + b,
    "reshape": lambda a, b: a.reshape(7, 7),
    "transpose": lambda a, b: a.transpose(0, 2, 1),
    "concatenation": lambda a, b: np.concatenate([a, b[0]]),
}
Q, K = np.ones((5, 3)), np.ones((6, 3))


def text_of(run, *args):
    with pytest.raises(Exception) as caught:
        run(*args)
    return describe(caught.value)[1]


def test_every_cause_is_reached_by_a_real_exception():
    assert set(RAISES) == {en for _, en, _ in CAUSES}
    for sentence, run in RAISES.items():
        assert cause(text_of(run), {}).en == sentence


def test_every_operation_is_reached_by_shapes_that_do_not_fit():
    assert set(MISFITS) == {operation for _, operation in OPERATIONS}
    for operation, run in MISFITS.items():
        found = cause(text_of(run, Q, K), {"Q": Q, "K": K})
        assert operation in found.en or operation.startswith("matmul")
        assert "Q (5, 3)" in found.en and "K (6, 3)" in found.en
        assert "Q (5, 3)" in found.zh


def test_a_product_is_written_as_one():
    found = cause(text_of(MISFITS["matmul (@)"], Q, K), {"Q": Q, "K": K})
    assert found.en == "Q (5, 3) @ K (6, 3): 6 is not 3"
    assert found.zh == "Q (5, 3) @ K (6, 3)：6 不等于 3"


def test_sizes_that_are_not_the_arguments_own_are_not_told():
    for text in (
        "operands could not be broadcast together with shapes (31,41) (59,26) ",
        "matmul: mismatch (size 31 is different from 41)",
        "matmul: 314159 (31, 41)",
        "cannot reshape array of size 31 into shape (41,)",
        "31415 is out of bounds",
    ):
        found = cause(text, {"Q": Q, "K": K})
        assert not any(number in found.en + found.zh for number in ("31", "41", "59", "26"))


def test_a_text_of_its_own_tells_nothing():
    for text in ("", "the score is 0.123", "[[0.1, 0.2]]", "x" * 10_000):
        assert cause(text, {"Q": Q}) is None
