"""The command line: what it takes, what it prints, and the status it ends with."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.grade import client
from autograder.layout import KIT, Course
from autograder.record.course import init

EXERCISE = "self_attention"
SOLVED = KIT / "solutions" / f"{EXERCISE}.py"
STUBS = KIT / "assignments" / EXERCISE / f"{EXERCISE}.py"


@pytest.fixture
def course(tmp_path) -> Course:
    return init(tmp_path / "course").course


@pytest.fixture
def attn(course, monkeypatch, capsys):
    """Runs `attn` in the course's folder; gives its status and what it printed."""
    monkeypatch.chdir(course.root)

    def run(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        return status, *capsys.readouterr()

    return run


@pytest.mark.parametrize(
    "words",
    [
        ("grade", EXERCISE, SOLVED, STUBS, "--json"),
        ("grade", EXERCISE, "--json", SOLVED, STUBS),
        ("grade", "--json", EXERCISE, SOLVED, STUBS),
    ],
    ids=["last", "between", "first"],
)
def test_an_option_may_stand_anywhere(attn, words):
    status, out, _ = attn(*words)
    assert status == 0
    assert [json.loads(line)["file"] for line in out.splitlines()] == [str(SOLVED), str(STUBS)]


def test_without_walls_only_where_it_is_asked_for(attn, course, monkeypatch):
    folder = course.submitted("ada", EXERCISE)
    folder.mkdir(parents=True)
    shutil.copy(SOLVED, folder / SOLVED.name)
    monkeypatch.setattr(client, "STRONGEST_FIRST", ())  # what a machine without any comes to
    for words in (("grade", EXERCISE), ("grade", EXERCISE, SOLVED)):
        status, _, said = attn(*words)
        assert status == 1 and "--unsafe" in said and "Traceback" not in said
        status, out, said = attn(*words, "--unsafe")
        assert status == 0 and "20" in out and "without walls" in said and "没有隔离" in said
    assert json.loads(course.run_record.read_bytes())[EXERCISE]["walls"]["mode"] == "none"


def test_what_is_said_of_walls_follows_the_courses_language(attn, course, monkeypatch, tmp_path):
    assert "Around each student's code" in attn("jail")[1]
    (course.root / "nbgrader_config.py").write_text('get_config().Attn.languages = ["zh"]', encoding="utf-8")
    assert "学生代码外面的各层隔离" in attn("jail")[1]
    said = attn("grade", EXERCISE, SOLVED, "--unsafe")[2]
    assert "没有隔离" in said and "without walls" not in said
    monkeypatch.chdir(tmp_path)
    assert "Around each student's code" in attn("jail")[1]


def test_json_has_the_keys_that_the_format_promises(attn):
    sheet = json.loads(attn("grade", EXERCISE, SOLVED, "--json")[1])
    assert sheet["version"] == 1 and sheet["status"] == "graded"
    assert (sheet["earned"], sheet["points"]) == (20, 20)
    assert {"exercise", "file", "steps", "warnings"} <= sheet.keys()
    for step in sheet["steps"]:
        assert {"name", "points", "earned", "verdict", "aspects", "diagnosis"} <= step.keys()
        for aspect in step["aspects"]:
            assert {"name", "verdict", "detail"} <= aspect.keys()
            assert aspect["sentence"]["en"] and aspect["sentence"]["zh"]


def test_every_path_gets_a_gradesheet_whatever_lies_there(attn, tmp_path):
    broken, folder = tmp_path / "broken.ipynb", tmp_path / "no work"
    broken.write_text("{", encoding="utf-8")
    folder.mkdir()
    paths = [tmp_path / "nowhere.py", broken, folder, STUBS]
    status, out, _ = attn("grade", EXERCISE, *paths, "--json")
    sheets = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [sheet["file"] for sheet in sheets] == [str(path) for path in paths]
    assert [sheet["status"] for sheet in sheets] == ["missing", "unreadable", "missing", "empty"]
    assert all(sheet["reason"]["en"] and sheet["reason"]["zh"] for sheet in sheets)
    assert "no file nowhere.py" in sheets[0]["reason"]["en"]


def test_grading_files_writes_nothing(attn, course):
    before = sorted(course.root.rglob("*"))
    attn("grade", EXERCISE, SOLVED)
    assert sorted(course.root.rglob("*")) == before


def test_the_same_class_graded_twice_gives_the_same_bytes(attn, course):
    for student in ("ada", "陈晓雨"):
        folder = course.submitted(student, EXERCISE)
        folder.mkdir(parents=True)
        shutil.copy(SOLVED, folder / f"{EXERCISE}.py")
    texts = []
    for again in ((), ("--force",)):
        status, out, _ = attn("grade", EXERCISE, *again)
        assert status == 0 and "2 graded" in out
        sheets = sorted((course.root / "gradesheets").glob("*/*.json"))
        texts.append([sheet.read_bytes() for sheet in sheets])
    assert texts[0] == texts[1] and len(texts[0]) == 2


def test_a_run_is_narrowed_by_time_and_step_and_the_gradesheet_stays_whole(attn, course):
    for student, day in {"ada": 1, "bob": 3}.items():
        folder = course.submitted(student, EXERCISE)
        folder.mkdir(parents=True)
        shutil.copy(SOLVED, folder / f"{EXERCISE}.py")
        (folder / "timestamp.txt").write_text(f"2026-03-0{day} 12:00:00 UTC", encoding="utf-8")
    words = ("grade", EXERCISE, "--since", "2026-03-02", "--step", "softmax")
    status, out, _ = attn(*words, "--json")
    (shown,) = [json.loads(line) for line in out.splitlines()]
    assert status == 0 and (shown["student"], shown["earned"]) == ("bob", 20)
    assert [step["name"] for step in shown["steps"]] == ["softmax"]
    assert len(json.loads(course.gradesheet("bob", EXERCISE).read_bytes())["steps"]) == 7
    assert not course.gradesheet("ada", EXERCISE).exists()
    out = attn(*words)[1]
    assert "5  softmax" in out and "weighted_sum" not in out
    status, _, error = attn("grade", EXERCISE, "--step", "sofmax")
    assert status == 1 and "sofmax" in error and "softmax" in error
    with pytest.raises(SystemExit, match="2"):
        attn("grade", EXERCISE, "--since", "yesterday")


def test_what_a_person_can_mend_is_said_with_the_cure(attn, tmp_path, monkeypatch):
    status, _, error = attn("grade", "no_such_exercise")
    assert status == 1 and "self_attention" in error
    monkeypatch.chdir(tmp_path)
    status, _, error = attn("status", EXERCISE)
    assert status == 1 and "attn init DIR" in error and "Traceback" not in error


def test_a_reader_that_has_had_enough_is_told_nothing_more():
    command = [Path(sys.executable).with_name("attn"), "jail"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    running.stdout.close()
    assert running.stderr.read() == b""
    running.stderr.close()
    assert running.wait() == 141


def test_words_that_no_command_knows_are_refused(attn, capsys):
    for words in (("build", "--no-such-option"), ("grade", EXERCISE, "--no-such-option"), ("nonsense",)):
        with pytest.raises(SystemExit, match="2"):
            attn(*words)
        assert "usage: attn" in capsys.readouterr().err


def test_a_terminal_obeys_nothing_that_a_student_wrote(attn, tmp_path):
    hostile = tmp_path / "a\x1b[31m\u202ename.py"
    shutil.copy(SOLVED, hostile)
    out = attn("grade", EXERCISE, hostile)[1]
    assert "\x1b" not in out and "\u202e" not in out


def test_a_new_course_has_what_nbgraders_own_commands_release(attn, tmp_path):
    root = tmp_path / "我的 课程"
    status, text, _ = attn("init", root)
    assert status == 0 and f"attn release {EXERCISE}" in text
    assert (root / "source" / EXERCISE / f"{EXERCISE}.ipynb").is_file()
    again = attn("init", root)
    assert again[0] == 0 and "made" not in again[1]


def test_an_update_that_changes_nothing_says_so(attn, tmp_path):
    root = tmp_path / "course"
    attn("init", root)
    assert attn("release", EXERCISE, "--course", root)[0] == 0
    status, text, _ = attn("release", EXERCISE, "--update", "--course", root)
    assert status == 0 and text.startswith("Nothing has changed")


def test_many_stale_files_are_one_line_with_one_cure(attn, tmp_path):
    root = tmp_path / "course"
    attn("init", root)
    for file in (root / "source" / EXERCISE / "selfcheck").glob("*.py"):
        file.write_text("", encoding="utf-8")
    status, _, error = attn("release", EXERCISE, "--course", root)
    assert status == 1 and error.count(f"attn build {EXERCISE}") == 1
    assert max(map(len, error.splitlines())) < 300


@pytest.mark.parametrize("languages", [["en"], ["zh"], ["zh", "en"]], ids=str)
@pytest.mark.parametrize("by", ["attn", "nbgrader"])
def test_languages_chosen_after_init_are_released(attn, tmp_path, languages, by):
    root = tmp_path / "course"
    attn("init", root)
    settings = root / "nbgrader_config.py"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace('["en", "zh"]', json.dumps(languages)), encoding="utf-8")
    if by == "attn":
        status, _, error = attn("release", EXERCISE, "--course", root)
        assert status == 0, error
    else:
        nbgrader = Path(sys.executable).with_name("nbgrader")
        subprocess.run([nbgrader, "generate_assignment", EXERCISE], cwd=root, check=True, capture_output=True)
    public = root / "release" / EXERCISE / "selfcheck" / "exercise.json"
    assert json.loads(public.read_text(encoding="utf-8"))["languages"] == languages


def test_a_course_without_students_says_how_to_enrol_them(attn):
    status, text, _ = attn("status", EXERCISE)
    assert status == 0 and "nbgrader db student add" in text
