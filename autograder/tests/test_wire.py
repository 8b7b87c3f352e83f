"""The wire: what is sent arrives, and whatever else arrives gives one kind of exception or a plain value."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from autograder.desk import wire
from autograder.desk.wire import WireError

NUMBERS = st.sampled_from([np.dtype(code) for code in wire.DTYPES])
ARRAYS = NUMBERS.flatmap(lambda dtype: arrays.arrays(dtype, arrays.array_shapes(min_dims=0, min_side=0)))
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.text(max_size=50).filter(lambda text: text.isprintable()),
)
VALUES = st.recursive(
    SCALARS | ARRAYS,
    lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple),
    max_leaves=8,
)


def sent(value, **how):
    """The value as it arrives."""
    reader = wire.Reader()
    reader.feed(wire.pack_value({}, value, **how))
    header, body = reader.next()
    assert reader.empty
    return wire.decode(header, body, **how)


def same(got, value):
    assert type(got) is type(value)
    if isinstance(value, list | tuple):
        assert len(got) == len(value)
        for one, other in zip(got, value, strict=True):
            same(one, other)
    elif isinstance(value, np.ndarray | np.generic):
        assert (got.shape, got.dtype) == (value.shape, value.dtype)
        np.testing.assert_array_equal(got, value)
    else:
        assert got == value or (math.isnan(got) and math.isnan(value))


@given(VALUES)
def test_what_is_sent_arrives(value):
    same(sent(value), value)


@given(NUMBERS, st.integers(-100, 100))
def test_a_scalar_of_numpy_stays_one(dtype, number):
    scalar = np.float64(number).astype(dtype)
    same(sent(scalar), scalar)


@given(ARRAYS)
def test_arrays_arrive_fresh_owned_and_plain(array):
    got = sent(array)
    assert got.flags.owndata and got.flags.writeable and got.flags.c_contiguous
    assert type(got) is np.ndarray and got.dtype.isnative


@pytest.mark.parametrize(
    "array",
    [
        np.arange(12.0).reshape(3, 4).T,
        np.arange(12.0).reshape(3, 4)[:, ::2],
        np.arange(24.0).reshape(2, 3, 4).transpose(1, 0, 2),
        np.arange(6.0)[::-1],
        np.broadcast_to(np.arange(3.0), (2, 3)),
    ],
    ids=["transposed", "every_other", "axes_swapped", "reversed", "read_only"],
)
def test_arguments_keep_their_layout(array):
    got = sent(array, layouts=True)
    np.testing.assert_array_equal(got, array)
    assert got.flags.writeable == array.flags.writeable


def test_a_transposed_argument_is_not_contiguous_at_the_desk_either():
    assert not sent(np.ones((3, 4)).T, layouts=True).flags.c_contiguous
    assert not sent(np.ones((3, 4))[:, ::2], layouts=True).flags.contiguous


def test_big_endian_arrays_arrive_as_the_same_numbers():
    np.testing.assert_array_equal(sent(np.arange(3, dtype=">f8")), np.arange(3.0))


@pytest.mark.parametrize("long, short", [(np.longdouble, "f8"), (np.clongdouble, "c16")])
def test_longer_floats_arrive_as_ordinary_ones(long, short):
    same(
        sent(np.array([[0.5, 3.0], [-np.inf, 1e300]], long)), np.array([[0.5, 3.0], [-np.inf, 1e300]], short)
    )
    assert np.isinf(sent(np.full(2, np.finfo(long).max))).all()


class Equal(float):
    __eq__ = __ne__ = lambda self, other: True
    __hash__ = None


class Labelled(np.ndarray):
    shape = property(lambda self: (1000, 1000))
    tobytes = lambda self: b"forged"  # noqa: E731 never to be called


class Row(tuple):
    __iter__ = lambda self: iter([1.0] * 10**9)  # noqa: E731 never to be called


REFUSED = {
    "objects": np.array([object()]),
    "text": np.array(["a"]),
    "dates": np.array(["2020-01-01"], "M8[D]"),
    "records": np.zeros(2, "i4,f8"),
    "subclass_of_float": Equal(1),
    "complex_number": 1j,
    "dictionary": {"a": 1},
    "generator": (x for x in [1]),
    "function": len,
    "class": float,
    "long_number": 10**6000,
    "long_text": "x" * (wire.MAX_TEXT + 1),
    "many_numbers": [1] * (wire.MAX_NODES + 1),
    "wide_view": np.lib.stride_tricks.as_strided(np.ones(1), (1 << 20, 1 << 20), (0, 0)),
    "large_array": np.zeros(wire.MAX_BODY + 1, np.uint8),
    "long_empty_array": np.zeros((0, wire.MAX_BODY + 1)),
    "many_arrays": [np.ones(1)] * (wire.MAX_ARRAYS + 1),
}


@pytest.mark.parametrize("value", REFUSED.values(), ids=REFUSED)
def test_what_may_not_cross_is_a_type_error_at_the_sender(value):
    with pytest.raises(TypeError):
        sent(value)


def test_a_list_in_itself_is_a_type_error():
    endless = []
    endless.append(endless)
    with pytest.raises(TypeError):
        sent(endless)


def test_subclasses_become_their_base_data():
    same(sent(np.ma.masked_array([1.0, 2.0], mask=True)), np.array([1.0, 2.0]))
    same(sent(np.zeros(2).view(Labelled)), np.zeros(2))
    same(sent(Row([1, 2])), (1, 2))


def forged(value, table=(), body=b"", **fields):
    return wire.pack({"v": value, "a": [*table], **fields}, body)


DISHONEST = {
    "no_magic": b"XXXX" + bytes(8),
    "header_of_4_gb": wire.LENGTHS.pack(wire.MAGIC, 0xFFFFFFFF, 0),
    "body_of_4_gb": wire.LENGTHS.pack(wire.MAGIC, 2, 0xFFFFFFFF) + b"{}",
    "not_json": wire.LENGTHS.pack(wire.MAGIC, 3, 0) + b"{]}",
    "not_utf8": wire.LENGTHS.pack(wire.MAGIC, 4, 0) + b'"\xff\xfe"',
    "a_list": wire.LENGTHS.pack(wire.MAGIC, 2, 0) + b"[]",
    "nested": wire.LENGTHS.pack(wire.MAGIC, 60000, 0) + b"[" * 60000,
    "nan": wire.LENGTHS.pack(wire.MAGIC, 16, 0) + b'{"v":NaN,"a":[]}',
    "beyond_floats": wire.LENGTHS.pack(wire.MAGIC, 18, 0) + b'{"v":1e999,"a":[]}',
    "5000_digits": wire.LENGTHS.pack(wire.MAGIC, 5013, 0) + b'{"v":' + b"9" * 5000 + b',"a":[]}',
    "65_bits": forged(1 << 64),
    "no_value": wire.pack({"a": []}, b"x"),
    "no_table": wire.pack({"v": 1}),
    "a_dictionary": forged({"x": 1}),
    "two_tags": forged({"t": [], "f": "nan"}),
    "unknown_spelling": forged({"f": "NaN"}),
    "lone_surrogate": forged("\ud800"),
    "no_such_array": forged({"a": 0}),
    "array_by_name": forged({"a": "0"}),
    "array_by_truth": forged({"a": False}, [["<f8", [], ""]], bytes(8)),
    "array_from_the_end": forged({"a": -1}, [["<f8", [], ""]], bytes(8)),
    "parsed_dtype": forged({"a": 0}, [["<f8,O", [1], ""]], bytes(16)),
    "object_dtype": forged({"a": 0}, [["|O", [1], ""]], bytes(8)),
    "big_endian": forged({"a": 0}, [[">f8", [1], ""]], bytes(8)),
    "negative": forged({"a": 0}, [["<f8", [-1, -3], ""]], bytes(24)),
    "float_shape": forged({"a": 0}, [["<f8", [3.0], ""]], bytes(24)),
    "truth_as_shape": forged({"a": 0}, [["<f8", [True], ""]], bytes(8)),
    "nothing_times_very_much": forged({"a": 0}, [["<f8", [0, 1 << 62], ""]]),
    "nothing_times_much": forged({"a": 0}, [["<f8", [0, 1 << 20, 1 << 20], ""]]),
    "17_dimensions": forged({"a": 0}, [["<f8", [1] * 17, ""]], bytes(8)),
    "short_body": forged({"a": 0}, [["<f8", [3], ""]], bytes(16)),
    "long_body": forged({"a": 0}, [["<f8", [3], ""]], bytes(32)),
    "third_truth_value": forged({"a": 0}, [["|b1", [2], ""]], b"\1\2"),
    "layout_from_a_desk": forged({"a": 0}, [["<f8", [2], "r"]], bytes(16)),
    "scalar_with_a_shape": forged({"s": 0}, [["<f8", [1], ""]], bytes(8)),
    "many_arrays": forged(0, [["|u1", [0], ""]] * (wire.MAX_ARRAYS + 1)),
    "many_nodes": forged([0] * (wire.MAX_NODES + 1)),
    "deep": forged(json.loads("[" * 20 + "]" * 20)),
}


def received(data):
    """What a reader makes of these bytes: values, and None where more would have to come."""
    reader, found = wire.Reader(), []
    reader.feed(data)
    while (frame := reader.next()) is not None:
        found.append(wire.decode(*frame))
    return found


@pytest.mark.parametrize("data", DISHONEST.values(), ids=DISHONEST)
def test_a_dishonest_frame_is_a_wire_error(data):
    with pytest.raises(WireError):
        received(data)


@given(VALUES, st.integers(1, 7))
def test_a_frame_may_arrive_in_pieces(value, size):
    frame, reader, found = wire.pack_value({}, value), wire.Reader(), None
    for start in range(0, len(frame), size):
        assert found is None
        reader.feed(frame[start : start + size])
        found = reader.next()
    same(wire.decode(*found), value)
