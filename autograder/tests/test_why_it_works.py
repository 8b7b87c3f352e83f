"""What the suite of why_it_works rests on: gradients, figures and the bounds of chance, the size of leaks."""

import numpy as np
import pytest

from autograder.grade.suite import Suite
from autograder.layout import KIT, Course
from autograder.selfcheck.laws_of_gradients import attention, differences
from autograder.suites.why_it_works import attentions
from autograder.suites.why_it_works.figures import CALM, D_K, N_KEYS, WILD, norms, shares
from autograder.suites.why_it_works.gradients import allowed, inputs
from autograder.tests.grading import reference

RIGHT = reference("why_it_works")
STEPS = [name for name in RIGHT if (Course(KIT).suite("why_it_works") / f"test_{name}.py").is_file()]
LEAKING = [
    *("no_mask", "mean_of_everything", "only_the_future", "off_by_one", "far_ahead", "one_row", "one_head"),
    *(
        "one_sentence",
        "one_column",
        "centred_queries",
        "denominators",
        "later_values",
        "scaled_by_all",
        "tiny",
    ),
    *("leaks_with_weights", "loud", "from_another_head", "from_another_sentence"),
    *("one_sentence_with_weights", "in_two_columns", "one_entry", "tiny_in_a_large_output"),
    *("unless_foreseen", "leaks_beside_its_weights"),
]
SOUND = [
    *("causal", "only_the_past", "window", "only_itself", "running_mean", "another_window_for_each_head"),
    *("unit_keys", "centred_keys", "another_order", "with_weights", "narrow_with_weights", "always_zero"),
    *("mean_of_the_past", "unmasked_weights", "read_only"),
]


# gradients


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)], ids=str)
@pytest.mark.parametrize("masked", [False, True])
def test_the_reference_agrees_with_central_differences(batch, masked):
    rng = np.random.default_rng(3)
    mask = allowed(rng, *batch, 4, 5) if masked else None
    *arrays, _, d_output = inputs(rng, *batch, n_queries=4, n_keys=5, d_k=3, d_v=2, mask=mask)
    for index, gradient in enumerate(RIGHT["attention_backward"](*arrays, mask, d_output)):

        def loss(array, index=index):
            return (attention(*arrays[:index], array, *arrays[index + 1 :], mask) * d_output).sum()

        np.testing.assert_allclose(gradient, differences(loss, arrays[index]), atol=1e-8)


def test_with_queries_and_keys_of_zeros_nothing_moves_them_for_ever():
    rng = np.random.default_rng(0)
    x, V = rng.normal(size=(5, 3)), rng.normal(size=(5, 4))
    both, alone = ([np.zeros((3, 2)), W_K] for W_K in (np.zeros((3, 2)), rng.normal(size=(3, 2))))
    for W_Q, W_K in (both, alone):
        for _ in range(5):
            dQ, dK, _ = RIGHT["attention_backward"](x @ W_Q, x @ W_K, V, None, rng.normal(size=(5, 4)))
            W_Q -= x.T @ dQ
            W_K -= x.T @ dK
    assert not any(matrix.any() for matrix in both)
    assert all(matrix.any() for matrix in alone)


# figures


def figures_of(scaled, own_keys, repeats, rows):
    """Many measurements of so many rows, with keys in common or each row with its own."""
    rng, found = np.random.default_rng([scaled, own_keys]), []
    for _ in range(repeats):
        Q = rng.standard_normal((rows, 1, D_K))
        K = rng.standard_normal((rows if own_keys else 1, N_KEYS, D_K))
        weights = shares((Q @ np.swapaxes(K, -1, -2))[:, 0] / (np.sqrt(D_K) if scaled else 1.0))
        largest = weights.max(axis=-1)
        entropy = -(weights * np.log(weights)).sum(axis=-1)
        found.append((entropy.mean(), largest.mean(), (largest > 0.99).mean(), np.median(norms(weights))))
    return np.array(found)


# Of each figure: the rows that the suite asks for, and the distance that it allows.
BOUNDS = {
    False: [(400, 0.08), (400, 0.04), (900, 0.098)],
    True: [(100, 0.15), (100, 0.08), None, (100, 0.016)],
}


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("own_keys", [False, True])
def test_the_figures_are_the_course_s_and_chance_stays_within_the_bounds(scaled, own_keys):
    rows = 100
    found = figures_of(scaled, own_keys, 60, rows)
    expected = CALM if scaled else WILD
    for index, bound in enumerate(BOUNDS[scaled]):
        if bound is not None:
            asked, allowed_distance = bound
            deviation = found[:, index].std() * np.sqrt(rows / asked)
            assert 6.1 * deviation < allowed_distance  # missed in less than one of 10^9 draws
            assert abs(found[:, index].mean() - expected[index]) < 0.2 * allowed_distance
    if not scaled:
        logarithms = np.log10(found[:, 3])
        assert 6.1 * logarithms.std() * np.sqrt(rows / 400) < 1.85
        assert abs(logarithms.mean() - np.log10(expected[3])) < 0.3


# leaks


def largest_leak(name, seed):
    """How much an earlier row changes at most, for the inputs that the contract promises."""
    rng, function = np.random.default_rng(seed), getattr(attentions, name)
    drawn = [rng.standard_normal((2, 3, 8, width)) for width in (4, 4, 5)]
    answer = function(*drawn)
    before, most = answer[0] if isinstance(answer, tuple) else answer, 0.0
    for position in range(1, 8):
        later = [array.copy() for array in drawn]
        for array in later:
            array[..., position:, :] = rng.standard_normal(array[..., position:, :].shape)
        answer = function(*later)
        after = answer[0] if isinstance(answer, tuple) else answer
        most = max(most, np.abs(after - before)[..., :position, :].max())
    return most


@pytest.mark.parametrize("name", LEAKING)
def test_a_leak_is_as_large_as_the_contract_says(name):
    assert min(largest_leak(name, seed) for seed in range(10_000, 10_005)) > 1e-6


@pytest.mark.parametrize("name", SOUND)
def test_what_is_sound_differs_by_rounding_alone(name):
    assert max(largest_leak(name, seed) for seed in range(5)) < 5e-13


def test_every_attention_is_known_to_leak_or_not():
    functions = {
        n for n, one in vars(attentions).items() if callable(one) and one.__module__ == attentions.__name__
    }
    helpers = {"weights_of", "ahead", "attend", "_where", "_other", "_usual"}
    assert functions - helpers == {*LEAKING, *SOUND}


@pytest.mark.parametrize("name", [*LEAKING, *SOUND])
def test_the_reference_tells_them_apart_for_any_seed(name):
    function, seeds = getattr(attentions, name), range(10_000, 10_010)
    answers = {RIGHT["finds_leak"](function, np.random.default_rng(seed)) for seed in seeds}
    assert answers == {name in LEAKING}


# the whole suite


@pytest.mark.parametrize("seed", [b"one", b"two", b"three"], ids=str)
def test_the_reference_passes_whatever_a_course_s_seed_is(seed):
    suite = Suite(Course(KIT).suite("why_it_works"), STEPS, RIGHT, seed)
    assert not {test.name: test.broken for test in suite.tests if test.broken is not None}
