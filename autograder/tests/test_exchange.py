"""Collecting: every honest hand-in arrives with the collector's time, and no other stops or reaches it."""

import datetime
import os

import pytest

from autograder.intake.aside import put_back
from autograder.record import classroom
from autograder.record.exchange import SECRET, STAMP, arrival, complete, tidy
from autograder.tests.classes import released

EXERCISE = "self_attention"
TIME = "2026-03-01 12:00:00.000000 UTC"
WHEN = datetime.datetime(2026, 3, 1, 12)


@pytest.fixture
def course(tmp_path):
    return released(tmp_path)


def inbound(course, name, **files):
    folder = course.root / "exchange" / "course" / "inbound" / name
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in {"self_attention_ipynb": "{}", "timestamp_txt": TIME, **files}.items():
        stem, _, ending = file.rpartition("_")
        (folder / f"{stem}.{ending}").write_text(content, encoding="utf-8")
    return folder


def arrived(course):
    return sorted(folder.parent.name for folder in (course.root / "submitted").glob(f"*/{EXERCISE}"))


def outside(course):
    """Everything in the course but what collecting may write."""
    return sorted(
        str(path.relative_to(course.root))
        for path in course.root.rglob("*")
        if path.relative_to(course.root).parts[0] not in ("submitted", "exchange")
        and "gradebook" not in path.name
    )


HOSTILE = [
    f"eve+{EXERCISE}+yesterday",
    f"eve+{EXERCISE}+",
    f"eve+{EXERCISE}+{'9' * 60}",
    f"..+{EXERCISE}+{TIME}+x",
    f".+{EXERCISE}+{TIME}+x",
    f".ssh+{EXERCISE}+{TIME}+x",
    f"+{EXERCISE}+{TIME}+x",
    f"eve\n+{EXERCISE}+{TIME}+x",
    f"e\u202eve+{EXERCISE}+{TIME}+x",
    f"-rf+{EXERCISE}+{TIME}+x",
]


def test_folders_whose_names_are_no_submissions_stop_and_reach_nobody(course):
    inbound(course, f"ada+{EXERCISE}+{TIME}+abc")
    for name in HOSTILE:
        inbound(course, name)
    before = outside(course)
    log = classroom.collect(course, EXERCISE)
    assert arrived(course) == ["ada"] and outside(course) == before
    told = [name for name in HOSTILE if not name.startswith(".")]  # nbgrader itself passes over hidden ones
    assert log.count("Not collected") == len(told)


def test_what_is_no_folder_is_left_lying(course):
    inbound(course, f"ada+{EXERCISE}+{TIME}+abc")
    folder = course.root / "exchange" / "course" / "inbound"
    (folder / f"eve+{EXERCISE}+{TIME}+file").write_text("x", encoding="utf-8")
    (folder / f"fay+{EXERCISE}+{TIME}+link").symlink_to(course.private)
    classroom.collect(course, EXERCISE)
    assert arrived(course) == ["ada"]


def test_honest_names_arrive(course):
    students = sorted(["ada", "ada.lovelace", "a+b", "李雷", "12345", "ada@example.org", "O b"])
    for student in students:
        inbound(course, f"{student}+{EXERCISE}+{TIME}+abc")
    classroom.collect(course, EXERCISE)
    assert arrived(course) == students


def test_the_time_is_the_collectors(course):
    inbound(course, f"ada+{EXERCISE}+{TIME}+abc", timestamp_txt="1999-01-01 00:00:00 UTC")
    classroom.collect(course, EXERCISE)
    assert arrival(course.submitted("ada", EXERCISE)) == WHEN


def test_the_newest_hand_in_counts(course):
    inbound(course, f"ada+{EXERCISE}+{TIME}+a", work_txt="old")
    classroom.collect(course, EXERCISE)
    inbound(course, f"ada+{EXERCISE}+2026-03-02 12:00:00.000000 UTC+b", work_txt="new")
    classroom.collect(course, EXERCISE)
    assert (course.submitted("ada", EXERCISE) / "work.txt").read_text(encoding="utf-8") == "new"


def test_links_and_devices_do_not_come_along(course):
    folder = inbound(course, f"ada+{EXERCISE}+{TIME}+abc")
    (folder / "seed.txt").symlink_to(course.seed)
    (folder / "course").symlink_to(course.root)
    (folder / "nothing").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    log = classroom.collect(course, EXERCISE)
    assert "refused, since no regular files: ['course', 'nothing', 'pipe', 'seed.txt']" in log
    names = sorted(path.name for path in course.submitted("ada", EXERCISE).rglob("*"))
    assert names == ["self_attention.ipynb", STAMP]


