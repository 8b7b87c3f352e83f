"""finds_leak with each of its choices as an argument, so that a mistake is another choice."""

import numpy as np

from autograder.model import Sentence
from autograder.suites import Mistake

STEP = "finds_leak"
INPUTS = (4, 4, 5)  # widths of queries, keys and values
TOLERANCE = 1e-9


def first_output(answer):
    return answer[0] if isinstance(answer, tuple) else answer


def redraw(array, position, rng):
    redraw_at(array, np.s_[..., position:, :], rng)


def redraw_at(array, where, rng):
    array[where] = rng.standard_normal(array[where].shape)


def set_later(array, position, numbers):
    array[..., position:, :] = numbers


def is_far(after, before):
    return not np.abs(after - before).max(initial=0.0) < TOLERANCE


def find(
    attention_fn,
    rng,
    *,
    batch=(2, 3),
    seq_len=8,
    positions=None,
    changed=(0, 1, 2),
    draw=lambda rng, shape: rng.standard_normal(shape),
    change=redraw,
    rows=slice,
    kept=np.s_[...],
    output=first_output,
    differs=is_far,
):
    """Whether some row before a change differs after it."""
    inputs = [draw(rng, (*batch, seq_len, width)) for width in INPUTS]
    before = output(attention_fn(*inputs))
    for position in range(1, seq_len) if positions is None else positions:
        position %= seq_len
        others = [array.copy() for array in inputs]
        for index in changed:
            change(others[index], position, rng)
        after = output(attention_fn(*others))
        if differs(after[kept][..., rows(position), :], before[kept][..., rows(position), :]):
            return True
    return False


def looks(name, *, en, zh, **how):
    """A mistake that is the right test but for `how` it looks."""

    def wrong(correct, attention_fn, rng):
        return find(attention_fn, rng, **how)

    return Mistake(name, STEP, Sentence(en, zh), wrong, whole=True)
