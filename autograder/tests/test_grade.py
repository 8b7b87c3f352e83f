"""Classes and files: gradesheets are a pure function of content, exercise and seed."""

import json
import os
from functools import partial

import pytest

from autograder.grade import classes, client
from autograder.grade import grade as grading
from autograder.grade.answers import DeskFault
from autograder.grade.files import course_seed, fingerprint_of_seed, read_sheet, sheet_bytes
from autograder.model import Gradesheet, KitError, Status
from autograder.plain import from_json
from autograder.tests.courses import edit
from autograder.tests.grading import CLASS, GOOD, small_class, submit


@pytest.fixture
def course(tmp_path):
    return small_class(tmp_path)


def sheets(course):
    folder = course.root / "gradesheets"
    return {file.parent.name: file.read_bytes() for file in folder.glob("*/two_steps.json")}


grade_class = partial(classes.grade_class, walls="none")  # quick; all work here is our own
grade_files = partial(grading.grade_files, walls="none")


def points(graded):
    return {sheet.student: sheet.earned and float(sheet.earned) for sheet in graded}


def run(course):
    return json.loads(course.run_record.read_bytes())["two_steps"]


def test_a_class_is_graded_and_written(course):
    (course.root / "submitted" / "fay" / "two_steps").mkdir(parents=True)
    found = points(grade_class(course, "two_steps"))
    assert found == {"ann": 5, "bob": 3, "cem": 3, "dee": 0, "eve": 3, "fay": 0, "王": 5}
    assert set(sheets(course)) == set(found)
    for student, content in sheets(course).items():
        sheet = from_json(Gradesheet, json.loads(content))
        assert sheet.student == student
        assert sheet_bytes(sheet) == content
        assert sheet.seed == fingerprint_of_seed(course_seed(course))


def test_grading_again_gives_the_same_bytes_however_it_is_spread(course):
    grade_class(course, "two_steps")
    before = sheets(course)
    grade_class(course, "two_steps", force=True)
    assert sheets(course) == before
    grade_class(course, "two_steps", force=True, workers=2)
    assert sheets(course) == before
    assert run(course)["workers"] == 2


def test_another_seed_and_the_same_marks(course):
    first = points(grade_class(course, "two_steps"))
    before = sheets(course)
    course.seed.unlink()
    assert points(grade_class(course, "two_steps")) == first
    assert run(course)["unchanged"] == 0
    assert not set(before.items()) & set(sheets(course).items())


def test_what_has_not_changed_is_not_graded_again(course):
    grade_class(course, "two_steps")
    assert (run(course)["graded"], run(course)["unchanged"]) == (6, 0)
    times = {file: file.stat().st_mtime_ns for file in course.root.glob("gradesheets/*/*.json")}
    submit(course, "bob", GOOD)
    assert points(grade_class(course, "two_steps"))["bob"] == 5
    assert (run(course)["graded"], run(course)["unchanged"]) == (1, 5)
    changed = [file.parent.name for file, time in times.items() if file.stat().st_mtime_ns != time]
    assert changed == ["bob"]


def test_a_mended_suite_grades_everyone_anew(course):
    grade_class(course, "two_steps")
    edit(course.suite("two_steps") / "test_double.py", "size=(2, 3)", "size=(3, 4)")
    grade_class(course, "two_steps")
    assert run(course)["graded"] == 6


def test_a_spoilt_gradesheet_is_made_anew(course):
    grade_class(course, "two_steps")
    before = sheets(course)
    files = [course.gradesheet(student, "two_steps") for student in ("ann", "bob", "cem")]
    for file, content in zip(files, (b"", b"{}", b'{"exercise": 1, "steps": [[]]}'), strict=True):
        file.write_bytes(content)
        assert read_sheet(file) is None
    grade_class(course, "two_steps")
    assert sheets(course) == before


def test_only_the_students_that_are_asked_for(course):
    assert list(points(grade_class(course, "two_steps", ["cem", "ann", "cem"]))) == ["cem", "ann"]
    assert set(sheets(course)) == {"cem", "ann"}


def test_progress_counts_up_to_the_class(course):
    seen = []
    grade_class(course, "two_steps", progress=lambda done, of, sheet: seen.append((done, of, sheet.student)))
    assert [(done, of) for done, of, _ in seen] == [(n, 6) for n in range(1, 7)]
    assert {student for *_, student in seen} == set(CLASS)


def test_one_submission_that_makes_us_fail_stops_no_other(course, monkeypatch):
    sit = grading.Proctor.sit

    def fails(self, submission):
        if "x * x" in submission.cells[0].source:
            raise DeskFault("out of processes")
        return sit(self, submission)

    monkeypatch.setattr(grading.Proctor, "sit", fails)
    graded = {sheet.student: sheet for sheet in grade_class(course, "two_steps")}
    assert graded["bob"].status is Status.grader_fault
    assert graded["bob"].earned is None
    assert "DeskFault" not in graded["bob"].reason.en
    assert "out of processes" in run(course)["faults"]["bob"]
    assert b"out of processes" not in sheets(course)["bob"]
    assert points(graded.values())["王"] == 5
    monkeypatch.setattr(grading.Proctor, "sit", sit)
    assert points(grade_class(course, "two_steps"))["bob"] == 3
    assert run(course)["graded"] == 1


