"""A whole assignment in a classroom: what an instructor and two students click, station by station."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from autograder.author.exercise import load_exercise
from autograder.author.stub import function_source
from autograder.layout import KIT, Course
from autograder.tests.classroom import Classroom, home
from autograder.tests.jupyter import cell_with, chromium, confirm, picture, run_cell, write_cell

EXERCISE = "self_attention"
WITHOUT_SHIFT = """def softmax(scores, axis=-1):
    e = np.exp(scores)
    return e / e.sum(axis=axis, keepdims=True)
"""
ESSAY = "With d_k = 64 the scores spread to about 8 and one weight takes nearly all; divided, to about 1."
SECONDS = 180  # for a server, a kernel or a grader to answer on a busy machine


@dataclass
class Week:
    """What was seen while the assignment went through the class."""

    room: Classroom
    validated: dict[str, str] = field(default_factory=dict)
    softmax: set[str] = field(default_factory=set)
    feedback: dict[str, str] = field(default_factory=dict)


def play(room: Classroom) -> Week:
    """Released, fetched, solved, checked, validated, submitted, collected, graded, told."""
    seen = Week(room)
    expect.set_options(timeout=SECONDS * 1000)
    good, wrong = room.students
    enrol(room)
    with chromium() as browser:
        teacher = log_in(browser, room, room.instructor, "formgrader")
        generate_and_release(teacher)
        pages = {student: log_in(browser, room, student, "lab") for student in room.students}
        for student, softmax in ((good, None), (wrong, WITHOUT_SHIFT)):
            fetch(pages[student], student)
            solve(pages[student], room, student, softmax)
            seen.validated[student] = validate(pages[student], student)
            submit(pages[student], student)
        collect(teacher)
        autograde(teacher, len(pages))
        seen.softmax = grade_by_hand(teacher, room, len(pages))
        give_feedback(teacher, room)
        for student, page in pages.items():
            seen.feedback[student] = read_feedback(page, room, student, home(student))
    return seen


def log_in(browser: Browser, room: Classroom, person: str, page_of_theirs: str) -> Page:
    """A browser of that person's own, at a page of their server."""
    page = browser.new_context(viewport={"width": 1360, "height": 900}).new_page()
    page.set_default_timeout(SECONDS * 1000)
    page.goto(f"{room.address}/hub/login")
    page.fill("#username_input", person)
    page.fill("#password_input", room.password)
    if person == room.instructor:
        picture(page, "hub-login")
    page.click("#login_submit")
    page.wait_for_url(f"{room.address}/user/{person}/lab*")  # once the server has started
    page.goto(f"{room.address}/user/{person}/{page_of_theirs}")
    return page


def press(page: Page, button: str, name: str) -> None:
    """A button of the exercise's row in the formgrader, and nbgrader's word that it went well."""
    link = page.get_by_role("link", name=EXERCISE, exact=True)
    page.locator("tbody tr").filter(has=link).locator(f"td.{button} a").first.click()
    confirm(page, f"hub-{name}", page)


def generate_and_release(page: Page) -> None:
    press(page, "assign", "generated")
    press(page, "release", "released")
    picture(page, "hub-formgrader")


def open_list(page: Page) -> None:
    page.wait_for_selector("#jp-MainMenu")
    page.get_by_role("menuitem", name="Nbgrader").click()
    page.locator('#jp-mainmenu-nbgrader [data-command="nbgrader:open-assignment-list"]').click()


def listed(page: Page, which: str) -> Locator:
    return page.locator(f"#{which}_assignments_list .list_item").filter(has_text=EXERCISE)


def fetch(page: Page, student: str) -> None:
    open_list(page)
    item = listed(page, "released")
    expect(item).to_be_visible()
    picture(page, f"hub-list-{student}")
    item.get_by_role("button", name="Fetch").click()
    expect(listed(page, "fetched").first).to_be_visible()