def test_a_thousand_files_do_not_crowd_out_the_work(course):
    folder = inbound(course, f"ada+{EXERCISE}+{TIME}+abc")
    for number in range(1100):
        (folder / f"{number:04}.dat").touch()
    inbound(course, f"bob+{EXERCISE}+{TIME}+abc")
    log = classroom.collect(course, EXERCISE)
    files = list(course.submitted("ada", EXERCISE).iterdir())
    assert len(files) <= 1001 and course.submitted("ada", EXERCISE) / "self_attention.ipynb" in files
    assert arrived(course) == ["ada", "bob"] and "too large" in log


def test_a_folder_too_large_costs_the_others_nothing(course):
    config = course.root / "nbgrader_config.py"
    with config.open("a", encoding="utf-8") as opened:
        opened.write("c.CourseDirectory.max_dir_size = 10\n")
    folder = inbound(course, f"ada+{EXERCISE}+{TIME}+abc")
    (folder / "film.dat").write_bytes(bytes(20_000))
    inbound(course, f"bob+{EXERCISE}+{TIME}+abc")
    classroom.collect(course, EXERCISE)
    assert arrived(course) == ["ada", "bob"]
    assert {f.name for f in course.submitted("ada", EXERCISE).iterdir()} == {"self_attention.ipynb", STAMP}


STAMPS = {
    "a time": (TIME, WHEN),
    "another zone": ("2026-03-01 13:00:00 Europe/Berlin", WHEN),
    "none": (None, None),
    "empty": ("", None),
}


@pytest.mark.parametrize(("text", "when"), STAMPS.values(), ids=STAMPS)
def test_a_stamp_is_read(tmp_path, text, when):
    if text is not None:
        (tmp_path / STAMP).write_text(text, encoding="utf-8")
    assert arrival(tmp_path) == when
    assert not tidy(tmp_path, tmp_path / "aside")


@pytest.mark.parametrize(
    "content", [b"yesterday", b"2026-13-45", b"\xff\xfe\x00", b"9" * 400, b"x" * 100_000]
)
def test_an_unreadable_stamp_gives_way_to_its_own_date(tmp_path, content):
    stamp = tmp_path / STAMP
    stamp.write_bytes(content)
    os.utime(stamp, (WHEN.replace(tzinfo=datetime.UTC).timestamp(),) * 2)
    assert arrival(tmp_path) == WHEN
    assert tidy(tmp_path, tmp_path / "aside")
    assert arrival(tmp_path) == WHEN and not tidy(tmp_path, tmp_path / "aside")
    assert (tmp_path / f"{STAMP}.unreadable").read_bytes() == content


def test_tidying_sets_aside_what_leads_elsewhere_and_nothing_else(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("x", encoding="utf-8")
    work, aside = tmp_path / "work", tmp_path / "aside"
    (work / "data").mkdir(parents=True)
    (work / "data" / "own.csv").write_text("1", encoding="utf-8")
    (work / "link").symlink_to(secret)
    (work / "up").symlink_to(tmp_path)
    (work / "work.ipynb").symlink_to("nowhere")  # nobody copies it, and a person shall see it
    os.mkfifo(work / "data" / "pipe")
    (work / STAMP / "x").mkdir(parents=True)
    before = listing(work)
    assert len(tidy(work, aside)) == 4
    assert listing(work) == ["data", "data/own.csv", "work.ipynb"] and arrival(work) is None
    put_back(work, aside)
    assert listing(work) == before and not aside.exists()
    assert secret.exists() and (work / "link").readlink() == secret


def test_what_is_set_aside_of_an_earlier_hand_in_is_kept(tmp_path):
    work, aside = tmp_path / "work", tmp_path / "aside"
    work.mkdir()
    for target in ("first", "second"):
        (work / "link").symlink_to(target)
        tidy(work, aside)
        (work / "link").write_text("handed in since", encoding="utf-8")
        put_back(work, aside)
        (work / "link").unlink()
        aside.rename(tmp_path / target)
    assert (tmp_path / "first" / "link").readlink().name == "first"
    (work / "link").symlink_to("third")
    (tmp_path / "second").rename(aside)
    (work / "other").symlink_to("x")
    tidy(work, aside)
    assert sorted(path.readlink().name for path in aside.iterdir()) == ["second", "third", "x"]


def test_nothing_is_put_back_through_a_link_that_has_come_since(tmp_path):
    work, aside, elsewhere = tmp_path / "work", tmp_path / "aside", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (work / "data").mkdir(parents=True)
    (work / "data" / "link").symlink_to(tmp_path)
    tidy(work, aside)
    (work / "data").rmdir()
    (work / "data").symlink_to(elsewhere)
    put_back(work, aside)
    assert not listing(elsewhere) and (aside / "data" / "link").is_symlink()


def listing(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_what_release_feedback_needs_is_added_once(tmp_path):
    complete(tmp_path, "first")
    complete(tmp_path, "second")
    assert (tmp_path / SECRET).read_text(encoding="utf-8") == "first" and (tmp_path / STAMP).exists()
