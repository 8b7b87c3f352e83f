"""The reference agrees with an implementation that is not ours: ONNX's Attention operator, opset 23."""

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from autograder.tests.grading import reference as functions
from autograder.tests.handout_numbers import reference

OPSET = 23
SINGLE = {"rtol": 1e-4, "atol": 1e-5}
DOUBLE = {"rtol": 1e-10, "atol": 1e-12}


def attention(kind, *, causal=False, masked=False):
    """ONNX's own evaluator of one Attention node."""
    names = ["Q", "K", "V", *(["mask"] if masked else [])]
    kinds = [kind] * 3 + [TensorProto.BOOL] * masked
    node = helper.make_node("Attention", names, ["output"], is_causal=int(causal))
    inputs = [
        helper.make_tensor_value_info(name, type_, None) for name, type_ in zip(names, kinds, strict=True)
    ]
    graph = helper.make_graph([node], "g", inputs, [helper.make_tensor_value_info("output", kind, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    return ReferenceEvaluator(model)


KINDS = {np.float32: TensorProto.FLOAT, np.float64: TensorProto.DOUBLE}
PLAIN = {
    (dtype, causal): attention(kind, causal=causal)
    for dtype, kind in KINDS.items()
    for causal in (False, True)
}
MASKED = {dtype: attention(kind, masked=True) for dtype, kind in KINDS.items()}
sizes = st.integers(1, 6)
shapes = st.tuples(sizes, sizes, sizes, sizes, sizes, sizes)
dtypes = st.sampled_from(list(KINDS))
seeds = st.integers(0, 2**32 - 1)
ours = settings(deadline=None, max_examples=60, derandomize=True)


def qkv(seed, dtype, shape):
    batch, heads, n_queries, n_keys, d_k, d_v = shape
    rng = np.random.default_rng(seed)
    lengths = ((n_queries, d_k), (n_keys, d_k), (n_keys, d_v))
    return [rng.normal(scale=2.0, size=(batch, heads, *rest)).astype(dtype) for rest in lengths]


def attended(Q, K, V, mask):
    weights = reference.softmax(reference.apply_mask(reference.scaled_scores(Q, K), mask))
    return reference.weighted_sum(weights, V)


def close(got, expected, dtype):
    np.testing.assert_allclose(got, expected, **(SINGLE if dtype is np.float32 else DOUBLE))


@ours
@given(seeds, dtypes, shapes, st.data())
def test_any_mask_that_broadcasts(seed, dtype, shape, data):
    batch, heads, n_queries, n_keys, *_ = shape
    Q, K, V = qkv(seed, dtype, shape)
    axes = [data.draw(st.sampled_from([1, size])) for size in (batch, heads)]
    mask = np.random.default_rng(seed + 1).random((*axes, n_queries, n_keys)) < 0.6
    some = mask.any(axis=-1)
    mask[..., 0] |= ~some  # what an empty row gives is ours to say: see below
    expected = MASKED[dtype].run(None, {"Q": Q, "K": K, "V": V, "mask": mask})[0]
    close(attended(Q, K, V, mask), expected, dtype)


@ours
@given(seeds, dtypes, st.tuples(sizes, sizes, sizes, sizes, sizes), st.booleans())
def test_the_whole_chain(seed, dtype, shape, causal):
    batch, seq_len, d_model, d_k, d_v = shape
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(batch, 1, seq_len, d_model)).astype(dtype)
    matrices = [rng.normal(size=(d_model, width)).astype(dtype) for width in (d_k, d_k, d_v)]
    Q, K, V = (x @ matrix for matrix in matrices)
    expected = PLAIN[dtype, causal].run(None, {"Q": Q, "K": K, "V": V})[0]
    output, weights = reference.self_attention(x, *matrices, causal=causal)
    close(output, expected, dtype)
    close(weights.sum(axis=-1), np.ones(weights.shape[:-1]), dtype)


@pytest.mark.parametrize("axis", [-1, 0, 1])
def test_a_row_without_keys_gives_zeros_and_leaves_the_others(axis):
    scores = np.random.default_rng(0).normal(size=(4, 5))
    rest = reference.softmax(scores, axis=axis)
    empty = np.moveaxis(scores.copy(), axis, -1)
    empty[2] = -np.inf
    found = np.moveaxis(reference.softmax(np.moveaxis(empty, -1, axis), axis=axis), axis, -1)
    assert not found[2].any()
    np.testing.assert_array_equal(
        np.delete(found, 2, axis=0), np.delete(np.moveaxis(rest, axis, -1), 2, axis=0)
    )


def test_whole_numbers_are_taken_like_floats():
    x = np.array([[1, 0], [0, 1], [2, 1]])
    matrices = [np.arange(6).reshape(2, 3) % 4 - 1 for _ in range(3)]
    floats = [array.astype(float) for array in (x, *matrices)]
    for got, expected in zip(
        reference.self_attention(x, *matrices, causal=True),
        reference.self_attention(*floats, causal=True),
        strict=True,
    ):
        np.testing.assert_array_equal(got, expected)


def test_the_operator_is_the_one_that_is_named():
    assert onnx.defs.get_schema("Attention", OPSET).since_version == OPSET


# --- several heads ---

HEADS = functions("multi_head_attention")


@ours
@given(seeds, dtypes, st.tuples(sizes, sizes, sizes, sizes, sizes, sizes, sizes), st.booleans())
def test_several_heads(seed, dtype, shape, causal):
    """Against ONNX's operator with the heads on its second axis, cut out here one by one."""
    batch, seq_len, d_model, n_heads, d_k, d_v, d_out = shape
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(batch, seq_len, d_model)).astype(dtype)
    widths = (n_heads * d_k, n_heads * d_k, n_heads * d_v)
    matrices = [rng.normal(size=(d_model, width)).astype(dtype) for width in widths]
    W_O = rng.normal(size=(n_heads * d_v, d_out)).astype(dtype)
    Q, K, V = (np.stack(np.split(x @ matrix, n_heads, axis=-1), axis=1) for matrix in matrices)
    heads = PLAIN[dtype, causal].run(None, {"Q": Q, "K": K, "V": V})[0]
    output, weights = HEADS["multi_head_attention"](x, *matrices, W_O, n_heads, causal=causal)
    close(output, np.concatenate(list(np.moveaxis(heads, 1, 0)), axis=-1) @ W_O, dtype)
    assert weights.shape == (batch, n_heads, seq_len, seq_len)


@ours
@given(seeds, st.tuples(sizes, sizes, sizes, sizes, sizes), st.booleans())
def test_heads_are_single_attentions_side_by_side(seed, shape, causal):
    seq_len, d_model, n_heads, d_k, d_v = shape
    rng = np.random.default_rng(seed)
    x, W_O = rng.normal(size=(seq_len, d_model)), rng.normal(size=(n_heads * d_v, 3))
    matrices = [rng.normal(size=(d_model, n_heads * width)) for width in (d_k, d_k, d_v)]
    each = zip(*(np.split(matrix, n_heads, axis=-1) for matrix in matrices), strict=True)
    single = [reference.self_attention(x, *of_head, causal=causal) for of_head in each]
    output, weights = HEADS["multi_head_attention"](x, *matrices, W_O, n_heads, causal=causal)
    np.testing.assert_allclose(output, np.hstack([pair[0] for pair in single]) @ W_O, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(weights, np.stack([pair[1] for pair in single]), rtol=1e-12, atol=1e-15)


@ours
@given(seeds, st.lists(sizes, max_size=2), st.tuples(sizes, sizes, sizes))
def test_splitting_and_merging_undo_each_other(seed, batch, shape):
    seq_len, n_heads, d = shape
    x = np.random.default_rng(seed).normal(size=(*batch, seq_len, n_heads * d))
    heads = HEADS["split_heads"](x, n_heads)
    assert heads.shape == (*batch, n_heads, seq_len, d)
    for head in range(n_heads):
        np.testing.assert_array_equal(heads[..., head, :, :], x[..., head * d : (head + 1) * d])
    np.testing.assert_array_equal(HEADS["merge_heads"](heads), x)


@ours
@given(seeds, sizes, sizes, sizes)
def test_a_padded_batch_of_several_heads_gives_what_its_sentences_give_alone(seed, batch, n_heads, d_k):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 7, size=batch)
    Q, K, V = rng.normal(size=(3, batch, n_heads, 6, d_k))
    padding = HEADS["padding_mask"](lengths, 6)
    mask = HEADS["combine_masks"](padding[:, np.newaxis], reference.causal_mask(6))
    found = attended(Q, K, V, mask)
    for b, n in enumerate(lengths):
        alone = attended(*(part[b, :, :n] for part in (Q, K, V)), reference.causal_mask(n))
        np.testing.assert_allclose(found[b, :, :n], alone, rtol=1e-10, atol=1e-12)
