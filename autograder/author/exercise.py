"""Loads an exercise: the toml file, the handouts, the reference, and what the hidden suite promises.

Reads suites by their syntax tree and never imports one. Knows nothing of notebooks.
"""

import ast
import hashlib
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from autograder.author.given import handed_out
from autograder.layout import Course
from autograder.model import Exercise, KitError, Promise, Question, Sentence, Step

LANGUAGES = ("en", "zh")
PLAIN = re.compile(r"[A-Za-z]\w*\.\w+")  # a file's name


class ExerciseError(KitError):
    """An exercise's files do not make an exercise; the message names file, fault and cure."""

    def __init__(self, file: Path, fault: str, cure: str) -> None:
        super().__init__(f"{file}: {fault}\n{cure}")
        self.file, self.fault, self.cure = file, fault, cure


def load_exercise(course: Course, name: str) -> Exercise:
    """The exercise `name` as the course sees it: its own files first, else the kit's."""
    toml = course.assignment(name) / "exercise.toml"
    if not toml.is_file():
        there = ", ".join(course.exercises) or "none"
        raise ExerciseError(toml, "there is no such exercise.", f"The course has: {there}")
    data = _read_toml(toml)
    solution = course.solution(name)
    code = _text(solution, "Write the reference there: one function for each step.")
    functions = reference_functions(code, solution)
    steps = tuple(_step(entry, toml, functions, course.suite(name)) for entry in _entries(data, "step", toml))
    names = [step.name for step in steps]
    return Exercise(
        name=name,
        title=_title(data, toml),
        minutes=int(data.get("minutes", 0)),
        steps=tuple(replace(step, needs=_needs(functions[step.name], names)) for step in steps),
        questions=tuple(
            Question(entry["name"], _points(entry, toml)) for entry in _entries(data, "question", toml)
        ),
        prose=_prose(course, name),
        code=code,
        given=_given(course, name, data, toml),
        files=_files(course.assignment(name), data, toml),
        version=_version(toml, *_references(course, name, data), *sorted(course.suite(name).glob("*.py"))),
    )


def _given(course: Course, name: str, data: dict, toml: Path) -> dict[str, str]:
    """What the exercises before this one taught, solved: each one's functions as text."""
    found = {}
    for earlier in data.get("given", ()):
        if earlier == name or earlier not in course.exercises:
            there = ", ".join(other for other in course.exercises if other != name) or "none"
            raise ExerciseError(
                toml, f"given names {earlier!r}, which is no other exercise.", f"Others: {there}"
            )
        entries = _entries(_read_toml(course.assignment(earlier) / "exercise.toml"), "step", toml)
        code = _text(course.solution(earlier), "Write the reference there, or leave it out of given.")
        reference_functions(code, course.solution(earlier))
        found[earlier] = handed_out(code, [entry["name"] for entry in entries])
    return found


def _files(folder: Path, data: dict, toml: Path) -> dict[str, str]:
    """The texts of `files`: what is released beside the notebook, as it lies beside the toml file."""
    names = data.get("files", ())
    for name in names:
        if not PLAIN.fullmatch(name) or name.partition(".")[0] in (*sys.stdlib_module_names, folder.name):
            cure = "Write the name of a text file in the exercise's folder that hides no module, no exercise."
            raise ExerciseError(toml, f"files names {name!r}, which cannot be released.", cure)
    return {name: _text(folder / name, f"Write it, or take it out of files in {toml}.") for name in names}


def _references(course: Course, name: str, data: dict) -> list[Path]:
    """The reference, and those whose functions it is given."""
    return [course.solution(each) for each in (name, *data.get("given", ()))]


def reference_functions(code: str, file: Path) -> dict[str, ast.FunctionDef]:
    """The reference's functions by name. Raises ExerciseError where it is not Python."""
    return {node.name: node for node in _parsed(code, file).body if isinstance(node, ast.FunctionDef)}


def _parsed(code: str, file: Path) -> ast.Module:
    try:
        return ast.parse(code)
    except SyntaxError as error:
        raise ExerciseError(
            file, f"line {error.lineno} is not Python: {error.msg}.", "Mend that line."
        ) from None


def _text(file: Path, cure: str) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ExerciseError(file, "there is no such file.", cure) from None
    except UnicodeDecodeError:
        raise ExerciseError(file, "it is not UTF-8.", "Save it as UTF-8.") from None


