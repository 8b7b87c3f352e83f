"""project_qkv: three projections of the same tokens.

Seven aspects share the step equally. Each of the three results is a fact of its own, so a right Q earns
something beside a wrong K; a slip that shows only for other widths, for a batch or for whole numbers costs
that aspect alone. Only `tuple` insists on a tuple, so a list costs one share and no more. Half precision is
wrong in the third digit and fails them all.
"""

import numpy as np
import pytest

from autograder.selfcheck import agree


def inputs(rng, *batch, seq_len=5, d_model=7, d_k=3, d_v=3):
    x = rng.normal(size=(*batch, seq_len, d_model))
    return x, *(rng.normal(scale=0.5, size=(d_model, width)) for width in (d_k, d_k, d_v))


def unpacked(answer):
    """A list, or one array of three, taken apart: that it is no tuple is another aspect's fact."""
    return tuple(answer) if isinstance(answer, list | np.ndarray) and np.ndim(answer) else answer


def ordinary(rng):
    """Ordinary inputs, the same tokens or matrices beside others, and the limits of precision."""
    first, other = inputs(rng), inputs(rng)
    # Positive, so that nothing cancels: a cut shows in the large ones, rounding in the small ones.
    large, small = (
        tuple(np.ceil(np.abs(array) * 8) * size for array in inputs(rng)) for size in (2.0**10, 2.0**-13)
    )
    single = tuple(array.astype(np.float32) for array in inputs(rng))
    return [first, (first[0], *other[1:]), (other[0], *first[1:]), large, single, small]


def check(project_qkv, reference, rng, which):
    """One of the three results, where there are three."""
    for got, expected in project_qkv.beside(reference.project_qkv, ordinary(rng)):
        got, small = unpacked(got), np.abs(expected[which]).max() < 1e-3
        one = got[which] if isinstance(got, tuple) and len(got) == 3 else got
        agree(one, expected[which], rtol=1e-5 if small else None, atol=1e-12 if small else None)


@pytest.mark.clause("values")
def test_projects_the_queries(project_qkv, reference, rng):
    """The first result, Q, is x times W_Q, to at least single precision.

    第一个结果 Q 是 x 乘 W_Q，至少达到单精度。
    """
    check(project_qkv, reference, rng, 0)


@pytest.mark.clause("values")
def test_projects_the_keys(project_qkv, reference, rng):
    """The second result, K, is x times W_K, to at least single precision.

    第二个结果 K 是 x 乘 W_K，至少达到单精度。
    """
    check(project_qkv, reference, rng, 1)


@pytest.mark.clause("values")
def test_projects_the_values(project_qkv, reference, rng):
    """The third result, V, is x times W_V, to at least single precision.

    第三个结果 V 是 x 乘 W_V，至少达到单精度。
    """
    check(project_qkv, reference, rng, 2)


@pytest.mark.clause("tuple")
def test_returns_a_tuple_with_each_its_own_width(project_qkv, reference, rng):
    """The answer is a tuple of three arrays, and V may be wider or narrower than Q and K.

    返回由三个数组组成的元组；V 的宽度可以和 Q、K 不同。
    """
    cases = [
        inputs(rng, d_v=4),
        inputs(rng, d_k=5, d_v=1),
        inputs(rng, seq_len=6, d_model=6, d_k=6, d_v=6),
        inputs(rng, seq_len=1, d_model=2, d_k=1, d_v=9),
        inputs(rng, seq_len=2, d_model=1, d_k=5, d_v=2),
        inputs(rng, seq_len=40, d_model=20, d_k=17, d_v=2),
    ]
    for got, expected in project_qkv.beside(reference.project_qkv, cases):
        agree(got, expected)


@pytest.mark.clause("batch")
def test_projects_a_batch(project_qkv, reference, rng):
    """Any number of leading batch dimensions gives each item its own Q, K and V.

    前面有任意多个批次维度时，每一项都得到自己的 Q、K、V。
    """
    strided = inputs(rng, 2)
    strided = (np.swapaxes(np.swapaxes(strided[0], 0, 1).copy(), 0, 1), *strided[1:])
    cases = [inputs(rng, 2), inputs(rng, 5), inputs(rng, 1), inputs(rng, 2, 3), inputs(rng, 1, 2, 2), strided]
    for got, expected in project_qkv.beside(reference.project_qkv, cases):
        agree(unpacked(got), expected)


@pytest.mark.clause("integers")
def test_projects_whole_numbers(project_qkv, reference, rng):
    """Whole numbers in x or in the matrices lose nothing.

    x 或矩阵里是整数时，结果同样准确。
    """
    x, *matrices = inputs(rng)
    whole_x = rng.integers(-3, 4, size=x.shape)
    whole = tuple(rng.integers(-3, 4, size=matrix.shape) for matrix in matrices)
    cases = [(whole_x, *matrices), (x, *whole), (whole_x, *whole)]
    for got, expected in project_qkv.beside(reference.project_qkv, cases):
        agree(unpacked(got), expected)


@pytest.mark.safety  # zeros leave no trace either
@pytest.mark.clause("untouched")
def test_leaves_no_trace(project_qkv, reference, rng):
    """A call changes neither its arguments nor NumPy's global generator, and gives the same answer again.

    调用不改动参数，也不动 NumPy 的全局随机数生成器；再调用一次，答案相同。
    """
    case = inputs(rng)
    frozen = tuple(array.copy() for array in case)
    for array in frozen:
        array.flags.writeable = False
    first, _, again = (
        got for got, _ in project_qkv.beside(reference.project_qkv, [case, inputs(rng), frozen])
    )
    assert not project_qkv.effects.arguments
    assert not project_qkv.effects.generator
    agree(again, first)
