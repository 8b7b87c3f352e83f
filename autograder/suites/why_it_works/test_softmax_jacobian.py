"""softmax_jacobian: TODO: what must hold, and how the aspects share the step.

Three aspects share the step equally.
"""

import pytest

from autograder.selfcheck import agree

AXES = ("n",)  # names of the last axes of what the step returns


def inputs(rng, *batch, n=5):
    """TODO: inputs on which a wrong answer shows: no two sizes equal, none 1 or 4."""
    return (rng.normal(size=(*batch, 3, n)),)


@pytest.mark.clause("values")
def test_gives_the_right_values(softmax_jacobian, reference, rng):
    """TODO: the fact, in one sentence.

    TODO：同一件事，用一句话说。
    """
    for got, expected in softmax_jacobian.beside(reference.softmax_jacobian, [inputs(rng), inputs(rng, n=7)]):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("batch")
def test_treats_each_item_of_a_batch_alone(softmax_jacobian, reference, rng):
    """Any number of leading batch dimensions gives each item its own answer.

    前面有任意多个批次维度时，每一项都得到自己的结果。
    """
    for got, expected in softmax_jacobian.beside(
        reference.softmax_jacobian, [inputs(rng, 2), inputs(rng, 2, 6)]
    ):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("untouched")
@pytest.mark.safety  # a lazy answer passes this, so alone it earns nothing
def test_leaves_everything_as_it_was(softmax_jacobian, rng):
    """A call changes neither its arguments nor NumPy's global generator.

    调用既不改动参数，也不动 NumPy 的全局随机数生成器。
    """
    softmax_jacobian(*inputs(rng))
    assert not softmax_jacobian.effects.arguments
    assert not softmax_jacobian.effects.generator
