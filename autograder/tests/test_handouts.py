"""The handouts: two languages that say the same, each as it is written."""

import re

import pytest

from autograder.author.reading import clauses, formulas, hints
from autograder.tests.handouts import (
    BLOCK,
    EXERCISE,
    FENCED,
    KEYS,
    LANGUAGES,
    SECTIONS,
    STEPS,
    TEXTS,
    both,
    named,
    prose,
)

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


@pytest.mark.parametrize("step", STEPS)
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


def test_a_chinese_paragraph_is_one_line():
    """A line break inside it would be shown as a space after the full stop."""
    assert not re.findall(
        r"(?<=[\u4e00-\u9fff。，；：？”）、])\n *(?!\d+\. )[\u4e00-\u9fff`$“*\w]", FENCED.sub("", TEXTS["zh"])
    )


@both
def test_nothing_is_exclaimed(language):
    assert not re.findall(r"\w[!！]", prose(TEXTS[language]))
