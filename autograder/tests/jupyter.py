"""A real JupyterLab on loopback and a real Chromium that looks at it, for the system tests."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect, sync_playwright

CHROMIUM = "/usr/bin/chromium"
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
START_SECONDS = 90
SCREENSHOTS = os.environ.get("ATTN_SCREENSHOTS")  # a folder in which each station's picture is kept


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


@contextmanager
def jupyter_lab(folder: Path) -> Iterator[str]:
    """JupyterLab with its root in `folder`, on a free port; gives its address with the token."""
    with tempfile.TemporaryDirectory() as home:
        settings = Path(home, "settings", "@jupyterlab", "apputils-extension")
        settings.mkdir(parents=True)
        quiet = json.dumps({"fetchNews": "false", "checkForUpdates": False})
        (settings / "notification.jupyterlab-settings").write_text(quiet, encoding="utf-8")
        command = [
            sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root",
            f"--LabApp.user_settings_dir={home}/settings",
        ]  # fmt: skip
        environment = os.environ | {
            "HOME": home,
            "JUPYTER_CONFIG_DIR": f"{home}/config",
            "JUPYTER_DATA_DIR": f"{home}/data",
            "JUPYTER_RUNTIME_DIR": f"{home}/runtime",
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        }
        with Path(home, "log").open("w", encoding="utf-8") as log:
            server = subprocess.Popen(
                command, cwd=folder, env=environment, start_new_session=True, stdout=log, stderr=log
            )
        try:
            yield _address(server, Path(home, "log"))
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            try:
                server.wait(timeout=10)
            except subprocess.TimeoutExpired:  # it waits for a kernel that is still starting
                os.killpg(server.pid, signal.SIGKILL)
                server.wait()


def _address(server: subprocess.Popen, log: Path) -> str:
    """The address that the server writes into its log once it listens."""
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        if found := re.search(r"http://127\.0\.0\.1:\d+/lab\?token=\w+", log.read_text(encoding="utf-8")):
            return found.group()
        time.sleep(0.2)
    raise AssertionError("JupyterLab did not start:\n" + log.read_text(encoding="utf-8"))


def open_lab(browser: Browser, address: str, path: str = "", *, reset: bool = True) -> Page:
    """A page with JupyterLab's menu in it, at a file of its root."""
    page = browser.new_context(viewport={"width": 1360, "height": 1000}).new_page()
    page.set_default_timeout(60_000)
    base, token = address.split("/lab?")
    tree = f"/lab/tree/{path}" if path else "/lab"
    page.goto(f"{base}{tree}?{token}{'&reset' if reset else ''}")
    page.wait_for_selector("#jp-MainMenu")
    return page


def picture(page: Page, name: str) -> None:
    if SCREENSHOTS:
        Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(SCREENSHOTS, f"{name}.png"), animations="disabled")


def cell_with(page: Page, text: str, nth: int = 0) -> Locator:
    """The code cell whose source contains `text`, scrolled into view."""
    found = page.locator(".jp-Notebook .jp-CodeCell").filter(has_text=text).nth(nth)
    found.scroll_into_view_if_needed()
    return found


def write_cell(page: Page, cell: Locator, source: str) -> None:
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)


def run_cell(page: Page, cell: Locator) -> None:
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")


def confirm(frame: FrameLocator | Page, name: str, page: Page) -> None:
    """nbgrader's window says how it went; it is read and closed."""
    window = frame.locator(".modal.in")
    expect(window).to_contain_text("uccess", timeout=120_000)
    picture(page, name)
    window.get_by_role("button", name="OK").click()
    expect(window).to_be_hidden()
    expect(frame.locator(".modal-backdrop")).to_have_count(0)  # it fades
