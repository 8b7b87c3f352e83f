"""A table of calls arrives at a desk as it was, in as many frames as it needs; short answers are frames."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.desk import cases, wire
from autograder.tests.test_wire import ARRAYS, VALUES, same


@given(VALUES)
def test_a_value_arrives_as_it_was_and_is_not_changed(value):
    frozen = cases.frozen(value)
    (((arrived,), _),) = cases.opened(cases.lots([((value,), {})])[0][1])
    got = cases.thawed(arrived)
    same(got, value)
    assert not cases.changed(frozen, got)


@pytest.mark.parametrize("layout", [np.asarray, np.asfortranarray, lambda a: a[:, ::2], lambda a: a[::-1]])
def test_an_array_keeps_its_order_and_its_lock(layout):
    array = layout(np.arange(24.0).reshape(4, 6))
    array.setflags(write=False)
    got = cases.thawed(cases.frozen(array))
    assert np.array_equal(got, array) and not got.flags.writeable
    assert got.flags.c_contiguous == array.flags.c_contiguous


CHANGES = {
    "an entry": (np.zeros(3), lambda a: a.__setitem__(0, 1)),
    "the sign of a zero": (np.zeros(3), lambda a: a.__setitem__(0, -0.0)),
    "the shape": (np.zeros(4), lambda a: setattr(a, "shape", (2, 2))),
    "a list": ([1.0, 2.0], lambda a: a.append(3.0)),
    "an item of a list": ([1.0, 2.0], lambda a: a.__setitem__(0, 2.0)),
    "its type": ([1, 2], lambda a: a.__setitem__(0, 1.0)),
    "an array in a list": ([np.zeros(2)], lambda a: a[0].__setitem__(0, 1)),
    "an array in a tuple": ((np.zeros(2),), lambda a: a[0].__setitem__(0, 1)),
    "an array for a number": ([np.float64(1)], lambda a: a.__setitem__(0, np.ones(()))),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_is_changed_in_place_is_seen(what):
    value, change = CHANGES[what]
    frozen = cases.frozen(value)
    got = cases.thawed(frozen)
    change(got)
    assert cases.changed(frozen, got)


def test_what_may_not_cross_is_refused():
    for odd in (object(), {"a": 1}, np.array([None]), {1}):
        with pytest.raises(TypeError):
            cases.lots([((odd,), {})])


def test_a_large_table_goes_in_several_frames_and_none_is_lost():
    big = np.zeros(cases.LOT // 8 // 2 + 1)
    table = [((big, number), {"axis": -1}) for number in range(5)]
    lots = cases.lots(table)
    assert [count for count, _ in lots] == [1] * 5
    opened = [case for _, body in lots for case in cases.opened(body)]
    assert [case[0][1] for case in opened] == [0, 1, 2, 3, 4] and opened[0][1] == {"axis": -1}


@given(st.one_of(ARRAYS, st.tuples(ARRAYS), st.tuples(ARRAYS, ARRAYS), VALUES))
def test_an_answer_is_the_same_value_either_way(value):
    reader = wire.Reader()
    reader.feed(cases.answer(7, value))
    header, body = reader.next()
    assert [header[key] for key in ("k", "i", "o")] == ["answer", 7, "returned"]
    same(wire.decode(header, body), value)


def test_an_answer_that_is_too_large_to_be_true_takes_the_long_way():
    with pytest.raises(TypeError):
        cases.answer(1, np.empty((0, 10**12)))
