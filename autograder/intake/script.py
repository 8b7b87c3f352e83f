"""Reads a .py file as a list of cells: plain, or converted by jupytext, nbconvert, VS Code, Spyder.

A plain file is one cell; one with cell marks is cut at them, and its text cells are text again.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.intake.pieces import free_lines

PERCENT = re.compile(r"#[ \t]?%%(?!\w)(?P<options>.*)$")  # jupytext, VS Code, Spyder
PROMPT = re.compile(r"#[ \t]?In\s?\[[\s\d]*\]:\s*$")  # nbconvert
PLUS = re.compile(r"# \+(?P<options>(?:\s.*)?)$")  # jupytext's light format
MINUS = re.compile(r"# -\s*$")
GRADE_ID = re.compile(r"grade_id[\"']?\s*[:=]\s*[\"']([\w-]+)[\"']")
TEXT_CELL = re.compile(r"\[(?:markdown|md|raw)\]")
LIGHT = re.compile(r"^#\s+format_name: (?:light|nomarker|bare|sphinx)\s*$", re.MULTILINE)
PYTHON = re.compile(r"^(?:def \w+\s*\(|import \w|from [\w.]+ import )", re.MULTILINE)


@dataclass(frozen=True)
class RawCell:
    """A cell as its file has it, reduced to what counts. `number` counts from 1; 0 in a script."""

    kind: str  # code, markdown, raw
    source: str
    number: int = 0
    line: int = 1
    grade_id: str = ""
    id: str = ""
    marks: Mapping[str, object] = field(default_factory=dict)
    is_skipped: bool = False
    lost_picture: bool = False


def looks_like_one(text: str) -> bool:
    """Whether a text that should be a notebook is plain Python."""
    return not text.lstrip().startswith(("{", "[")) and bool(PYTHON.search(text))


def cells(text: str) -> list[RawCell]:
    """The cells of a script; the text of a converted notebook's text cells among them."""
    lines = text.split("\n")
    light = bool(LIGHT.search(text[:4000]))
    marks = [(index, mark) for index, mark in enumerate(_marks(lines, light)) if mark is not None]
    if not marks and not light:
        return [RawCell("code", text), *_quoted(lines)]
    starts = [(-1, ""), *marks]
    ends = [index for index, _ in marks] + [len(lines)]
    prompts = light or any(PROMPT.match(lines[index]) for index, _ in marks)
    found: list[RawCell] = []
    for (start, options), end in zip(starts, ends, strict=True):
        found += _segment(lines[start + 1 : end], start + 2, options, prompts)
    return found


def _quoted(lines: Sequence[str]) -> Iterator[RawCell]:
    """Texts in triple quotes that stand by themselves, but for the module's docstring and code put aside."""
    free, first = free_lines(lines), True
    for index, line in enumerate(lines):
        if not free[index] or not line.strip() or line.startswith("#"):
            continue
        if line.startswith(('"""', "'''")) and not first:
            end = next((i + 1 for i in range(index + 1, len(lines)) if free[i]), len(lines))
            body = _uncommented(lines[index : end - 1] if end < len(lines) else lines[index:])
            if not PYTHON.search(body):
                yield RawCell("markdown", body, line=index + 1)
        first = False


def _marks(lines: Sequence[str], light: bool) -> Iterator[str | None]:
    """For each line, the options of the cell that it opens, or None."""
    for line, free in zip(lines, free_lines(lines), strict=True):
        found = (
            (PERCENT.match(line) or PROMPT.match(line) or (light and (PLUS.match(line) or MINUS.match(line))))
            if free
            else None
        )
        yield None if not found else found.groupdict().get("options") or ""


def _segment(lines: Sequence[str], first: int, options: str, prompts: bool) -> Iterator[RawCell]:
    """The cell between two marks. Where only code is marked, text stands in comments after it."""
    grade_id = found[1] if (found := GRADE_ID.search(options)) else ""
    if TEXT_CELL.search(options):
        yield RawCell("markdown", _uncommented(lines), grade_id=grade_id, line=first)
        return
    if any(line.strip() for line in lines):
        yield RawCell("code", "\n".join(lines), line=first, grade_id=grade_id)
    if prompts:
        for index, paragraph in _paragraphs(lines):
            yield RawCell("markdown", _uncommented(paragraph), line=first + index)


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """Runs of comments that stand alone between blank lines, but for a script's head."""
    run: list[str] = []
    for index, line in enumerate([*lines, ""]):
        if line.startswith("#"):
            run += [line] if line.strip("#") else ["#"]  # a rule of ##### is no text
            continue
        before = index - len(run) - 1
        alone = not line.strip() and (before < 0 or not lines[before].strip())
        if run and alone and not run[0].startswith(("#!", "# coding", "# ---", "# -*-")):
            yield index - len(run), run
        run = []


def _uncommented(lines: Sequence[str]) -> str:
    text = "\n".join(lines).strip("\n")
    if text.startswith(('"""', "'''")) and text.endswith(text[:3]) and len(text) > 6:
        return text[3:-3].strip("\n")
    return "\n".join(re.sub(r"^# ?", "", line) for line in text.split("\n")).strip("\n")
