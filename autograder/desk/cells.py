"""From a cell's text to code: magics and shell lines are taken out where Python refuses them."""

import __future__

import ast
import re
import types

MAGIC = re.compile(
    r"^(?P<indent>[ \t]*)(?P<set>[\w ,.\[\]]+=\s*)?(?P<mark>%{1,2}|!{1,2}|\?{1,2})(?P<rest>.*)$"
)
HELP = re.compile(r"^(?P<indent>[ \t]*)[%\w.]+\?{1,2}\s*$")
PYTHON_CELLS = (
    "time",
    "timeit",
    "capture",
    "prun",
    "python",
    "python3",
    "py",
    "debug",
)  # %%time and its like
PYTHON_LINES = ("time", "prun")  # %time x = f() runs what follows it
BYTE_ORDER_MARK = re.compile(r"\A(\n*)\ufeff")  # some editors write one at the start of a file
GUARDS = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
FUTURE = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})


class Compiler:
    """Compiles cells as a notebook does: a `from __future__` import holds for those after it."""

    def __init__(self) -> None:
        self._flags = 0

    def compile(self, source: str, filename: str) -> types.CodeType:
        """The cell's code. Raises what Python's compiler raises, with the lines as they were written."""
        code = self._tolerant(source, filename)
        self._flags |= code.co_flags & FUTURE
        return code

    def _tolerant(self, source: str, filename: str) -> types.CodeType:
        source = BYTE_ORDER_MARK.sub(r"\1", source)
        try:
            return self._strict(source, filename)
        except SyntaxError as error:
            cleaned = without_magics(source)
            if cleaned == source:
                raise
            try:
                return self._strict(cleaned, filename)
            except SyntaxError as second:
                raise second from error

    def _strict(self, source: str, filename: str) -> types.CodeType:
        return compile(source, filename, "exec", flags=self._flags, dont_inherit=True)


def without_magics(source: str) -> str:
    """The source, line for line, with what only IPython understands made harmless."""
    lines = source.split("\n")
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    if lines[first].lstrip().startswith("%%"):
        name = lines[first].strip()[2:].split(" ")[0]
        if name not in PYTHON_CELLS:
            return ""
        lines[first] = ""
    for index in _suspects(lines):
        lines[index] = _without_magic(lines[index])
    return "\n".join(lines)


def _suspects(lines: list[str]) -> list[int]:
    """Lines that look like magics; those inside triple quotes only where there are no others."""
    looks = [index for index, line in enumerate(lines) if MAGIC.match(line) or HELP.match(line)]
    outside = [index for index in looks if not _inside_text(lines, index)]
    return outside or looks


def _inside_text(lines: list[str], index: int) -> bool:
    before = "\n".join(lines[:index])
    return before.count('"""') % 2 == 1 or before.count("'''") % 2 == 1


def _without_magic(line: str) -> str:
    found = MAGIC.match(line)
    if not found:
        return HELP.match(line)["indent"] + "pass"
    if found["set"]:
        return f"{found['indent']}{found['set']}None"
    word, _, rest = found["rest"].strip().partition(" ")
    runs = found["mark"] == "%" and word in PYTHON_LINES and rest and _parses(rest)
    return found["indent"] + (rest if runs else "pass")


def _parses(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def guarded_imports(source: str) -> set[int]:
    """Lines of imports whose failure the student has provided for: there it must fail in earnest."""
    try:
        tree = ast.parse(without_magics(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    tries = [node for node in ast.walk(tree) if isinstance(node, ast.Try) and _expects_import_error(node)]
    inside = [inner for node in tries for statement in node.body for inner in ast.walk(statement)]
    return {node.lineno for node in inside if isinstance(node, (ast.Import, ast.ImportFrom))}


def _expects_import_error(node: ast.Try) -> bool:
    return any(
        handler.type is None
        or any(isinstance(part, ast.Name) and part.id in GUARDS for part in ast.walk(handler.type))
        for handler in node.handlers
    )
