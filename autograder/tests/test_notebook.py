"""The woven notebook is the same bytes each time, valid, and released by nbgrader as we say it is."""

import json
import os
import subprocess
import sys

import nbformat
import pytest
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.nbgraderformat import MetadataValidator

from autograder.author import notebook
from autograder.author.build import build
from autograder.author.exercise import load_exercise
from autograder.settings import load_config
from autograder.tests.courses import edit, empty_gradebook, make_course

LANGUAGES = [("en",), ("zh",), ("en", "zh"), ("zh", "en")]


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)


@pytest.fixture
def exercise(course):
    return load_exercise(course, "two_steps")


def sources(woven, kind="markdown"):
    return [cell["source"] for cell in woven["cells"] if cell["cell_type"] == kind]


def ids(woven):
    return [cell["id"] for cell in woven["cells"]]


@pytest.mark.parametrize("languages", LANGUAGES, ids="+".join)
@pytest.mark.parametrize("solved", [True, False])
def test_it_is_valid_for_jupyter_and_nbgrader(exercise, languages, solved):
    text = notebook.as_text(notebook.weave(exercise, languages, solved))
    read = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
    nbformat.validate(read)
    MetadataValidator().validate_nb(read)
    assert nbformat.writes(read) + "\n" == text


def test_it_is_the_same_bytes_each_time(course, exercise):
    again = load_exercise(course, "two_steps")
    assert notebook.as_text(notebook.weave(again, ["en"])) == notebook.as_text(
        notebook.weave(exercise, ["en"])
    )


def test_its_text_is_read_back_whole(exercise):
    woven = notebook.weave(exercise, ["en", "zh"])
    assert notebook.from_text(notebook.as_text(woven)) == json.loads(json.dumps(woven))


@pytest.mark.parametrize("languages", LANGUAGES, ids="+".join)
def test_nbgrader_releases_exactly_the_unsolved_notebook(tmp_path, languages):
    course = make_course(tmp_path, languages)
    build(course, "two_steps")
    (tmp_path / "gradebook.db").write_bytes(empty_gradebook())
    config = load_config(course)
    config.CourseDirectory.root = str(tmp_path)
    directory = CourseDirectory(config=config, assignment_id="two_steps")
    GenerateAssignment(coursedir=directory, config=config).start()
    released = json.loads((course.release("two_steps") / "two_steps.ipynb").read_text(encoding="utf-8"))
    unsolved = notebook.weave(load_exercise(course, "two_steps"), languages, solved=False)
    assert released == json.loads(notebook.as_text(unsolved))


def test_cells_keep_their_names_in_every_language(exercise):
    assert len({tuple(ids(notebook.weave(exercise, languages))) for languages in LANGUAGES}) == 1


def test_the_first_code_cell_follows_the_title(exercise):
    title, first, *_ = notebook.weave(exercise, ["en"])["cells"]
    assert title["source"].startswith("# Two steps")
    assert first["id"] == "setup" and "import numpy as np" in first["source"]


def test_a_step_is_prose_promises_stub_and_check(exercise):
    woven = ids(notebook.weave(exercise, ["en"]))
    start = woven.index("double-1")
    assert woven[start : start + 5] == ["double-1", "promises_double", "double", "check_double", "double-2"]


@pytest.mark.parametrize(
    ("languages", "open_", "closed"),
    [(("en", "zh"), "# Two steps", "中文"), (("zh", "en"), "# 两步", "English")],
)
def test_the_second_language_is_folded(exercise, languages, open_, closed):
    first = sources(notebook.weave(exercise, languages))[0]
    assert first.startswith(open_)
    assert f"<summary>{closed}</summary>" in first and first.endswith("</details>")


def test_one_language_shows_nothing_of_the_other(exercise):
    text = "".join(
        sources(notebook.weave(exercise, ["en"])) + sources(notebook.weave(exercise, ["en"]), "code")[1:]
    )
    assert not any("\u4e00" <= letter <= "\u9fff" for letter in text)


