"""The handouts: two languages that say the same, in numbers that come from running the reference."""

import ast
import doctest
import re
from itertools import pairwise

import numpy as np
import pytest

from autograder.author.exercise import load_exercise
from autograder.author.handout import sections
from autograder.author.reading import clauses, formulas, hints
from autograder.layout import KIT, Course
from autograder.tests import handout_numbers

LANGUAGES = ("en", "zh")
EXERCISE = load_exercise(Course(KIT), "self_attention")
TEXTS = {
    language: (KIT / "assignments/self_attention" / f"handout.{language}.md").read_text(encoding="utf-8")
    for language in LANGUAGES
}
SECTIONS = {language: sections(text) for language, text in TEXTS.items()}
KEYS = (
    "intro",
    "words",
    "one example",
    *(step.name for step in EXERCISE.steps),
    "why_scale",
    "often told",
    "end",
)
NUMBER = re.compile(r"(?<![\w.])-?(?:inf\b|\d+(?:\.\d+)?(?: %)?)")
BLOCK = re.compile(r"<!-- numbers: ([^\n]+?) -->\n(```text\n.*?\n```|(?:\|[^\n]*\n)+)", re.S)
FENCED = re.compile(r"^```.*?^```$", re.S | re.M)
ASIDE = re.compile(r"`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|<[^>]*>|\]\([^)]*\)", re.S)

both = pytest.mark.parametrize("language", LANGUAGES)


def named(language):
    return dict(zip(KEYS, SECTIONS[language], strict=True))


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


def prose(text):
    """The sentences alone: no code, formulas, blocks of numbers or marks."""
    return ASIDE.sub(" ", FENCED.sub(" ", BLOCK.sub(" ", text)))


# --- the two languages say the same ---


def test_sections_are_the_same_in_both_languages():
    kinds = {language: [(s.kind, s.name) for s in SECTIONS[language]] for language in LANGUAGES}
    assert kinds["en"] == kinds["zh"]


@pytest.mark.parametrize("key", KEYS)
def test_a_section_has_the_same_cells_formulas_clauses_and_numbers_in_both_languages(key):
    en, zh = named("en")[key], named("zh")[key]
    assert [piece.kind for piece in en.pieces] == [piece.kind for piece in zh.pieces]
    assert formulas(en.text) == formulas(zh.text)
    assert clauses(en.text) == clauses(zh.text)
    assert [b[0] for b in BLOCK.findall(en.text)] == [b[0] for b in BLOCK.findall(zh.text)]
    assert en.text.count("<details>") == zh.text.count("<details>")
    code = [[piece.text for piece in section.pieces if piece.kind == "code"] for section in (en, zh)]
    assert code[0] == code[1]


@pytest.mark.parametrize("step", [step.name for step in EXERCISE.steps])
@both
def test_a_step_has_a_formula_a_contract_three_hints_and_a_prediction(language, step):
    text = named(language)[step].text
    assert formulas(text)
    assert len(hints(text)) == 3
    assert len(set(clauses(text))) == len(clauses(text)) >= 4
    assert ("Predict:" if language == "en" else "先猜：") in text


@pytest.mark.parametrize("step", EXERCISE.steps, ids=lambda step: step.name)
@both
def test_whatever_is_checked_was_promised(language, step):
    promised = clauses(named(language)[step.name].text)
    assert {promise.clause for promise in step.promises} <= set(promised)


@pytest.mark.parametrize("step", ["causal_mask", "apply_mask", "self_attention"])
def test_the_masks_convention_stands_beside_each_use(step):
    assert "`True` = may attend" in named("en")[step].text
    assert "`True` = 允许看" in named("zh")[step].text


def test_the_time_is_the_exercises():
    assert EXERCISE.minutes == 120
    assert "two hours" in TEXTS["en"]
    assert "两小时" in TEXTS["zh"]


# --- every number is computed ---


def blocks():
    return [
        pytest.param(expression, block, id=f"{language}-{key}-{i}")
        for language in LANGUAGES
        for key, section in named(language).items()
        for i, (expression, block) in enumerate(BLOCK.findall(section.text))
    ]


@pytest.mark.parametrize("expression, block", blocks())
def test_a_block_of_numbers_is_what_its_expression_gives(expression, block):
    printed = NUMBER.findall(block)
    values = flat(eval(expression, dict(handout_numbers.NAMES)))
    assert len(printed) == len(values)
    assert printed == [shown(value, like) for value, like in zip(values, printed, strict=True)]


