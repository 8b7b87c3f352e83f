"""A teacher edits the source notebook in a real JupyterLab's Create Assignment view; the edits come back."""

import subprocess

import pytest
from playwright.sync_api import expect

from autograder.author.absorb import absorb
from autograder.author.build import build, stale
from autograder.author.exercise import load_exercise
from autograder.tests.courses import make_course
from autograder.tests.jupyter import chromium, jupyter_lab, open_lab, picture

pytestmark = pytest.mark.system

NOTEBOOK = "source/two_steps/two_steps.ipynb"


@pytest.fixture
def course(tmp_path):
    course = make_course(tmp_path / "course")
    build(course, "two_steps")
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=course.root, check=True)
    return course


def changed(course, *paths):
    command = ["git", "diff", "-U0", "--", *paths]
    diff = subprocess.run(command, cwd=course.root, capture_output=True, encoding="utf-8", check=True).stdout
    return [line for line in diff.split("\n") if line[:1] in ("+", "-") and line[:3] not in ("+++", "---")]


def save(page):
    with page.expect_response(lambda answer: answer.request.method == "PUT") as saved:
        page.keyboard.press("Control+s")
    assert saved.value.ok


def test_saving_without_an_edit_changes_nothing_that_counts(course):
    with chromium() as browser, jupyter_lab(course.root) as address:
        page = open_lab(browser, address, NOTEBOOK)
        page.locator(".jp-MarkdownOutput", has_text="That was all.").click()
        save(page)
    assert "no edits" in absorb(course, "two_steps")
    assert stale(course, "two_steps") == []


def test_edits_in_create_assignment_come_back_and_nothing_else(course):
    with chromium() as browser, jupyter_lab(course.root) as address:
        page = open_lab(browser, address, NOTEBOOK)
        page.wait_for_selector(".jp-MarkdownOutput")
        page.get_by_role("tab", name="Create Assignment").click()
        panel = page.locator(".nbgrader-CreateAssignmentWidget input[type=number]:visible")
        points = panel.and_(page.locator("[min]")).nth(1)
        expect(points).to_have_value("3")
        points.fill("3.5")
        points.press("Enter")
        last = page.locator(".jp-Notebook .jp-MarkdownCell").last
        last.dblclick()
        last.locator(".cm-content").click()
        page.keyboard.press("Control+a")
        text = "## The end\n\nThat is all.\n\n"
        page.keyboard.insert_text(
            text + '<details lang="zh"><summary>中文</summary>\n\n## 结束\n\n完。\n\n</details>'
        )
        page.keyboard.press("Escape")
        page.keyboard.press("b")
        page.keyboard.press("m")
        page.locator(".jp-Notebook .jp-MarkdownCell").last.locator(".cm-content").click()
        page.keyboard.insert_text("One thing more.")
        page.keyboard.press("Shift+Enter")
        picture(page, "teacher-edits")
        save(page)
    absorb(course, "two_steps")
    assert load_exercise(course, "two_steps").step("quadruple").points == 3.5
    assert changed(course, "assignments/two_steps/exercise.toml") == [
        "-points = 3  # the harder one",
        "+points = 3.5  # the harder one",
    ]
    assert changed(course, "assignments/two_steps/handout.en.md") == [
        "-That was all.",
        "+That is all.",
        "+",
        "+<!-- cell -->",
        "+",
        "+One thing more.",
    ]
    assert stale(course, "two_steps") == []