def test_where_no_desk_can_be_had_the_run_stops_and_nobody_pays(course, monkeypatch):
    def refuses(self):
        raise DeskFault("no walls on this machine")

    monkeypatch.setattr(grading.Proctor, "ready", refuses)
    with pytest.raises(DeskFault, match="no walls"):
        grade_class(course, "two_steps")
    assert sheets(course) == {}


def test_files_are_graded_anywhere_and_nothing_is_written(course, tmp_path):
    file = tmp_path / "elsewhere" / "two_steps.py"
    file.parent.mkdir()
    file.write_text(GOOD, encoding="utf-8")
    before = sorted(course.root.rglob("*"))
    paths = [file, course.submitted("bob", "two_steps"), tmp_path / "absent.py"]
    found = list(grade_files(course, "two_steps", paths))
    assert [sheet.status for sheet in found] == [Status.graded, Status.graded, Status.missing]
    assert [sheet.earned for sheet in found] == [5, 3, 0]
    new = [path for path in sorted(course.root.rglob("*")) if path not in before]
    assert [path for path in new if "__pycache__" not in path.parts] == [course.private, course.seed]


def test_after_a_suite_is_mended_the_same_work_with_other_marks_is_told(course):
    told = []
    grade_class(course, "two_steps", changed=lambda *pair: told.append(pair))
    submit(course, "dee", GOOD)  # new work, not a changed mark
    edit(course.assignment("two_steps") / "exercise.toml", "points = 2\n", "points = 1\n")
    grade_class(course, "two_steps", changed=lambda *pair: told.append(pair))
    found = {after.student: (float(before.earned), float(after.earned)) for before, after in told}
    assert found == {"ann": (5, 4), "王": (5, 4)}


def test_another_grader_grades_anew_and_the_marks_are_the_same(course, monkeypatch):
    first = points(grade_class(course, "two_steps"))
    monkeypatch.setattr(grading, "grader_version", lambda: "newer")
    told = []
    found = grade_class(course, "two_steps", changed=lambda *pair: told.append(pair))
    assert points(found) == first and run(course)["unchanged"] == 0 and not told
    assert {sheet.grader for sheet in found} == {"newer"}


def test_messages_hold_no_memory_addresses(course):
    grade_class(course, "two_steps", ["eve"])
    assert b"ValueError" in sheets(course)["eve"]
    assert b"0x7" not in sheets(course)["eve"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_gradesheet_that_cannot_be_written_is_told_with_the_cure_and_nothing_is_lost(course, workers):
    in_the_way = course.root / "gradesheets" / "cem"
    in_the_way.parent.mkdir()
    in_the_way.write_bytes(b"")
    with pytest.raises(KitError, match=r"cem.*cannot be written"):
        grade_class(course, "two_steps", workers=workers)
    in_the_way.unlink()
    assert len(grade_class(course, "two_steps")) == len(sheets(course)) == len(CLASS)


NAMES = [
    "run.json",
    "-rf",
    "a\nb",
    "[red]",
    "<b>",
    "\x1b[2J",
    "e\u202eve",
    os.fsdecode(b"\xff\xfe"),
    "x" * 200,
]


def test_a_student_may_be_called_anything_that_a_folder_can(course):
    for student in NAMES:
        submit(course, student, GOOD)
    for force in (False, True):
        found = points(grade_class(course, "two_steps", force=force))
        assert {student: found[student] for student in NAMES} == dict.fromkeys(NAMES, 5)
        assert run(course)["graded"] == len(found)


def test_reading_one_file_never_stops_the_others(course, monkeypatch):
    files = [course.submitted(student, "two_steps") / "two_steps.py" for student in ("ann", "bob")]

    really = grading.take

    def take(path, *rest):
        if path == files[0]:
            raise MemoryError
        return really(path, *rest)

    monkeypatch.setattr(grading, "take", take)
    statuses = [sheet.status for sheet in grade_files(course, "two_steps", files)]
    assert statuses == [Status.grader_fault, Status.graded]


def test_without_walls_a_run_says_so(course):
    grade_class(course, "two_steps")
    assert run(course)["walls"]["mode"] == "none"


def test_where_no_walls_are_to_be_had_nobody_is_graded(course, monkeypatch):
    monkeypatch.setattr(client, "STRONGEST_FIRST", ())  # what a machine without any comes to
    with pytest.raises(KitError, match="--unsafe"):
        classes.grade_class(course, "two_steps")
    assert not sheets(course)
    assert points(grade_class(course, "two_steps"))["ann"] == 5
