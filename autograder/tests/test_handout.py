"""A handout's sections and cells come apart and together again without losing a letter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.author.handout import Piece, closed, merge, pieces, rewritten, sections, written
from autograder.author.reading import announced, clauses, contract, formulas, hints
from autograder.tests.mini import CHINESE, ENGLISH

LINES = [
    "text", "", "## Heading", "## `step` — a step", "## Question `why` — ?", "### Contract", "# title",
    "```python cell", "```", "```python", "~~~", "````", "<!-- cell -->", "<!-- stub -->", "<!-- section -->",
    "<!-- mark scheme -->", "  <!-- cell -->  ", "- bullet <!-- clause: values -->", "中文", "$$x$$",
    "a ```inline``` b",
]  # fmt: skip
texts = st.lists(st.sampled_from(LINES), max_size=14).map("\n".join)


@given(text=texts)
def test_the_sections_joined_are_the_handout(text):
    assert "".join(section.text for section in sections(text)) == text


@given(text=texts)
def test_a_cells_place_is_where_its_text_stands(text):
    for piece in pieces(text):
        if piece.kind != "stub":
            assert text[piece.span[0] : piece.span[1]] == piece.text


@given(text=texts)
def test_what_is_written_from_cells_reads_as_these_cells(text):
    for section in sections(text):
        whole = [p if p.kind == "code" else Piece(p.kind, closed(p.text)) for p in section.pieces]
        again = tuple(pieces(written(section.pieces)))
        assert [piece for piece in again if piece.text] == [piece for piece in whole if piece.text]


@given(text=texts)
def test_a_section_with_the_same_cells_is_left_as_it_is(text):
    for section in sections(text):
        assert rewritten(section, section.pieces) == section.text


@pytest.mark.parametrize("count", [1, 2, 3])
def test_empty_cells_keep_their_place(count):
    cells = (Piece("markdown", "a"), *[Piece("markdown")] * count, Piece("markdown", "b"))
    assert tuple(pieces(written(cells))) == cells


@pytest.mark.parametrize("kind", ["stub", "code", "scheme"])
def test_an_empty_cell_beside_another_kind_keeps_its_place(kind):
    other = Piece(kind, "" if kind == "stub" else "x")
    for cells in (
        (Piece("markdown"), other),
        (other, Piece("markdown")),
        (Piece("markdown", "a"), Piece("markdown"), other),
    ):
        assert tuple(pieces(written(cells))) == cells


def test_headings_inside_code_begin_no_section():
    text = "# t\n\n```python cell\n## `softmax` in a comment\n```\n\n~~~\n## shown\n~~~\n"
    assert len(sections(text)) == 1


def test_languages_pair_section_by_section_and_cell_by_cell():
    parts = merge({"en": ENGLISH, "zh": CHINESE})
    assert [(part.kind, part.name) for part in parts] == [
        ("prose", ""), ("step", "double"), ("step", "quadruple"), ("question", "why_twice"), ("prose", ""),
    ]  # fmt: skip
    assert all(set(block.texts) == {"en", "zh"} for part in parts for block in part.blocks)


def test_a_section_in_one_language_alone_stands_in_its_place():
    parts = merge({"en": ENGLISH, "zh": CHINESE.replace("## 结束", "## 另一节\n\n只有中文。\n\n## 结束")})
    assert [set(part.blocks[0].texts) for part in parts] == [{"en", "zh"}] * 5 + [{"zh"}]


def test_what_a_section_says_is_read_from_it():
    section = sections(ENGLISH)[1].text
    assert contract(section).startswith("- `x` `(..., n)`: any numbers.\n") and "stub" not in contract(
        section
    )
    assert clauses(section) == ("values", "untouched")
    assert hints(section) == ("Add it to itself.",)
    assert formulas(section) == ("y=2x",)
    assert clauses(sections(CHINESE)[1].text) == clauses(section)


def test_the_handout_for_students_holds_no_marks():
    for text in (ENGLISH, CHINESE):
        assert "<!--" not in announced(text, {}) and "python cell" not in announced(text, {})
