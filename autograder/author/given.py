"""What an exercise hands out solved: the functions of earlier exercises, as their references write them.

Their text goes into the notebook and the stubs; code of ours that imports them by the exercise's name runs
under `importable`. Knows no file.
"""

import ast
import sys
import types
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

MARKS = ("### BEGIN SOLUTION", "### END SOLUTION")
HEAD = "import numpy as np"
TITLE = {
    "en": "# Given: the functions of {names}, solved. Run this; nothing in it is graded.",
    "zh": "# 下发：{names} 的函数，已写好。运行即可，不计分。",
}


def handed_out(code: str, names: list[str]) -> str:
    """The functions of a reference, whole, with the first line of each docstring alone."""
    functions = {node.name: node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)}
    return "\n\n\n".join(_bare(code.split("\n"), functions[name]) for name in names)


def _bare(lines: list[str], function: ast.FunctionDef) -> str:
    """One function without the marks of its solution and without its examples."""
    first, told = function.body[0], (ast.get_docstring(function) or "").split("\n", 1)[0]
    head = lines[function.lineno - 1 : first.lineno - 1]
    rest = lines[first.end_lineno if told else first.lineno - 1 : function.end_lineno]
    body = [f'    """{told}"""'] * bool(told) + rest
    return "\n".join(line for line in [*head, *body] if line.strip() not in MARKS)


def as_cell(given: Mapping[str, str], language: str) -> str:
    """All that is handed out, as a student reads it."""
    title = TITLE[language].format(names=", ".join(given))
    return "\n\n\n".join([title, *given.values()])


@contextmanager
def importable(given: Mapping[str, str]) -> Iterator[None]:
    """For as long as this lasts, `from self_attention import softmax` finds what is handed out."""
    before = {name: sys.modules.get(name) for name in given}
    try:
        for name, text in given.items():
            sys.modules[name] = types.ModuleType(name)
            exec(compile(f"{HEAD}\n\n{text}", f"<{name}>", "exec"), sys.modules[name].__dict__)
        yield
    finally:
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module
