"""Files that an exercise lists are released beside the notebook, and come back as nobody's work."""

from dataclasses import replace

import pytest

from autograder.author.build import build, stale
from autograder.author.exercise import ExerciseError, load_exercise
from autograder.intake.take import take
from autograder.model import Status
from autograder.selfcheck import memory
from autograder.tests.courses import edit, make_course
from autograder.tests.handed_in import EXERCISE, NAME, RELEASE
from autograder.tests.submissions import Work

HELPER = "import numpy as np\n\n\ndef plot(x):\n    return x  # 画图\n"


@pytest.fixture
def course(tmp_path):
    course = make_course(tmp_path)
    folder = course.assignment("two_steps")
    (folder / "plots.py").write_text(HELPER, encoding="utf-8")
    edit(folder / "exercise.toml", "minutes = 10", 'minutes = 10\nfiles = ["plots.py"]')
    return course


def test_a_listed_file_is_released_as_it_is_and_another_one_is_not(course):
    (course.assignment("two_steps") / "figure.py").write_text("", encoding="utf-8")
    build(course, "two_steps")
    assert (course.source("two_steps") / "plots.py").read_text(encoding="utf-8") == HELPER
    assert not (course.source("two_steps") / "figure.py").exists()


def test_a_changed_file_is_stale_until_it_is_built_and_decides_no_grade(course):
    build(course, "two_steps")
    before = load_exercise(course, "two_steps").version
    edit(course.assignment("two_steps") / "plots.py", "画图", "画")
    assert [file.name for file, _, _ in stale(course, "two_steps")] == ["plots.py"]
    build(course, "two_steps")
    assert not stale(course, "two_steps")
    assert load_exercise(course, "two_steps").version == before


@pytest.mark.parametrize(
    "name", ["gone.py", "../exercise.toml", "/etc/hostname", "random.py", "two_steps.py", ".hidden", "plots"]
)
def test_a_file_that_cannot_be_released_is_named(course, name):
    edit(course.assignment("two_steps") / "exercise.toml", "plots.py", name)
    with pytest.raises(ExerciseError) as caught:
        load_exercise(course, "two_steps")
    assert name in str(caught.value)


# --- what comes back ---

WITH = replace(EXERCISE, files={"plots.py": HELPER, "facts.csv": "1,2\n"})


def handed_in(folder, **files):
    work = Work(folder, WITH, RELEASE)
    work.write(work.notebook())
    for name, text in files.items():
        work.put(name, text)
    return take(folder, WITH, RELEASE)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_was_released_comes_back_without_a_word(tmp_path, end):
    files = {name: text.replace("\n", end) for name, text in WITH.files.items()}
    submission = handed_in(tmp_path, **files)
    assert (submission.status, submission.file) == (Status.graded, str(tmp_path / f"{NAME}.ipynb"))
    assert not submission.warnings


def test_what_the_selfcheck_keeps_is_nothing_to_speak_of(tmp_path):
    assert not handed_in(tmp_path, **{memory.FILE: "{}"}).warnings


def test_alone_it_is_no_submission(tmp_path):
    for name, text in WITH.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert take(tmp_path, WITH, RELEASE).status is Status.missing


def test_a_file_that_a_student_has_written_into_is_spoken_of(tmp_path):
    submission = handed_in(tmp_path, **{"plots.py": HELPER + "x = 1\n"})
    assert submission.status is Status.graded
    assert any("plots.py" in warning.en for warning in submission.warnings)
