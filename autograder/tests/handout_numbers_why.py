"""Where the numbers of why_it_works' handouts come from: the example backwards, and the experiments.

As in handout_numbers.py: a block follows its expression, a number in a sentence has its line in `SAID`.
"""

import importlib.util
from functools import cache

import numpy as np

from autograder.author.exercise import load_exercise
from autograder.grade.load import Source
from autograder.layout import KIT, Course
from autograder.tests import handout_numbers as first
from autograder.tests.handout_numbers import beside, dot_products, mask, output, share_saturated  # noqa: F401 (said in blocks)

EXERCISE = load_exercise(Course(KIT), "why_it_works")
FUNCTIONS = Source(KIT / "solutions" / "why_it_works.py", EXERCISE.given).functions()
softmax = FUNCTIONS["softmax"]
jacobian = FUNCTIONS["softmax_jacobian"]


def module(name):
    """A module that lies beside the handout."""
    file = KIT / "assignments" / "why_it_works" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, file)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


experiments = module("experiments")
Q, K, V, A, unmasked = first.Q, first.K, first.V, first.weights, first.free
G = np.ones((3, 5))
dA = G @ V.T
average = (A * dA).sum(axis=-1, keepdims=True)
dS = A * (dA - average)
dQ, dK, dV = FUNCTIONS["attention_backward"](Q, K, V, mask, G)
J = jacobian(A[2])


def norm(*weights):
    return np.linalg.norm(jacobian(np.array(weights)))


def fans():
    """For each pair of fans: the bound, and the variance of what comes out where what goes in has 1."""
    table = []
    for fan_in, fan_out in ((2, 4), (512, 512), (512, 64), (512, 1536)):
        bound = np.sqrt(6 / (fan_in + fan_out))
        table.append([fan_in, fan_out, bound, fan_in * bound**2 / 3])
    return table


@cache
def starts():
    """For each start: the sizes of the first gradients, first and last loss, largest weight of mouse."""
    table = []
    for zeros, shown in (((0, 1), [0]), ((0,), [0]), ((), [])):
        gradients, curve, rows = experiments.descent(
            FUNCTIONS["self_attention"], FUNCTIONS["xavier_uniform"], zeros
        )
        table.append([*shown, *gradients, curve[0], curve[-1], rows[2].max()])
    return table


def slips():
    """Row 1 (chases) of dQ: right, then with one slip after another."""

    def back(gradient, root=2.0, factor=K):
        return (gradient @ factor / root)[1]

    over_queries = A * (dA - (A * dA).sum(axis=0))
    plain = A * (dA - dA.mean(axis=-1, keepdims=True))
    without = unmasked * (dA - (unmasked * dA).sum(axis=-1, keepdims=True))
    return [
        back(dS),
        back(dS, root=1.0),
        back(dS, root=4.0),
        back(A * dA),
        back(plain),
        back(over_queries),
        back(without),
        back(dS, factor=Q),
    ]


def entropies(rows):
    return -np.where(rows > 0, rows * np.log(np.where(rows > 0, rows, 1)), 0).sum(axis=-1)


def sizes(rows):
    """The size of each row's Jacobian."""
    return np.linalg.norm(rows[:, :, None] * (np.eye(rows.shape[1]) - rows[:, None, :]), axis=(1, 2))


@cache
def saturation_numbers():
    """Without the division and with it, for three widths: the four numbers, 10 keys and 4000 rows."""
    table = []
    for scaled in (False, True):
        for d_k in (4, 64, 512):
            rows = softmax(dot_products(d_k, 10) / (np.sqrt(d_k) if scaled else 1))
            largest = rows.max(axis=-1).mean()
            measured = [entropies(rows).mean(), largest, share_saturated(rows), np.median(sizes(rows))]
            table.append([d_k, *measured])
    return table


def temperatures():
    """Temperatures, and for each the weights and the entropy of the row of mouse."""
    scores = np.array([-1, 2, 0])
    rows = [(T, FUNCTIONS["temperature_softmax"](scores, T)) for T in (0.5, 1, 2, 4, 64)]
    return [[T, *weights, entropies(weights)] for T, weights in rows]


def attention(Q, K, V, mask):
    scores = FUNCTIONS["apply_mask"](FUNCTIONS["scaled_scores"](Q, K), mask)
    return FUNCTIONS["weighted_sum"](softmax(scores), V)


@cache
def trained(causal):
    """The model after training, and its losses."""
    parts = (attention, FUNCTIONS["attention_backward"], FUNCTIONS["xavier_uniform"])
    return experiments.train(*parts, causal)


def experiment():
    """With the mask and without: the last losses, the letters right, and the same letter by letter."""
    table = []
    for causal in (True, False):
        model, losses = trained(causal)
        right, _ = experiments.judge(attention, model, causal)
        table.append([losses[-20:].mean(), right.mean(), *right])
    return table


def sentence(causal):
    """What the model writes after the word of the handout."""
    return experiments.judge(attention, trained(causal)[0], causal)[1]


def attended(causal):
    """The weights of the trained model, position by position, averaged over 200 new words."""
    words = np.random.default_rng(5).integers(1, len(experiments.LETTERS), (200, experiments.WORD))
    seen = experiments._seen(experiments._texts(words)[:, :-1])
    queries, keys = (seen @ matrix for matrix in trained(causal)[0][:2])
    allowed = experiments._mask(experiments.LENGTH, causal)
    scores = FUNCTIONS["apply_mask"](FUNCTIONS["scaled_scores"](queries, keys), allowed)
    return softmax(scores).mean(axis=0)


# section -> number as it is said -> where it comes from
SAID = {
    "example": {
        "0.140": lambda: A[2, 0],
        "0.629": lambda: A[2, 1],
        "0.231": lambda: A[2, 2],
        "4.219": lambda: average[2, 0],
        "0.390": lambda: dS[2, 0],
        "2.652": lambda: -dS[2, 1],
        "2.262": lambda: dS[2, 2],
        "1.958": lambda: dV[0, 0],
        "0.811": lambda: dV[1, 0],
    },
    "saturation": {
        "0.99": lambda: 0.99,
        "2.303": lambda: np.log(10),
        "0.067": lambda: sizes(softmax(dot_products(512, 10))).mean(),
    },
    "experiment": {"2.079": lambda: np.log(8), "1.040": lambda: np.log(8) / 2},
    "why_the_leak_looks_better": {
        "0.03": lambda: trained(False)[1][-20:].mean(),
        "1.040": lambda: np.log(8) / 2,
    },
    "often told": {"1.778": lambda: fans()[2][3], "3.160": lambda: fans()[2][3] ** 2},
}
NAMES = {name: value for name, value in globals().items() if not name.startswith("_")}
