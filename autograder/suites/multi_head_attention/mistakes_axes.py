"""What goes wrong with the axes of batch and heads, told by what it does, where no mistake explains it all.

A function that counts on so many axes raises for others, so none of the mistakes answers every call alike.
"""

import numpy as np

from autograder.model import Sentence
from autograder.suites import Symptom
from autograder.suites.multi_head_attention.heads import masked, merge, parts, scores_of, shares, split
from autograder.suites.self_attention.mistakes import right

PLAIN = {"split_heads": 2, "merge_heads": 3, "multi_head_attention": 2}  # axes of x without a batch


def of(*steps, en, zh):
    """A symptom of these steps, in a tuple; it sees the calls that have a right answer."""

    def decorate(shows) -> tuple[Symptom, ...]:
        sentence = Sentence(en, zh)
        return tuple(Symptom(shows.__name__, step, sentence, _seen(shows, step)) for step in steps)

    return decorate


def _seen(shows, step):
    return lambda calls: shows([call for call in calls if call.expected is not None], step)


@of(
    *PLAIN,
    en="Right with one batch axis and wrong without: count axes from the end, so any may stand in front.",
    zh="恰好有一个批次轴时都对，没有时就不对：轴要从后面数，前面有几个都行。",
)
def counts_on_a_batch(calls, step):
    one = [call for call in calls if call.args[0].ndim == PLAIN[step] + 1]
    none = [call for call in calls if call.args[0].ndim == PLAIN[step]]
    return all(map(right, one)) and not any(map(right, none))


@of(
    "merge_heads",
    en="Right without a batch and wrong with one: axes are counted from the front, or all turned round.",
    zh="没有批次时都对，有批次就不对：某个轴是从前面数的，或所有轴都被倒转了。",
)
def forgets_the_batch(calls, step):
    flat = [call for call in calls if call.args[0].ndim == PLAIN[step]]
    batch = [call for call in calls if call.args[0].ndim > PLAIN[step] and call.args[0].shape[0] > 1]
    return all(map(right, flat)) and not any(map(right, batch))


@of(
    *PLAIN,
    en="A reshape alone cut or joined the heads: tokens are made of scraps. Two axes must change places.",
    zh="只用 reshape 切开或合并各头：词元是用别的词元的碎片拼成的。还要交换两个轴。",
)
def makes_tokens_of_scraps(calls, step):
    wrong = [call for call in calls if call.answer.outcome == "returned" and not right(call)]
    scraps = [call for call in wrong if any(_alike(call.answer.value, one) for one in _scraps(call, step))]
    return len(scraps) > 1 and 2 * len(scraps) >= len(wrong)


def _scraps(call, step):
    """What the step gives where heads are cut, or joined, or both, by a reshape alone."""
    if step != "multi_head_attention":
        yield call.args[0].reshape(call.expected.shape)
        return
    x, W_Q, W_K, W_V, W_O, n_heads, causal = (*call.args, call.kwargs.get("causal", False))[:7]
    for cut, join in ((_cut, merge), (split, _join), (_cut, _join)):
        Q, K, V = parts(x, W_Q, W_K, W_V, n_heads, cut)
        weights = shares(masked(scores_of(Q, K), causal))
        yield join(weights @ V) @ W_O, weights


def _cut(x, n_heads):
    return x.reshape(*x.shape[:-2], n_heads, x.shape[-2], x.shape[-1] // n_heads)


def _join(heads):
    return heads.reshape(*heads.shape[:-3], heads.shape[-2], -1)


def _alike(got, one):
    if isinstance(one, tuple):
        return isinstance(got, tuple) and len(got) == 2 and all(map(_alike, got, one))
    return np.shape(got) == one.shape and np.allclose(got, one, rtol=1e-4, atol=1e-5)


@of(
    "split_heads",
    "merge_heads",
    en="All numbers are there, and some in the wrong place: reshape one axis, then let two change places.",
    zh="数都在，有些放错了位置：先用 reshape 切或合一个轴，再让两个轴换位置。",
)
def scatters_the_numbers(calls, step):
    flat = [call for call in calls if call.args[0].ndim == PLAIN[step] and call.answer.outcome == "returned"]
    wrong = [call for call in flat if not right(call)]
    return len(wrong) > 1 and all(_permuted(call.answer.value, call.expected) for call in wrong)


def _permuted(got, expected):
    return np.shape(got) == expected.shape and np.allclose(
        np.sort(got, axis=None), np.sort(expected, axis=None)
    )
