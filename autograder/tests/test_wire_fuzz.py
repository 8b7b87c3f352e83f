"""Whatever arrives on the wire gives a WireError or plain values, and never anything else."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.desk import wire
from autograder.desk.wire import WireError
from autograder.tests.test_wire import VALUES, received

PLAIN = (type(None), bool, int, float, str, list, tuple, np.ndarray, np.generic)
THOROUGH = settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def all_plain(value):
    return type(value) in PLAIN or isinstance(value, np.generic)


@THOROUGH
@given(VALUES, st.data())
def test_mutated_frames_give_a_wire_error_or_plain_values(value, data):
    frame = bytearray(wire.pack_value({"k": "answer"}, value))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(frame) - 1))
        how = data.draw(st.sampled_from(["change", "delete", "insert", "cut", "repeat"]))
        if how == "change":
            frame[place] = data.draw(st.integers(0, 255))
        elif how == "delete" and len(frame) > 1:
            del frame[place]
        elif how == "insert":
            frame.insert(place, data.draw(st.integers(0, 255)))
        elif how == "cut":
            frame = frame[: place + 1]
        else:
            frame += frame[place:]
    try:
        found = received(bytes(frame))
    except WireError:
        return
    assert all(map(all_plain, found))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("vatsf"), inner, max_size=3),
    max_leaves=12,
)
ENTRIES = st.tuples(
    st.sampled_from([*wire.DTYPES, "<f8,O", "O", ""]), st.lists(st.integers(-1, 5), max_size=4), st.just("")
).map(list)


@THOROUGH
@given(JSON, st.lists(ENTRIES | JSON, max_size=3) | JSON, st.binary(max_size=64))
def test_any_header_gives_a_wire_error_or_plain_values(value, table, body):
    try:
        found = wire.decode({"v": value, "a": table}, body)
    except WireError:
        return
    assert all_plain(found)
