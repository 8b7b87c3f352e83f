"""One person is erased everywhere, the others stay, and what cannot be reached is said."""

import json
import sqlite3
import warnings

import pytest
from nbgrader.api import Gradebook

from autograder.cli import main as attn
from autograder.grade.classes import grade_class
from autograder.model import KitError
from autograder.record.classroom import collect, make_feedback, submit_as
from autograder.record.forget import BEYOND, forget
from autograder.record.gradebook import record
from autograder.record.opening import opened
from autograder.record.report import write_report
from autograder.tests.classes import EXERCISE, hand_in, released, solved, tree, wrong

WHO, OTHER = "ada-7", "ada-70"  # one id begins as the other does


@pytest.fixture
def course(tmp_path):
    course = released(tmp_path)
    for student in (WHO, OTHER):
        hand_in(course, student, solved(course, wrong, answer=f"I am a person. {student}"))
        submit_as(course, EXERCISE, student, course.submitted(student, EXERCISE))
    collect(course, EXERCISE)
    grade_class(course, EXERCISE)
    record(course, EXERCISE)
    record(course, EXERCISE)  # a copy of the gradebook that holds them
    make_feedback(course, EXERCISE)
    with opened(course) as api, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # nbgrader misspells an argument there
        api.release_feedback(EXERCISE)
    write_report(course, EXERCISE)
    exports = course.root / "exports"
    exports.mkdir()
    (exports / f"{EXERCISE}.csv").write_text(f"{WHO},3\n{OTHER},4\n", encoding="utf-8")
    (course.private / "lms").mkdir()
    matched = {WHO: {"id": 1}, OTHER: {"id": 2}, "rows": [{"student": WHO}, {"student": OTHER}]}
    (course.private / "lms" / "x.json").write_text(json.dumps(matched), encoding="utf-8")
    (course.root / ".nbgrader.log").write_text(f"about {WHO}\nabout {OTHER}\n", encoding="utf-8")
    return course


def holding(course, student):
    """Every file that is the student's or names the student; whole ids alone."""
    found = {}
    for name, content in tree(course.root).items():
        alone = content.replace(OTHER.encode(), b"") if student == WHO else content
        if student.encode() in alone or student in name.replace(OTHER, "" if student == WHO else OTHER):
            found[name] = content
    return found


def test_nothing_is_left_of_one_and_everything_of_the_other(course):
    pages = {file.name for file in (course.root / "exchange").rglob("feedback/*.html")}
    before = holding(course, WHO)
    assert len(pages) == 2 and len(before) > 12
    done = forget(course, WHO)
    assert not done.left and not holding(course, WHO) and done.beyond == BEYOND
    assert len({file.name for file in (course.root / "exchange").rglob("feedback/*.html")}) == 1
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        assert [student.id for student in gradebook.students] == [OTHER]
        assert gradebook.find_submission(EXERCISE, OTHER).score > 0
    assert (course.feedback(OTHER, EXERCISE) / f"{EXERCISE}.html").is_file()
    kept = json.loads((course.private / "lms" / "x.json").read_text("utf-8"))
    assert kept == {OTHER: {"id": 2}, "rows": [{"student": OTHER}]}
    assert OTHER in json.loads(course.run_record.read_text("utf-8"))[EXERCISE]["seconds_each"]


def test_the_copies_of_the_gradebook_forget_too(course):
    copies = sorted((course.private / "backups").glob("*.db"))
    assert any(WHO.encode() in copy.read_bytes() for copy in copies)
    forget(course, WHO)
    for copy in copies:
        with sqlite3.connect(copy) as connection:
            assert WHO not in {row[0] for row in connection.execute("SELECT id FROM student")}


def test_it_asks_first_and_says_where(course, monkeypatch, capsys):
    here = ["--course", str(course.root)]
    monkeypatch.setattr("builtins.input", lambda question: "yes")
    before = set(tree(course.root))
    assert attn(["forget", WHO, *here]) == 1
    assert "Nothing was erased" in capsys.readouterr().out and before <= set(tree(course.root))
    monkeypatch.setattr("builtins.input", lambda question: WHO)
    assert attn(["forget", WHO, *here]) == 0
    told = capsys.readouterr().out
    for place in ("submitted", "autograded", "feedback", "gradesheets", "gradebook.db", "backups", "reports"):
        assert place in told
    assert "Out of reach" in told
    with pytest.raises(KitError, match="nobody here"):
        forget(course, WHO)


@pytest.mark.parametrize("student", ["", ".", "..", "../ada", "a/b", "nobody"])
def test_an_id_that_is_nobodys_touches_nothing(course, student):
    before = tree(course.root)
    with pytest.raises(KitError):
        forget(course, student)
    after = tree(course.root)
    assert {name: after[name] for name in before if "gradebook" not in name} == {
        name: content for name, content in before.items() if "gradebook" not in name
    }
