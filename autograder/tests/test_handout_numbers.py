"""The handouts' numbers come from running the reference, and what they claim holds."""

import ast
import doctest
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from autograder.author.given import importable
from autograder.grade.load import Source
from autograder.layout import KIT
from autograder.tests import handout_numbers, handout_numbers_heads, handout_numbers_why
from autograder.tests.handouts import (
    BLOCK,
    EXERCISES,
    LANGUAGES,
    SECTIONS,
    TEXTS,
    both,
    each,
    each_section,
    each_step,
    named,
    prose,
)

NUMBERS = {
    "self_attention": handout_numbers,
    "multi_head_attention": handout_numbers_heads,
    "why_it_works": handout_numbers_why,
}
NUMBER = re.compile(r"(?<![\w.])-?(?:inf\b|\d+(?:\.\d+)?(?: %)?)")
HEADS = [(handout_numbers.W_Q, handout_numbers.W_K), (handout_numbers.W_K, handout_numbers.W_Q)]


def flat(value):
    """All numbers of an expression's value, in order."""
    if isinstance(value, list | tuple | np.ndarray):
        return [number for item in value for number in flat(item)]
    return [float(value)]


def shown(value, like):
    """The value as the text would print it, with as many decimals as `like` has."""
    if like.endswith(" %"):
        return f"{100 * value:.0f} %"
    if "." in like:
        return f"{value + 0.0:.{len(like.split('.')[1])}f}".replace("-0.000", "0.000")
    return f"{value:g}"  # a number without decimals is exact


# --- every number is computed ---


def blocks():
    return [
        pytest.param(name, expression, block, id=f"{name}-{language}-{key}-{i}")
        for name in NUMBERS
        for language in LANGUAGES
        for key, section in named(name, language).items()
        for i, (expression, block) in enumerate(BLOCK.findall(section.text))
    ]


@pytest.mark.parametrize("name, expression, block", blocks())
def test_a_block_of_numbers_is_what_its_expression_gives(name, expression, block):
    printed = NUMBER.findall(block)
    values = flat(eval(expression, dict(NUMBERS[name].NAMES)))
    assert len(printed) == len(values)
    assert printed == [shown(value, like) for value, like in zip(values, printed, strict=True)]


@each_section
@both
def test_a_number_in_a_sentence_is_computed(name, key, language):
    said = NUMBERS[name].SAID.get(key, {})
    text = prose(named(name, language)[key].text)
    printed = {number for number in NUMBER.findall(text) if "." in number or "%" in number}
    assert printed == set(said)
    assert {like: shown(value(), like) for like, value in said.items()} == {like: like for like in said}


@each
def test_blocks_are_where_numbers_stand(name):
    """A fence of text or a table that is not announced as numbers holds no decimals."""
    for text in TEXTS[name].values():
        rest = BLOCK.sub("", text)
        tables = "".join(re.findall(r"^\|.*\n", rest, re.M)) + "".join(
            re.findall(r"```text.*?```", rest, re.S)
        )
        assert not re.search(r"\d\.\d", tables)


PRINTED = {
    "self_attention": ("[0.818 0.182 0.   ]", "permuted likewise: True"),
    "multi_head_attention": ("[2.013 1.025]", "as before: True", "as single heads: True"),
    "why_it_works": ("[ 1.044 -0.522 -1.044  0.522]", "off_by_one True", "gbdbef        100%"),
}


@each
@both
def test_the_cells_run_from_top_to_bottom(name, language, capsys):
    exercise, numbers = EXERCISES[name], NUMBERS[name]
    beside_it = {Path(file).stem: text for file, text in exercise.files.items()}
    names = {"np": np}
    with np.printoptions(), importable(exercise.given | beside_it):
        exec("\n".join([*exercise.given.values(), exercise.code]), names)
        for section in SECTIONS[name][language]:
            for piece in section.pieces:
                if piece.kind == "code":
                    exec(piece.text, names)
    printed = capsys.readouterr().out
    assert not [words for words in PRINTED[name] if words not in printed]
    assert np.array_equal(names["output"], numbers.output)


@both
def test_the_chapters_draws_are_those_of_the_numbers(language):
    fence = re.search(
        r"```python\n(.*?)```", named("self_attention", language)["self_attention"].text, re.S
    ).group(1)
    names = {"np": np}
    exec(fence, names)
    for got, expected in zip(
        (names[name] for name in ("x", "W_Q", "W_K", "W_V")), handout_numbers.chapter(), strict=True
    ):
        assert np.array_equal(got, expected)


