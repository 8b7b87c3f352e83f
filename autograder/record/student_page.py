"""A student's page of feedback: one HTML file that opens offline, without scripts, and asks for nothing.

What the policy hides is not in it; what the student wrote stays text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

import nbformat
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from nbconvert.filters import Highlight2HTML
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.utils import is_grade, is_solution

from autograder.grade.files import read_sheet
from autograder.model import Gradesheet, KitError, Sentence
from autograder.record import feedback
from autograder.record.cells import SHEET, mark_of
from autograder.record.feedback import SUMMARY, TAGS
from autograder.record.prose import handout, students
from autograder.record.work import Work
from autograder.settings import SHOWS
from autograder.untrusted import visible

TEMPLATE = "student_page.html.j2"
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
HEADING = re.compile(r"^#+\s+(.*)$", re.MULTILINE)
WORDS = {
    "page": Sentence("Feedback", "反馈"),
    "points": Sentence("points", "分"),
    "so_far": Sentence("so far; a person still has to look", "目前得分，尚待人工评分"),
    "step": Sentence("Step", "步骤"),
    "score": Sentence("Points", "分数"),
    "outcome": Sentence("Hidden checks", "隐藏检查"),
    "by_hand": Sentence("graded by a person", "人工评分"),
    "waits": Sentence("waits for a person", "等待人工评分"),
    "penalty": Sentence("Taken off, since it came late", "迟交扣分"),
    "total": Sentence("Total", "总分"),
    "code": Sentence("What you wrote", "你写的代码"),
    "answer": Sentence("Your answer", "你的回答"),
    "comment": Sentence("Comment", "评语"),
    "handout": Sentence("Handout", "讲义"),
    "others": Sentence("Other cells", "其他单元格"),
    "only_points": Sentence(
        "Your teacher has decided that feedback shows the points of each step.",
        "老师选择只显示每一步的分数。",
    ),
}


@dataclass(frozen=True)
class Mark:
    """What the gradebook says of one cell; no score: a person must look."""

    score: float | None
    points: float


@dataclass(frozen=True)
class Marks:
    """What it says of one student's notebook."""

    cells: Mapping[str, Mark]
    comments: Mapping[str, str]
    penalty: float

    @property
    def total(self) -> float:
        return max(sum(mark.score or 0.0 for mark in self.cells.values()) - self.penalty, 0.0)

    @property
    def points(self) -> float:
        return sum(mark.points for mark in self.cells.values())


def marks(url: str, name: str, student: str) -> Marks:
    """Read anew. Raises MissingEntry where nothing was recorded."""
    with Gradebook(url) as gradebook:
        row = gradebook.find_submission_notebook(name, name, student)
        cells = {
            grade.name: Mark(
                None if grade.manual_score is None and grade.auto_score is None else grade.score,
                grade.max_score,
            )
            for grade in row.grades
        }
        comments = {comment.name: comment.comment for comment in row.comments if comment.comment}
        return Marks(cells, comments, row.late_submission_penalty or 0.0)


def sheet_behind(work: Work, student: str, notebook: NotebookNode) -> Gradesheet:
    """The gradesheet that a graded notebook was made from. Raises KitError where it is another by now."""
    sheet = read_sheet(work.course.gradesheet(student, work.name))
    if sheet is None or mark_of(sheet) != notebook.metadata.get("attn", {}).get(SHEET):
        raise KitError(
            f"What is recorded for {student} is not what was graded last.\n"
            f"Record it: attn record {work.name} --student {student}"
        )
    return sheet


@dataclass
class Part:
    """One piece of the page, in the notebook's order."""

    kind: str  # handout, step, answer or other
    name: str = ""
    html: Markup = field(default_factory=Markup)
    panel: Markup = field(default_factory=Markup)


