"""Finds the answers that a person grades: in their own cells, else in text that the release has not."""

from collections.abc import Sequence

from autograder.grade import mends
from autograder.grade.expected import Expected
from autograder.grade.script import RawCell
from autograder.model import Sentence


def answers(cells: Sequence[RawCell], expected: Expected) -> tuple[dict[str, str], list[Sentence]]:
    """The answer to each question that has one, as Markdown, and what a person should know about it."""
    found, pieced = {}, []
    for question in expected.questions:
        own = [index for index, cell in enumerate(cells) if cell.grade_id == question]
        texts = [cells[index].source for index in own]
        written = list(dict.fromkeys(text for text in texts if _is_own(text, question, expected)))
        more = [text for index in own for text in _following(cells, index, expected)]
        if more or len(written) > 1:
            pieced.append(question)
        if written or more:
            found[question] = "\n\n".join([*written, *more])
        elif texts and texts[0].strip() != expected.texts.get(question, "").strip():
            found[question] = texts[0]  # emptied: not as it was handed out either
    stray = _stray(cells, expected, [q for q in expected.questions if not found.get(q, "").strip()])
    pieced += stray
    return found | stray, [mends.answer_found(pieced)] if pieced else []


def _is_own(text: str, question: str, expected: Expected) -> bool:
    return bool(text.strip()) and text.strip() != expected.texts.get(question, "").strip()


def leftover(cell: RawCell, expected: Expected) -> str:
    """The lines of a text cell that the release does not have."""
    lines = [
        line for line in cell.source.split("\n") if not line.strip() or line.strip() not in expected.lines
    ]
    return "\n".join(lines).strip()


def _is_text(cell: RawCell, expected: Expected) -> bool:
    return cell.kind != "code" and expected.kinds.get(expected.place(cell)) != "code"


def _following(cells: Sequence[RawCell], index: int, expected: Expected) -> list[str]:
    """Text cells of the student's own directly after an answer: it goes on there."""
    found = []
    for cell in cells[index + 1 :]:
        if not _is_text(cell, expected) or expected.place(cell) or not (text := leftover(cell, expected)):
            break
        found.append(text)
    return found


def _stray(cells: Sequence[RawCell], expected: Expected, unanswered: Sequence[str]) -> dict[str, str]:
    """All other text of the student's own, for the questions without an answer: each from its question on."""
    found: dict[str, list[str]] = {}
    if not unanswered:
        return {}
    current = unanswered[0]
    asked = {question: _question_lines(question, expected) for question in unanswered}
    for cell in cells:
        lines = {line.strip() for line in cell.source.split("\n")}
        current = next((question for question in unanswered if asked[question] & lines), current)
        is_other = cell.grade_id not in expected.questions and _is_text(cell, expected)
        if is_other and (text := leftover(cell, expected)):
            found.setdefault(current, []).append(text)
    return {question: "\n\n".join(texts) for question, texts in found.items()}


def _question_lines(question: str, expected: Expected) -> set[str]:
    """The lines of the text above an answer's cell in the release."""
    names = list(expected.texts)
    before = names[: names.index(question)] if question in names else []
    above = next((name for name in reversed(before) if expected.kinds[name] != "code"), "")
    return {line.strip() for line in expected.texts.get(above, "").split("\n")} - {""}
