"""A student and an instructor in a real JupyterLab: what they click works, and says what it should."""

import shutil
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from playwright.sync_api import Page, expect

from autograder.author.build import build
from autograder.author.exercise import load_exercise
from autograder.grade.grade import release_of
from autograder.layout import Course
from autograder.record.classroom import submit_all
from autograder.record.course import init
from autograder.record.release import release
from autograder.tests.jupyter import (
    cell_with,
    chromium,
    confirm,
    jupyter_lab,
    open_lab,
    picture,
    run_cell,
    write_cell,
)
from autograder.tests.submissions import SAMPLES

pytestmark = pytest.mark.system

EXERCISE = "self_attention"
STUDENTS = {"fang_zihan": "divides_by_d_k", "he_ruoxi": "sums_over_queries"}
STUDENTS_SCORES = {"fang_zihan": 18.0, "he_ruoxi": 16.0}
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
        expect(check.locator(".jp-OutputArea-output")).to_contain_text("4 of 4")
        expect(check.locator(".jp-OutputArea-output")).to_contain_text("idden checks")
        page.locator(".jp-NotebookPanel-toolbar .validate-button").click()
        dialog = page.locator(".jp-Dialog")
        expect(dialog).to_contain_text("project_qkv", timeout=120_000)
        picture(page, "student-validates")
        expect(dialog).to_contain_text("not written yet")
        expect(dialog).not_to_contain_text("Traceback")


def hand_in(course: Course, work: Path) -> None:
    exercise = load_exercise(course, EXERCISE)
    release = release_of(course, exercise)
    for student, sample in STUDENTS.items():
        SAMPLES[sample].write(work / student, exercise, release)
    submit_all(course, EXERCISE, {student: work / student for student in STUDENTS})


def scores(course: Course) -> dict[str, float]:
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", course.root.name) as gradebook:
        return {s.student.id: s.score for s in gradebook.assignment_submissions(EXERCISE)}


def test_an_instructor_releases_grades_and_gives_feedback(browser, tmp_path):
    course = init(tmp_path / "course").course
    build(course, EXERCISE)
    with jupyter_lab(course.root) as address:
        page = open_lab(browser, address)
        page.get_by_role("menuitem", name="Nbgrader").click()
        page.locator('#jp-mainmenu-nbgrader [data-command="nbgrader:open-formgrader"]').click()
        frame = page.frame_locator("iframe[src*='formgrader']")
        for button, station in (("assign", "generated"), ("release", "released")):
            frame.locator(f"td.{button} a").first.click()
            confirm(frame, f"instructor-{station}", page)
        hand_in(course, tmp_path / "work")
        frame.locator("td.collect a").first.click()
        confirm(frame, "instructor-collected", page)
        frame.locator("td.num-submissions a").first.click()
        for _ in STUDENTS:
            row = frame.locator("tbody tr").filter(has_text="needs autograding").first
            row.locator("td.autograde a").click()
            confirm(frame, "instructor-autograded", page)
        picture(page, "instructor-submissions")
        assert scores(course) == STUDENTS_SCORES
        grade_by_hand(page, address)
        assert scores(course) == {student: score + 3 for student, score in STUDENTS_SCORES.items()}
        for row in range(len(STUDENTS)):
            frame.locator("td.generate-feedback a").nth(row).click()
            confirm(frame, "instructor-feedback", page)
    assert all((course.feedback(student, EXERCISE) / f"{EXERCISE}.html").is_file() for student in STUDENTS)


def grade_by_hand(page: Page, address: str) -> None:
    """Opens each submission in the formgrader and gives three points for the written answer."""
    base = address.split("/lab?")[0]
    hand = page.context.new_page()
    for number in range(len(STUDENTS)):
        hand.goto(f"{base}/formgrader/gradebook/{EXERCISE}/{EXERCISE}")
        hand.locator("tbody tr td a").filter(has_text="Submission").nth(number).click()
        answer = hand.locator(".nbgrader_cell").filter(has_text="I measured it")
        points = answer.locator("input.score")
        points.scroll_into_view_if_needed()
        picture(hand, "instructor-hand-grading")
        points.fill("3")
        points.press("Tab")
        expect(answer.locator(".score-saved")).to_be_visible()
