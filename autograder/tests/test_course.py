"""`attn init`: a course is made or joined, whatever is there stays, and students' data stays out of git."""

import json
import shutil
import subprocess

import pytest
from nbgrader.apps.baseapp import NbGrader
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.exchange.default import ExchangeCollect
from traitlets.config import Config

from autograder.layout import CONFIG, Course
from autograder.record.course import BESIDE, IGNORED, init
from autograder.record.exchange import Collect
from autograder.record.opening import nbgrader_config, opened
from autograder.settings import AUTOGRADE, GENERATE, PASSES, SANITIZE, load_settings, plug_in
from autograder.tests.classes import tree

THEIRS = 'c = get_config()\nc.CourseDirectory.course_id = "theirs"\nc.Exchange.root = "/nowhere"\n'


@pytest.fixture
def theirs(tmp_path):
    """A course that nbgrader already runs."""
    root = tmp_path / "theirs"
    (root / "source" / "ps1").mkdir(parents=True)
    (root / CONFIG).write_text(THEIRS, encoding="utf-8")
    (root / "gradebook.db").write_bytes(b"grades")
    (root / ".gitignore").write_text("submitted/\n*.pyc\n", encoding="utf-8")
    return root


def mode(path):
    return path.stat().st_mode & 0o7777


def our_passes_run(course):
    with opened(course) as api:
        grading = Autograde(coursedir=api.coursedir, parent=api)
        generating = GenerateAssignment(coursedir=api.coursedir, parent=api)
        return (
            tuple(grading.sanitize_preprocessors) == SANITIZE
            and tuple(grading.autograde_preprocessors) == AUTOGRADE
            and tuple(generating.preprocessors) == GENERATE
        )


def test_a_new_course_is_one_that_nbgrader_reads(tmp_path):
    course = init(tmp_path / "linear algebra").course
    assert our_passes_run(course)
    with opened(course) as api:
        assert api.course_id == "linear-algebra"
        assert api.coursedir.root == str(course.root)
        assert api.exchange_root == str(course.root / "exchange") and not api.exchange_missing
    assert load_settings(course).languages == ["en", "zh"]


def test_the_seed_is_its_owners_alone_and_everybody_may_hand_in(tmp_path):
    course = init(tmp_path).course
    assert mode(course.seed) == 0o600 and mode(course.private) == 0o700
    assert mode(course.root / "exchange") == 0o1777
    assert len(bytes.fromhex(course.seed.read_text(encoding="ascii"))) == 32


def test_on_a_hub_the_exchange_is_the_machines_and_the_folder_its_teachers(tmp_path, monkeypatch):
    machine = tmp_path / "etc"
    machine.mkdir()
    (machine / CONFIG).write_text(THEIRS, encoding="utf-8")
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(machine))
    course = init(tmp_path / "algebra").course
    with opened(course) as api:
        assert (api.course_id, api.exchange_root) == ("theirs", "/nowhere")
    assert not (course.root / "exchange").exists()
    assert mode(course.root) & 0o007 == 0


def test_two_courses_have_two_seeds(tmp_path):
    seeds = {init(tmp_path / name).course.seed.read_bytes() for name in "ab"}
    assert len(seeds) == 2


def test_doing_it_twice_changes_nothing(tmp_path):
    first = init(tmp_path)
    before = tree(tmp_path)
    second = init(tmp_path)
    assert first.made and not second.made and not second.todo
    assert tree(tmp_path) == before


def test_joining_touches_no_file_that_is_there(theirs):
    before = tree(theirs)
    joined = init(theirs)
    after = tree(theirs)
    assert {name: after[name] for name in before} == before
    assert theirs / BESIDE in joined.made
    assert our_passes_run(Course(theirs))
    config = nbgrader_config(Course(theirs))
    assert (config.CourseDirectory.course_id, config.Exchange.root) == ("theirs", "/nowhere")


