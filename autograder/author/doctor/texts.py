"""The laws that need no grading: what the files of an exercise must say to each other."""

import ast
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from autograder.author.build import MISSING, stale
from autograder.author.doctor.finding import Fault
from autograder.author.exercise import LANGUAGES
from autograder.author.handout import Piece, Section, sections
from autograder.author.reading import clauses, formulas, hints
from autograder.author.scaffold import left_to_write
from autograder.layout import Course
from autograder.model import Exercise, Sentence, Step

CHINESE = re.compile(r"[\u4e00-\u9fff]")
PRIVATE = (
    "submitted",
    "autograded",
    "feedback",
    "gradesheets",
    "exports",
    "reports",
    "release",
    ".attn",
)


def handout_path(course: Course, exercise: Exercise, language: str) -> str:
    return str(course.assignment(exercise.name) / f"handout.{language}.md")


def speak_alike(course: Course, exercise: Exercise) -> Iterator[Fault]:
    """Both handouts have the same sections, cells, clauses, hints and formulas, in the same order."""
    for language in LANGUAGES:
        if language not in exercise.prose:
            file = handout_path(course, exercise, language)
            yield Fault(
                f"{file} is not there", "Write it, or leave the language out of c.Attn.languages", True
            )
    if set(exercise.prose) != set(LANGUAGES):
        return
    first, second = (list(sections(exercise.prose[language])) for language in LANGUAGES)
    files = [handout_path(course, exercise, language) for language in LANGUAGES]
    titles = [[(s.kind, s.name) for s in found] for found in (first, second)]
    if titles[0] != titles[1]:
        place = _first_difference(*titles)
        yield Fault(
            f"{files[0]} and {files[1]} differ in section {place + 1}: {_title(first, place)} against "
            f"{_title(second, place)}",
            "Give both handouts the same sections in the same order",
        )
        return
    for ours, theirs in zip(first, second, strict=True):
        yield from _same_section(ours, theirs, files)


def _same_section(ours: Section, theirs: Section, files: Sequence[str]) -> Iterator[Fault]:
    """One section in two languages."""
    facts = {
        "formulas": formulas,
        "clauses": lambda text: sorted(clauses(text)),
        "number of hints": lambda text: len(hints(text)),
        "cells": lambda text: [piece.kind for section in sections(text) for piece in section.pieces],
        "code": lambda text: [without_words(piece.text) for piece in _code_cells(text)],
    }
    for fact, read in facts.items():
        mine, other = read(ours.text), read(theirs.text)
        if mine != other:
            where = f"section `{ours.name}`" if ours.name else f"section {_headline(ours)!r}"
            both = f"{_shown(mine, other)} against {_shown(other, mine)}"
            yield Fault(
                f"{files[0]} and {files[1]}, {where}: the {fact} differ: {both}",
                f"Write the same {fact} in both handouts",
            )


def _code_cells(text: str) -> Iterator[Piece]:
    for section in sections(text):
        yield from (piece for piece in section.pieces if piece.kind == "code")


def without_words(code: str) -> str:
    """A cell's code without comments and texts, which may be in any language."""
    try:
        tree = ast.parse(code)
    except SyntaxError:  # a magic, say
        return code
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.unparse(tree)


def _shown(mine: object, other: object) -> str:
    """What one side has: of lists, only what the other has not, or the place where the order parts."""
    if not isinstance(mine, list | tuple):
        return str(mine)
    own = [item for item in mine if item not in other] or list(mine)
    return ", ".join(str(item) for item in own) or "none"


def _first_difference(first: Sequence, second: Sequence) -> int:
    return next(i for i, (a, b) in enumerate(zip_longest(first, second)) if a != b)


def _title(found: Sequence[Section], place: int) -> str:
    return _headline(found[place]) if place < len(found) else "no section"


def _headline(section: Section) -> str:
    return section.text.lstrip("\n").split("\n", 1)[0]


