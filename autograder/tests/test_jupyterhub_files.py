"""The files from which a classroom on JupyterHub is installed: whole, hashed, and without any host's name."""

import json
import re
import tomllib

import pytest

from autograder.layout import KIT

FOLDER = KIT / "deploy" / "jupyterhub"
NAME = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)


def pinned(room):
    return dict(NAME.findall((FOLDER / f"{room}.txt").read_text(encoding="utf-8")))


def test_the_staffs_environment_has_all_that_the_kit_needs():
    project = tomllib.loads((KIT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.match(r"[\w-]+", each)[0] for each in project["dependencies"]}
    assert needed | {"jupyterhub", "hatchling"} <= set(pinned("staff"))


def test_students_and_staff_have_the_same_nbgrader_and_numpy():
    assert all(
        pinned("staff")[name] == pinned("student")[name] for name in ("nbgrader", "numpy", "jupyterhub")
    )


@pytest.mark.parametrize("room", ["staff", "student"])
def test_every_package_has_a_hash_and_none_has_a_host(room):
    text = (FOLDER / f"{room}.txt").read_text(encoding="utf-8")
    packages = text.split("\n\n") if "\n\n" in text else re.split(r"\n(?=\w)", text)
    assert all("--hash=sha256:" in package for package in packages) and "://" not in text


def test_the_proxy_is_pinned_with_hashes_and_without_hosts():
    lock = json.loads((FOLDER / "proxy" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    others = {name: about for name, about in lock.items() if name}
    assert "node_modules/configurable-http-proxy" in others
    assert all("integrity" in about and "resolved" not in about for about in others.values())


def test_the_service_starts_what_the_page_starts():
    page = (
        (KIT / "docs" / "jupyterhub.md").read_text(encoding="utf-8").replace("$CLASSROOM", "/srv/classroom")
    )
    unit = (FOLDER / "jupyterhub.service").read_text(encoding="utf-8")
    assert re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)[1] in page
