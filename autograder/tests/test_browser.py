"""A student and an instructor in a real JupyterLab: what they click works, and says what it should."""

import shutil

import pytest
from playwright.sync_api import Page, expect

from autograder.layout import Course
from autograder.record.course import init
from autograder.record.release import release
from autograder.tests.jupyter import chromium, jupyter_lab, open_lab, picture

pytestmark = pytest.mark.system

EXERCISE = "self_attention"
WRONG = """def softmax(scores, axis=-1):
    e = np.exp(scores)
    return e / e.sum(axis=0)
"""
RIGHT = """def softmax(scores, axis=-1):
    e = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Course:
    course = init(tmp_path_factory.mktemp("course")).course
    release(course, EXERCISE)
    return course


def cell_with(page: Page, text: str, nth: int = 0):
    """The code cell whose source contains `text`, scrolled into view."""
    found = page.locator(".jp-Notebook .jp-CodeCell").filter(has_text=text).nth(nth)
    found.scroll_into_view_if_needed()
    return found


def write_cell(page: Page, cell, source: str) -> None:
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)


def run_cell(page: Page, cell) -> None:
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")


def test_a_student_solves_checks_and_validates(browser, course, tmp_path):
    shutil.copytree(course.release(EXERCISE), tmp_path / EXERCISE)
    with jupyter_lab(tmp_path) as address:
        page = open_lab(browser, address, f"{EXERCISE}/{EXERCISE}.ipynb")
        page.wait_for_selector(".jp-Notebook .jp-MarkdownOutput")
        picture(page, "student-opens")
        run_cell(page, cell_with(page, "import numpy as np"))
        stub, check = cell_with(page, "def softmax("), cell_with(page, "check(softmax)")
        run_cell(page, stub)
        run_cell(page, check)
        expect(check.locator(".jp-OutputArea-output")).to_contain_text("softmax")
        picture(page, "student-unwritten")
        for source, name in ((WRONG, "wrong"), (RIGHT, "right")):
            write_cell(page, stub, source)
            run_cell(page, stub)
            run_cell(page, check)
            page.wait_for_timeout(1500)
            check.scroll_into_view_if_needed()
            picture(page, f"student-{name}")
        expect(check.locator(".jp-OutputArea-output")).to_contain_text("3 of 3")
        expect(check.locator(".jp-OutputArea-output")).to_contain_text("idden checks")
        page.keyboard.press("Control+s")
        page.locator(".jp-NotebookPanel-toolbar .validate-button").click()
        dialog = page.locator(".jp-Dialog")
        expect(dialog).to_be_visible(timeout=120_000)
        page.wait_for_timeout(1000)
        picture(page, "student-validates")
        expect(dialog).not_to_contain_text("Traceback")
