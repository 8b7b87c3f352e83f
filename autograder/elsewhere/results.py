"""Gradescope's results.json: a valid one for whatever became of a submission, points per step adding up.

Students read all of it, so only sentences that were written for them are in it, and no hidden number.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from autograder.model import Aspect, Exercise, Sentence, Status, StepResult, Verdict
from autograder.settings import SHOWS
from autograder.untrusted import visible

NOT_REACHED = Sentence(
    "Not graded: the grader did not come so far in the time it has. Hand in again, or ask your teacher.",
    "未评分：评分程序在规定时间内没有做到这一步。重新提交，或告诉老师。",
)
FAILED = Sentence(
    "The grader itself failed, so these 0 points are not a mark of your work. Tell your teacher.",
    "评分程序自身出错，所以这里的 0 分不是对作业的评价。告诉老师。",
)
NO_MARK = Sentence("These 0 points are not a mark yet: hand in again.", "这里的 0 分还不是成绩：重新提交。")
HOLDS = Sentence("All that is checked holds.", "检查的每一点都成立。")
UNWRITTEN = Sentence("Not written yet.", "还没有写。")
EARLIER = Sentence(
    "You have used up today's {limit} graded submissions, so this is your earlier result again.",
    "今天的 {limit} 次评分已用完，所以这里仍是先前的结果。",
)
PLACES = 4  # decimals of a score


def unfinished(
    exercise: Exercise, languages: Sequence[str], done: Iterable[StepResult] = (), shows: str = SHOWS[-1]
) -> dict[str, Any]:
    """What stands there while grading goes on, and stays where it is stopped."""
    results = {step.name: step for step in done}
    said = NOT_REACHED.in_languages(languages)
    tests = [
        _test(number, results[step.name], languages, shows)
        if step.name in results
        else _nothing(number, step.name, step.points, said)
        for number, step in enumerate(exercise.steps, start=1)
    ]
    return _whole(tests, said, "unfinished")


def graded(
    steps: Sequence[StepResult],
    warnings: Sequence[Sentence],
    languages: Sequence[str],
    shows: str = SHOWS[-1],
) -> dict[str, Any]:
    """Every step was tried. shows: how much students see of hidden checks."""
    tests = [_test(number, step, languages, shows) for number, step in enumerate(steps, start=1)]
    fault = any(step.earned is None for step in steps)
    said = [FAILED] if fault else []
    text = "\n".join(one.in_languages(languages) for one in (*said, *warnings))
    return _whole(tests, text, Status.grader_fault if fault else Status.graded)


def ungraded(
    exercise: Exercise, status: Status, reason: Sentence | None, languages: Sequence[str]
) -> dict[str, Any]:
    """Nothing was tried: nothing there, nothing that can be read, or a fault of ours."""
    said = [reason] if reason else []
    if status is Status.grader_fault:
        said = [FAILED]
    elif status in (Status.unreadable, Status.misnamed):
        said.append(NO_MARK)
    text = "\n".join(one.in_languages(languages) for one in said)
    tests = [
        _nothing(number, step.name, step.points, text) for number, step in enumerate(exercise.steps, start=1)
    ]
    return _whole(tests, text, status)


def again(earlier: dict[str, Any], limit: int, languages: Sequence[str]) -> dict[str, Any]:
    """An earlier result, where today's submissions are used up."""
    said = replace(EARLIER, en=EARLIER.en.format(limit=limit), zh=EARLIER.zh.format(limit=limit))
    whole = _whole(earlier["tests"], said.in_languages(languages), Status.graded)
    whole["extra_data"]["attn"]["repeated"] = True
    return whole | ({"score": earlier["score"]} if "score" in earlier else {})


def _whole(tests: list[dict[str, Any]], output: str, status: str) -> dict[str, Any]:
    return {
        "output": visible(output),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {"attn": {"status": str(status), "repeated": False}},
        "tests": tests,
    }


def _nothing(number: int, name: str, points: Any, said: str) -> dict[str, Any]:
    return _line(number, name, 0.0, points, False, said)


def _test(number: int, step: StepResult, languages: Sequence[str], shows: str) -> dict[str, Any]:
    earned = round(float(step.earned or 0), PLACES)
    said = "\n".join(sentence.in_languages(languages) for sentence in _said(step, shows))
    return _line(number, step.name, earned, step.points, step.earned == step.points, said)


def _line(number: int, name: str, score: float, points: Any, right: bool, said: str) -> dict[str, Any]:
    return {
        "name": name,
        "number": str(number),
        "score": score,
        "max_score": round(float(points), PLACES),
        "status": "passed" if right else "failed",
        "output": visible(said),
        "output_format": "text",
        "visibility": "visible",
    }


def _said(step: StepResult, shows: str) -> list[Sentence]:
    """The mistake's name, then each fact that does not hold and what broke: as much as is to be shown."""
    if step.verdict is Verdict.grader_fault:
        return [FAILED]
    if step.verdict is Verdict.unwritten:
        return [UNWRITTEN]
    if shows == "points":
        return []
    whole = shows == "diagnosis"
    facts = [_fact(aspect, whole) for aspect in step.aspects if not aspect.holds]
    mistakes = [diagnosis.sentence for diagnosis in step.diagnosis] if facts and whole else []
    return [*mistakes, *facts] or [HOLDS]


def _fact(aspect: Aspect, whole: bool) -> Sentence:
    if aspect.rung is None or not whole:
        return Sentence(f"- {aspect.sentence.en}", f"- {aspect.sentence.zh}")
    return Sentence(f"- {aspect.sentence.en} {aspect.rung.en}", f"- {aspect.sentence.zh}{aspect.rung.zh}")