# --- what is claimed holds ---


def test_with_both_matrices_zero_only_the_values_learn():
    zero = np.zeros((2, 4))
    norms = handout_numbers.gradients(zero, zero, steps=200)
    assert not norms[:, :2].any()
    assert (norms[:, 2] > 0).all()


def test_with_only_the_queries_matrix_zero_training_escapes():
    norms = handout_numbers.gradients(np.zeros((2, 4)), handout_numbers.W_K, steps=2)
    assert norms[0, 1] == 0
    assert norms[0, 0] > 0
    assert norms[1, 1] > 0


def test_with_one_matrix_for_both_the_scores_are_symmetric_and_the_weights_are_not():
    h = handout_numbers
    scores = h.reference.scaled_scores(h.Q, h.Q)
    assert np.array_equal(scores, scores.T)
    assert not np.allclose(h.softmax(scores), h.softmax(scores).T)


def test_several_heads_are_not_one_wide_attention():
    """Heads side by side weigh the tokens differently; one wide head has a single row of weights for both."""
    h = handout_numbers
    first, second = (h.reference.self_attention(h.x, *matrices, h.W_V)[1] for matrices in HEADS)
    wide = h.reference.self_attention(h.x, *(np.hstack(pair) for pair in zip(*HEADS, strict=True)), h.W_V)[1]
    assert not np.allclose(first, second)
    assert not np.allclose(wide, first)
    assert not np.allclose(wide, second)


def test_without_a_mask_permuted_tokens_give_permuted_outputs_and_with_it_they_do_not():
    h, order = handout_numbers, [2, 0, 1]
    for causal in (False, True):
        plain, permuted = (
            h.reference.self_attention(tokens, h.W_Q, h.W_K, h.W_V, causal)[0] for tokens in (h.x, h.x[order])
        )
        assert np.allclose(plain[order], permuted) != causal


def test_an_output_row_tells_its_weights():
    o = handout_numbers.output.T
    read = np.stack([1 - o[0], (1 - o[1]) / 2, (o[2] - 1) / 2], axis=-1)
    assert np.allclose(read, handout_numbers.weights)


def test_no_two_sizes_of_the_example_are_equal():
    assert (
        len({*handout_numbers.x.shape, *handout_numbers.W_Q.shape[1:], *handout_numbers.W_V.shape[1:]}) == 4
    )


def test_renormalising_fails_only_where_the_allowed_weights_have_vanished():
    h = handout_numbers
    zeroed = np.where(h.mask, h.free, 0)
    assert np.allclose(zeroed / zeroed.sum(axis=-1, keepdims=True), h.weights)
    assert h.softmax(np.array([0.0, 800.0]))[0] == 0


def test_a_row_745_lower_vanishes_and_one_a_little_less_low_does_not():
    assert np.exp(-746.0) == 0 < np.exp(-745.0)


# --- the reference's public examples ---


DOCSTRINGS = {
    node.name: ast.get_docstring(node)
    for exercise in EXERCISES.values()
    for node in ast.parse(exercise.code).body
    if isinstance(node, ast.FunctionDef)
}


@each_step
def test_a_step_has_three_examples_each_with_a_line_of_its_own(name, step):
    parts = DOCSTRINGS[step].split("\n\n")
    assert len([part for part in parts if part.startswith(">>>")]) >= 3
    captions = [part for part, after in pairwise(parts) if after.startswith(">>>")]
    assert all(caption.endswith(":") for caption in captions)


@each
def test_the_examples_hold_and_each_function_is_told_once(name):
    exercise, runner, finder = EXERCISES[name], doctest.DocTestRunner(), doctest.DocTestParser()
    names = Source(KIT / "solutions" / f"{name}.py", exercise.given).names()
    for step in exercise.steps:
        runner.run(finder.get_doctest(DOCSTRINGS[step.name], dict(names), step.name, None, 0))
    assert runner.tries > 20
    assert not runner.failures
    bodies = [node.body for node in ast.parse(exercise.code).body if isinstance(node, ast.FunctionDef)]
    assert not [body[1] for body in bodies if isinstance(body[1], ast.Expr)]
