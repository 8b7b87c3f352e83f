"""Compares one result with the expected one, by one ladder: type, shape, finite, values.

The only way in which arrays are compared, by the self-check and by the hidden suites alike.
Knows nothing of exercises, and never raises over what it is given.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .difference import Difference, is_masked

RTOL, ATOL = 1e-5, 1e-6  # float32 arithmetic errs by 3e-6, the least visible mistake by 1e-4
RTOL_SINGLE, ATOL_SINGLE = 1e-4, 1e-5  # where the arrays themselves hold single precision
SEQUENCES = (tuple, list)
NUMBERS = (bool, int, float, complex, np.generic)
ACCEPTED = {"b": "b", "i": "iuf", "u": "iuf", "f": "f", "c": "fc"}  # expected kind -> kinds that will do


class Mismatch(AssertionError):  # noqa: N818 (it is no fault of ours: it is a finding)
    """What came back is not what was expected; `.difference` says how."""

    def __init__(self, difference: Difference):
        super().__init__(difference.sentence("en", hidden=False))
        self.difference = difference


def agree(
    got, expected, *, axes: Sequence = (), rtol: float | None = None, atol: float | None = None
) -> None:
    """Raises Mismatch where `compare` finds a difference."""
    difference = compare(got, expected, axes=axes, rtol=rtol, atol=atol)
    if difference is not None:
        raise Mismatch(difference)


def compare(
    got, expected, *, axes: Sequence = (), rtol: float | None = None, atol: float | None = None
) -> Difference | None:
    """The first rung of the ladder that breaks, or None where `got` is as good as `expected`.

    axes: names of the expected array's last axes; for a tuple, one such sequence for each member.
    rtol, atol: by default 1e-5 and 1e-6, and 1e-4 and 1e-5 where either array is float32.
    """
    try:
        return _compare(got, expected, tuple(axes), rtol, atol)
    except Exception:  # a hostile or hopeless object is a difference like any other, never our fault
        return Difference("type", got, expected, axes=tuple(axes))


def _compare(got, expected, axes, rtol, atol) -> Difference | None:
    if isinstance(expected, SEQUENCES):
        return _compare_members(got, expected, axes, rtol, atol)
    if isinstance(expected, np.ndarray) and expected.ndim:
        if not isinstance(got, np.ndarray) or is_masked(got):
            return Difference("type", got, expected, axes=axes)
        return _compare_arrays(got, expected, axes, rtol, atol)
    if isinstance(expected, (*NUMBERS, np.ndarray)):
        if not isinstance(got, (*NUMBERS, np.ndarray)):
            return Difference("type", got, expected, axes=axes)
        if isinstance(got, int) and not isinstance(got, bool) and not isinstance(expected, (bool, np.bool_)):
            got = float(got)  # a plain 0 is as good as 0.0
        return _compare_arrays(np.asarray(got), np.asarray(expected), axes, rtol, atol)
    same = type(got) is type(expected)
    return None if same and bool(got == expected) else Difference("values" if same else "type", got, expected)


def _compare_members(got, expected, axes, rtol, atol) -> Difference | None:
    kind = tuple if isinstance(expected, tuple) else list
    if not isinstance(got, kind) or len(got) != len(expected):
        return Difference("type", got, expected, axes=axes)
    for index, member in enumerate(expected):
        names = axes[index] if index < len(axes) and not isinstance(axes[index], str) else ()
        found = _compare(got[index], member, tuple(names), rtol, atol)
        if found is not None:
            return found.inside(index, len(expected))
    return None


def _compare_arrays(got, expected, axes, rtol, atol) -> Difference | None:
    if not _fitting(got.dtype, expected.dtype):
        return Difference("type", got, expected, axes=axes)
    if got.shape != expected.shape:
        return Difference("shape", got, expected, axes=axes)
    if expected.dtype.kind not in ACCEPTED:  # text, dates, objects: equal or not
        return None if bool(np.all(got == expected)) else Difference("values", got, expected, axes=axes)
    single = np.float32 in (got.dtype, expected.dtype)
    rtol = rtol if rtol is not None else RTOL_SINGLE if single else RTOL
    atol = atol if atol is not None else ATOL_SINGLE if single else ATOL
    with np.errstate(all="ignore"):
        a, b = _wide(got), _wide(expected)
        distance = np.abs(a - b)
        # `< inf` because an infinite expected value makes the tolerance infinite too.
        good = (distance <= atol + rtol * np.abs(b)) & (distance < np.inf)
        if good.all():
            return None
        good |= (a == b) | ((a != a) & (b != b))  # infinities of one sign, nan where nan is expected
        return None if good.all() else _place(got, expected, axes, a, b, distance, good)


def _fitting(got: np.dtype, expected: np.dtype) -> bool:
    if got.kind not in ACCEPTED.get(expected.kind, expected.kind):
        return False
    half = got.kind == "f" and got.itemsize < 4  # three digits are not the single precision that we promise
    return not half or expected.itemsize < 4


def _wide(array: np.ndarray) -> np.ndarray:
    """Plain float64 (or complex128), in which no difference of integers wraps round."""
    if array.dtype == np.float64 and type(array) is np.ndarray:
        return array
    return np.asarray(array).astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def _place(got, expected, axes, a, b, distance, good) -> Difference:
    """Tells nan and infinity from mere wrong values, and finds the worst place."""
    strange = ((a != a) & (b == b)) | (np.isinf(a) & np.isfinite(b))
    off = strange if strange.any() else ~good
    badness = np.where(off, np.where(np.isnan(distance), np.inf, distance), -1.0)
    worst = np.unravel_index(int(np.argmax(badness)), badness.shape)
    return Difference(
        "finite" if strange.any() else "values",
        got,
        expected,
        axes=axes,
        worst=tuple(int(i) for i in worst),
        off=int(off.sum()),
    )
