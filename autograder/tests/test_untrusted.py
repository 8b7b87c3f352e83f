"""Whatever somebody wrote: it is seen, it stays on its line, and no spreadsheet computes it."""

import csv
import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.untrusted import FORMULA, LONGEST, on_one_line, table_cell, visible

ANY = st.text(st.characters(codec=None), max_size=200)


@given(ANY)
def test_what_is_shown_neither_acts_nor_hides_nor_reorders(text):
    for char in visible(text):
        assert char in "\t\n" or unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(char) not in (
            "LRE",
            "RLE",
            "LRO",
            "RLO",
            "PDF",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        )


@given(st.text("abc =<>&'\"é中文\n\t", max_size=40))
def test_ordinary_text_is_left_alone(text):
    assert visible(text) == text


def test_a_mark_of_direction_is_spelt_out():
    assert visible("a\u202eb\x1b[0m\ud800") == "a\\u202eb\\u001b[0m\\ud800"


@given(ANY)
def test_a_name_is_one_short_line(text):
    line = on_one_line(text)
    assert len(line) <= LONGEST and line.splitlines() in ([], [line])


@pytest.mark.parametrize("lead", ["", " ", "\xa0", "\u3000"])
@pytest.mark.parametrize("first", FORMULA)
def test_no_cell_of_a_table_is_a_formula(first, lead):
    assert table_cell(f"{lead}{first}cmd|' /C calc'!A0").startswith("'")


@given(ANY)
def test_a_cell_comes_back_as_one_cell_and_begins_no_formula(text):
    out = io.StringIO(newline="")
    csv.writer(out).writerow([table_cell(text), "next"])
    ((cell, after),) = csv.reader(io.StringIO(out.getvalue(), newline=""))
    assert after == "next" and cell == table_cell(text)
    assert cell.strip()[:1] not in tuple(FORMULA)


@pytest.mark.parametrize("text", ["Ada Lovelace", "李雷", "a=b", "3 - 1", "", "O'Hara"])
def test_ordinary_cells_are_left_alone(text):
    assert table_cell(text) == text
