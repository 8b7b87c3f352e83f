"""What one test's outcome is called: a verdict, a sentence for the student, the failing call for the
teacher.

A student learns of a hidden check what kind of thing went wrong and the shapes that met: no input, no
expected number, and no text that a desk sent, since an exception's message could carry the hidden input
out.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from autograder.grade.answers import Answer, Error, Loaded, Outcome
from autograder.grade.causes import cause
from autograder.grade.remote import Asked, StudentFaultError
from autograder.grade.replay import call_text, named
from autograder.grade.suite import Played, Suite
from autograder.model import Cell, Sentence, Verdict
from autograder.selfcheck import Difference, compare

ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
LONGEST = 4000  # characters of a detail
VERDICTS = {
    Outcome.returned: Verdict.failed,
    Outcome.raised: Verdict.raised,
    Outcome.died: Verdict.raised,
    Outcome.timed_out: Verdict.timed_out,
    Outcome.missing: Verdict.unwritten,
    Outcome.skipped: Verdict.skipped,
}
TIMED_OUT = Sentence("It ran out of time.", "运行超时。")
SKIPPED = Sentence(
    "Not tried, since an earlier call ran out of time or ended the program.",
    "未尝试，因为之前的一次调用超时或使程序终止。",
)
DIED = Sentence("The call ended the whole program.", "这次调用使整个程序终止。")
ACCEPTS = Sentence(
    "The call gives an answer, and must raise an exception.", "这次调用给出了结果，本应抛出异常。"
)
GENERATOR = Sentence("The call moved a global random generator.", "这次调用改动了全局随机数生成器。")


@dataclass(frozen=True)
class Finding:
    """What became of one test."""

    verdict: Verdict
    rung: Sentence | None = None
    detail: str = ""


def whole(cells: Sequence[Cell]) -> dict[int, str]:
    """The notebook's cells by number, each put together from its pieces, line for line."""
    parts: dict[int, list[str]] = {}
    ends: dict[int, int] = {}  # lines so far: there may be a hundred thousand pieces
    for cell in cells:
        gap = cell.line - 1 - ends.get(cell.number, 0)
        lines = "\n" * (max(1, gap) if cell.number in parts else gap)
        parts.setdefault(cell.number, []).append(lines + cell.source)
        ends[cell.number] = ends.get(cell.number, 0) + len(lines) + cell.source.count("\n")
    return {number: "".join(texts) for number, texts in parts.items()}