def page(work: Work, notebook: NotebookNode, sheet: Gradesheet, found: Marks) -> str:
    """The whole page."""
    language, shows = work.languages[0], work.policy.shows
    notebook = written(work, notebook, sheet, shows)  # by the policy of now
    results = {step.name: step for step in sheet.steps}
    said = {name: getattr(feedback.said_of(step, shows), language) for name, step in results.items()}
    return (
        _environment()
        .get_template(TEMPLATE)
        .render(
            exercise=work.exercise,
            title=getattr(work.exercise.title, language),
            language=language,
            words={key: getattr(sentence, language) for key, sentence in WORDS.items()},
            parts=list(_parts(work, notebook)),
            marks=found,
            waiting=any(mark.score is None for mark in found.cells.values()),
            said=said,
            shows=shows,
            notes=[note.in_languages(work.languages, " ") for note in feedback.notes(sheet)],
            style=Markup(_style()),
        )
    )


def _parts(work: Work, notebook: NotebookNode) -> Iterator[Part]:
    """Handout cells that follow one another are one fold; a check belongs to the function above it."""
    written, prose = Markup(), []
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        is_prose = cell.cell_type == "markdown" and name and not is_solution(cell)
        if is_prose:
            if work.policy.shows != "points" or not name.startswith("promises_"):
                prose.append(cell.source)
            continue
        if prose:
            yield _folded(work, prose)
            prose = []
        if is_solution(cell) and not is_grade(cell):
            written = code(cell.source)
        elif is_grade(cell) and cell.cell_type == "code":
            yield Part("step", name.removeprefix("check_"), written, _panel(cell))
            written = Markup()
        elif is_grade(cell):
            yield Part("answer", name, Markup(students(cell.source)))
        elif cell.id != SUMMARY and not name and cell.source.strip():
            own = Markup(students(cell.source)) if cell.cell_type == "markdown" else code(cell.source)
            yield Part("other", html=own)
    if prose:
        yield _folded(work, prose)


def _folded(work: Work, prose: Sequence[str]) -> Part:
    heading = next((found[1] for text in prose if (found := HEADING.search(text))), "")
    folder = str(work.course.release(work.name))
    return Part("handout", heading, Markup("".join(_handout(text, folder) for text in prose)))


@lru_cache(maxsize=512)
def _handout(text: str, folder: str) -> str:
    return handout(text, Path(folder))


def _panel(cell: NotebookNode) -> Markup:
    """The panel that we wrote; its style stands once at the top."""
    shown = next((out.data["text/html"] for out in cell.outputs if out.output_type == "display_data"), "")
    return Markup(STYLE.sub("", shown))


@lru_cache(maxsize=2048)
def code(source: str) -> Markup:
    """A student's code, coloured."""
    return Markup(_highlight()(visible(source)).replace("<pre>", '<pre tabindex="0">'))


@cache
def _highlight() -> Highlight2HTML:
    return Highlight2HTML(pygments_lexer="ipython3")


@cache
def _style() -> str:
    html = (Path(__file__).parent / feedback.TEMPLATE).read_text(encoding="utf-8")
    return STYLE.search(html)[0].removeprefix("<style>").removesuffix("</style>")


@cache
def _environment() -> Environment:
    loader = FileSystemLoader(Path(__file__).parent, encoding="utf-8")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "amount": lambda value: "–" if value is None else f"{round(float(value), 2):g}",
        "prose": feedback.prose,
        "students": lambda text: Markup(students(text)),
        "tag": TAGS.__getitem__,
        "heading": lambda text: feedback.prose(re.sub(r"\$([^$]*)\$", r"\1", text)),
    }
    return environment


def everything(work: Work, notebook: NotebookNode, student: str) -> NotebookNode:
    """All that was found, whatever a student may see of it, if it is what was recorded."""
    try:
        return written(work, notebook, sheet_behind(work, student, notebook), SHOWS[-1])
    except KitError:
        return notebook  # what stands there is a part of it


def written(work: Work, notebook: NotebookNode, sheet: Gradesheet, shows: str) -> NotebookNode:
    """The notebook with so much of the gradesheet in it."""
    feedback.write(notebook, work.exercise, sheet, work.languages, shows)
    return nbformat.from_dict(notebook)