def test_every_promise_stands_in_the_notebook_with_its_points(exercise):
    woven = notebook.weave(exercise, ["en", "zh"])["cells"]
    for step in exercise.steps:
        text = next(cell["source"] for cell in woven if cell["id"] == f"promises_{step.name}")
        for promise in step.promises:
            for sentence in (promise.sentence.en, promise.sentence.zh):
                line = next(line for line in text.split("\n") if sentence in line)
                assert f"({float(step.worth(promise)):g})" in line


def test_points_are_those_of_the_toml(exercise):
    points = [notebook.points(cell) for cell in notebook.weave(exercise, ["en"])["cells"]]
    assert [value for value in points if value is not None] == [2.0, 3.0, 4.0]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("## `double` — twice", "## Doubling — twice", "has no section ## `double`"),
        ("## Question `why_twice`", "## Question `why`", "has no section ## Question `why_twice`"),
        ("## The end", "## `triple` — more", "has a section `triple`"),
    ],
)
def test_a_section_too_few_or_too_many_is_named(course, old, new, said):
    edit(course.assignment("two_steps") / "handout.en.md", old, new)
    (course.assignment("two_steps") / "handout.zh.md").unlink()
    with pytest.raises(notebook.WeaveError, match=said):
        notebook.weave(load_exercise(course, "two_steps"), ["en"])


def test_a_missing_translation_leaves_the_other_language_whole(course):
    (course.assignment("two_steps") / "handout.zh.md").unlink()
    exercise = load_exercise(course, "two_steps")
    assert sources(notebook.weave(exercise, ["en", "zh"]))[0].count("details") == 0
    with pytest.raises(notebook.WeaveError, match=r"no handout\.zh\.md"):
        notebook.weave(exercise, ["zh", "en"])


def test_a_longer_translation_loses_nothing(course, exercise):
    file = course.assignment("two_steps") / "handout.zh.md"
    file.write_text(file.read_text(encoding="utf-8") + "\n<!-- cell -->\n\n再见。\n", encoding="utf-8")
    longer = load_exercise(course, "two_steps")
    for languages in LANGUAGES[1:]:
        added = set(ids(notebook.weave(longer, languages))) - set(ids(notebook.weave(exercise, languages)))
        assert added == {"why_twice-3"}
        assert "再见" in sources(notebook.weave(longer, languages))[-1]
    assert notebook.weave(longer, ["en"])["cells"] == notebook.weave(exercise, ["en"])["cells"]


def run(setup, folder, before="", after="check(1)", **environment):
    """The first cell run as a notebook's kernel in `folder` would, then a check."""
    script = f"{before}\n{setup}\n{after}\nprint(np.__name__)"
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def unpacked(exercise, tmp_path):
    """The first cell's code, and a released folder with a selfcheck/ that says that it was found."""
    folder = tmp_path / "somewhere" / "two_steps"
    package = folder / "selfcheck"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        "def check(*_):\n    print('found')\n\n\ninspect_attention = progress = check\n", encoding="utf-8"
    )
    setup = next(c for c in notebook.weave(exercise, ["en"])["cells"] if c["id"] == "setup")
    return setup["source"], folder


def test_the_first_cell_finds_selfcheck_beside_the_notebook(unpacked):
    setup, folder = unpacked
    assert run(setup, folder) == "found\nnumpy\n"


def test_the_first_cell_finds_selfcheck_from_elsewhere(unpacked, tmp_path):
    setup, folder = unpacked
    file = str(folder / "two_steps.ipynb")
    assert run(setup, folder.parent) == "found\nnumpy\n"
    assert run(setup, tmp_path, JPY_SESSION_NAME=file) == "found\nnumpy\n"
    assert run(setup, tmp_path, before=f"__vsc_ipynb_file__ = {file!r}") == "found\nnumpy\n"


def test_without_selfcheck_the_first_cell_says_what_to_do_and_goes_on(unpacked, tmp_path):
    said = run(unpacked[0], tmp_path, PYTHONIOENCODING="utf-8")
    assert "put the folder selfcheck/ beside this notebook" in said and "文件夹放到本笔记本旁边" in said
    assert said.endswith("numpy\n")