def solve(page: Page, room: Classroom, student: str, softmax: str | None = None) -> None:
    """Writes every step and the answer; `softmax`: another than the right one."""
    page.goto(f"{room.address}/user/{student}/lab/tree/{EXERCISE}/{EXERCISE}.ipynb?reset")
    page.wait_for_selector(".jp-Notebook .jp-MarkdownOutput")
    run_cell(page, cell_with(page, "import numpy as np"))
    exercise = load_exercise(Course(KIT), EXERCISE)
    for step in exercise.steps:
        source = function_source(exercise, step.name)
        if step.name == "softmax" and softmax:
            source = softmax
        stub = cell_with(page, f"def {step.name}(")
        write_cell(page, stub, "\n".join(line for line in source.split("\n") if "SOLUTION" not in line))
        run_cell(page, stub)
    check = cell_with(page, "check(softmax)")
    run_cell(page, check)
    expect(check.locator(".jp-OutputArea-output")).to_contain_text("softmax")
    check.scroll_into_view_if_needed()
    picture(page, f"hub-check-{student}")
    answer = page.locator(".jp-Notebook .jp-MarkdownCell").filter(has_text="YOUR ANSWER HERE").first
    answer.scroll_into_view_if_needed()
    answer.dblclick()
    write_cell(page, answer, ESSAY)


def validate(page: Page, student: str) -> str:
    """What nbgrader's Validate says of the notebook."""
    page.locator(".jp-NotebookPanel-toolbar .validate-button").click()
    dialog = page.locator(".jp-Dialog")
    expect(dialog).to_contain_text("alidat")
    expect(dialog).not_to_contain_text("alidating")
    picture(page, f"hub-validate-{student}")
    text = dialog.inner_text()
    dialog.get_by_role("button").last.click()
    return text


def submit(page: Page, student: str) -> None:
    open_list(page)
    listed(page, "fetched").first.get_by_role("button", name="Submit").click()
    expect(listed(page, "submitted").first).to_be_visible()
    picture(page, f"hub-submitted-{student}")


def enrol(room: Classroom) -> None:
    """The class list, so that the formgrader shows people's names."""
    rows = [f"{student},{student.title()},Example," for student in room.students]
    (room.course / "students.csv").write_text("\n".join(["id,first_name,last_name,email", *rows]) + "\n")
    done = room.run(room.instructor, "nbgrader", "db", "student", "import", "students.csv", cwd=room.course)
    assert done.returncode == 0, done.stderr


def collect(page: Page) -> None:
    page.reload()
    press(page, "collect", "collected")
    page.reload()


def autograde(page: Page, students: int) -> None:
    link = page.get_by_role("link", name=EXERCISE, exact=True)
    page.locator("tbody tr").filter(has=link).locator("td.num-submissions a").click()
    for _ in range(students):
        row = page.locator("tbody tr").filter(has_text="needs autograding").first
        row.locator("td.autograde a").click()
        confirm(page, "hub-autograded", page)
    picture(page, "hub-submissions")


def grade_by_hand(page: Page, room: Classroom, students: int) -> set[str]:
    """Gives three points for each written answer; the points that the pages show for softmax."""
    seen = set()
    for number in range(students):
        page.goto(f"{room.address}/user/{room.instructor}/formgrader/gradebook/{EXERCISE}/{EXERCISE}")
        page.locator("tbody tr td a").filter(has_text="Submission").nth(number).click()
        step = page.locator(".nbgrader_cell").filter(has_text="check(softmax)").locator("input.score")
        expect(step).to_have_attribute("placeholder", re.compile(r"\d"))
        seen.add(step.get_attribute("placeholder") or "")
        step.scroll_into_view_if_needed()
        picture(page, f"hub-step-{number}")
        answer = page.locator(".nbgrader_cell").filter(has_text="one weight takes nearly all")
        points = answer.locator("input.score")
        points.scroll_into_view_if_needed()
        points.fill("3")
        points.press("Tab")
        expect(answer.locator(".score-saved")).to_be_visible()
        picture(page, "hub-by-hand")
    return seen


def give_feedback(page: Page, room: Classroom) -> None:
    page.goto(f"{room.address}/user/{room.instructor}/formgrader")
    press(page, "generate-feedback", "feedback")
    press(page, "release-feedback", "feedback-released")


def read_feedback(page: Page, room: Classroom, student: str, home: Path) -> str:
    """Fetches feedback in the list and opens it; what it says."""
    open_list(page)
    page.get_by_role("button", name="Fetch Feedback").first.click()
    path = waited(lambda: next(home.glob(f"{EXERCISE}/feedback/*/*.html"), None))
    picture(page, f"hub-feedback-list-{student}")
    page.goto(f"{room.address}/user/{student}/files/{path.relative_to(home)}")
    picture(page, f"hub-feedback-{student}")
    return page.locator("body").inner_text()


def waited(find: Callable[[], Path | None]) -> Path:
    deadline = time.monotonic() + SECONDS
    while (found := find()) is None:
        assert time.monotonic() < deadline, "nothing came"
        time.sleep(0.2)
    return found
