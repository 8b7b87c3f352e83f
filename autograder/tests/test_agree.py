"""agree: one ladder for every comparison; total over whatever comes in, and silent about hidden numbers."""

import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.selfcheck import Mismatch, agree, compare


class Hostile:
    """An object on which everything fails."""

    @property
    def __class__(self):
        raise ValueError

    def __eq__(self, other):
        raise KeyError

    __hash__ = None

    def __repr__(self):
        raise KeyError


class Own(np.ndarray):
    """A subclass such as np.matrix."""


A = np.arange(60.0).reshape(2, 5, 6) / 7
ANYTHING = [
    None, True, 0, 1.5, np.nan, -np.inf, 10**400, 1j, "text", b"bytes", [1, 2], [], (), (A,), (A, A),
    [[1.0], [2]],
    A, A.T, A[0], A[0, 0, 0], np.array(3.0), np.array([]), np.zeros((0, 3)), A > 2, (A * 9).astype(int),
    A.astype(np.float32), A.astype(np.float16), A + 1j, A.astype(object), np.array(["a"]),
    np.array([1e308, -1e308]),
    np.array([2**63 - 1, -(2**63)]), np.array([2**64 - 1], dtype=np.uint64), np.ma.array(A), A[0].view(Own),
    np.where(A > 2, A, -np.inf), np.where(A > 2, A, np.nan), {1: 2}, {1}, print, np, object(),
    np.datetime64("2020"), np.array(["2020"], dtype="M8[D]"), np.zeros(3, dtype=[("a", int)]), range(3),
    float,
]  # fmt: skip


@pytest.mark.parametrize("expected", ANYTHING, ids=lambda value: type(value).__name__)
def test_whatever_comes_in_gives_a_difference_or_nothing(expected):
    for got in (*ANYTHING, Hostile()):
        difference = compare(got, expected, axes=("n_queries", "n_keys"))
        assert difference is None or difference.rung in {"type", "shape", "finite", "values"}
        for language, hidden in product(("en", "zh"), (True, False)):
            assert difference is None or difference.sentence(language, hidden=hidden).strip()


PLAIN = [v for v in ANYTHING if type(v) is np.ndarray or issubclass(type(v), (bool, float, str, tuple))]


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_a_value_agrees_with_itself(value):
    agree(value, value)


def rung(got, expected, **options):
    difference = compare(got, expected, **options)
    return difference and difference.rung


def test_the_ladder_stops_at_the_first_rung_that_breaks():
    assert rung(A.tolist(), A) == "type"
    assert rung((A > 2)[0], A) == "type"
    assert rung(A[0] * np.nan, A) == "shape"
    assert rung(A * np.nan, A) == "finite"
    assert rung(A + 1, A) == "values"
    assert rung(A + 1e-7, A) is None


@pytest.mark.parametrize(
    "got", [np.tril(np.ones((3, 3))), np.tril(np.ones((3, 3), int)), np.tril(np.ones((3, 3), np.uint8))]
)
def test_a_mask_of_numbers_is_no_mask(got):
    assert rung(got, np.tril(np.ones((3, 3), bool))) == "type"
    assert "dtype bool" in compare(got, got > 0).sentence("en", hidden=True)


def test_infinity_must_be_the_same_infinity():
    masked = np.where(A > 2, A, -np.inf)
    assert rung(masked, masked.copy()) is None
    assert rung(np.where(A > 2, A, -1e9), masked) == "values"
    assert rung(np.where(A > 2, A, np.inf), masked) == "values"
    assert rung(np.where(A > 2, A, np.nan), masked) == "finite"
    assert rung(masked, A) == "finite"


def test_nan_matches_only_nan():
    holed = np.where(A > 2, A, np.nan)
    assert rung(holed, holed.copy()) is None
    assert rung(A, holed) == "values"


def test_what_is_expected_as_whole_numbers_may_come_as_floats_but_not_the_reverse():
    whole = np.array([[1, 2], [3, 4]])
    assert rung(whole.astype(float), whole) is None
    assert rung(whole, whole.astype(float)) == "type"


def test_single_precision_gets_the_wider_tolerance_and_half_precision_none():
    near = (A * (1 + 5e-5)).astype(np.float32)
    assert rung(near, A) is None
    assert rung(near.astype(float), A) == "values"
    assert rung(A.astype(np.float16), A) == "type"


