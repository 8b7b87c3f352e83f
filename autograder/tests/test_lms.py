"""Work in from an LMS: names, times, strangers, and whatever a zip can hold."""

import datetime
import shutil
import stat

import pytest

from autograder.model import KitError
from autograder.record.exchange import arrival
from autograder.record.lms import archive
from autograder.tests.classes import EXERCISE, NOTEBOOK
from autograder.tests.downloads import canvas, flagged, moodle, zip_of
from autograder.tests.lms_class import DUE, collected, enrolled, taken


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    return enrolled(tmp_path_factory.mktemp("lms"))


@pytest.fixture
def course(template):
    """The same course for all; what was collected is gone again after each."""
    yield template
    for path in (template.root / "submitted", template.private / "earlier", template.private / "lms"):
        shutil.rmtree(path, ignore_errors=True)


def there(course, student):
    folder = course.submitted(student, EXERCISE)
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "timestamp.txt"}


def came(course, student):
    return arrival(course.submitted(student, EXERCISE))


@pytest.mark.parametrize(
    "name",
    [
        canvas("lovelaceada", 101, 5001, NOTEBOOK),
        canvas("lovelaceada", 101, 5001, "self_attention-1.ipynb", late=True),
        canvas("lovelaceada", 101, 5001, "self_attention (2).ipynb"),
        moodle("Ada Lovelace", 77, NOTEBOOK),
        moodle("Ada Lovelace", 77, "self_attention (1).ipynb", newest=True),
        moodle("Ada Lovelace", 77, "self_attention - Copy.ipynb", old=True),
        moodle("Ada Lovelace", 77, "self_attention 副本.ipynb"),
        moodle("Lovelace Ada", 77, "inner/self_attention-2.ipynb"),
    ],
)
def test_the_names_that_systems_make_are_taken_for_the_exercises_own(course, name):
    done = collected(course, (name, b"work"))
    assert done.taken == ("ada",) and there(course, "ada") == {NOTEBOOK: b"work"}


def test_of_several_uploads_the_last_has_the_name_and_none_is_lost(course):
    names = ["self_attention-1.ipynb", "self_attention-2.ipynb"]
    collected(course, *((canvas("x", 101, 5001 + i, name), name.encode()) for i, name in enumerate(names)))
    assert there(course, "ada") == {NOTEBOOK: names[1].encode(), names[0]: names[0].encode()}


def test_long_chinese_names_and_names_of_other_encodings(course):
    long = "作业" * 200 + ".ipynb"
    content = zip_of((moodle("王小明", 7, long), b"work"))
    done = taken(course, content)
    (name,) = there(course, "王小明")
    assert done.taken and len(name.encode()) < 255 and name.endswith(".ipynb")
    assert taken(course, flagged(content, archive.UTF8, long[:20], on=False)).unchanged == ("王小明",)


@pytest.mark.parametrize("when", [datetime.datetime(2026, 3, 1, 8, 30), datetime.datetime(2026, 3, 4, 8)])
def test_the_archives_time_is_kept(course, when):
    other = (canvas("libob", 102, 2, NOTEBOOK), b"", {"utc": datetime.datetime(2026, 2, 1)})
    collected(course, (canvas("x", 101, 1, NOTEBOOK, late=when > DUE), b"work", {"utc": when}), other)
    assert came(course, "ada") == when


def test_what_canvas_does_not_call_late_is_not(course):
    collected(course, (canvas("x", 101, 1, NOTEBOOK), b"work", {"utc": datetime.datetime(2026, 3, 9)}))
    assert came(course, "ada") <= DUE


def test_an_archive_that_tells_its_packing_alone_makes_nobody_later_than_is_known(course):
    packing = {"utc": datetime.datetime(2026, 3, 9)}
    done = collected(
        course,
        (canvas("x", 101, 1, NOTEBOOK, late=True), b"a", packing),
        (moodle("Bob Li", 2, NOTEBOOK), b"b", packing),
    )
    assert came(course, "ada") == DUE + datetime.timedelta(seconds=1) and came(course, "bob") == DUE
    assert len(done.notes) == 2