def _read_toml(toml: Path) -> dict:
    try:
        return tomllib.loads(_text(toml, ""))
    except tomllib.TOMLDecodeError as error:
        raise ExerciseError(toml, f"not TOML: {error}", "Mend that line.") from None


def _entries(data: dict, kind: str, toml: Path) -> list[dict]:
    """The [[step]] or [[question]] tables, each with a name of its own."""
    entries = data.get(kind, [])
    names = [entry.get("name", "") for entry in entries]
    for name in names:
        if not name.isidentifier() or names.count(name) > 1:
            raise ExerciseError(toml, f"[[{kind}]] has the name {name!r}.", "Give each a name of its own.")
    return entries


def _title(data: dict, toml: Path) -> Sentence:
    title = data.get("title", {})
    if set(title) != set(LANGUAGES):
        raise ExerciseError(toml, "the title is not there in each language.", "Write [title] with en and zh.")
    return Sentence(**title)


def _points(entry: dict, toml: Path) -> Fraction:
    try:
        points = Fraction(str(entry["points"]))
    except (KeyError, ValueError):
        points = Fraction(-1)
    if points <= 0:
        raise ExerciseError(toml, f"{entry['name']} has no points.", "Write points = and a positive number.")
    return points


def _step(entry: dict, toml: Path, functions: dict, suite: Path) -> Step:
    """One [[step]] with its promises; what it needs is added when all steps are known."""
    name, weights = entry["name"], entry.get("weights", {})
    if name not in functions:
        cure = f"Write def {name}(...) in the reference, or take the step out of {toml}."
        raise ExerciseError(toml, f"the reference has no function {name}.", cure)
    promises = tuple(_promises(suite / f"test_{name}.py"))
    if unknown := sorted(set(weights) - {promise.name for promise in promises}):
        known = ", ".join(promise.name for promise in promises)
        raise ExerciseError(toml, f"{name} weighs unknown aspects: {', '.join(unknown)}.", f"It has: {known}")
    weighed = tuple(replace(p, weight=Fraction(str(weights.get(p.name, 1)))) for p in promises)
    return Step(name, _points(entry, toml), (), weighed, bool(entry.get("all_or_nothing", False)))


def _needs(function: ast.FunctionDef, steps: list[str]) -> tuple[str, ...]:
    """The other steps that the reference's function calls, in the order in which they are taught."""
    called = {node.func.id for node in ast.walk(function) if _is_plain_call(node)}
    return tuple(name for name in steps if name in called and name != function.name)


def _is_plain_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def _promises(file: Path) -> Iterator[Promise]:
    """What each test function of a hidden suite promises. No file, no promises: the doctor says so."""
    if not file.is_file():
        return
    for node in _parsed(_text(file, ""), file).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            marks = dict(_marks(node))
            if "clause" not in marks:
                cure = f'Mark {node.name} with @pytest.mark.clause("...").'
                raise ExerciseError(file, f"line {node.lineno}: {node.name} names no clause.", cure)
            yield Promise(node.name, marks["clause"], _sentence(node, file), "safety" in marks)


def _marks(node: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """The pytest marks above a function: (name, first argument or "")."""
    for decorator in node.decorator_list:
        call = isinstance(decorator, ast.Call)
        target = decorator.func if call else decorator
        if ast.unparse(target).startswith("pytest.mark."):
            argument = decorator.args[0] if call and decorator.args else None
            yield target.attr, str(argument.value) if isinstance(argument, ast.Constant) else ""


def _sentence(node: ast.FunctionDef, file: Path) -> Sentence:
    """The docstring's two paragraphs: English, then Chinese."""
    paragraphs = [" ".join(part.split()) for part in (ast.get_docstring(node) or "").split("\n\n")]
    if len(paragraphs) != 2 or not all(paragraphs):
        raise ExerciseError(
            file,
            f"line {node.lineno}: {node.name} does not say its fact in two languages.",
            "Write its docstring as two paragraphs: English, a blank line, Chinese.",
        )
    return Sentence(*paragraphs)


def _prose(course: Course, name: str) -> dict[str, str]:
    """The handouts that are there, by language."""
    files = {language: course.assignment(name) / f"handout.{language}.md" for language in LANGUAGES}
    return {language: _text(file, "") for language, file in files.items() if file.is_file()}


def _version(*files: Path) -> str:
    """A fingerprint of all that decides a grade: names and contents."""
    digest = hashlib.sha256()
    for file in files:
        content = file.read_bytes().replace(b"\r\n", b"\n")  # the same on every system
        digest.update(f"{file.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:16]
