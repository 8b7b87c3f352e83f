"""The whole way through an LMS: a download in, grades and feedback back, and a release to hand out."""

import json
import shutil
import zipfile

import pytest

from autograder.cli import main
from autograder.model import KitError
from autograder.record.classroom import submit_as
from autograder.record.gradebook import record
from autograder.record.lms.giving import feedback_zip
from autograder.tests import classes, formats
from autograder.tests.classes import EXERCISE, NOTEBOOK
from autograder.tests.downloads import canvas, moodle, zip_of
from autograder.tests.lms_class import collected, enrolled


@pytest.fixture
def course(tmp_path):
    return enrolled(tmp_path)


def test_the_whole_way_from_a_download_to_grades_and_feedback_in_canvas(course, capsys):
    work = json.dumps(classes.solved(course)).encode()
    content = zip_of(
        (canvas("lovelaceada", 101, 5001, "self_attention-1.ipynb", late=True), work),
        (canvas("stranger", 999, 5002, NOTEBOOK), work),
        (canvas("王小明", 103, 5003, NOTEBOOK), b"{"),
    )
    file = course.root / "submissions.zip"
    file.write_bytes(content)
    at = ["--course", str(course.root)]
    assert main(["collect", EXERCISE, "--from", str(file), *at]) == 0
    out, err = capsys.readouterr()
    assert "2 collected, 0 were here already, 1 not matched, 0 files refused" in out
    assert "nobody in the roster: stranger (999)" in err
    record(course, EXERCISE)
    assert main(["feedback", EXERCISE, "--zip", *at]) == 0
    packed = course.root / "exports" / f"{EXERCISE}.feedback.canvas.zip"
    assert f"packed for 2 students in {packed}" in capsys.readouterr().out
    with zipfile.ZipFile(packed) as back:
        pages = {name: back.read(name) for name in back.namelist()}
    assert set(pages) == {
        f"lovelaceada_LATE_101_5001_{EXERCISE}.html",
        f"王小明_103_5003_{EXERCISE}.html",
    }
    assert all(b"<html" in page for page in pages.values())
    assert main(["export", EXERCISE, "--to", "canvas", *at]) == 0
    exported = (course.root / "exports" / f"{EXERCISE}.canvas.csv").read_bytes()
    assert formats.canvas(exported) == {"101": "20", "102": "0", "103": ""}


def test_without_a_file_work_comes_from_the_exchange(course, capsys, tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / NOTEBOOK).write_text(json.dumps(classes.stub(course)), encoding="utf-8")
    submit_as(course, EXERCISE, "ada", tmp_path / "work")
    command = ["collect", EXERCISE, "--course", str(course.root)]
    assert main(command) == 0
    assert "work of 1 students is here" in capsys.readouterr().out
    assert (course.submitted("ada", EXERCISE) / NOTEBOOK).is_file()
    shutil.rmtree(course.root / "exchange" / "course")
    assert main(command) == 1
    assert "--from FILE.zip" in capsys.readouterr().err


def test_feedback_goes_back_to_moodle_in_folders_of_the_same_name(course):
    collected(course, (moodle("Ada Lovelace", 77, NOTEBOOK), b"work"))
    course.feedback("ada", EXERCISE).mkdir(parents=True)
    (course.feedback("ada", EXERCISE) / f"{EXERCISE}.html").touch()
    (packed,) = feedback_zip(course, EXERCISE).files
    with zipfile.ZipFile(packed) as back:
        assert back.namelist() == ["Ada Lovelace_77_assignsubmission_file_/self_attention.html"]


def test_no_feedback_and_no_senders_are_told_with_the_command(course):
    with pytest.raises(KitError, match="attn feedback"):
        feedback_zip(course, EXERCISE)
    course.feedback("ada", EXERCISE).mkdir(parents=True)
    (course.feedback("ada", EXERCISE) / f"{EXERCISE}.html").touch()
    with pytest.raises(KitError, match=r"--from FILE\.zip"):
        feedback_zip(course, EXERCISE)


def test_a_release_is_packed_as_it_is_released(course, capsys):
    assert main(["release", EXERCISE, "--zip", "--course", str(course.root)]) == 0
    packed = course.root / "exports" / f"{EXERCISE}.zip"
    assert str(packed) in capsys.readouterr().out
    with zipfile.ZipFile(packed) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    assert found == {
        f"{EXERCISE}/{path}": data for path, data in classes.tree(course.release(EXERCISE)).items()
    }
    main(["release", EXERCISE, "--zip", "--course", str(course.root)])
    assert [file.name for file in packed.parent.iterdir()] == [packed.name]
