"""A hostile class, looked at in a real browser: no script of a student's runs, and no request leaves.

By kind: what cells printed, what is attached to them, what Markdown holds, and what people are called.
"""

import base64
import copy
import re

import pytest
from nbgrader.api import Gradebook
from playwright.sync_api import expect

from autograder.record.classroom import make_feedback
from autograder.record.gradebook import record
from autograder.record.report import write_report
from autograder.settings import load_config
from autograder.tests.classes import EXERCISE, graded_as, hand_in, read, released, solved, wrong
from autograder.tests.jupyter import chromium, jupyter_lab, picture
from autograder.tests.sheets import HOSTILE
from autograder.tests.test_accessible import found

pytestmark = pytest.mark.system

ACT = "document.title='hacked';window.hacked=true;new Image().src='http://127.0.0.1:9/left'"
SVG = f"<svg xmlns='http://www.w3.org/2000/svg' onload=\"{ACT}\"><script>{ACT}</script></svg>"
PIXEL = "http://127.0.0.1:9/pixel.png"
SHOWN = {
    "text/html": f"<script>{ACT}</script><img src=x onerror=\"{ACT}\"><iframe src='{PIXEL}'></iframe>",
    "application/javascript": ACT,
    "image/svg+xml": SVG,
    "text/markdown": f"<script>{ACT}</script> ![x]({PIXEL}) [y](javascript:{ACT})",
    "text/latex": f"$\\href{{javascript:{ACT}}}{{x}}$",
    "application/vnd.jupyter.widget-view+json": {"model_id": "x", "version_major": 2, "version_minor": 0},
    "application/vnd.plotly.v1+json": {"data": [{"text": f'<img src=x onerror="{ACT}">'}]},
}
OUTPUTS = {
    **{
        kind: {"output_type": "display_data", "data": {kind: data}, "metadata": {}}
        for kind, data in SHOWN.items()
    },
    "a stream": {
        "output_type": "stream",
        "name": "stdout",
        "text": f"\x1b]0;hacked\x07<script>{ACT}</script>",
    },
    "an error": {
        "output_type": "error",
        "ename": f"<script>{ACT}</script>",
        "evalue": f'<img src=x onerror="{ACT}">',
        "traceback": [f"\x1b[31m<script>{ACT}</script>"],
    },
}
MARKDOWN = {
    "a script": f"<script>{ACT}</script>",
    "an event": f'<img src=x onerror="{ACT}"><details open ontoggle="{ACT}">x</details>',
    "an svg": SVG,
    "a frame": f"<iframe src='{PIXEL}'></iframe><object data='{PIXEL}'></object><embed src='{PIXEL}'>",
    "a style": f"<style>@import '{PIXEL}'; body {{ background: url({PIXEL}) }}</style>"
    f"<link rel=stylesheet href={PIXEL}>",
    "a form": f"<form action='{PIXEL}'><button autofocus onfocus=\"{ACT}\">x</button></form>",
    "a refresh": f'<meta http-equiv="refresh" content="0;url={PIXEL}"><base href="{PIXEL}">',
    "a link that acts": f"[x](javascript:{ACT}) [y](JaVa\tScript:{ACT}) "
    f"[z](data:text/html,<script>{ACT}</script>)",
    "a picture elsewhere": f"![x]({PIXEL}) ![y][ref]\n\n[ref]: {PIXEL}",
    "an attachment": "![x](attachment:x.svg)",
    "a formula that acts": f"$\\href{{javascript:{ACT}}}{{x}}$ "
    f"$\\style{{background:url({PIXEL})}}{{x}}$ $\\unicode{{x}}$",
    "a diagram": f'```mermaid\ngraph LR; A[<img src=x onerror="{ACT}">]\n```',
    "marks that reorder": "\u202eevil\u202c <b>b</b> \x1b[31m",
}


def notebook(course, markdown, output):
    """Wrong in one step, with an output under every cell, text cells of one's own, and attachments."""
    made = solved(course, wrong, answer=markdown)
    own = {"cell_type": "markdown", "id": "own", "metadata": {}, "source": markdown}
    attached = {"x.svg": {"image/svg+xml": base64.b64encode(SVG.encode()).decode()}}
    made["cells"].insert(6, own | {"attachments": attached})
    code = {"cell_type": "code", "id": "mine", "metadata": {}, "source": f"'''{ACT}</script>'''"}
    made["cells"].insert(7, code | {"execution_count": 1, "outputs": []})
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [copy.deepcopy(output)]
        elif graded_as(cell) == "why_scale":
            cell["attachments"] = attached
    return made


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = released(tmp_path_factory.mktemp("shown"))
    outputs = list(OUTPUTS.values())
    students = {f"s{number}": kind for number, kind in enumerate(MARKDOWN)}
    for number, (student, kind) in enumerate(students.items()):
        hand_in(course, student, notebook(course, MARKDOWN[kind], outputs[number % len(outputs)]))
    record(course, EXERCISE)
    names = [name for kind, name in HOSTILE.items() if kind != "a lone surrogate"]
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        for number, student in enumerate(students):
            name = names[number % len(names)][:128]
            gradebook.update_or_create_student(student, first_name=name, last_name=name)
            comment = gradebook.find_comment("why_scale", EXERCISE, EXERCISE, student)
            comment.manual_comment = f"You wrote {MARKDOWN[students[student]]}"
        gradebook.db.commit()
    make_feedback(course, EXERCISE)
    return course


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running


