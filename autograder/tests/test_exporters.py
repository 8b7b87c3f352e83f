"""Grades on their way out: a row for everybody, nothing that is no grade, and no cell that is a formula."""

import csv
import io
import json
from fractions import Fraction

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.exportapp import ExportApp
from nbgrader.coursedir import CourseDirectory

from autograder.cli import main
from autograder.record.exporters.lines import sheet
from autograder.record.exporters.write import FORMATS, export
from autograder.record.gradebook import record
from autograder.tests import classes, formats
from autograder.tests.classes import EXERCISE, hand_in
from autograder.tests.states import NO_GRADE, everybody
from autograder.untrusted import FORMULA, table_cell

HOSTILE = {
    "comma": ("Love, Lace", "A,d,a"),
    "quote": ('O"Hara', "'"),
    "newline": ("two\nlines", "a\r\nb"),
    "formula": ('=HYPERLINK("http://example.org","Klick")', "@SUM(A1)"),
    "plus": ("+1", "-2"),
    "tab": ("\tx", "\ry"),
    "王小明": ("王", "小明"),
    "0012": ("Zero", "Leading"),
}
LMS = {student: f"{7000 + number}" for number, student in enumerate(HOSTILE)}


def gradebook(course):
    return Gradebook(f"sqlite:///{course.root / 'gradebook.db'}")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A class in every state and with hostile names, recorded; one answer is graded by hand."""
    course = everybody(tmp_path_factory.mktemp("class"))
    with gradebook(course) as book:
        for student, (last, first) in HOSTILE.items():
            book.add_student(
                student,
                last_name=last,
                first_name=first,
                lms_user_id=LMS[student],
                email=f"{LMS[student]}@x.org",
            )
        book.add_student("lacks_a_step")
        book.add_student("unrecorded")
    for student in ("comma", "王小明", "lacks_a_step"):
        hand_in(course, student, classes.solved(course))
    record(course, EXERCISE)
    hand_in(course, "unrecorded", classes.solved(course))
    with gradebook(course) as book:
        by_hand = book.find_grade("why_scale", EXERCISE, EXERCISE, "comma")
        by_hand.manual_score, by_hand.needs_manual_grade = 3.5, False
        book.find_grade("check_softmax", EXERCISE, EXERCISE, "lacks_a_step").auto_score = None
        book.db.commit()
    return course


@pytest.fixture(scope="module")
def lines(course):
    with gradebook(course) as book:
        return {line.student: line for line in sheet(course, book, EXERCISE).lines}


@pytest.fixture(scope="module")
def files(course):
    """Each format's file."""
    return {to: written(course, to) for to in FORMATS}


def written(course, to, **how):
    return export(course, EXERCISE, to, **how).file.read_bytes()


def cells(content):
    return [cell for row in csv.reader(io.StringIO(content.decode(), newline="")) for cell in row]


def test_everybody_enrolled_has_a_line_and_says_why_there_is_no_grade(course, lines):
    with gradebook(course) as book:
        assert set(lines) == {student.id for student in book.students}
    for line in lines.values():
        if line.grade is None:
            assert line.why("en") and line.why("zh") != line.why("en"), line.student


@pytest.mark.parametrize("student", [*NO_GRADE, "unrecorded", "lacks_a_step"])
def test_what_nobody_could_grade_is_empty_in_every_format(files, lines, student):
    assert lines[student].raw is None
    assert formats.canvas(files["canvas"])[student] == ""
    assert formats.moodle(files["moodle"], set(lines))[student][0] == ""
    (row,) = [row for row in csv.DictReader(io.StringIO(files["csv"].decode())) if row["student"] == student]
    assert row["grade"] == row["raw"] == "" and row["status"]
    (entry,) = [one for one in json.loads(files["json"])["students"] if one["student"] == student]
    assert entry["grade"] is None


@pytest.mark.parametrize("student", ["absent", "nothing", "stub", "no_cells"])
def test_nothing_handed_in_is_0(lines, student):
    assert lines[student].grade == 0


def test_a_step_without_a_grade_is_empty_and_the_others_are_there(course, lines):
    points = lines["lacks_a_step"].parts
    assert points["softmax"] is None and points["project_qkv"] == 2


def test_points_by_hand_count_and_what_waits_is_said(lines):
    assert lines["comma"].grade == Fraction(47, 2) and not lines["comma"].waiting
    assert lines["王小明"].grade == 20 and "人工" in lines["王小明"].why("zh")


def test_canvas_and_moodle_take_the_files_and_the_grades_come_back(files, lines):
    in_canvas = formats.canvas(files["canvas"])
    in_moodle = formats.moodle(files["moodle"], set(lines))
    for student, line in lines.items():
        for cell in (in_canvas[LMS.get(student, student)], in_moodle[student][0]):
            assert (cell and round(float(line.grade), 4)) == (cell and float(cell)), student
            assert bool(cell) == (line.grade is not None), student


def test_the_points_of_the_steps_add_up(files):
    for row in csv.DictReader(io.StringIO(files["csv"].decode())):
        if row["raw"]:
            parts = [
                row[name]
                for name in (
                    "project_qkv",
                    "scaled_scores",
                    "causal_mask",
                    "apply_mask",
                    "softmax",
                    "weighted_sum",
                    "self_attention",
                    "why_scale",
                )
            ]
            assert sum(float(cell or 0) for cell in parts) == pytest.approx(float(row["raw"]), abs=1e-3)
            assert float(row["grade"]) == pytest.approx(
                float(row["raw"]) - float(row["late_penalty"]), abs=1e-3
            )


@pytest.mark.parametrize("to", ["canvas", "moodle", "csv"])
def test_no_cell_is_a_formula_and_no_zero_is_lost(files, to):
    found = cells(files[to])
    assert not [cell for cell in found if cell.strip()[:1] in tuple(FORMULA) and cell.strip()]
    assert "0012" in found
    for last, _ in HOSTILE.values():
        assert any(table_cell(last) in cell for cell in found) or to == "moodle"


@pytest.mark.parametrize("to", FORMATS)
def test_nbgraders_export_gives_the_same_bytes(course, files, to):
    kind = FORMATS[to]
    target = course.root / f"theirs.{to}"
    app = ExportApp(parent=None, plugin_class=f"{kind.__module__}.{kind.__qualname__}")
    app.coursedir = CourseDirectory(root=str(course.root))
    app.config.ExportPlugin.to = str(target)
    app.init_plugin()
    with gradebook(course) as book:
        app.plugin_inst.export(book)
    assert target.read_bytes() == files[to]


def test_an_earlier_export_is_kept(course, tmp_path):
    target = tmp_path / "grades.csv"
    target.write_bytes(b"by hand")
    written(course, "csv", target=target)
    written(course, "csv", target=target)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["grades.1.csv", "grades.csv"]
    assert (tmp_path / "grades.1.csv").read_bytes() == b"by hand"


def test_the_command_names_those_without_a_grade(course, capsys):
    assert main(["export", EXERCISE, "--to", "csv", "--course", str(course.root)]) == 0
    out, err = capsys.readouterr()
    assert str(course.root / "exports" / f"{EXERCISE}.csv") in out
    assert all(f"{student}: no grade." in err for student in NO_GRADE)


def test_work_that_is_not_due_yet_has_no_grade(course, lines):
    with gradebook(course) as book:
        book.update_or_create_assignment(EXERCISE, duedate="2999-01-01 00:00 UTC")
        found = {line.student: line for line in sheet(course, book, EXERCISE).lines}
        book.update_or_create_assignment(EXERCISE, duedate=None)
    assert found["absent"].grade is None and found["comma"].grade == lines["comma"].grade
