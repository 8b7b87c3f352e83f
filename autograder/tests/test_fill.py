"""Canvas's own gradebook filled in: the grades are there, and not one other byte is another."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.author.exercise import load_exercise
from autograder.layout import KIT, Course
from autograder.model import KitError, Status
from autograder.record.exporters.fill import fill
from autograder.record.exporters.lines import Line, Sheet
from autograder.record.exporters.preserving import read_table

EXERCISE = load_exercise(Course(KIT), "self_attention")
COLUMN = "self_attention (987)"


def line(student, earned, lms_id="", name=("", ""), status=Status.graded):
    last, first = name
    raw = None if earned is None else Fraction(earned)
    return Line(student, first, last, f"{student}@x.org", lms_id, status, None, {}, Fraction(24), raw)


def sheet(*lines):
    parts = {part.name: part.points for part in (*EXERCISE.steps, *EXERCISE.questions)}
    return Sheet(EXERCISE, parts, lines)


CLASS = sheet(
    line("ada", "23.5", "101", ("Lovelace", "Ada")),
    line("bob", None, "102"),
    line("0012", "7", "103"),
    line("王小明", "20", "104", ("王", "小明")),
    line("eve", "3", "105"),
    line("sis", "12"),
    line("by_name", "11", name=("Only", "Name")),
    line("elsewhere", "1", "999"),
)
ROWS = [
    "Student,ID,SIS User ID,SIS Login ID,Section,HW0 (1),self_attention (987),Current Score,Final Score",
    ",,,,,,Manual Posting,,",
    "    Points Possible,,,,,10,24,(read only),(read only)",
    '"Lovelace, Ada",101,007,ada,"Sec ""A"", 1",9.5,,88,88',
    'bob,102,,bob,"two\nlines",,15,,',
    "0012,103,0012,0012,S,, 4 ,,",
    "王 小明,104,x,y,S,,EX,,",
    'eve,105,x,y,S,,"1",,',
    "'=HYPERLINK(1),,sis,,S,,,,",
    '"Only, Name",,,,S,,,,',
    "Stranger,4242,s,s,S,,5,,",
    '"Student, Test",77,,,S,,3,,',
]


def gradebook(end="\n", separator=",", last=True):
    text = end.join(ROWS) + (end if last else "")
    return text if separator == "," else text.replace(",", separator)


def filled(content, **how):
    return fill(content, CLASS, **how)


def column(content, encoding="utf-8"):
    table = read_table(content)
    number = [cell.value for cell in table.rows[0]].index(COLUMN)
    return [row[number].value for row in table.rows[3:]]


EXPECTED = ["23.5", "15", "7", "EX", "3", "12", "11", "5", "3"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
@pytest.mark.parametrize("last", [True, False])
def test_grades_are_filled_in_and_every_other_byte_stays(end, encoding, last):
    before = gradebook(end, last=last).encode(encoding)
    after = filled(before).content
    assert column(after) == EXPECTED
    assert blanked(after) == blanked(before)


def blanked(content):
    """The file without the cells of the column that may change."""
    table = read_table(content)
    number = [cell.value.lstrip("\ufeff") for cell in table.rows[0]].index(COLUMN)
    return table.written({(at, number): "" for at in range(3, len(table.rows))})


@given(
    st.lists(
        st.lists(st.text("a,;\t\"'\n\r =王é\u2028", max_size=6), min_size=2, max_size=5),
        min_size=1,
        max_size=6,
    )
)
def test_a_table_written_without_changes_is_the_same_bytes(rows):
    content = "\n".join(",".join(row) for row in rows).encode()
    try:
        table = read_table(content)
    except ValueError:
        return  # an open quote: no CSV
    assert table.written({}) == content


def test_filling_in_twice_changes_nothing_more():
    once = filled(gradebook().encode()).content
    assert filled(once).content == once


def test_both_kinds_of_strangers_are_listed_and_the_test_student_is_none():
    told = "\n".join(filled(gradebook().encode()).remarks)
    assert "In Canvas, but not enrolled here (left as it was): Stranger" in told
    assert "Enrolled here, but not in this file: elsewhere" in told
    assert "Excused in Canvas, and left so: 王小明" in told
    assert "Test" not in told and "Posting" not in told


def test_a_row_that_ends_too_early_is_told_and_stays():
    text = gradebook().replace("0012,103,0012,0012,S,, 4 ,,", "0012,103,0012")
    found = filled(text.encode())
    assert any("ends before the column" in line and "0012" in line for line in found.remarks)
    assert b"\n0012,103,0012\n" in found.content


def test_other_points_are_told():
    other = gradebook().replace("10,24,", "10,100,")
    assert any("100 points" in line for line in filled(other.encode()).remarks)
    assert not any("points for this column" in line for line in filled(gradebook().encode()).remarks)


def test_decimal_commas_are_kept_where_the_file_has_them():
    text = gradebook(separator=";").replace(";9.5;", ";9,5;")
    assert column(filled(text.encode()).content)[0] == "23,5"
    assert column(filled(gradebook(separator=";").encode()).content)[0] == "23.5"


@pytest.mark.parametrize(
    ("header", "how"),
    [
        ("Self-attention, step by step (987)", {}),
        ("HW1 (987)", {"title": "HW1"}),
        ("HW1 (987)", {"title": "HW1 (987)"}),
        ("SELF_ATTENTION", {}),
    ],
)
def test_the_column_is_found_by_name_title_or_as_told(header, how):
    title = EXERCISE.title.en if header.startswith("Self-attention") else ""
    header = f"{title} (987)" if title else header
    quoted = f'"{header}"' if "," in header else header
    found = filled(gradebook().replace(COLUMN, quoted).encode(), **how)
    assert found.column == header and found.filled == 5


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "Student, ID"),
        (b"Name,Points\n", "Student, ID"),
        (b'Student,ID,"open', "quoted cell"),
        (gradebook().replace(COLUMN, "Other (1)").encode(), "--column"),
        (gradebook().replace("HW0 (1)", "self_attention (2)").encode(), "Several columns"),
        (gradebook().replace("10,24,", "10,(read only),").encode(), "--column"),
    ],
)
def test_what_is_no_gradebook_or_has_no_column_is_refused_with_a_cure(content, why):
    with pytest.raises(KitError, match=why):
        filled(content)
