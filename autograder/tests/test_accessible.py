"""axe-core finds nothing in what is ours: an executed notebook with panels and heat maps, and feedback."""

import json
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

from autograder.author.exercise import load_exercise
from autograder.cli import main as attn
from autograder.grade.grade import release_of
from autograder.record.classroom import collect, make_feedback, submit_all
from autograder.record.course import init
from autograder.tests.jupyter import chromium
from autograder.tests.released import NAME, release
from autograder.tests.submissions import SAMPLES
from autograder.tests.test_selfcheck_browser import solved

pytestmark = [
    pytest.mark.system,
    pytest.mark.filterwarnings("ignore:.*Kernel is running over TCP without encryption"),
]

# What axe finds and cannot be mended here: those who wrote the template choose it.
THEIRS = [
    ".highlight",  # Pygments' colours of code
    ".jp-InputPrompt",  # nbconvert's pale In [1]
    ".jp-OutputPrompt",  # and Out [1]
    ".anchor-link",  # nbconvert's pilcrow beside a heading
]
STUDENTS = {"ada": "divides_by_d_k", "bai": "writes_a_syntax_error"}


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running


def found(browser, page: Path) -> list[str]:
    """What axe finds on a page with all its folds open: the rule, the element, and why."""
    tab = browser.new_page()
    tab.goto(page.as_uri(), wait_until="load")
    tab.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    theirs = [[selector] for selector in THEIRS]
    tab.evaluate(Axe().axe_script)
    result = tab.evaluate("what => axe.run(what)", {"exclude": theirs})
    assert len(result["passes"]) > 10  # axe did look
    return [
        f"{v['id']}: {node['html'][:200]} ({node['failureSummary']})"
        for v in result["violations"]
        for node in v["nodes"]
    ]


def executed(folder: Path, language: str):
    """The released notebook, solved but for softmax, with its prose and with what its cells print."""
    whole = json.loads((release(folder) / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    code = nbformat.read(solved(folder, language) / f"{NAME}.ipynb", 4)
    ours = {cell["id"]: cell for cell in code.cells}
    code.cells = [ours.get(cell["id"]) or nbformat.from_dict(cell) for cell in whole["cells"]] + [
        code.cells[-1]
    ]
    ExecutePreprocessor(allow_errors=True).preprocess(code, {"metadata": {"path": str(folder)}})
    return code


@pytest.mark.parametrize("language", ["", "zh"])
def test_nothing_is_found_on_an_exported_notebook(browser, tmp_path, language):
    notebook = executed(tmp_path, language)
    for theme in ("light", "dark"):
        page = tmp_path / f"{theme}.html"
        html = HTMLExporter(theme=theme).from_notebook_node(notebook)[0]
        assert html.count('role="img"') >= 4
        page.write_text(html, encoding="utf-8")
        assert found(browser, page) == []


def test_nothing_is_found_on_a_page_of_feedback(browser, tmp_path):
    course = init(tmp_path / "course").course
    here = ["--course", str(course.root)]
    assert attn(["release", NAME, *here]) == 0
    exercise = load_exercise(course, NAME)
    for student, sample in STUDENTS.items():
        SAMPLES[sample].write(tmp_path / student, exercise, release_of(course, exercise))
    submit_all(course, NAME, {student: tmp_path / student for student in STUDENTS})
    collect(course, NAME)
    attn(["grade", NAME, "--record", *here])
    make_feedback(course, NAME)
    for student in STUDENTS:
        page = course.feedback(student, NAME) / f"{NAME}.html"
        assert 'class="attn"' in page.read_text(encoding="utf-8")
        assert found(browser, page) == []