def announce_what_is_checked(course: Course, exercise: Exercise) -> Iterator[Fault]:
    """Every aspect names a clause that the contract has, in each language."""
    for language, text in exercise.prose.items():
        file = handout_path(course, exercise, language)
        there = {s.name: clauses(s.text) for s in sections(text) if s.kind == "step"}
        for step in exercise.steps:
            for promise in step.promises:
                if promise.clause not in there.get(step.name, ()):
                    yield Fault(
                        f"{file}: the contract of `{step.name}` has no clause {promise.clause}, "
                        f"on which {promise.name} rests",
                        f"Write the promise there, ending in <!-- clause: {promise.clause} -->",
                    )


def speak_both_languages(pairs: Iterable[tuple[str, Sentence]]) -> Iterator[Fault]:
    """Every sentence for students is there in English and in Chinese; `pairs` gives each with its place."""
    for place, sentence in pairs:
        if not sentence.en.strip() or CHINESE.search(sentence.en):
            yield Fault(f"{place}: its English sentence is missing or not English", "Write it in English")
        if not CHINESE.search(sentence.zh):
            yield Fault(f"{place}: its Chinese sentence is missing or not Chinese", "Write it in Chinese")


def are_written(course: Course, exercise: Exercise) -> Iterator[Fault]:
    """No file says TODO any more."""
    for file, number, line in left_to_write(course, exercise.name):
        yield Fault(f"{file}, line {number}: {line}", "Write it")


def add_up(course: Course, exercise: Exercise) -> Iterator[Fault]:
    """Each step has aspects whose weights are positive and whose worths sum to its points."""
    for step in exercise.steps:
        yield from _adds_up(course, exercise, step)


def _adds_up(course: Course, exercise: Exercise, step: Step) -> Iterator[Fault]:
    suite = course.suite(exercise.name) / f"test_{step.name}.py"
    toml = course.assignment(exercise.name) / "exercise.toml"
    if not any(not promise.safety for promise in step.promises):
        yield Fault(f"{suite} has no aspect that earns a point", f"Write hidden tests of `{step.name}`")
        return
    for promise in step.promises:
        if promise.weight <= 0:
            yield Fault(f"{toml}: {promise.name} weighs {promise.weight}", "Give it a positive weight")
    if all(p.weight > 0 for p in step.promises) and sum(map(step.worth, step.promises)) != step.points:
        yield Fault(f"{toml}: the aspects of `{step.name}` are not worth its {step.points} points", "Mend it")


def are_fresh(course: Course, exercise: Exercise) -> Iterator[Fault]:
    """Generated files are what their sources make of them. In a new clone some have yet to be made."""
    kept = {course.source(exercise.name) / f"{exercise.name}.ipynb", course.assignment(exercise.name)}
    for file, why, cure in stale(course, exercise.name):
        yield Fault(f"{file}: {why}", cure, why == MISSING and not kept & {file, file.parent})


def keep_students_private(course: Course, exercise: Exercise) -> Iterator[Fault]:
    """No student's data is tracked by git, nor could be by `git add`."""
    if _git(course, "rev-parse", "--is-inside-work-tree").returncode:
        return
    tracked = _git(course, "ls-files", "-z", "--", *PRIVATE, "gradebook.db*").stdout.split("\0")
    folders = sorted({name.split("/", 1)[0] for name in tracked if name})
    for folder in folders:
        yield Fault(f"{course.root / folder} is tracked by git", f"git rm -r --cached {folder}")
    names = [*(f"{name}/x" for name in PRIVATE), "gradebook.db"]
    ignored = set(_git(course, "check-ignore", "--no-index", "--", *names).stdout.split("\n"))
    for name in names:
        if name not in ignored and name.split("/", 1)[0] not in folders:
            entry = "/" + name.removesuffix("x")
            yield Fault(f"{course.root / '.gitignore'} does not ignore {entry}", f"Write {entry} into it")


def _git(course: Course, *arguments: str) -> subprocess.CompletedProcess:
    """git's answer; a machine without git counts as a course outside any repository."""
    command = ["git", "-C", str(course.root), *arguments]
    try:
        return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    except FileNotFoundError:
        return subprocess.CompletedProcess(command, 127, "", "")
