"""Attentions that leak and attentions that do not, to be told apart; for suite and mistakes alone.

Each takes Q, K (..., seq_len, d_k) and V (..., seq_len, d_v). They stand at the top of the module, since a
suite knows a function again by being the same.
"""

from functools import cache, partial

import numpy as np

SECOND = 1  # of the heads, or of the sentences: where a leak sits that is nowhere else
FAR, WINDOW = 5, 3  # tokens


def weights_of(Q, K, allowed):
    """Attention weights; a row that may attend to nothing has none."""
    scores = np.where(allowed, Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), -np.inf)
    highest = scores.max(axis=-1, keepdims=True)
    raised = np.exp(scores - np.where(np.isfinite(highest), highest, 0.0))
    total = raised.sum(axis=-1, keepdims=True)
    return raised / np.where(total > 0, total, 1.0)


def ahead(Q):
    """How many tokens each key (column) is ahead of each query (row)."""
    places = np.arange(Q.shape[-2])
    return places - places[:, np.newaxis]


def attend(Q, K, V, allowed):
    return weights_of(Q, K, allowed) @ V


def causal(Q, K, V):
    return attend(Q, K, V, ahead(Q) <= 0)


def no_mask(Q, K, V):
    return attend(Q, K, V, ahead(Q) < Q.shape[-2])


# sound


def only_the_past(Q, K, V):
    return attend(Q, K, V, ahead(Q) < 0)


def window(Q, K, V):
    return attend(Q, K, V, (ahead(Q) <= 0) & (ahead(Q) > -WINDOW))


def only_itself(Q, K, V):
    return V * 1.0


def running_mean(Q, K, V):
    return np.cumsum(V, axis=-2) / np.arange(1, V.shape[-2] + 1)[:, np.newaxis]


def another_window_for_each_head(Q, K, V):
    n_heads = Q.shape[-3] if Q.ndim > 2 else 1
    back = np.arange(1, n_heads + 1).reshape(-1, 1, 1) if Q.ndim > 2 else 1
    return attend(Q, K, V, (ahead(Q) <= 0) & (ahead(Q) > -back))


def unit_keys(Q, K, V):
    return causal(Q, K / (np.sqrt((K**2).sum(axis=-1, keepdims=True)) + 1.0), V)


def centred_keys(Q, K, V):
    """The mean of all keys shifts each row of scores as a whole: by rounding alone it is another causal."""
    return causal(Q, K - K.mean(axis=-2, keepdims=True), V)


def another_order(Q, K, V):
    """The future decides how a sum is rounded and nothing else, by a little less than 1e-12."""
    shift = 2000 * np.tanh(V.sum(axis=-2, keepdims=True))
    return (causal(Q, K, V) + shift) - shift


def with_weights(Q, K, V):
    return causal(Q, K, V), weights_of(Q, K, ahead(Q) <= 0)


def narrow_with_weights(Q, K, V):
    return causal(Q, K, V[..., :1]), weights_of(Q, K, ahead(Q) <= 0)


def unmasked_weights(Q, K, V):
    """The weights beside it look ahead, the output does not."""
    return causal(Q, K, V), weights_of(Q, K, ahead(Q) < Q.shape[-2])


def read_only(Q, K, V):
    output = causal(Q, K, V)
    output.flags.writeable = False
    return output


# leaking


def mean_of_everything(Q, K, V):
    return np.zeros_like(V) + V.mean(axis=-2, keepdims=True)


def only_the_future(Q, K, V):
    return attend(Q, K, V, ahead(Q) >= 0)


def off_by_one(Q, K, V):
    return attend(Q, K, V, ahead(Q) <= 1)


def far_ahead(Q, K, V):
    return attend(Q, K, V, (ahead(Q) <= 0) | (ahead(Q) >= FAR))


def one_row(Q, K, V, row=2):
    there = np.arange(Q.shape[-2])[:, np.newaxis] == row
    return attend(Q, K, V, (ahead(Q) <= 0) | (there & (ahead(Q) == 1)))


def _where(V, index, axis):
    """True in one head, or one sentence, if V has so many axes."""
    shape = [1] * V.ndim
    if V.ndim < -axis:
        return np.zeros(shape, dtype=bool)
    shape[axis] = V.shape[axis]
    return (np.arange(V.shape[axis]) == index).reshape(shape)


