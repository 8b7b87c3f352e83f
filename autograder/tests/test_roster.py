"""Lists of students: whoever made them, the ids are kept, nobody is removed, and nothing is emptied."""

import pytest
from nbgrader.api import Gradebook

from autograder.cli import main
from autograder.record.lms.roster import read_roster
from autograder.tests import classes

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,HW (1)
,,,,,Manual Posting
    Points Possible,,,,,10
"Lovelace, Ada",101,007,ada,S,1
"王, 小明",102,,,S,
'=HYPERLINK(1),103,008,eve,S,
"Student, Test",104,,,S,
"""
MOODLE = """\
\ufeffFirst name,Last name,Username,ID number,Email address
Ada,Lovelace,ada,007,ada@x.org
小明,王,wang,008,w@x.org
"""
MOODLE_ZH = "名,姓氏,学号,电子邮件地址\n小明,王,008,w@x.org\n"
PLAIN = "id;first_name;last_name;email;lms_user_id\nada;Ada;Lovelace;;101\n"
EXPECTED = {
    CANVAS: [
        {"id": "ada", "lms_user_id": "101", "first_name": "Ada", "last_name": "Lovelace"},
        {"id": "102", "lms_user_id": "102", "first_name": "小明", "last_name": "王"},
        {"id": "eve", "lms_user_id": "103", "first_name": "", "last_name": "=HYPERLINK(1)"},
    ],
    MOODLE: [
        {
            "id": "ada",
            "first_name": "Ada",
            "last_name": "Lovelace",
            "email": "ada@x.org",
            "lms_user_id": "007",
        },
        {"id": "wang", "first_name": "小明", "last_name": "王", "email": "w@x.org", "lms_user_id": "008"},
    ],
    MOODLE_ZH: [
        {"id": "008", "first_name": "小明", "last_name": "王", "email": "w@x.org", "lms_user_id": "008"}
    ],
    PLAIN: [{"id": "ada", "first_name": "Ada", "last_name": "Lovelace", "lms_user_id": "101"}],
}


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16"])
@pytest.mark.parametrize("text", EXPECTED)
def test_each_kind_of_list_is_read_in_any_encoding(text, encoding):
    written = text if encoding == "utf-8" else text.lstrip("\ufeff")
    people, refused = read_roster(written.encode(encoding))
    assert people == EXPECTED[text] and not refused


@pytest.mark.parametrize("student", ["../up", "", ".hidden", "a/b", "a" * 200])
def test_what_cannot_be_a_folders_name_is_no_id(student):
    people, refused = read_roster(f"id,email\n{student},x@y\nbob,b@y\n".encode())
    assert [person["id"] for person in people] == (["x@y", "bob"] if not student else ["bob"])
    assert len(refused) == bool(student)


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b'id,"open'])
def test_what_is_no_list_is_an_error(content):
    with pytest.raises(ValueError):
        read_roster(content)


def test_two_lines_that_differ_are_told_and_the_first_counts():
    people, refused = read_roster(b"id,email\nada,a@x\nada,a@x\nada,b@x\n")
    assert people == [{"id": "ada", "email": "a@x"}] and "line 4" in refused[0]


@pytest.fixture
def course(tmp_path):
    course = classes.released(tmp_path)
    with book(course) as gradebook:
        gradebook.add_student("ada", first_name="Augusta", email="old@x.org")
        gradebook.add_student("hub_eve", lms_user_id="103")
        gradebook.add_student("gone")
    return course


def book(course):
    return Gradebook(f"sqlite:///{course.root / 'gradebook.db'}")


def enrolled(course):
    with book(course) as gradebook:
        return {s.id: (s.first_name, s.last_name, s.email, s.lms_user_id) for s in gradebook.students}


def test_the_command_adds_updates_and_removes_nobody(course, capsys):
    file = course.root / "list.csv"
    file.write_text(CANVAS, encoding="utf-8")
    command = ["roster", str(file), "--course", str(course.root)]
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert enrolled(course) == {
        "ada": ("Ada", "Lovelace", "old@x.org", "101"),
        "hub_eve": (None, "=HYPERLINK(1)", None, "103"),  # the same person by the id of Canvas
        "102": ("小明", "王", None, "102"),
        "gone": (None, None, None, None),
    }
    assert "1 enrolled, 2 updated, 0 as they were" in out and "first_name Augusta -> Ada" in out
    assert "gone" in err
    assert main(command) == 0
    assert "0 enrolled, 0 updated, 3 as they were" in capsys.readouterr().out


def test_what_was_exported_for_canvas_comes_back_as_the_same_people(course, tmp_path):
    file = course.root / "list.csv"
    file.write_text(CANVAS, encoding="utf-8")
    at = ["--course", str(course.root)]
    main(["roster", str(file), *at])
    before = enrolled(course)
    main(["export", classes.EXERCISE, "--to", "canvas", *at])
    exported = course.root / "exports" / "self_attention.canvas.csv"
    assert main(["roster", str(exported), *at]) == 0
    after = enrolled(course)
    assert {s: about[3] for s, about in after.items()} == {s: about[3] for s, about in before.items()}
    assert after["ada"] == before["ada"] and after["hub_eve"][1] == "=HYPERLINK(1)"


def test_a_file_that_is_none_is_told(course, capsys):
    at = ["--course", str(course.root)]
    assert main(["roster", "missing.csv", *at]) == 1
    file = course.root / "list.csv"
    file.write_bytes(b"\x89PNG\r\n")
    assert main(["roster", str(file), *at]) == 1
    assert "no list of students" in capsys.readouterr().err


def test_nothing_is_emptied_by_an_empty_cell(course):
    file = course.root / "list.csv"
    file.write_text("id,first_name,email\nada,,\n", encoding="utf-8")
    main(["roster", str(file), "--course", str(course.root)])
    assert enrolled(course)["ada"] == ("Augusta", None, "old@x.org", None)