def test_a_students_own_stamp_and_secret_mean_nothing(course):
    stamp = (moodle("Ada Lovelace", 1, "timestamp.txt"), b"1999-01-01 00:00:00 UTC")
    secret = (moodle("Ada Lovelace", 1, "submission_secret.txt"), b"mine")
    collected(course, (moodle("Ada Lovelace", 1, NOTEBOOK), b"work"), stamp, secret)
    assert there(course, "ada") == {NOTEBOOK: b"work"} and came(course, "ada").year == 2026


GOOD = (canvas("libob", 102, 9, NOTEBOOK), b"good")
NAME = canvas("x", 101, 1, NOTEBOOK)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (("../../" + NAME, b"x"), "leads out"),
        (("/etc/" + NAME, b"x"), "leads out"),
        (("C:\\" + NAME, b"x"), "leads out"),
        ((NAME, b"/etc/passwd", {"mode": stat.S_IFLNK | 0o777}), "a link"),
        ((NAME, b"", {"mode": stat.S_IFIFO | 0o644}), "no regular file"),
        ((NAME, b"0" * (3 << 20)), "more than 2 MB"),
        ((canvas("x", 101, 1, "a.zip"), zip_of((NOTEBOOK, b"0" * (3 << 20)))), "more than 2 MB"),
        ((canvas("x", 101, 1, "a.zip"), zip_of(("../" + NOTEBOOK, b"x"))), "leads out"),
        ((canvas("x", 101, 1, "a.zip"), b"no zip"), "no zip file"),
        (("x_101_text.html", b"x"), "typed"),
        (("homework.ipynb", b"x"), "none that Canvas or Moodle gives"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_dangerous_is_refused_with_a_reason_and_the_rest_goes_on(course, monkeypatch, entry, why):
    monkeypatch.setattr("autograder.record.lms.sorting.MAX_ALL", 2 << 20)
    before = set(course.root.parent.rglob("*"))
    done = collected(course, entry, GOOD)
    assert [reason for _, reason in done.refused if why in reason], done.refused
    assert done.taken == ("bob",) and there(course, "bob") == {NOTEBOOK: b"good"}
    new = set(course.root.parent.rglob("*")) - before
    parts = (course.root / "submitted", course.private, course.root / "download.zip")
    assert all(any(path == part or part in path.parents for part in parts) for path in new)


def test_encrypted_and_damaged_entries_are_refused_and_the_rest_goes_on(course):
    content = zip_of((NAME, b"x" * 99), GOOD)
    assert taken(course, flagged(content, archive.ENCRYPTED, NAME)).refused == ((NAME, "it is encrypted"),)
    damaged = bytearray(content)
    at = content.find(NAME.encode()) + len(NAME) + 1
    damaged[at] ^= 0xFF
    ((name, why),) = taken(course, bytes(damaged)).refused
    assert name == NAME and "damaged" in why


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip", zip_of(), zip_of(("a.txt", b"x"))])
def test_what_is_no_bulk_download_is_an_error_with_a_cure(course, content):
    with pytest.raises(KitError, match="zip"):
        taken(course, content)
    assert not (course.root / "submitted").exists()


def test_a_zip_of_the_whole_release_gives_the_work_alone(course):
    inner = zip_of((f"hw/{NOTEBOOK}", b"work"), ("hw/selfcheck/check.py", b"ours"), ("hw/.git/a.py", b""))
    collected(course, (canvas("x", 101, 1, "hw.zip"), inner))
    assert there(course, "ada") == {NOTEBOOK: b"work"}


def test_strangers_are_listed_and_can_be_named(course):
    entry = (moodle("A. Lovelace", 1, NOTEBOOK), b"work")
    assert collected(course, entry).strangers == {"A. Lovelace": [NOTEBOOK]}
    assert collected(course, entry, told={"A. Lovelace": "ada"}).taken == ("ada",)


def test_collecting_again_changes_nothing_and_newer_work_keeps_the_older(course):
    first, second = (NAME, b"first"), (NAME, b"second")
    collected(course, first)
    assert collected(course, first).unchanged == ("ada",)
    assert not (course.private / "earlier").exists()
    assert collected(course, second).taken == ("ada",)
    assert there(course, "ada") == {NOTEBOOK: b"second"}
    (kept,) = (course.private / "earlier").rglob(NOTEBOOK)
    assert kept.read_bytes() == b"first"
