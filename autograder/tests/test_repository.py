"""What is in the repository: nothing of students, nothing of a machine, nothing that is not text we wrote."""

import re
import subprocess

import pytest

from autograder.layout import KIT

TRACKED = subprocess.run(
    ["git", "ls-files", "-z"], cwd=KIT, capture_output=True, check=True, text=True
).stdout.split("\0")[:-1]
TEXTS = [name for name in TRACKED if not name.endswith((".png", ".ico"))]
STUDENTS = (
    "release/",
    "submitted/",
    "autograded/",
    "feedback/",
    "gradesheets/",
    "exports/",
    "reports/",
    ".attn/",
    "gradebook.db",
)
MACHINE = re.compile(
    r"/(?:root|home/\w+|work|opt/\w+)/|--(?:extra-)?index-url|file:///|https?://\S*/simple\b"
)


def test_no_students_data_is_tracked():
    assert not [name for name in TRACKED if name.startswith(STUDENTS)]


@pytest.mark.parametrize("name", [n for n in TEXTS if n != "autograder/tests/test_repository.py"])
def test_a_file_is_utf8_and_names_no_machine(name):
    text = (KIT / name).read_text(encoding="utf-8")
    assert not MACHINE.search(text), MACHINE.search(text)


@pytest.mark.parametrize("name", [n for n in TEXTS if n.endswith(".md")])
def test_a_documents_links_lead_somewhere(name):
    path = KIT / name
    for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), f"{name} links to {target}"
