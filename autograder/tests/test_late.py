"""Late work: the rule is the course's, and penalties follow what people change later, without any code."""

import csv
import io
import shutil

import pytest
from nbgrader.plugins import CsvExportPlugin

from autograder.cli import main
from autograder.layout import Course
from autograder.record.exporters.lines import sheet
from autograder.record.gradebook import record
from autograder.record.late import LateWork
from autograder.tests import classes
from autograder.tests.classes import EXERCISE, hand_in
from autograder.tests.test_exporters import gradebook, written

HOUR = 3600


@pytest.mark.parametrize(
    ("rule", "late", "expected"),
    [
        ({}, 100 * HOUR, None),
        ({"penalty_method": "none"}, 100 * HOUR, None),
        ({"penalty_method": "zero"}, 1, 20),
        ({"penalty_method": "zero", "grace_minutes": 10}, 600, None),
        ({"penalty_method": "zero", "grace_minutes": 10}, 601, 20),
        ({"penalty_method": "percent"}, 1, 2),
        ({"penalty_method": "percent"}, 24 * HOUR, 2),
        ({"penalty_method": "percent"}, 24 * HOUR + 1, 4),
        ({"penalty_method": "percent", "percent_per_day": 25, "cap_percent": 60}, 48 * HOUR, 10),
        ({"penalty_method": "percent", "percent_per_day": 25, "cap_percent": 60}, 72 * HOUR, 12),
        ({"penalty_method": "percent", "percent_per_day": 25}, 1000 * HOUR, 20),
        ({"penalty_method": "percent", "grace_minutes": 30}, 24 * HOUR + 1800, 2),
        ({"penalty_method": "percent", "grace_minutes": 30}, 24 * HOUR + 1801, 4),
    ],
)
def test_the_rule_is_what_the_configuration_says(rule, late, expected):
    assert LateWork(**rule).late_submission_penalty("ada", 20.0, late) == expected


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """One in time and two late; the rule takes 10 percent a day."""
    course = classes.released(tmp_path_factory.mktemp("late"))
    with (course.root / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write('c.LateWork.penalty_method = "percent"\n')
    for student, time in {"early": "03-01 12:00", "late": "03-02 12:01", "later": "03-04 12:00"}.items():
        folder = hand_in(course, student, classes.solved(course))
        (folder / "timestamp.txt").write_text(f"2026-{time}:00 UTC", encoding="utf-8")
    with gradebook(course) as book:
        book.update_or_create_assignment(EXERCISE, duedate="2026-03-02 12:00:00 UTC")
        book.add_student("absent")
    record(course, EXERCISE)
    return course


@pytest.fixture
def late_class(recorded, tmp_path):
    shutil.copytree(recorded.root, tmp_path / "course")
    return Course(tmp_path / "course")


def penalties(course):
    with gradebook(course) as book:
        return {
            row.student_id: row.late_submission_penalty for row in book.find_assignment(EXERCISE).submissions
        }


def no_code(monkeypatch):
    def refuse(*_):
        raise AssertionError("a student's code was about to run")

    monkeypatch.setattr("autograder.grade.client.Zygote.open", refuse)


def test_penalties_are_in_the_gradebook_and_in_exports(late_class):
    assert penalties(late_class) == {"early": 0, "late": 2, "later": 4}
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO(written(late_class, "csv").decode()))}
    assert [rows[s]["grade"] for s in ("early", "late", "later", "absent")] == ["20", "18", "16", "0"]
    assert rows["late"]["late_penalty"] == "2" and rows["late"]["seconds_late"] == "60"
    stock = late_class.root / "stock.csv"
    with gradebook(late_class) as book:
        CsvExportPlugin(to=str(stock)).export(book)
    text = stock.read_text(encoding="utf-8")
    (theirs,) = [row for row in csv.DictReader(io.StringIO(text)) if row["student_id"] == "late"]
    assert float(theirs["score"]) == 18


@pytest.mark.parametrize("how", ["record", "export", "extend"])
def test_an_extension_takes_a_penalty_back_and_no_code_runs(late_class, monkeypatch, how, capsys):
    no_code(monkeypatch)
    if how == "extend":
        command = ["extend", "later", EXERCISE, "--days", "1", "--course", str(late_class.root)]
        assert main(command) == 0
        assert "penalty: 4 before, 2 now" in capsys.readouterr().out
    else:
        with gradebook(late_class) as book:
            book.grant_extension(EXERCISE, "later", days=1)
        record(late_class, EXERCISE) if how == "record" else written(late_class, "json")
    assert penalties(late_class) == {"early": 0, "late": 2, "later": 2}


def test_points_by_hand_move_the_penalty_with_them(late_class):
    with gradebook(late_class) as book:
        book.find_grade("why_scale", EXERCISE, EXERCISE, "late").manual_score = 4
        book.db.commit()
    written(late_class, "canvas")
    assert penalties(late_class)["late"] == pytest.approx(2.4)


def test_an_extension_before_the_hand_in_stays_and_makes_nobody_wait(late_class):
    course = str(late_class.root)
    assert main(["extend", "absent", EXERCISE, "--hours", "48", "--course", course]) == 0
    with gradebook(late_class) as book:
        (line,) = [one for one in sheet(late_class, book, EXERCISE).lines if one.student == "absent"]
        assert (line.status, line.grade, line.waiting) == ("missing", 0, 0)
    folder = hand_in(late_class, "absent", classes.solved(late_class))
    (folder / "timestamp.txt").write_text("2026-03-04 11:59:00 UTC", encoding="utf-8")
    record(late_class, EXERCISE)
    assert penalties(late_class)["absent"] == 0


def test_no_due_date_nobody_or_no_such_exercise_is_told(late_class, capsys):
    course = str(late_class.root)
    assert main(["extend", "nobody", EXERCISE, "--days", "1", "--course", course]) == 1
    assert "attn roster" in capsys.readouterr().err
    with gradebook(late_class) as book:
        book.update_or_create_assignment(EXERCISE, duedate=None)
    assert main(["extend", "late", EXERCISE, "--days", "1", "--course", course]) == 1
    assert "no due date" in capsys.readouterr().err
