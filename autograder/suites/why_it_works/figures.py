"""The figures of saturation as chance gives them, and in pieces that a mistake can exchange.

A mistake is imitated to the digit where the numbers were drawn as the reference does. Who draws them in
another order is known by what comes out: for each mistake there is a symptom of the same name, which holds
the student's figures beside the mistake's, within the bounds of chance.
"""

import numpy as np

from autograder.model import Sentence
from autograder.suites import Mistake, Symptom

STEP = "saturation"
D_K, N_KEYS = 512, 10
WILD = (0.1165, 0.952, 0.717, 1.85e-4)  # unscaled: entropy, largest weight, share above 0.99, median norm
CALM = (1.923, 0.3203, 0.0, 0.3477)  # scaled
ENOUGH = 100  # rows, from which on a figure says something
FAR = np.array([0.1, 0.045, 0.11, 0.02])  # how far chance may carry each figure
NAMES = ("d_k", "n_keys", "n_rows", "rng", "scaled")


def drawn(d_k, n_keys, n_rows, rng):
    return rng.standard_normal((n_rows, d_k)), rng.standard_normal((n_keys, d_k))


def shares(scores, axis=-1):
    raised = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return raised / raised.sum(axis=axis, keepdims=True)


def weights_of(d_k, n_keys, n_rows, rng, scaled, axis=-1):
    Q, K = drawn(d_k, n_keys, n_rows, rng)
    return shares(Q @ K.T / (np.sqrt(d_k) if scaled else 1.0), axis)


def entropies(weights):
    return -(weights * np.log(np.where(weights > 0, weights, 1.0))).sum(axis=-1)


def jacobians(weights):
    return (
        np.eye(weights.shape[-1]) * weights[:, np.newaxis]
        - weights[:, :, np.newaxis] * weights[:, np.newaxis]
    )


def norms(weights):
    return np.linalg.norm(jacobians(weights), axis=(-1, -2))


def figures(weights):
    largest = weights.max(axis=-1)
    return entropies(weights).mean(), largest.mean(), (largest > 0.99).mean(), np.median(norms(weights))


def wrong(*, en, zh):
    """A mistake, and the symptom of it, in a tuple: `change(right, weights, arguments)` gives the figures."""

    def decorate(change):
        def imitates(correct, d_k, n_keys, n_rows, rng, scaled):
            arguments = (d_k, n_keys, n_rows, rng, scaled)
            state = rng.bit_generator.state
            weights = weights_of(*arguments)
            rng.bit_generator.state = state
            return change(figures(weights), weights, arguments)

        def shows(calls):
            large = [call for call in calls if call.answer.outcome == "returned" and call.args[2] >= ENOUGH]
            found = [(call, _guess(imitates, *call.args)) for call in large]
            tells = any(not _near(call.expected, guess) for call, guess in found)
            return tells and all(_near(call.answer.value, guess) for call, guess in found)

        sentence, name = Sentence(en, zh), change.__name__
        return Mistake(name, STEP, sentence, imitates, whole=True), Symptom(name, STEP, sentence, shows)

    return decorate


def _guess(imitates, d_k, n_keys, n_rows, seed, scaled):
    return imitates(None, d_k, n_keys, n_rows, seed.generator(), scaled)


def _near(answer, guess):
    """Whether four figures are the mistake's, within the bounds of chance."""
    if np.shape(answer) != (4,):
        return False
    return bool((np.abs(np.subtract(answer, guess)) <= FAR * np.maximum(1.0, np.abs(guess))).all())


def again(arguments, **how):
    """The figures with other arguments."""
    return figures(weights_of(**{**dict(zip(NAMES, arguments, strict=True)), **how}))
