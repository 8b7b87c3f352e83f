"""The files that grading writes: whole, private where they must be, refused with the cure where spoilt."""

import platform
import stat
import subprocess
import sys

import pytest

from autograder.grade.files import course_seed, fingerprint_of_seed, write_whole
from autograder.model import KitError
from autograder.tests.courses import make_course


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)


def test_the_seed_is_made_once_and_is_its_owners_alone(course):
    seed = course_seed(course)
    assert len(seed) == 32
    assert course_seed(course) == seed
    assert stat.S_IMODE(course.seed.stat().st_mode) == 0o600
    assert seed.hex() not in fingerprint_of_seed(seed)
    assert [path.name for path in course.private.iterdir()] == ["seed"]


@pytest.mark.parametrize("content", ["", "12", "z" * 64, "00" * 31])
def test_a_spoilt_seed_is_refused_with_the_cure(course, content):
    course_seed(course)
    course.seed.write_text(content, encoding="utf-8")
    with pytest.raises(KitError, match="seed"):
        course_seed(course)


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    file = tmp_path / "deep" / "file.json"
    write_whole(file, b"old")
    with pytest.raises(TypeError):
        write_whole(file, "not bytes")
    assert file.read_bytes() == b"old"
    assert [path.name for path in file.parent.iterdir()] == ["file.json"]


def test_what_a_killed_process_has_left_goes_with_the_next_writing(tmp_path):
    program = "import os; print(os.getpid())"
    gone = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.strip()
    left = tmp_path / f".file.json.{platform.node()}.{gone}.part"
    of_another = tmp_path / f".other.json.{platform.node()}.{gone}.part"
    for part in (left, of_another):
        part.write_bytes(b"half")
    write_whole(tmp_path / "file.json", b"new")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([of_another.name, "file.json"])