def test_joining_twice_changes_nothing(theirs):
    init(theirs)
    before = tree(theirs)
    assert not init(theirs).made
    assert tree(theirs) == before


def test_where_nbgraders_json_is_theirs_two_lines_are_named_that_work(theirs):
    (theirs / BESIDE).write_text(json.dumps({"Exchange": {"root": "/elsewhere"}}), encoding="utf-8")
    before = tree(theirs)
    told = init(theirs).todo[-1]
    assert {name: content for name, content in tree(theirs).items() if name in before} == before
    lines = told.partition("\n")[2]
    with (theirs / CONFIG).open("a", encoding="utf-8") as config:
        config.write(lines)
    assert our_passes_run(Course(theirs))
    assert not [line for line in init(theirs).todo if "plug_in" in line]


def test_an_exchange_and_a_hook_that_a_teacher_chose_stay(theirs):
    with (theirs / CONFIG).open("a", encoding="utf-8") as config:
        config.write('c.ExchangeFactory.collect = "nbgrader.exchange.default.ExchangeCollect"\n')
        config.write('c.Autograde.pre_convert_hook = "os.path.join"\n')
    init(theirs)
    config = nbgrader_config(Course(theirs))
    assert config.Autograde.pre_convert_hook == "os.path.join"
    with opened(Course(theirs)) as api:
        assert api.exchange.collect is ExchangeCollect


def test_our_collector_is_the_exchanges_where_none_was_chosen(tmp_path):
    with opened(init(tmp_path).course) as api:
        assert api.exchange.collect is Collect


def test_folders_of_other_names_are_told_of(theirs):
    with (theirs / CONFIG).open("a", encoding="utf-8") as config:
        config.write('c.CourseDirectory.submitted_directory = "handed_in"\n')
    assert any("submitted_directory" in line for line in init(theirs).todo)


def test_what_an_ignore_list_lacks_is_told(theirs):
    told = next(line for line in init(theirs).todo if ".gitignore" in line)
    assert "/gradesheets/" in told and "/submitted/" not in told


@pytest.mark.parametrize("joining", [False, True], ids=["made", "joined"])
def test_git_takes_no_seed_and_no_gradesheet(theirs, tmp_path, joining):
    root = theirs if joining else tmp_path / "new"
    course = init(root).course
    subprocess.run(["git", "init", "--quiet", root], check=True)
    kept = [course.seed, course.private / "backups" / "x.db", course.gradesheet("ada", "self_attention")]
    if not joining:
        kept += [
            root / line.strip("/").replace("*", "") / "x" for line in IGNORED.splitlines() if "/" in line
        ]
    for file in kept:
        assert not subprocess.run(["git", "-C", root, "check-ignore", "--quiet", file]).returncode, file


@pytest.mark.parametrize("name", ["a+b", "数学 课", "...", "x" * 60, "a'b\"c"])
def test_any_folder_name_gives_an_identity_that_nbgrader_can_carry(tmp_path, name):
    with opened(init(tmp_path / name).course) as api:
        assert api.course_id and not set(api.course_id) & set("+/ '\"")


def test_a_student_needs_one_variable_to_find_the_exchange(tmp_path, monkeypatch):
    joined = init(tmp_path / "course")
    course = joined.course
    elsewhere = tmp_path / "home"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    (told,) = joined.todo
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", told.partition("JUPYTER_CONFIG_PATH=")[2])
    app = NbGrader()
    app.load_config_file()
    assert app.config.Exchange.root == str(course.root / "exchange")
    assert app.config.CourseDirectory.course_id == "course"


def test_nbgraders_helper_programs_are_found_even_where_path_lacks_them(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    plug_in(Config())
    assert shutil.which("alembic")


def test_the_passes_that_settings_name_are_there():
    from autograder.record import passes

    ours = [name.removeprefix(f"{PASSES}.") for name in (*SANITIZE, *AUTOGRADE, *GENERATE) if PASSES in name]
    assert ours and all(hasattr(passes, name) for name in ours)
