"""A fingerprint of the code that decides a grade: after an upgrade of the kit, gradesheets are made anew."""

import functools
import hashlib

from autograder.layout import PACKAGE

DECIDE = ("desk", "grade", "intake", "selfcheck", "suites/__init__.py", "author/given.py", "model.py")


@functools.cache
def grader_version() -> str:
    """The same for the same text of these modules, wherever they are installed."""
    found = hashlib.sha256()
    for part in DECIDE:
        place = PACKAGE / part
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            name = file.relative_to(PACKAGE).as_posix()
            found.update(f"{name}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()[:16]
