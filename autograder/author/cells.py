"""Single notebook cells as plain JSON data, marked the way that nbgrader marks them."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from autograder.author.given import as_cell
from autograder.model import Exercise, Promise, Question, Sentence, Step
from autograder.plain import number

SCHEMA = 3  # of nbgrader's cell metadata
NAMES = {"en": "English", "zh": "中文"}
FOLD, UNFOLD = '<details lang="{0}"><summary>{1}</summary>\n\n', "\n\n</details>"

SETUP = """\
# Run this first: NumPy and the self-check. 请先运行这一格：NumPy 与自查工具。
import os
import sys

import numpy as np

try:
    from selfcheck import check, inspect_attention, progress
except ImportError:  # the working directory is elsewhere: look around the notebook
    here = [globals().get("__vsc_ipynb_file__", ""), os.environ.get("JPY_SESSION_NAME", "")]
    roots = [os.path.dirname(path) for path in here if path]
    roots += [".", "..", "{name}"]
    roots += ["/content", "/content/{name}", "/content/drive/MyDrive/{name}"]  # Colab
    sys.path += [root for root in roots if os.path.isfile(os.path.join(root, "selfcheck", "__init__.py"))]
    try:
        from selfcheck import check, inspect_attention, progress
    except ImportError:

        def check(*given, **options):
            print("Not checked: put the folder selfcheck/ beside this notebook, then restart the kernel.")
            print("没有检查：请把 selfcheck/ 文件夹放到本笔记本旁边，然后重启内核。")

        inspect_attention = progress = check
"""

GRADED = Sentence("What is graded: {points}", "评分标准：{points} 分")
ALL_OR_NOTHING = Sentence(
    "All of these facts must hold; otherwise the step earns nothing.",
    "以下各条必须全部成立，否则本步不得分。",
)
SAFETY = Sentence(
    "\\* Counts only beside a fact without this mark that holds.",
    "\\* 只有在至少一条不带此标记的事实成立时才计分。",
)
BY_HAND = Sentence("Graded by a person: {points}", "人工评分：{points} 分")
UNNAMED = Sentence("Hidden tests grade this step.", "本步由隐藏测试评分。")


def markdown(identity: str, text: str, **role: object) -> dict:
    return {
        "cell_type": "markdown",
        "id": identity[:64],
        "metadata": _marked(identity, **role),
        "source": text,
    }


def code(identity: str, text: str, **role: object) -> dict:
    """A code cell; without a role it is the student's to play with, and nbgrader does not know it."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": identity[:64],
        "metadata": _marked(identity, **role) if role else {},
        "outputs": [],
        "source": text,
    }


def _marked(
    identity: str, *, grade: bool = False, solution: bool = False, points: Fraction | None = None
) -> dict:
    """nbgrader's metadata. What is no solution is locked: nbgrader puts it right in each submission."""
    marks = {
        "grade": grade,
        "grade_id": identity,
        "locked": not solution,
        "schema_version": SCHEMA,
        "solution": solution,
        "task": False,
    }
    return {"nbgrader": marks | ({"points": number(points)} if points is not None else {})}


def setup(exercise: Exercise) -> dict:
    """The first code cell: NumPy, and the self-check wherever it lies."""
    return code("setup", SETUP.replace("{name}", exercise.name).rstrip("\n"), grade=False)


def given(exercise: Exercise, language: str) -> dict:
    """The functions of earlier exercises, solved and locked."""
    return code("given", as_cell(exercise.given, language), grade=False)


def folded(texts: Mapping[str, str], languages: Sequence[str]) -> str:
    """One cell's Markdown in the languages shown: the first open, the others folded."""
    first, *others = languages
    parts = [texts.get(first, "")]
    parts += [
        FOLD.format(language, NAMES[language]) + texts[language] + UNFOLD
        for language in others
        if texts.get(language)
    ]
    return "\n\n".join(part for part in parts if part)


def unfolded(text: str, languages: Sequence[str]) -> dict[str, str]:
    """The inverse of `folded`; what stands behind a fold belongs to the first language."""
    first, *others = languages
    texts = {}
    for language in others:
        before, found, rest = text.partition(FOLD.format(language, NAMES[language]).strip())
        if found:
            end = _closing(rest)
            texts[language] = rest[:end].strip()
            after = rest[end + len(UNFOLD.strip()) :].strip()
            text = "\n\n".join(part for part in (before.strip(), after) if part)
    return {first: text.strip(), **texts}


def _closing(text: str) -> int:
    """Where the fold that `text` begins in is closed; other folds may stand in it."""
    depth = 1
    for tag in re.finditer(r"<(/?)details\b", text):
        depth += -1 if tag.group(1) else 1
        if depth == 0:
            return tag.start()
    return len(text)


def promises(step: Step, languages: Sequence[str]) -> dict:
    """The list of what the hidden tests check, each fact with the points it carries."""
    texts = {language: announcement(step, language) for language in languages}
    return markdown(f"promises_{step.name}", folded(texts, languages))


def by_hand(question: Question, languages: Sequence[str]) -> dict:
    """What a question carries."""
    texts = {language: hand_graded(question, language) for language in languages}
    return markdown(f"promises_{question.name}", folded(texts, languages))


def hand_graded(question: Question, language: str) -> str:
    return f"**{getattr(BY_HAND, language).format(points=_counted(question.points, language))}**"


def announcement(step: Step, language: str) -> str:
    """What is graded in one language, as Markdown."""
    head = getattr(GRADED, language).format(points=_counted(step.points, language))
    if not step.promises:
        return f"**{head}**\n\n{getattr(UNNAMED, language)}"
    lines = [f"- {_line(step, promise, language)}" for promise in step.promises]
    notes = [ALL_OR_NOTHING] if step.all_or_nothing else []
    notes += [SAFETY] if any(promise.safety for promise in step.promises) else []
    return "\n\n".join([f"**{head}**", "\n".join(lines), *(getattr(note, language) for note in notes)])


def _line(step: Step, promise: Promise, language: str) -> str:
    sentence = getattr(promise.sentence, language) + (" \\*" if promise.safety else "")
    return sentence if step.all_or_nothing else f"{sentence} ({_short(step.worth(promise))})"


def _counted(points: Fraction, language: str) -> str:
    plain = _short(points)
    return plain if language == "zh" else f"{plain} point{'' if points == 1 else 's'}"


def _short(points: Fraction) -> str:
    """At most two decimals: "0.57", "2"."""
    return f"{float(points):.2f}".rstrip("0").rstrip(".")


def locked(cells: Iterable[dict]) -> list[dict]:
    """The cells as nbgrader releases them: locked for the editor, with their checksums."""
    return [_locked(cell) if "nbgrader" in cell["metadata"] else cell for cell in cells]


def _locked(cell: dict) -> dict:
    marks = cell["metadata"]["nbgrader"] | {"cell_type": cell["cell_type"], "checksum": checksum(cell)}
    frozen = {"deletable": False} | ({} if marks["solution"] else {"editable": False})
    return {**cell, "metadata": {**frozen, "nbgrader": marks}}


def checksum(cell: dict) -> str:
    """What nbgrader's `utils.compute_checksum` gives."""
    marks = cell["metadata"]["nbgrader"]
    facts = [cell["source"], cell["cell_type"], marks["grade"], marks["solution"], marks["locked"]]
    facts.append(marks["grade_id"])
    if marks["grade"]:
        facts.append(float(marks["points"]))
    return hashlib.md5("".join(str(fact) for fact in facts).encode(), usedforsecurity=False).hexdigest()