@pytest.mark.parametrize("key", KEYS)
@both
def test_a_number_in_a_sentence_is_computed(language, key):
    said = handout_numbers.SAID.get(key, {})
    text = prose(named(language)[key].text)
    printed = {number for number in NUMBER.findall(text) if "." in number or "%" in number}
    assert printed == set(said)
    assert {like: shown(value(), like) for like, value in said.items()} == {like: like for like in said}


def test_blocks_are_where_numbers_stand():
    """A fence of text or a table that is not announced as numbers holds no decimals."""
    for text in TEXTS.values():
        rest = BLOCK.sub("", text)
        tables = "".join(re.findall(r"^\|.*\n", rest, re.M)) + "".join(
            re.findall(r"```text.*?```", rest, re.S)
        )
        assert not re.search(r"\d\.\d", tables)


@both
def test_the_cells_run_from_top_to_bottom(language, capsys):
    names = {"np": np} | {step.name: getattr(handout_numbers.reference, step.name) for step in EXERCISE.steps}
    with np.printoptions():
        for section in SECTIONS[language]:
            for piece in section.pieces:
                if piece.kind == "code":
                    exec(piece.text, names)
    printed = capsys.readouterr().out
    assert "[0.818 0.182 0.   ]" in printed
    assert np.array_equal(names["output"], handout_numbers.output)


@both
def test_the_chapters_draws_are_those_of_the_numbers(language):
    fence = re.search(r"```python\n(.*?)```", named(language)["self_attention"].text, re.S).group(1)
    names = {"np": np}
    exec(fence, names)
    for got, expected in zip(
        (names[name] for name in ("x", "W_Q", "W_K", "W_V")), handout_numbers.chapter(), strict=True
    ):
        assert np.array_equal(got, expected)


# --- what is said about training holds ---


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


FUNCTIONS = {
    node.name: ast.get_docstring(node)
    for node in ast.parse(EXERCISE.code).body
    if isinstance(node, ast.FunctionDef)
}


@pytest.mark.parametrize("step", [step.name for step in EXERCISE.steps])
def test_a_step_has_three_examples_each_with_a_line_of_its_own(step):
    groups = [part for part in FUNCTIONS[step].split("\n\n") if part.startswith(">>>")]
    assert len(groups) >= 3
    captions = [part for part, after in pairwise(FUNCTIONS[step].split("\n\n")) if after.startswith(">>>")]
    assert all(caption.endswith(":") for caption in captions)


def test_the_examples_hold_and_each_function_is_told_once():
    result = doctest.testmod(handout_numbers.reference)
    assert result.attempted > 30
    assert not result.failed
    bodies = [node.body for node in ast.parse(EXERCISE.code).body if isinstance(node, ast.FunctionDef)]
    assert not [body[1] for body in bodies if isinstance(body[1], ast.Expr)]


# --- Chinese as it is written ---

HAN = r"[\u4e00-\u9fff]"
NOT_OURS = ("键值", "真值", "泄露", "您", "请", "注意力分数", "汇聚", "遮蔽", "进行", "（3，", "当然")


def test_han_and_latin_letters_or_digits_are_spaced():
    text = FENCED.sub("", TEXTS["zh"])
    text = re.sub(r"<!--.*?-->|\$\$.*?\$\$|</?\w+>", "", text, flags=re.S)
    assert not re.findall(
        rf".{{0,8}}{HAN}[A-Za-z0-9`$].{{0,8}}|.{{0,8}}[A-Za-z0-9`$%]{HAN}.{{0,8}}", closed_up(text)
    )


def closed_up(text):
    """Inline code and formulas as one Latin letter each, so that only their outside counts."""
    return re.sub(r"`[^`]*`|\$[^$]*\$", "X", text)


def test_the_glossarys_words_are_used_and_no_others():
    assert not [word for word in NOT_OURS if word in TEXTS["zh"]]
    assert TEXTS["zh"].count("掩蔽") == 1  # once, to say how another book calls it


def test_chinese_sentences_have_chinese_punctuation():
    text = closed_up(FENCED.sub("", TEXTS["zh"]))
    assert not re.findall(rf"{HAN}[,.;:?!()]", text)


@both
def test_nothing_is_exclaimed(language):
    assert not re.findall(r"\w[!！]", prose(TEXTS[language]))
