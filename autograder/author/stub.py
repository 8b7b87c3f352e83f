"""What a student starts from: each function's signature and docstring with its body taken out.

The docstring is the handout's contract and the reference's examples; nobody writes it by hand.
"""

import ast
import doctest
import re
import unicodedata
from collections.abc import Iterator

from autograder.author.given import as_cell
from autograder.author.handout import sections
from autograder.author.reading import contract
from autograder.model import Exercise
from autograder.settings import CODE_STUB

BEGIN, END = "BEGIN SOLUTION", "END SOLUTION"
WIDTH = 88  # columns of a docstring's line
SYMBOLS = {r"\times": "×", r"\cdot": "·", r"\infty": "∞", r"\ge": "≥", r"\le": "≤", r"\to": "→", r"\top": "T"}
FULL_STOP = {"en": ".", "zh": "。"}
MODULE_DOCSTRING = {
    "en": "Write each function, then run: python -m selfcheck",
    "zh": "写完每个函数后运行：python -m selfcheck",
}


def function_source(exercise: Exercise, name: str) -> str:
    """The reference's function as it stands in the file, from its `def` to its last line."""
    lines = exercise.code.split("\n")
    nodes = ast.parse(exercise.code).body
    index = next(i for i, node in enumerate(nodes) if isinstance(node, ast.FunctionDef) and node.name == name)
    following = nodes[index + 1].lineno - 1 if index + 1 < len(nodes) else len(lines)
    own = lines[nodes[index].lineno - 1 : following]
    while own and (not own[-1].strip() or own[-1].startswith(("#", "@"))):
        own.pop()
    return "\n".join(own)


def signature(exercise: Exercise, name: str) -> str:
    """The arguments as they are written: "(scores, axis=-1)"."""
    function = ast.parse(function_source(exercise, name)).body[0]
    return f"({ast.unparse(function.args)})"


def reference_docstring(exercise: Exercise, name: str) -> str:
    return ast.get_docstring(ast.parse(function_source(exercise, name)).body[0]) or ""


def solved(exercise: Exercise, name: str, language: str) -> str:
    """The step's solution cell as the teacher sees it: contract, examples, reference."""
    source = function_source(exercise, name)
    function = ast.parse(source).body[0]
    lines = source.split("\n")
    first = function.body[0]
    has_docstring = ast.get_docstring(function) is not None
    head = lines[: first.lineno - 1]
    rest = lines[first.end_lineno :] if has_docstring else lines[first.lineno - 1 :]
    if not has_docstring:  # a `### BEGIN SOLUTION` above the first statement belongs to the body
        opening = next((i for i, line in enumerate(head) if BEGIN in line), len(head))
        head, rest = head[:opening], head[opening:] + rest
    return "\n".join([*head, *_quoted(docstring(exercise, name, language)), *rest])


def cleared(source: str) -> str:
    """The source with every solution region replaced by the stub, as nbgrader's ClearSolutions does it."""
    out, inside = [], False
    for line in source.split("\n"):
        if BEGIN in line:
            inside = True
            indent = line[: len(line) - len(line.lstrip())]
            out += [indent + stub for stub in CODE_STUB.split("\n")]
        elif END in line:
            inside = False
        elif not inside:
            out.append(line)
    return "\n".join(out)


def region(source: str) -> list[str]:
    """The lines between the first BEGIN and the last END of a solution, both included."""
    lines = source.split("\n")
    marks = [i for i, line in enumerate(lines) if BEGIN in line or END in line]
    return lines[marks[0] : marks[-1] + 1] if marks else []


def with_region(source: str, new: list[str]) -> str:
    """The source with other lines in the place of its solution region."""
    old = "\n".join(region(source))
    return source.replace(old, "\n".join(new)) if old else source


def module(exercise: Exercise, language: str) -> str:
    """The stubs of all steps as one file, for work without Jupyter."""
    parts = [f'"""{getattr(exercise.title, language)}\n\n{MODULE_DOCSTRING[language]}\n"""']
    parts.append("import numpy as np")
    text = "\n\n".join(parts)
    if exercise.given:
        text += "\n\n" + as_cell(exercise.given, language)
    for step in exercise.steps:
        text += "\n\n\n" + cleared(solved(exercise, step.name, language))
    return text + "\n"


def _quoted(text: str) -> list[str]:
    """The docstring's lines, quoted and indented."""
    prefix = "r" if "\\" in text else ""
    lines = [f'{prefix}"""{text}', '"""'] if "\n" in text else [f'{prefix}"""{text}"""']
    return [f"    {line}".rstrip() for line in "\n".join(lines).split("\n")]


def docstring(exercise: Exercise, name: str, language: str) -> str:
    """What the function must do, in one language, and the examples."""
    section = next(
        (s for s in sections(exercise.prose.get(language, "")) if s.kind == "step" and s.name == name), None
    )
    blocks = [*_told(section.text, language)] if section else []
    blocks += examples(reference_docstring(exercise, name))
    return "\n\n".join(block for block in blocks if block).replace('"""', "'''")


def _told(text: str, language: str) -> Iterator[str]:
    """The heading's words, then the contract without its Markdown."""
    title = plain(re.sub(r"^## `\w+`[\s—–-]*", "", text.lstrip("\n").split("\n", 1)[0]))
    yield title[:1].upper() + title[1:] + ("" if title[-1:] in "。.?？" else FULL_STOP[language])
    lines: list[str] = []
    for line in contract(text).split("\n"):
        if lines and line.strip() and re.match(r"\s+\S", line) and not re.match(r"\s*[-*] ", line):
            lines[-1] += " " + line.strip()  # a bullet's next line
        else:
            lines.append(line)
    yield "\n".join(wrapped for line in lines for wrapped in _wrapped(plain(line))).strip("\n")


def plain(markdown: str) -> str:
    """A line of Markdown as a programmer would type it in a docstring."""
    text = re.sub(r"\s*<!--.*?-->", "", markdown)
    text = re.sub(r"\\sqrt\{?(\w+)\}?", r"√\1", text)
    for command, symbol in SYMBOLS.items():
        text = re.sub(re.escape(command) + r"(?![A-Za-z])", symbol, text)
    text = re.sub(r"`([^`]*)`", r"\1", text)
    text = re.sub(r"\$([^$]*)\$", r"\1", text)
    text = re.sub(r"\*\*(.+?)\*\*", r"\1", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"^(\s*)[-*] ", r"\1- ", text).rstrip()


def _wrapped(line: str) -> Iterator[str]:
    """The line cut to the width that it takes on a screen, where Chinese takes two columns a character."""
    indent = "  " if line.startswith("- ") else ""
    current = ""
    for token in re.findall(r"\s*[⺀-鿿＀-￯][，。；：、）」”！？]*|\s*[^\s⺀-鿿＀-￯]+", line):
        if current and _columns(current + token) > WIDTH:
            yield current
            current = indent + token.lstrip()
        else:
            current += token
    yield current


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def examples(text: str) -> Iterator[str]:
    """The `>>>` examples of a docstring, one block for each paragraph of them."""
    block: list[str] = []
    for part in doctest.DocTestParser().parse(text):
        if isinstance(part, doctest.Example):
            first, *more = part.source.rstrip("\n").split("\n")
            block.append("\n".join([f">>> {first}", *(f"... {line}" for line in more)]))
            block += [part.want.rstrip("\n")] if part.want else []
        elif part.strip() and block:
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)
