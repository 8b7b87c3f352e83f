"""The handouts: two languages that say the same, each as it is written."""

import re

import pytest

from autograder.author.reading import clauses, formulas, hints
from autograder.tests.handouts import (
    BLOCK,
    EXERCISES,
    FENCED,
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

# --- the two languages say the same ---


@each
def test_sections_are_the_same_in_both_languages(name):
    kinds = {language: [(s.kind, s.name) for s in SECTIONS[name][language]] for language in LANGUAGES}
    assert kinds["en"] == kinds["zh"]


@each_section
def test_a_section_has_the_same_cells_formulas_clauses_and_numbers_in_both_languages(name, key):
    en, zh = named(name, "en")[key], named(name, "zh")[key]
    assert [piece.kind for piece in en.pieces] == [piece.kind for piece in zh.pieces]
    assert formulas(en.text) == formulas(zh.text)
    assert clauses(en.text) == clauses(zh.text)
    assert [b[0] for b in BLOCK.findall(en.text)] == [b[0] for b in BLOCK.findall(zh.text)]
    assert en.text.count("<details>") == zh.text.count("<details>")
    code = [[piece.text for piece in section.pieces if piece.kind == "code"] for section in (en, zh)]
    assert code[0] == code[1]


@each_step
@both
def test_a_step_has_a_formula_a_contract_three_hints_and_a_prediction(name, step, language):
    text = named(name, language)[step].text
    assert formulas(text)
    assert len(hints(text)) == 3
    assert len(set(clauses(text))) == len(clauses(text)) >= 4
    assert ("Predict:" if language == "en" else "先猜：") in text


@each_step
@both
def test_whatever_is_checked_was_promised(name, step, language):
    promised = clauses(named(name, language)[step].text)
    assert {promise.clause for promise in EXERCISES[name].step(step).promises} <= set(promised)


MASKED = [("self_attention", step) for step in ("causal_mask", "apply_mask", "self_attention")]
MASKED += [("why_it_works", "attention_backward")]
MASKED += [("multi_head_attention", s) for s in ("padding_mask", "combine_masks", "multi_head_attention")]


@pytest.mark.parametrize("name, step", MASKED)
def test_the_masks_convention_stands_beside_each_use(name, step):
    assert "`True` = may attend" in named(name, "en")[step].text
    assert "`True` = 允许看" in named(name, "zh")[step].text


TIMES = {120: ("two hours", "两小时"), 90: ("an hour and a half", "一个半小时")}


@each
def test_the_time_is_the_exercises(name):
    for language, words in zip(LANGUAGES, TIMES[EXERCISES[name].minutes], strict=True):
        assert words in TEXTS[name][language]


# --- Chinese as it is written ---

HAN = r"[\u4e00-\u9fff]"
NOT_OURS = ("键值", "真值", "泄露", "您", "请", "注意力分数", "汇聚", "遮蔽", "进行", "（3，", "当然")


@each
def test_han_and_latin_letters_or_digits_are_spaced(name):
    text = FENCED.sub("", TEXTS[name]["zh"])
    text = re.sub(r"<!--.*?-->|\$\$.*?\$\$|</?\w+>", "", text, flags=re.S)
    assert not re.findall(
        rf".{{0,8}}{HAN}[A-Za-z0-9`$].{{0,8}}|.{{0,8}}[A-Za-z0-9`$%]{HAN}.{{0,8}}", closed_up(text)
    )


def closed_up(text):
    """Inline code and formulas as one Latin letter each, so that only their outside counts."""
    return re.sub(r"`[^`]*`|\$[^$]*\$", "X", text)


@each
def test_the_glossarys_words_are_used_and_no_others(name):
    assert not [word for word in NOT_OURS if word in TEXTS[name]["zh"]]
    assert TEXTS[name]["zh"].count("掩蔽") == (name == "self_attention")  # once, as another book's word


@each
def test_chinese_sentences_have_chinese_punctuation(name):
    text = closed_up(FENCED.sub("", TEXTS[name]["zh"]))
    assert not re.findall(rf"{HAN}[,.;:?!()]", text)


@each
def test_a_chinese_paragraph_is_one_line(name):
    """A line break inside it would be shown as a space after the full stop."""
    assert not re.findall(
        r"(?<=[\u4e00-\u9fff。，；：？”）、])\n *(?!\d+\. )[\u4e00-\u9fff`$“*\w]",
        FENCED.sub("", TEXTS[name]["zh"]),
    )


@each
@both
def test_a_folds_heading_is_plain_text(name, language):
    """It is HTML, so Markdown's marks would be shown as they are typed."""
    assert not re.findall(r"<summary>[^<]*[`$*][^<]*</summary>", TEXTS[name][language])


@each
@both
def test_nothing_is_exclaimed(name, language):
    assert not re.findall(r"\w[!！]", prose(TEXTS[name][language]))
