"""Functions of our own, run with a desk's manners; and how their arguments are told apart."""

import numpy as np

from autograder.grade.answers import Effects, Outcome
from autograder.grade.local import LocalDesk
from autograder.grade.remote import fingerprint


def test_fingerprints_tell_arguments_apart():
    x = np.arange(6.0).reshape(2, 3)
    locked = x.copy()
    locked.flags.writeable = False
    values = [x, x.T, x.reshape(3, 2), x.astype(np.float32), x + 1, locked, 1, 1.0, True, "1", None]
    values += [(x,), [x], {"a": x}, np.asfortranarray(x), (x, x), float("nan"), [1, [2]], [[1], 2]]
    assert len({fingerprint(value) for value in values}) == len(values)
    assert fingerprint(float("nan")) == fingerprint(float("nan"))


def test_a_local_desk_hands_out_copies_and_tells_what_was_done_to_them():
    def spoils(x, *, y):
        y[0] = 7
        np.random.seed(1)
        return x

    x, y = np.arange(4.0)[::2], np.ones(2)
    state = fingerprint(np.random.get_state())
    answer = LocalDesk({"spoils": spoils}).many("spoils", [((x,), {"y": y})])[0]
    assert answer.effects == Effects(("y",), generator=True)
    assert y.tolist() == [1, 1]
    assert answer.value is not x
    assert fingerprint(np.random.get_state()) == state


def test_a_local_desk_keeps_layouts_and_locks():
    def tells(x):
        return x.flags.writeable, x.flags.c_contiguous

    locked = np.ones((2, 3))
    locked.flags.writeable = False
    cases = [((x,), {}) for x in (np.ones((2, 3)), np.ones((2, 3)).T, np.ones((2, 6))[:, ::2], locked)]
    answers = LocalDesk({"tells": tells}).many("tells", cases)
    assert [answer.value for answer in answers] == [(True, True), (True, False), (True, False), (False, True)]


def test_a_local_desk_answers_each_case_by_itself():
    def picky(x):
        if x:
            raise ValueError("no")
        return {1} if x == 0 else x

    answers = LocalDesk({"picky": picky}).many("picky", [((1,), {}), ((0,), {}), (("",), {})])
    assert [answer.outcome for answer in answers] == ["raised", "raised", "returned"]
    assert [answer.error and answer.error.name for answer in answers] == ["ValueError", "TypeError", None]
    assert LocalDesk({}).many("absent", [((), {})])[0].outcome is Outcome.missing
