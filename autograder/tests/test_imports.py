"""Imports form a directed acyclic graph: no module may look up to one that stands above it."""

import ast
import sys
from pathlib import Path

import pytest

from autograder.layout import PACKAGE

STDLIB = frozenset(sys.stdlib_module_names)

# For each part, the parts of ours and the other packages that it may import. A longer prefix wins.
MAY_IMPORT = {
    "selfcheck": ({"selfcheck"}, {"numpy", "IPython"}),
    "model": (set(), set()),
    "plain": (set(), set()),
    "layout": ({"model"}, set()),
    "untrusted": (set(), set()),
    "moment": (set(), set()),
    "lock": ({"layout", "model"}, set()),
    "progress": ({"model"}, {"rich"}),
    "settings": ({"layout", "model"}, {"traitlets"}),
    "desk": ({"desk"}, {"numpy"}),
    "intake": ({"model", "settings", "intake"}, set()),
    "grade.cluster": ({"model", "grade"}, {"distributed"}),
    "author.submitted": ({"layout", "settings"}, {"sqlalchemy"}),
    "author": ({"model", "plain", "layout", "settings", "author"}, {"nbformat", "tomlkit", "numpy"}),
    "author.doctor": (
        {
            "model",
            "plain",
            "layout",
            "settings",
            "author",
            "grade.grade",
            "grade.proctor",
            "selfcheck",
            "suites",
        },
        {"numpy"},
    ),
    "grade.answers": ({"desk.wire"}, {"numpy"}),
    "grade.early": ({"layout"}, set()),
    "grade.line": ({"desk.channel", "desk.wire", "grade.answers"}, set()),
    "grade.lent": ({"desk.arguments", "grade.answers", "grade.standins"}, {"numpy"}),
    "grade.questions": ({"desk.arguments", "desk.wire", "grade.answers", "grade.lent"}, {"numpy"}),
    "grade.loading": ({"desk.wire", "grade.answers", "model"}, set()),
    "grade.desks": (
        {
            "desk.wire",
            "grade.answers",
            "grade.lent",
            "grade.line",
            "grade.loading",
            "grade.questions",
            "grade.tables",
            "model",
        },
        set(),
    ),
    "grade.tables": ({"desk.cases", "grade.answers"}, set()),
    "grade.selftest": ({"desk.wire", "grade.answers", "grade.client", "model"}, set()),
    "grade.client": ({"desk.wire", "desk.bubblewrap", "model", "grade"}, {"numpy"}),
    "grade.remote": ({"suites", "grade.answers"}, {"numpy"}),
    "grade.version": ({"layout"}, set()),
    "grade.load": ({"suites", "author.given"}, set()),
    "grade.demonstrations": ({"model", "author.cells", "author.handout"}, set()),
    "grade.prompting": (
        {"desk.asking", "desk.wire", "grade.imitate", "grade.local", "grade.suite"},
        {"numpy"},
    ),
    "grade.given": ({"model", "author.given", "intake.pieces"}, set()),
    "grade.local": (
        {"desk.wire", "desk.effects", "desk.errors", "grade.answers", "grade.lent", "grade.remote"},
        {"numpy"},
    ),
    "grade.likeness": ({"selfcheck", "grade"}, {"numpy"}),
    "grade.pairs": ({"desk.errors", "model", "suites", "grade"}, {"numpy"}),
    "grade.collect": ({"model", "grade.remote"}, {"numpy", "pytest"}),
    "grade.suite": (
        {"suites", "grade.answers", "grade.collect", "grade.lent", "grade.local", "grade.remote"},
        {"numpy", "pytest"},
    ),
    "grade.proctor": ({"model", "suites", "grade"}, {"numpy"}),
    "grade.diagnose": ({"model", "selfcheck", "suites", "grade"}, {"numpy"}),
    "grade": (
        {"model", "plain", "layout", "settings", "intake", "grade", "author", "suites", "selfcheck"},
        {"numpy"},
    ),
    "record.feedback": (
        {"model", "settings", "untrusted", "selfcheck.heat", "record.feedback_words"},
        {"jinja2", "markupsafe", "numpy"},
    ),
    "record.prose": ({"untrusted"}, {"latex2mathml", "nbconvert"}),
    "record": (
        {"model", "plain", "layout", "lock", "settings", "untrusted", "record", "author", "grade", "intake"},
        {
            "nbgrader",
            "nbformat",
            "nbconvert",
            "traitlets",
            "jinja2",
            "jsonschema",
            "markupsafe",
            "sqlalchemy",
        },
    ),
    "record.claims": (set(), set()),
    "record.course": ({"layout", "settings"}, {"jupyter_core", "traitlets"}),
    "elsewhere": (
        {"model", "plain", "layout", "settings", "untrusted", "author", "intake", "grade", "elsewhere"},
        set(),
    ),
    "suites": ({"desk.arguments", "model", "selfcheck", "suites"}, {"numpy", "pytest"}),
}
ANYTHING = ("cli", "commands", "show", "tests")


def modules() -> list[str]:
    files = [path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")]
    names = {".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in files}
    return sorted(name for name in names if name != "__init__" and name.split(".")[0] not in ANYTHING)


def imported(module: str) -> set[str]:
    path = PACKAGE.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def rule(module: str) -> tuple[set[str], set[str]]:
    parts = module.split(".")
    prefixes = [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next(MAY_IMPORT[prefix] for prefix in prefixes if prefix in MAY_IMPORT)


@pytest.mark.parametrize("module", modules())
def test_a_module_imports_only_what_its_place_allows(module):
    ours, others = rule(module)
    for name in imported(module):
        top, _, inner = name.partition(".")
        if top == "autograder":
            allowed = not inner or any(inner == part or inner.startswith(part + ".") for part in ours)
            # `from autograder.grade import client` names its package too
            allowed = allowed or any(part.startswith(inner + ".") for part in ours)
            assert allowed, f"{module} must not import {name}"
        else:
            assert top in STDLIB or top in others, f"{module} must not import {name}"


def test_nothing_imports_the_command_line():
    assert not [name for name in modules() if imported(name) & {"autograder.cli", "autograder.commands"}]


def test_modules_stay_short():
    long = {
        p.name: n for p in Path(PACKAGE).rglob("*.py") if (n := len(p.read_text("utf-8").splitlines())) > 250
    }
    assert not long, "one idea each: at most 250 lines"