class Watched:
    """A tab that notes every request and every trace of a script of others."""

    def __init__(self, browser, **options):
        self.tab = browser.new_context(**options).new_page()
        self.asked = []
        self.tab.route(re.compile("^https?://(?!127\\.0\\.0\\.1:(?!9/))"), lambda route: route.abort())
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.on("dialog", lambda dialog: dialog.dismiss())

    def open(self, address):
        self.tab.goto(address, wait_until="load")
        self.tab.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
        self.tab.wait_for_timeout(200)
        assert not self.tab.evaluate(
            "window.hacked === true || document.title === 'hacked' || document.title === 'x'"
        )
        return self.tab


def test_the_graded_notebook_holds_no_output_and_no_attachment_of_theirs(course):
    for file in (course.root / "autograded").glob(f"*/{EXERCISE}/*.ipynb"):
        graded = read(file)
        assert not [cell for cell in graded["cells"] if "attachments" in cell]
        assert "hacked" not in "".join(str(cell.get("outputs", "")) for cell in graded["cells"])


def test_no_page_of_feedback_acts_or_asks_for_anything(course, browser):
    watched = Watched(browser)
    for page in sorted((course.root / "feedback").glob("*/*/*.html")):
        watched.asked.clear()
        tab = watched.open(page.as_uri())
        assert watched.asked == [page.as_uri()]
        assert tab.locator("math").count() > 10
        assert tab.locator("script, iframe, object, embed, form, link, base").count() == 0


@pytest.mark.parametrize("anonymous", [False, True])
def test_the_report_does_not_act_either_and_its_own_script_sorts(course, browser, anonymous):
    page = write_report(course, EXERCISE, anonymous=anonymous)
    watched = Watched(browser)
    tab = watched.open(page.as_uri())
    assert watched.asked == [page.as_uri()]
    tab.locator("#everybody thead button").last.click()
    expect(tab.locator("#everybody [aria-sort=ascending]")).to_have_count(1)
    tab.locator("#filter input").fill("no such line")
    assert tab.locator("#everybody tbody tr:visible").count() == 0
    assert found(browser, page) == []


@pytest.mark.parametrize("width", [360, 1280])
def test_the_report_and_feedback_fit_a_phone_and_need_no_script(course, browser, width):
    pages = [write_report(course, EXERCISE), next((course.root / "feedback").glob("s0/*/*.html"))]
    for page in pages:
        watched = Watched(browser, viewport={"width": width, "height": 700}, java_script_enabled=False)
        watched.tab.goto(page.as_uri())
        session = watched.tab.context.new_cdp_session(watched.tab)
        size = session.send("Page.getLayoutMetrics")["cssContentSize"]
        assert size["width"] <= width
        assert watched.tab.locator("tbody tr").count() > 8


def test_nothing_is_found_on_a_page_of_feedback(course, browser):
    for student in ("s0", "s5"):
        assert found(browser, course.feedback(student, EXERCISE) / f"{EXERCISE}.html") == []


def test_the_formgrader_shows_text_and_the_mark_scheme(course, browser):
    """Its own frame asks for MathJax, which is stopped; nothing else leaves the machine."""
    assert load_config(course).HTMLExporter.preprocessors
    with jupyter_lab(course.root) as address:
        base, token = address.split("/lab?")
        watched = Watched(browser, viewport={"width": 1280, "height": 1000})
        watched.tab.goto(f"{base}/lab?{token}")
        listed = f"{base}/formgrader/gradebook/{EXERCISE}/{EXERCISE}"
        for page in (
            f"{base}/formgrader/manage_students",
            f"{base}/formgrader/manage_submissions/{EXERCISE}",
            listed,
        ):
            watched.open(page)
            watched.tab.wait_for_timeout(500)
        links = watched.tab.locator("tbody tr td a").filter(has_text="Submission")
        expect(links).to_have_count(len(MARKDOWN))
        opened = [f"{base}{link.get_attribute('href')}" for link in links.all()]
        for number, page in enumerate(opened):
            tab = watched.open(page)
            scheme = tab.locator("details", has_text="Mark scheme").first
            expect(scheme).to_contain_text("Measurement")
            if number == 0:
                scheme.scroll_into_view_if_needed()
                picture(tab, "formgrader-mark-scheme")
        left = {url for url in watched.asked if url.startswith("http") and not url.startswith(base)}
        assert all("mathjax" in url.lower() for url in left), left
