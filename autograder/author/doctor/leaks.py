"""The law that nothing hidden is in a release: no solution, hidden test, mistake, expected value or seed."""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from autograder.author import notebook, stub
from autograder.author.build import outputs
from autograder.author.doctor.finding import Fault
from autograder.author.exercise import load_exercise
from autograder.author.handout import sections
from autograder.layout import Course
from autograder.model import Exercise
from autograder.settings import load_settings

SHORTEST = 12  # characters of a line that can give something away
LONG = 40  # of a line of a hidden module, where short ones are everybody's NumPy


def are_kept(course: Course, exercise: Exercise) -> Iterator[Fault]:
    """What is released, built or already lying in source/ and release/, holds nothing that is hidden."""
    needles = {squeezed(text): what for text, what in hidden(course, exercise) if text.strip()}
    allowed = squeezed(public_text(exercise))
    needles = {needle: what for needle, what in needles.items() if needle not in allowed}
    for place, text in released_texts(course, exercise).items():
        haystack = squeezed(text)
        for needle, what in needles.items():
            if found(needle, haystack):
                yield Fault(
                    f"{place} holds {what}: {needle[:60]}", "Take it out of what that file is made from"
                )
    yield from _hidden_files(course, exercise)


def squeezed(text: str) -> str:
    """The text with all white space made one blank."""
    return " ".join(text.split())


def found(needle: str, haystack: str) -> bool:
    """Whether the needle stands there by itself, and not as a part of a longer word or number."""
    before = r"(?<![\w.])" if needle[0].isalnum() or needle[0] == "_" else ""
    after = r"(?![\w])" if needle[-1].isalnum() or needle[-1] == "_" else ""
    return needle in haystack and re.search(before + re.escape(needle) + after, haystack) is not None


def public_text(exercise: Exercise) -> str:
    """What students are meant to read: the reference's examples, and the functions that are given."""
    examples = (stub.reference_docstring(exercise, step.name) for step in exercise.steps)
    return "\n".join([*examples, *exercise.given.values()])


def hidden(course: Course, exercise: Exercise) -> Iterator[tuple[str, str]]:
    """Every text that must stay here, and what it is; what an exercise is given has its own such texts."""
    for earlier in exercise.given:
        yield from hidden(course, load_exercise(course, earlier))
    for line in solution_lines(exercise.code):
        yield line, "solution text"
    for text in exercise.prose.values():
        for section in sections(text):
            for piece in section.pieces:
                if piece.kind == "scheme":
                    yield from ((line, "a mark scheme") for line in _telling(piece.text.split("\n")))
    for file in sorted(course.suite(exercise.name).glob("*.py")):
        yield from _suite(file)
    if course.seed.is_file():
        yield course.seed.read_bytes().hex(), "the course's seed"
        yield course.seed.read_text(encoding="utf-8", errors="replace"), "the course's seed"


def solution_lines(code: str) -> Iterator[str]:
    """The lines between the marks of a solution."""
    inside = False
    for line in code.split("\n"):
        if stub.END in line:
            inside = False
        elif inside:
            yield from _code([line])
        elif stub.BEGIN in line:
            inside = True


def _telling(lines: Iterable[str]) -> Iterator[str]:
    """Lines that say so much that they stand elsewhere by no coincidence."""
    for line in lines:
        if len(line.strip()) >= SHORTEST and re.search(r"[A-Za-z]{3}|[\u4e00-\u9fff]{3}", line):
            yield line.strip()


def _code(lines: Iterable[str], shortest: int = SHORTEST) -> Iterator[str]:
    """Telling lines of code. A bare call of one step, handed from name to name, is everybody's."""
    for line in _telling(lines):
        try:
            tree = ast.parse(line)
        except SyntaxError:
            tree = None  # the head of a loop, or one line of a longer statement
        telling = tree and any(isinstance(node, ast.operator | ast.Attribute) for node in ast.walk(tree))
        if len(line) >= (shortest if telling else LONG) and (telling or tree is None):
            yield line


def _suite(file: Path) -> Iterator[tuple[str, str]]:
    """Names, statements, sentences of mistakes and long numbers of a hidden module."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    kind = "a mistake" if file.name.startswith("mistakes") else "a hidden test"
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        if len(node.name) >= SHORTEST and (node.name.startswith("test_") or node.decorator_list):
            yield node.name, kind
        for decorator in node.decorator_list:
            if kind == "a mistake":
                yield from ((text, "a mistake's sentence") for text in _telling(_strings(decorator)))
        for statement in node.body:
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                yield from ((line, kind) for line in _code(ast.unparse(statement).split("\n"), LONG))
    yield from ((number, "an expected value") for number in _long_numbers(tree))


def _strings(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def _long_numbers(tree: ast.AST) -> Iterator[str]:
    """Numbers of so many digits that only a computation can have given them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            text = repr(node.value)
            if len(re.sub(r"\D", "", text).strip("0")) >= 6:
                yield text


def released_texts(course: Course, exercise: Exercise) -> Mapping[str, str]:
    """Every released file's text: as it would be built now, and as it lies in source/ and release/."""
    languages, name = load_settings(course).languages, exercise.name
    own = course.source(name) / f"{name}.ipynb"  # the teacher's: it is released without its solutions
    texts = {f"the released {own.name}": _cells(notebook.weave(exercise, languages, solved=False))}
    for file, content in outputs(course, exercise).items():
        if file != own:
            texts[str(file)] = content.decode("utf-8", errors="replace")
    for folder in (course.source(name), course.release(name)):
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file != own and ".ipynb_checkpoints" not in file.parts:
                texts[str(file)] = _readable(file)
    return texts


def _readable(file: Path) -> str:
    text = file.read_text(encoding="utf-8", errors="replace")
    if file.suffix == ".ipynb":
        try:
            return _cells(notebook.from_text(text))
        except ValueError:
            return text
    if file.suffix == ".json":
        return text + _told(text)
    return text


def _told(text: str) -> str:
    """All strings of a JSON file as they read."""
    try:
        data = [json.loads(text)]
    except ValueError:
        return ""
    out = []
    while data:
        item = data.pop()
        if isinstance(item, str):
            out.append(item)
        elif isinstance(item, dict | list):
            data += item.values() if isinstance(item, dict) else item
    return "\n".join(out)


def _cells(data: Mapping) -> str:
    """Sources and outputs of all cells."""
    return "\n".join(
        cell["source"] + "\n" + _told(json.dumps(cell.get("outputs", []))) for cell in data["cells"]
    )


def _hidden_files(course: Course, exercise: Exercise) -> Iterator[Fault]:
    """Files that may never lie where nbgrader releases them, whatever is in them."""
    suite = {file.name for file in course.suite(exercise.name).glob("*.py")} - {"__init__.py"}
    for folder in (course.source(exercise.name), course.release(exercise.name)):
        for file in sorted(folder.rglob("*")):
            if file.name in suite:
                yield Fault(f"{file} has the name of a hidden file", f"Move it out of {folder}")
            elif file.is_symlink():
                yield Fault(f"{file} is a link, which nbgrader follows", "Put a copy there, or remove it")
