"""Text on a screen: Chinese takes two columns, and old encodings lack symbols."""

import unicodedata

from autograder.layout import PACKAGE
from autograder.selfcheck.words import columns, encodable, wrapped


def test_chinese_takes_two_columns_and_never_begins_a_line_with_a_full_stop():
    assert columns("查询 Q") == 6
    text = "一个批次的结果与逐个句子计算的结果相同，数值相差30.25，再大也一样。" * 3
    for width in range(12, 60):
        lines = list(wrapped(text, width))
        assert all(columns(line) <= width + 2 for line in lines)
        assert not [line for line in lines if line[0] in "，。"]
        assert "".join(lines) == text


def test_symbols_become_letters_where_the_encoding_has_none():
    assert encodable("✓ softmax → √d_k … “x”", "ascii") == 'ok softmax -> sqrt d_k ... "x"'
    assert encodable("查询", "gbk") == "查询"
    assert encodable("查询", "no-such-encoding") == "查询"
    assert encodable("查询", "cp1252") == "??"


def test_every_symbol_that_the_self_check_writes_has_plain_letters():
    texts = [file.read_text(encoding="utf-8") for file in (PACKAGE / "selfcheck").glob("*.py")]
    symbols = {
        c for text in texts for c in text if not c.isascii() and unicodedata.east_asian_width(c) not in "WF"
    }
    assert {"✓", "→"} <= symbols
    assert not [c for c in symbols if not encodable(c, "ascii").isascii() or encodable(c, "ascii") == "?"]
