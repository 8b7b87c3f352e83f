"""Each of the doctor's laws holds for a sound exercise, and names file, fault and cure where it is broken."""

import re
import shutil
import subprocess

import pytest

from autograder.author.build import build
from autograder.author.doctor import LAWS, doctor, examine, texts, trials
from autograder.layout import KIT, Course
from autograder.tests.courses import edit, make_course

EN, ZH = "assignments/two_steps/handout.en.md", "assignments/two_steps/handout.zh.md"
TOML, SOLUTION = "assignments/two_steps/exercise.toml", "solutions/two_steps.py"
DOUBLE, QUADRUPLE = "suites/two_steps/test_double.py", "suites/two_steps/test_quadruple.py"
MISTAKES = "suites/two_steps/mistakes.py"


@pytest.fixture
def course(tmp_path):
    course = make_course(tmp_path)
    build(course, "two_steps")
    return course


def broken(course, law=None):
    """The faults that are found, of one law or of all."""
    laws = [pair for pair in LAWS if law in (None, pair[0].en)]
    return [finding for finding in examine(course, "two_steps", laws).findings if not finding.ok]


def test_a_sound_exercise_keeps_every_law(course):
    found = doctor(course, ["two_steps"])
    assert [finding for finding in found if not finding.ok or finding.warning] == []
    assert [finding.law for finding in found[:-1]] == [law for law, _ in LAWS]


def test_laws_are_said_in_both_languages():
    for law, _ in LAWS:
        assert law.en.endswith(".") and law.zh.endswith("。")


