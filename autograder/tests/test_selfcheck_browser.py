"""A student's check in a real JupyterLab: the panel, what is odd about attention, and Validate's answer."""

import json

import pytest
from playwright.sync_api import TimeoutError, expect

from autograder.tests.jupyter import SCREENSHOTS, chromium, jupyter_lab, open_lab
from autograder.tests.released import NAME, REFERENCE, release

pytestmark = pytest.mark.system

COLUMNS = "def softmax(scores, axis=-1):\n    e = np.exp(scores)\n    return e / e.sum(axis=0, keepdims=True)"
LOOK = """from selfcheck import inspect_attention, progress
rng = np.random.default_rng(0)
q, k = rng.normal(size=(2, 5, 512))
e = np.exp(q @ k.T - (q @ k.T).max(-1, keepdims=True))
inspect_attention(q @ k.T, e / e.sum(-1, keepdims=True){language})
progress({only})"""


def solved(folder, language=""):
    """The released notebook solved, but softmax over the wrong axis, and a last cell that looks."""
    release(folder, [language] if language else None)
    file = folder / f"{NAME}.ipynb"
    notebook = json.loads(file.read_text(encoding="utf-8"))
    parts = {part.split("(")[0]: f"def {part}" for part in REFERENCE.split("\ndef ")[1:]} | {
        "softmax": COLUMNS
    }
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in parts:
            cell["source"] = parts[name]
    only = f"lang={language!r}" if language else ""
    source = LOOK.format(language=f", {only}" if only else "", only=only)
    look = {"cell_type": "code", "id": "look", "metadata": {}, "outputs": [], "execution_count": None}
    notebook["cells"] = [c for c in notebook["cells"] if c["cell_type"] == "code"] + [
        look | {"source": source}
    ]
    file.write_text(json.dumps(notebook), encoding="utf-8")
    return folder


def run_all(page):
    """Runs every cell; a kernel that has just started may not take the first request."""
    expect.set_options(timeout=60_000)
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]")
    for _ in range(3):
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.locator('#jp-mainmenu-run [data-command="runmenu:run-all"]').click()
        try:
            page.wait_for_selector('[role=group][aria-label="self_attention"]', timeout=20_000)
            return
        except TimeoutError:
            continue


def keep(locator, name):
    if SCREENSHOTS:
        locator.scroll_into_view_if_needed()
        locator.screenshot(path=f"{SCREENSHOTS}/{name}.png")


@pytest.mark.parametrize("language", ["", "zh"])
def test_check_shows_a_panel_and_validate_says_the_same(tmp_path, language):
    solved(tmp_path, language)
    with chromium() as browser, jupyter_lab(tmp_path) as address:
        page = open_lab(browser, address, f"{NAME}.ipynb")
        page.wait_for_selector(".jp-CodeCell")
        run_all(page)
        panel = page.locator('[role=group][aria-label="softmax"]')
        expect(panel).to_contain_text("2" if language else "2 of 4 public examples pass")
        expect(panel.locator("svg[role=img]")).to_have_count(2)
        expect(page.locator('[role=group][aria-label="self_attention"]')).to_contain_text("softmax")
        last = page.locator(".jp-CodeCell").last
        expect(last.locator("svg[role=img]")).to_have_count(1)
        expect(last).to_contain_text("d_k" if language else "root of d_k")
        keep(panel, f"softmax-wrong{'-zh' if language else ''}")
        keep(page.locator('[role=group][aria-label="scaled_scores"]'), f"right{'-zh' if language else ''}")
        keep(last, f"inspect-attention{'-zh' if language else ''}")
        page.locator(".jp-NotebookPanel-toolbar .validate-button").click()
        dialog = page.locator(".jp-Dialog")
        expect(dialog).to_contain_text("check(softmax)")
        expect(dialog).to_contain_text("2" if language else "softmax: 2 of 4 public examples pass")
        expect(dialog).not_to_contain_text("Traceback")
        keep(dialog.locator(".jp-Dialog-content"), f"validate{'-zh' if language else ''}")


def test_an_edited_cell_that_did_not_run_is_noticed(tmp_path):
    solved(tmp_path)
    with chromium() as browser, jupyter_lab(tmp_path) as address:
        page = open_lab(browser, address, f"{NAME}.ipynb")
        page.wait_for_selector(".jp-CodeCell")
        run_all(page)
        expect(page.locator('[role=group][aria-label="softmax"]')).to_contain_text("2 of 4")
        cell = page.locator(".jp-CodeCell", has_text="def softmax")
        cell.locator(".cm-content").click()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(COLUMNS.replace("axis=0", "axis=axis"))
        with page.expect_response(lambda answer: answer.request.method == "PUT"):
            page.keyboard.press("Control+s")
        check = page.locator(".jp-CodeCell", has_text="check(softmax)")
        check.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        expect(check).to_contain_text("edited after it ran")
