"""What the self-check may know: the public examples with their expected values, hints and stubs as JSON data.

Runs the reference, which is ours, and nothing else.
"""

import ast
import doctest
import re
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType

import numpy as np

from autograder.author import stub
from autograder.author.given import importable
from autograder.author.handout import sections
from autograder.author.reading import contract, hints
from autograder.model import Exercise, KitError
from autograder.plain import number

VERSION = 1  # of exercise.json
SHAPE = re.compile(r"`(\w+)`\s*[:：]?\s*`\((\.\.\.,\s*)?([\w,\s*]*)\)`")
RETURNS = re.compile(r"^\s*[-*]\s*\**(?:Returns?|返回)")


class ExampleError(KitError):
    """A public example does not hold for the reference; the message names step and example."""


def public(exercise: Exercise, languages: Sequence[str]) -> dict:
    """The content of selfcheck/exercise.json."""
    namespace: dict = {"np": np}
    with importable(exercise.given):
        exec(compile(exercise.code, f"solutions/{exercise.name}.py", "exec"), namespace)
    return {
        "version": VERSION,
        "exercise": exercise.name,
        "languages": list(languages),
        "title": {"en": exercise.title.en, "zh": exercise.title.zh},
        "steps": [_step(exercise, name, languages, namespace) for name in (s.name for s in exercise.steps)],
    }


def _step(exercise: Exercise, name: str, languages: Sequence[str], namespace: dict) -> dict:
    step = exercise.step(name)
    texts = section_texts(exercise, name)
    return {
        "name": name,
        "points": number(step.points),
        "needs": list(step.needs),
        "signature": stub.signature(exercise, name),
        "heading": {language: texts[language].split("\n", 1)[0][3:] for language in texts},
        "axes": axes(next(iter(texts.values()))),
        "examples": list(examples(exercise, name, namespace)),
        "hints": {language: list(hints(text)) for language, text in texts.items()},
        "stub": stub.cleared(stub.solved(exercise, name, languages[0])),
    }


def section_texts(exercise: Exercise, name: str) -> dict[str, str]:
    """The section of a step or question in each language that has it."""
    return {
        language: section.text.lstrip("\n")
        for language, text in exercise.prose.items()
        for section in sections(text)
        if section.name == name
    }


def axes(section: str) -> dict[str, list[str]]:
    """The names of axes that a contract gives: {"Q": ["n_queries", "d_k"], ..., "return": [...]}.

    Leading batch axes ("...") are left out. A step that returns several arrays has each under its own name.
    What an argument itself takes or holds, told in its bullet, is no array of the step.
    """
    found: dict[str, list[str]] = {}
    for line in contract(section).split("\n"):
        named = SHAPE.findall(line)
        if named and not RETURNS.match(line) and not line.strip(" -*").startswith(f"`{named[0][0]}`"):
            continue
        for variable, _, inner in named:
            found.setdefault(variable, [axis.strip() for axis in inner.split(",") if axis.strip()])
        if RETURNS.match(line) and len(named) == 1:
            found["return"] = found[named[0][0]]
    return found


def examples(exercise: Exercise, name: str, namespace: Mapping[str, object]) -> Iterator[dict]:
    """Each `>>>` expression of the reference's docstring, with the statements that it needs and its value.

    The expressions of one paragraph are one example to a student, and carry its number.
    """
    earlier: list[ast.stmt] = []
    numbers: dict[int, int] = {}  # of the examples, by the paragraph that each of them is
    docstring = stub.reference_docstring(exercise, name)
    for example in doctest.DocTestParser().get_examples(docstring):
        statements = ast.parse(example.source).body
        if not (example.want and isinstance(statements[-1], ast.Expr)):
            earlier += statements
            continue
        earlier += statements[:-1]
        before = needed(earlier, statements[-1])
        source = "\n".join(ast.unparse(statement) for statement in [*before, statements[-1]])
        number = numbers.setdefault(_paragraph(docstring, example.lineno), len(numbers) + 1)
        expected = encoded(evaluated(source, dict(namespace), name))
        yield {"example": number, "source": source, "expected": expected}


def _paragraph(docstring: str, line: int) -> int:
    """How many blank lines stand above a line of the docstring."""
    return sum(not text.strip() for text in docstring.split("\n")[:line])


def needed(earlier: Sequence[ast.stmt], last: ast.stmt) -> list[ast.stmt]:
    """The earlier statements that `last` rests on."""
    names, kept = _names(last, ast.Load), []
    for statement in reversed(earlier):
        if bound := _names(statement, ast.Store) & names:
            names = (names - bound) | _names(statement, ast.Load)
            kept.append(statement)
    return kept[::-1]


def _names(statement: ast.stmt, context: type) -> set[str]:
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, context)}


def evaluated(source: str, namespace: dict, step: str) -> object:
    """The value of the last expression of `source`. Raises ExampleError."""
    *before, last = ast.parse(source).body
    try:
        exec(_compiled(ast.Module(before, [])), namespace)
        return eval(_compiled(ast.Expression(last.value)), namespace)
    except Exception as error:  # whatever an example raises is one fault: the example's
        raise ExampleError(f"{step}: an example raises {type(error).__name__}: {error}\n{source}") from None


def _compiled(tree: ast.Module | ast.Expression) -> CodeType:
    return compile(
        ast.fix_missing_locations(tree), "<example>", "exec" if isinstance(tree, ast.Module) else "eval"
    )


def encoded(value: object) -> dict:
    """A value as JSON data: {"array": ..., "dtype": ...}, {"tuple": [...]} or {"value": ...}."""
    if isinstance(value, np.ndarray):
        return {"array": _finite(value.tolist()), "dtype": str(value.dtype)}
    if isinstance(value, tuple | list):
        return {"tuple": [encoded(item) for item in value]}
    return {"value": _finite(value.item() if isinstance(value, np.generic) else value)}


def _finite(value: object) -> object:
    """JSON knows no nan and no infinities: they are written as words."""
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return str(value) if isinstance(value, float) and not np.isfinite(value) else value