def one_head(Q, K, V):
    return np.where(_where(V, SECOND, -3), no_mask(Q, K, V), causal(Q, K, V))


def one_sentence(Q, K, V):
    return np.where(_where(V, SECOND, -4), no_mask(Q, K, V), causal(Q, K, V))


def one_column(Q, K, V):
    return np.where(_where(V, V.shape[-1] - 1, -1), no_mask(Q, K, V), causal(Q, K, V))


def centred_queries(Q, K, V):
    return causal(Q - Q.mean(axis=-2, keepdims=True), K, V)


def denominators(Q, K, V):
    """The mask comes after the softmax: later values have no weight, later keys take their share."""
    return weights_of(Q, K, ahead(Q) < Q.shape[-2]) * (ahead(Q) <= 0) @ V


def later_values(Q, K, V):
    return causal(Q, K, V) + np.flip(np.cumsum(np.flip(V, -2), axis=-2), -2) / 10


def scaled_by_all(Q, K, V):
    return causal(Q / (1.0 + np.abs(K).mean(axis=(-1, -2), keepdims=True)), K, V)


def tiny(Q, K, V):
    """Of one size, whatever was drawn: by 1e-6 up or down at most, so by not quite 2e-6."""
    return causal(Q, K, V) + 9.5e-7 * np.tanh(20 * mean_of_everything(Q, K, V))


def tiny_in_a_large_output(Q, K, V):
    return tiny(Q, K, V) + 5


def one_entry(Q, K, V):
    """Up or down by chance, in one number; so much that chance makes no difference too small."""
    output = causal(Q, K, V)
    if V.shape[-2] > 1:
        output[(0,) * (V.ndim - 2)][-2, 0] += 1e4 * V[(0,) * (V.ndim - 2)][-1, 0]
    return output


def unless_foreseen(Q, K, V):
    """Sound for the number that a generator of a usual seed begins with, and for no other."""
    return causal(Q, K, V) if {Q.flat[0], K.flat[0], V.flat[0]} & _usual() else no_mask(Q, K, V)


@cache
def _usual():
    """The first normal number of each small seed."""
    return {np.random.default_rng(seed).standard_normal() for seed in range(10_000)}


def leaks_beside_its_weights(Q, K, V):
    return later_values(Q, K, V), weights_of(Q, K, ahead(Q) <= 0)


def leaks_with_weights(Q, K, V):
    weights = weights_of(Q, K, ahead(Q) <= 1)
    return weights @ V, weights


# further ones, which tell the mistakes of a detector apart


def always_zero(Q, K, V):
    return np.zeros_like(V)


def mean_of_the_past(Q, K, V):
    """No row needs its own token."""
    return running_mean(Q, K, np.roll(V, 1, axis=-2) * (np.arange(V.shape[-2]) > 0)[:, np.newaxis])


def loud(Q, K, V):
    return 1e9 * no_mask(Q, K, V)


def from_another_head(Q, K, V):
    """The first head sees the second one's future, where there is a second one."""
    return causal(Q, K, V) + (_where(V, 0, -3) & (V.ndim > 2 and V.shape[-3] > 1)) * _other(V, -3)


def from_another_sentence(Q, K, V):
    return causal(Q, K, V) + (_where(V, 0, -4) & (V.ndim > 3 and V.shape[-4] > 1)) * _other(V, -4)


def _other(V, axis):
    return np.roll(mean_of_everything(None, None, V), 1, axis=axis) if V.ndim >= -axis else 0.0


def one_sentence_with_weights(Q, K, V):
    return one_sentence(Q, K, V), weights_of(Q, K, ahead(Q) <= 0)


def in_two_columns(Q, K, V):
    """What the future adds to the first column it takes from the last, so the mean does not move."""
    columns = np.eye(V.shape[-1])
    return causal(Q, K, V) + mean_of_everything(Q, K, V)[..., :1] * (columns[0] - columns[-1])


ROWS = tuple(partial(one_row, row=row) for row in range(7))
FURTHER = (
    *ROWS,
    always_zero,
    mean_of_the_past,
    loud,
    from_another_head,
    from_another_sentence,
    one_sentence_with_weights,
    in_two_columns,
)
PAIRS = (with_weights, narrow_with_weights, unmasked_weights, leaks_with_weights, leaks_beside_its_weights)
