"""Makes small courses with an exercise of their own, for tests of the author's side."""

import functools
import warnings
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.author.notebook import as_text, from_text, weave
from autograder.layout import Course
from autograder.model import Exercise
from autograder.settings import reach_programs
from autograder.tests.mini import (
    CHINESE,
    CONFIG,
    ENGLISH,
    MISTAKES,
    REFERENCE,
    SUITE_DOUBLE,
    SUITE_QUADRUPLE,
    TOML,
)


def make_course(root: Path, languages: tuple[str, ...] = ("en", "zh"), name: str = "two_steps") -> Course:
    """A course in `root` with one small exercise of its own."""
    course = Course(root)
    files = {
        "nbgrader_config.py": CONFIG.format(languages=list(languages)),
        f"assignments/{name}/exercise.toml": TOML,
        f"assignments/{name}/handout.en.md": ENGLISH,
        f"assignments/{name}/handout.zh.md": CHINESE,
        f"assignments/{name}/flow.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>\n",
        f"solutions/{name}.py": REFERENCE,
        f"suites/{name}/test_double.py": SUITE_DOUBLE,
        f"suites/{name}/test_quadruple.py": SUITE_QUADRUPLE,
        f"suites/{name}/mistakes.py": MISTAKES,
    }
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return course


def edit(file: Path, old: str, new: str) -> None:
    """Replaces `old`, which must be there once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file} holds {old!r} {text.count(old)} times"
    file.write_text(text.replace(old, new), encoding="utf-8")


@functools.cache
def empty_gradebook() -> bytes:
    """The file of a new gradebook. nbgrader takes seconds to make one, so tests copy this."""
    from nbgrader.api import Gradebook

    reach_programs()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "gradebook.db"
        with warnings.catch_warnings(), Gradebook(f"sqlite:///{file}"):
            warnings.simplefilter("ignore")  # nbgrader's way with SQLAlchemy warns of itself
        return file.read_bytes()


def opened(exercise: Exercise, languages: Sequence[str]) -> dict:
    """The woven notebook as it is read from its file."""
    return from_text(as_text(weave(exercise, languages)))


def cell_of(notebook: dict, name: str) -> dict:
    return next(cell for cell in notebook["cells"] if cell["id"] == name)