(
    SAY_THE_SAME,
    WRITTEN,
    REST,
    BOTH,
    ADD_UP,
    FRESH,
    HIDDEN,
    ASKED,
    PRIVATE,
    REFERENCE,
    LAZY,
    COST,
    NAMED,
    VARIANTS,
    ACCEPTED,
    SHOWN,
) = (law.en for law, _ in LAWS)
BREAKS = {
    "formulas": (SAY_THE_SAME, EN, "$$y = 2x$$", "$$y = x + x$$", "section `double`: the formulas differ"),
    "clauses": (
        SAY_THE_SAME,
        ZH,
        "不修改参数。<!-- clause: untouched -->",
        "不修改参数。",
        "the clauses differ",
    ),
    "hints": (
        SAY_THE_SAME,
        ZH,
        "<details><summary>提示 1：思路</summary>\n\n自己加自己。\n\n</details>",
        "无",
        "hints",
    ),
    "sections": (
        SAY_THE_SAME,
        ZH,
        "## 结束\n",
        "## `结束`\n",
        "differ in section 5: ## The end against ## `结束`",
    ),
    "cells": (SAY_THE_SAME, ZH, "手算翻倍。\n\n<!-- cell -->\n", "手算翻倍。\n", "the cells differ"),
    "code": (SAY_THE_SAME, ZH, "np.array([1.0, 2.0])", "np.array([1.0, 3.0])", "the code differ"),
    "no sentence": (BOTH, MISTAKES, "你求了平方；翻倍是相加。", "Squared.", "squares of double: its Chinese"),
    "no fact": (
        BOTH,
        DOUBLE,
        "Every entry is doubled.",
        "每个数都翻倍。",
        "test_doubles_each_entry: its English",
    ),
    "unwritten": (WRITTEN, EN, "That was all.", "TODO: an end", "handout.en.md, line 51: TODO: an end"),
    "no clause": (REST, EN, " <!-- clause: untouched -->", "", "`double` has no clause untouched"),
    "no weight": (ADD_UP, TOML, "test_is_linear = 2", "test_is_linear = 0", "test_is_linear weighs 0"),
    "only safety": (
        ADD_UP,
        DOUBLE,
        '@pytest.mark.clause("values")',
        '@pytest.mark.safety\n@pytest.mark.clause("values")',
        "has no aspect that earns a point",
    ),
    "stale": (FRESH, EN, "That was all.", "That is all.", "it is older than what it is woven from"),
    "solution shown": (
        HIDDEN,
        EN,
        "Doubling, by hand.",
        "Write `x = double(x)` or\n\n    return x + x",
        "solution text",
    ),
    "test shown": (HIDDEN, EN, "Doubling, by hand.", "See test_doubles_each_entry.", "a hidden test"),
    "mistake shown": (HIDDEN, ZH, "手算翻倍。", "你求了平方；翻倍是相加。", "a mistake's sentence"),
    "scheme shown": (HIDDEN, EN, "That was all.", "- 4 points: because it is.", "a mark scheme"),
    "reference": (
        REFERENCE,
        SOLUTION,
        "return x + x",
        "return x + x + 0 * (x == x)[..., :1] + 1e-3",
        "earns",
    ),
    "zeros pay": (
        LAZY,
        QUADRUPLE,
        "agree(quadruple(x), reference.quadruple(x))",
        "assert quadruple(x).shape == x.shape",
        "zeros of the right shape earns",
    ),
    "mistake is free": (
        COST,
        MISTAKES,
        "return x * x",
        "return correct(x)",
        "test_double.py: squares costs nothing",
    ),
    "lazy example": (
        SHOWN,
        SOLUTION,
        "    >>> quadruple(np.array([[1.0], [np.inf]]))\n    array([[ 4.],\n           [inf]])\n",
        "    >>> quadruple(np.zeros(2))\n    array([0., 0.])\n",
        "zeros of the right shape passes every example of quadruple",
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_law_names_file_fault_and_cure(course, name):
    law, path, old, new, said = BREAKS[name]
    edit(course.root / path, old, new)
    found = broken(course, law)
    assert any(said in finding.detail for finding in found), [finding.detail for finding in found]
    assert all(finding.cure for finding in found)


def test_what_lies_in_the_release_by_hand_is_searched_too(course):
    folder = course.release("two_steps")
    folder.mkdir(parents=True)
    (folder / "test_double.py").write_text("", encoding="utf-8")
    (folder / "notes.txt").write_text("def f(x):\n    return x + x\n", encoding="utf-8")
    (folder / "link").symlink_to(course.solution("two_steps"))
    said = [finding.detail for finding in broken(course)]
    assert len(said) == 4, said  # the link is followed, as nbgrader follows it
    assert {detail.split(" ", 1)[0] for detail in said} == {
        str(folder / name) for name in ("test_double.py", "notes.txt", "link")
    }


def test_the_seed_is_searched_for(course):
    course.seed.parent.mkdir(exist_ok=True)
    course.seed.write_text("0123456789abcdef" * 4, encoding="utf-8")
    (course.source("two_steps") / "notes.txt").write_text("0123456789abcdef" * 4, encoding="utf-8")
    assert ["the course's seed" in finding.detail for finding in broken(course, HIDDEN)] == [True]


def git(course, *arguments):
    subprocess.run(["git", *arguments], cwd=course.root, check=True, capture_output=True)


def test_students_data_in_git_is_named_with_the_command_that_takes_it_out(course):
    git(course, "init", "-q")
    (course.root / ".gitignore").write_text("\n".join([*texts.PRIVATE, "gradebook.db"]), encoding="utf-8")
    assert broken(course) == []
    file = course.submitted("ada", "two_steps") / "two_steps.ipynb"
    file.parent.mkdir(parents=True)
    file.write_text("{}", encoding="utf-8")
    git(course, "add", "-f", "submitted")
    assert [finding.cure for finding in broken(course)] == ["git rm -r --cached submitted"]


def test_a_folder_of_students_data_that_git_would_take_is_named(course):
    git(course, "init", "-q")
    details = [finding.detail for finding in broken(course) if finding.law.en == PRIVATE]
    assert len(details) == 9 and all(".gitignore does not ignore /" in detail for detail in details)


def test_a_mistake_that_looks_like_another_is_not_named(course):
    file = course.root / MISTAKES
    twin = file.read_text(encoding="utf-8").split("\n\n\n")[-1].replace("squares", "multiplies_by_itself")
    file.write_text(f"{file.read_text(encoding='utf-8')}\n\n{twin}", encoding="utf-8")
    build(course, "two_steps")
    assert [finding.law.en for finding in broken(course)] == [NAMED]


def test_a_correct_variant_that_loses_points_is_named(course, monkeypatch):
    def variants(found):
        yield "right", found.exercise.step("double"), lambda x: 2 * x
        yield "rounding", found.exercise.step("double"), lambda x: (2 * x).round(2)
        yield "summing", found.exercise.step("double"), lambda x: x.sum()

    monkeypatch.setattr(trials, "variants", variants)
    said = [(finding.law.en, finding.detail) for finding in broken(course)]
    assert [law for law, _ in said] == [VARIANTS, VARIANTS, ACCEPTED]
    for (_, detail), what in zip(said, ("rounding", "summing"), strict=False):
        assert f"the correct variant {what!r} earns 0 of 2: failed" in detail
    assert "the public checks of double refuse 'summing'" in said[-1][1]


def test_a_missing_translation_is_a_warning(course):
    (course.root / ZH).unlink()
    (course.root / "nbgrader_config.py").write_text(
        "c = get_config()\nc.Attn.languages = ['en']\n", encoding="utf-8"
    )
    build(course, "two_steps")
    found = [finding for finding in doctor(course, ["two_steps"]) if finding.warning or not finding.ok]
    assert [(finding.law.en, finding.ok) for finding in found] == [(SAY_THE_SAME, True)]


def test_an_exercise_that_cannot_be_read_is_a_finding(course):
    edit(course.root / TOML, "minutes = 10", "minutes =")
    (finding,) = broken(course)
    assert "exercise.toml: not TOML" in finding.detail and finding.cure == "Mend that line."


def test_in_a_new_clone_what_is_not_committed_has_yet_to_be_built(course):
    shutil.rmtree(course.source("two_steps") / "selfcheck")
    found = [finding for finding in doctor(course, ["two_steps"]) if finding.warning]
    assert found and all(finding.law.en == FRESH and finding.ok for finding in found)


@pytest.mark.parametrize("name", Course(KIT).exercises)
def test_the_kits_own_exercises_keep_every_law(name):
    kit = Course(KIT)
    uncommitted = re.compile(re.escape(f"{kit.source(name)}/") + r"(?!.*\.ipynb:).*: it is ")
    found = [f for f in doctor(kit, [name]) if not uncommitted.match(f.detail)]
    assert [f"{f.detail}: {f.cure}" for f in found if not f.ok] == []