class Narrator:
    """Puts the outcomes of one submission's tests into words."""

    def __init__(self, suite: Suite, cells: Sequence[Cell]):
        self._suite, self._cells = suite, whole(cells)
        self._source = "\n".join(self._cells.values())

    def finding(self, played: Played) -> Finding:
        """The verdict on one test, with its words."""
        verdict, raised = verdict_on(played), played.raised
        if verdict is Verdict.grader_fault:
            return Finding(verdict, detail=_reference_fails(played.test.broken))
        if verdict is Verdict.passed:
            return Finding(verdict)
        if verdict is not Verdict.failed:
            line = next((line for line in played.asked if line.answer is raised.answer), None)
            detail = self._detail(played, line, _outcome(raised.answer))
            return Finding(verdict, self._no_value(raised.answer, line), detail)
        line, difference = self._where(played)
        rung = sentence(difference) if difference else self._effect(played)
        what = difference.sentence("en", hidden=False) if difference else str(raised)
        return Finding(verdict, rung, self._detail(played, line, what))

    def _where(self, played: Played) -> tuple[Asked | None, Difference | None]:
        """The call that went wrong, and how its value differs from the right one."""
        said, first = getattr(played.raised, "difference", None), None
        for line in played.asked:
            if line.answer.outcome is not Outcome.returned or self._suite.refuses(line):
                continue
            difference = compare(line.answer.value, self._suite.expected(line), **loose(line))
            first = first or (difference and (line, difference))
            # The test may have overlooked what the contract leaves open: the call is the one that it means.
            if difference and (said is None or _places(difference) == _places(said)):
                return line, said or difference
        line = first[0] if first else played.asked[-1] if played.asked else None
        return line, said

    def _effect(self, played: Played) -> Sentence | None:
        """What a call did that it must not, where its values are right."""
        for line in played.asked:
            if self._suite.refuses(line):
                return ACCEPTS if line.answer.error is None else self.error(line.answer.error, line)
            if line.answer.effects.arguments:
                names = ", ".join(self._changed(line))
                return Sentence(f"The call changed {names}.", f"这次调用修改了 {names}。")
        return GENERATOR if any(line.answer.effects.generator for line in played.asked) else None

    def _changed(self, line: Asked) -> list[str]:
        names = list(named(self._suite.reference.functions[line.step], line))
        return [
            names[argument] if isinstance(argument, int) and 0 <= argument < len(names) else str(argument)
            for argument in line.answer.effects.arguments
            if isinstance(argument, int) or argument in names
        ]

    def _no_value(self, answer: Answer, line: Asked | None) -> Sentence | None:
        plain = {Outcome.timed_out: TIMED_OUT, Outcome.died: DIED, Outcome.skipped: SKIPPED}
        if answer.outcome is not Outcome.raised or answer.error is None:
            return plain.get(answer.outcome)
        return self.error(answer.error, line)

    def error(self, error: Error, line: Asked | None = None) -> Sentence:
        """An exception's kind and place, what it means, the shapes that met: not its text."""
        place = self._place(error)
        en, zh = f"It raises {error.name}{place.en}", f"抛出 {error.name}{place.zh}"
        if names := self._names(error):
            return Sentence(f"{en}: {names}.", f"{zh}：{names}。")
        arguments = named(self._suite.reference.functions[line.step], line) if line is not None else {}
        why = cause(error.text, arguments)
        return Sentence(f"{en}: {why.en}.", f"{zh}：{why.zh}。") if why else Sentence(f"{en}.", f"{zh}。")

    def loading(self, step: str, loaded: Sequence[Loaded]) -> Finding:
        """Why a function is not there: its cell failed, or it was never written."""
        written = re.compile(rf"^[ \t]*(async[ \t]+)?def[ \t]+{step}\b", re.MULTILINE)  # in linear time
        for report in loaded:
            if report.outcome != "ok" and written.search(self._cells.get(report.cell, "")):
                return self._cell_failed(report)
        return Finding(Verdict.unwritten)

    def _cell_failed(self, report: Loaded) -> Finding:
        error = report.error or Error("Exception", "")
        what = Sentence(f"its cell ({report.cell})", f"它所在的单元格（{report.cell}）")
        if not report.cell:
            what = Sentence("its file", "它所在的文件")
        late = report.outcome == "timed_out"
        place = self._place(replace(error, cell=report.cell))
        text = f": {error.text}" if error.text else ""  # from loading, before any hidden input was sent
        en = "ran out of time" if late else f"stopped with {error.name}{place.en}{text}"
        zh = "运行超时" if late else f"因 {error.name} 中断{place.zh}{text}"
        rung = Sentence(f"The function is not there, since {what.en} {en}.", f"函数不存在：{what.zh}{zh}。")
        return Finding(Verdict.timed_out if late else Verdict.raised, rung, f"{error.name}: {error.text}")

    def _place(self, error: Error) -> Sentence:
        source = self._cells.get(error.cell if error.cell is not None else 0)
        if source is None or error.line is None or not 0 < error.line <= source.count("\n") + 1:
            return Sentence("", "")
        if not error.cell:
            return Sentence(f" at line {error.line}", f"（第 {error.line} 行）")
        return Sentence(
            f" at line {error.line} of cell {error.cell}", f"（第 {error.cell} 个单元格第 {error.line} 行）"
        )

    def _names(self, error: Error) -> str:
        """The names that a NameError is about, where the student's own source has them."""
        if error.name not in ("NameError", "UnboundLocalError", "AttributeError", "ModuleNotFoundError"):
            return ""
        quoted = re.findall(r"'([A-Za-z_]\w{0,40})'", error.text)[-1:]
        return ", ".join(name for name in quoted if re.search(rf"\b{name}\b", self._source))

    def _detail(self, played: Played, line: Asked | None, what: str) -> str:
        """For the teacher: which call of which test, its lines, what was wrong with the answer."""
        if line is None:
            return ADDRESS.sub("0x…", f"{played.test.name}\n{what}")[:LONGEST]
        place = next(index for index, one in enumerate(played.asked, start=1) if one is line)
        call = call_text(self._suite.reference.functions[line.step], line)
        return ADDRESS.sub("0x…", f"{played.test.name}, call {place}\n{call}\n{what}")[:LONGEST]


def _places(difference: Difference) -> tuple[object, ...]:
    return difference.rung, difference.worst, difference.off, difference.member


def verdict_on(played: Played) -> Verdict:
    """What became of one test, in a word."""
    if played.test.broken is not None:
        return Verdict.grader_fault
    if isinstance(played.raised, StudentFaultError):
        return VERDICTS[played.raised.answer.outcome]
    return Verdict.passed if played.raised is None else Verdict.failed


def sentence(difference: Difference) -> Sentence:
    """How an answer differs, as a student may read it of a hidden check."""
    return Sentence(difference.sentence("en", hidden=True), difference.sentence("zh", hidden=True))


def loose(line: Asked) -> dict[str, float]:
    """The tolerances for this call: float32 input allows less precision."""
    halves = (np.float32, np.float16)
    arrays = [value for value in (*line.args, *line.kwargs.values()) if isinstance(value, np.ndarray)]
    return {"rtol": 1e-4, "atol": 1e-5} if any(array.dtype.type in halves for array in arrays) else {}


def _outcome(answer: Answer) -> str:
    if answer.error is None:
        return str(answer.outcome)
    place = f" (line {answer.error.line})" if answer.error.line is not None else ""
    return f"{answer.outcome}: {answer.error.name}: {answer.error.text}{place}"


def _reference_fails(broken: BaseException) -> str:
    return f"The reference itself does not pass this test: {type(broken).__name__}: {broken}"[:1000]