def test_the_least_visible_mistake_is_seen():
    assert rung(A + 1.3e-4, A) == "values"
    assert rung(A + 1.3e-4, A, rtol=1e-4, atol=1e-5) == "values"


def test_huge_numbers_do_not_wrap_round():
    assert rung(np.array([2**63 - 1]), np.array([-(2**63)])) == "values"
    assert rung(np.array([0], np.uint8), np.array([255], np.uint8)) == "values"
    assert rung(np.array([1e308]), np.array([-1e308])) == "values"


def test_a_tuple_is_judged_member_by_member():
    difference = compare((A, A + 1), (A, A))
    assert difference.member == (1, 2)
    assert "Result 2 of 2" in difference.sentence("en", hidden=True)
    assert rung([A, A], (A, A)) == rung((A,), (A, A)) == rung(np.stack([A, A]), (A, A)) == "type"


def test_the_worst_place_is_the_entry_furthest_off():
    got = A.copy()
    got[0, 1, 2] += 0.5
    got[1, 4, 3] += 7.25
    difference = compare(got, A)
    assert difference.worst == (1, 4, 3)
    assert difference.off == 2
    assert "[1, 4, 3]" in difference.sentence("en", hidden=False)


def test_shapes_carry_the_names_of_their_axes():
    difference = compare(A.swapaxes(-1, -2), A, axes=("n_queries", "n_keys"))
    sentence = difference.sentence("en", hidden=True)
    assert "(2, n_queries=5, n_keys=6)" in sentence
    assert "changed places" in sentence
    pair = compare((A, A[0]), (A, A), axes=(("n_queries", "d_v"), ("n_queries", "n_keys")))
    assert "(2, n_queries=5, n_keys=6)" in pair.sentence("zh", hidden=True)


@pytest.mark.parametrize("got", [A + 0.123457, A * np.nan, None, A[0], A.tolist(), (A, A)], ids=lambda v: "")
def test_a_hidden_sentence_holds_no_number_of_the_arrays(got):
    expected = A + 1234.5678
    for language in ("en", "zh"):
        sentence = compare(got, expected).sentence(language, hidden=True)
        assert "1234" not in sentence
        assert "0.12" not in sentence


@pytest.mark.parametrize(
    "got, hint",
    [(None, "`return`"), ([1.0], "np.array"), ((A,), "comma"), (print, "parentheses"), (1.0, "summed away")],
    ids=lambda v: "",
)
def test_frequent_faults_of_type_get_a_hint(got, hint):
    assert hint in compare(got, A).sentence("en", hidden=True)


def test_a_mismatch_is_an_assertion_that_carries_its_difference():
    with pytest.raises(Mismatch, match="off") as caught:
        agree(A + 1, A)
    assert isinstance(caught.value, AssertionError)
    assert caught.value.difference.got is not None


ARRAYS = hnp.arrays(
    st.sampled_from([np.float64, np.float32, np.int64, np.bool_, np.complex128]),
    hnp.array_shapes(min_dims=0, min_side=0),
)


@given(ARRAYS, ARRAYS)
def test_agreement_is_what_numpy_calls_close(got, expected):
    difference = compare(got, expected, rtol=1e-5, atol=1e-6)
    agree(got, got.copy())
    if got.dtype == expected.dtype and got.shape == expected.shape:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wide = np.complex128 if got.dtype.kind == "c" else np.float64
            close = np.allclose(got.astype(wide), expected.astype(wide), 1e-5, 1e-6, equal_nan=True)
        assert close == (difference is None)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_size_carries_what_was_seen_of_a_hidden_check(language):
    smuggled = np.zeros((0, 7654321, *[1] * 9, 31337))
    for expected in (np.zeros((3, 4)), (np.zeros(3), np.zeros(3))):
        difference = compare(smuggled, expected)
        said = difference.sentence(language, hidden=True)
        assert "7654321" not in said and "31337" not in said
        assert "7654321" in difference.sentence(language, hidden=False)
    right_but_turned = compare(np.zeros((400, 3)), np.zeros((3, 400))).sentence(language, hidden=True)
    assert "(400, 3)" in right_but_turned
