"""What the names in a bulk download tell, and whom they mean."""

import pytest

from autograder.record.lms.matching import Person, Roster
from autograder.record.lms.names import Sender, named
from autograder.tests.downloads import canvas, moodle

FILES = [
    "self_attention.ipynb",
    "self_attention-1.ipynb",
    "my work (2).ipynb",
    "a_12_34_b.ipynb",
    "作业.py",
    "x",
]
NAMES = ["lovelaceada", "王小明", "o_hara", "smith2", "a" * 90, "late"]


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("who", NAMES)
def test_canvas_names_tell_user_file_and_lateness(who, file, late):
    found = named(canvas(who, 101, 5001, file, late=late))
    assert (found.sender.lms, found.sender.name, found.sender.user_id) == ("canvas", who, "101")
    assert (found.file, found.late, found.order) == (file, late, 5001)
    assert "_101_5001_" in found.sender.back


@pytest.mark.parametrize("around", ["", "submissions/"])
@pytest.mark.parametrize("form", [{}, {"old": True}, {"newest": True}])
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", ["Ada Lovelace", "王小明", "O'Hara, J. (x)", "A_B", "名" * 90])
def test_moodle_names_tell_participant_and_file(name, file, form, around):
    found = named(around + moodle(name, 77, file, **form))
    assert (found.sender.lms, found.sender.name, found.file) == ("moodle", name, file)
    assert found.sender.back.startswith(f"{name}_77_assignsubmission_file")
    assert not found.late


def test_a_students_file_name_cannot_make_it_anothers():
    theirs = moodle("Bob", 2, canvas("eve", 1, 2, "x.ipynb"))
    assert named(moodle("Ada", 1, theirs)).sender.name == "Ada"
    assert named(canvas("ada", 101, 5001, canvas("bob", 102, 6000, "x.ipynb"))).sender.user_id == "101"


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("anon_a1B2c_5001_x.ipynb", "anon_a1B2c"),
        ("anon_a1B2c_LATE_5001_x.ipynb", "anon_a1B2c"),
        ("LATE_anon_a1B2c_5001_x.ipynb", "anon_a1B2c"),
    ],
)
def test_anonymous_work_names_nobody(name, who):
    found = named(name)
    assert (found.sender.name, found.sender.user_id, found.late) == (who, "", "LATE" in name)


@pytest.mark.parametrize("name", ["lovelaceada_101_text.html", "lovelaceada_LATE_101_text.html"])
def test_text_typed_into_canvas_is_no_file(name):
    assert named(name).file == "" and named(name).sender.user_id == "101"


@pytest.mark.parametrize(
    "name", ["self_attention.ipynb", "readme.txt", "ada/self_attention.ipynb", "a_1.py", ""]
)
def test_other_names_are_nobodys(name):
    assert named(name) is None


PEOPLE = [
    Person("ada", "Ada", "Lovelace", "ada@x.org", "101"),
    Person("bob", "Bob", "Li"),
    Person("王小明", "小明", "王"),
    Person("sam1", "Sam", "Same"),
    Person("sam2", "Sam", "Same"),
    Person("103", "Id", "Is"),
]


@pytest.mark.parametrize(
    ("sender", "student"),
    [
        (Sender("canvas", "anything", "101"), "ada"),
        (Sender("canvas", "libob", "9"), "bob"),
        (Sender("canvas", "x", "103"), "103"),
        (Sender("canvas", "lovelaceada", "102"), None),  # another person of the same name
        (Sender("moodle", "Ada Lovelace"), "ada"),
        (Sender("moodle", "LI Bob"), "bob"),
        (Sender("moodle", "王 小明"), "王小明"),
        (Sender("moodle", "小明 王"), "王小明"),
        (Sender("moodle", "Sam Same"), None),  # two are called so
        (Sender("moodle", "Nobody"), None),
        (Sender("moodle", ""), None),
    ],
)
def test_a_sender_is_found_by_id_else_by_a_name_that_one_alone_has(sender, student):
    assert Roster(PEOPLE).find(sender) == student


def test_what_a_person_has_decided_holds():
    told = {"Sam Same": "sam2", "102": "ada"}
    assert Roster(PEOPLE, told).find(Sender("moodle", "Sam Same")) == "sam2"
    assert Roster(PEOPLE, told).find(Sender("canvas", "x", "102")) == "ada"
