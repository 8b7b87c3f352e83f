"""Where the numbers of multi_head_attention's handouts come from: the example, its slips, the question.

As in handout_numbers.py: a block follows its expression, a number in a sentence has its line in `SAID`.
"""

from functools import cache

import numpy as np

from autograder.author.exercise import load_exercise
from autograder.grade.load import Source
from autograder.layout import KIT, Course
from autograder.tests.handout_numbers import beside

EXERCISE = load_exercise(Course(KIT), "multi_head_attention")
_SOURCE = Source(KIT / "solutions" / "multi_head_attention.py", EXERCISE.given)
FUNCTIONS = _SOURCE.functions()
split, merge, softmax = (FUNCTIONS[name] for name in ("split_heads", "merge_heads", "softmax"))

x = np.array([[1, 0], [0, 1], [2, 1]])
W_Q = np.array([[-1, -1, 1, 0, 2, 0, 0, 1], [1, 0, 0, 1, 0, 1, 2, 0]])
W_K = np.array([[2, 0, 0, 1, -1, -1, 1, 0], [0, 1, 2, 0, 1, 0, 0, 1]])
W_V = np.array([[0, 1, 1, 2, 3, 0, 2, 0, 1, 0], [1, -1, 1, 0, -1, 1, 0, 1, 0, 2]])
W_O = np.zeros((10, 2))
W_O[[3, 4, 5, 6], [0, 1, 0, 1]] = [1, 1, 1, -1]
Q = x @ W_Q
divided = split(Q, 2)
naive = Q.reshape(2, 3, 4)
mask = np.tri(3, dtype=bool)
output, weights = FUNCTIONS["multi_head_attention"](x, W_Q, W_K, W_V, W_O, 2, causal=True)
heads = weights @ split(x @ W_V, 2)
merged = merge(heads)
wrongly_merged = heads.reshape(3, 10)
wide = softmax(np.where(mask, Q @ (x @ W_K).T / np.sqrt(8), -np.inf))


def attended(cut=split, join=merge, root=2.0, allowed=mask):
    """The example's output, with one part or another exchanged."""
    queries, keys, values = (cut(x @ matrix, 2) for matrix in (W_Q, W_K, W_V))
    scores = queries @ keys.swapaxes(-1, -2) / root
    return join(softmax(np.where(allowed, scores, -np.inf)) @ values) @ W_O


def slips():
    """Row 1 (chases) of the causal output: right, then with one slip after another."""

    def cut(part, n_heads):
        return part.reshape(n_heads, 3, -1)

    def join(part):
        return part.reshape(3, -1)

    found = (
        output,
        attended(cut=cut),
        attended(join=join),
        attended(cut=cut, join=join),
        attended(join=lambda part: np.moveaxis(part, 0, -1).reshape(3, -1)),
        attended(root=1.0),
        attended(root=np.sqrt(8)),
        merge(wide @ split(x @ W_V, 2)) @ W_O,
        attended(allowed=True),
        attended(allowed=mask.T),
    )
    return [wrong[1] for wrong in found]


@cache
def why_heads_table():
    """For each number of heads: numbers in the matrices, rank of head 0's scores, difference of two heads."""
    draw = np.random.default_rng(0)
    tokens = draw.standard_normal((32, 64))
    matrices = [draw.standard_normal((64, 64)) / 8 for _ in range(4)]
    table = []
    for n_heads in (1, 4, 16, 64):
        queries, keys = (split(tokens @ matrix, n_heads) for matrix in matrices[:2])
        rows = FUNCTIONS["multi_head_attention"](tokens, *matrices, n_heads)[1]
        apart = np.abs(rows[:, np.newaxis] - rows).sum(axis=-1).mean(axis=-1) / 2
        pairs = apart[~np.eye(n_heads, dtype=bool)]
        rank = np.linalg.matrix_rank(queries[0] @ keys[0].T)
        row = [n_heads, sum(matrix.size for matrix in matrices), rank]
        table.append([*row, pairs.mean()] if n_heads > 1 else row)
    return table


# section -> number as it is said -> where it comes from
SAID = {
    "example": {
        "0.818": lambda: weights[0, 1, 0],
        "0.182": lambda: weights[0, 1, 1],
        "0.622": lambda: weights[1, 1, 0],
        "0.378": lambda: weights[1, 1, 1],
        "0.635": lambda: merged[1, 1],
        "1.635": lambda: merged[1, 3],
        "2.270": lambda: merged[1, 4],
        "1.245": lambda: merged[1, 6],
        "0.755": lambda: merged[1, 9],
        "2.013": lambda: output[1, 0],
        "1.025": lambda: output[1, 1],
    },
    "multi_head_attention": {
        "0.140": lambda: weights[0, 2, 0],
        "0.629": lambda: weights[0, 2, 1],
        "0.231": lambda: weights[0, 2, 2],
        "0.010": lambda: weights[1, 2, 0],
        "0.943": lambda: weights[1, 2, 1],
        "0.047": lambda: weights[1, 2, 2],
    },
}
NAMES = {name: value for name, value in globals().items() if not name.startswith("_")} | {"beside": beside}
