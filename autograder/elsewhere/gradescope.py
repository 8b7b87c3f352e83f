"""Grades one submission inside Gradescope's container, and writes results.json whatever happens.

Runs as root there, as Gradescope starts it; students' code runs as nobody, behind what walls hold there.
The file is written anew after each step, so that a container which is stopped leaves what was found.
"""

import json
import sys
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.elsewhere import attempts, results
from autograder.grade.files import write_whole
from autograder.grade.grade import graded, open_proctor, release_of
from autograder.intake.take import take
from autograder.layout import Course
from autograder.model import Exercise, Status, StepResult, Submission
from autograder.settings import SHOWS, load_settings

SETTINGS = "gradescope.json"  # in the packed course: the exercise's name, limit a day, what is shown


@dataclass
class Run:
    """One submission's way to its results.json."""

    root: Path
    exercise: Exercise | None = None
    languages: tuple[str, ...] = ("en", "zh")
    shows: str = SHOWS[-1]
    done: list[StepResult] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    def write(self, whole: Mapping[str, Any]) -> None:
        seconds = {"execution_time": round(time.monotonic() - self.began, 2)}
        text = json.dumps(whole | seconds, ensure_ascii=False, indent=1)
        write_whole(self.root / "results" / "results.json", text.encode("utf-8", "replace"))

    def step(self, result: StepResult) -> None:
        """One more step is graded."""
        self.done.append(result)
        self.write(results.unfinished(self.exercise, self.languages, self.done, self.shows))


def main(root: Path) -> int:
    run = Run(root)
    try:
        _grade(run)
    except Exception:  # whatever it is, it is ours: the student reads a sentence, the log has the rest
        traceback.print_exc()
        if run.exercise is None:
            return 1  # then what was packed for this case is put there
        run.write(results.ungraded(run.exercise, Status.grader_fault, None, run.languages))
    return 0


def _grade(run: Run) -> None:
    course = Course(run.root / "source" / "course")
    settings = json.loads((course.root / SETTINGS).read_text(encoding="utf-8"))
    run.languages, run.shows = tuple(load_settings(course).languages), settings["shows"]
    proctor = open_proctor(course, settings["exercise"])
    run.exercise = proctor.exercise
    if earlier := attempts.earlier(_metadata(run.root), settings["limit"]):
        run.write(results.again(earlier, settings["limit"], run.languages))
        return
    run.write(results.unfinished(run.exercise, run.languages))
    submission = take(run.root / "submission", run.exercise, release_of(course, run.exercise))
    if submission.status is not Status.graded:
        run.write(results.ungraded(run.exercise, submission.status, submission.reason, run.languages))
        return
    with proctor:
        run.write(_results(run, submission, proctor))


def _results(run: Run, submission: Submission, proctor: Any) -> dict[str, Any]:
    proctor.told = run.step
    outcome = graded(submission, proctor)
    if outcome.starved:  # once more, as `attn grade` does
        run.done.clear()
        outcome = graded(submission, proctor)
    if outcome.fault:
        print(outcome.fault, file=sys.stderr)
        return results.ungraded(run.exercise, Status.grader_fault, None, run.languages)
    return results.graded(outcome.sheet.steps, outcome.sheet.warnings, run.languages, run.shows)


def _metadata(root: Path) -> Any:
    """What Gradescope tells of this submission and earlier ones; None where it tells nothing."""
    try:
        return json.loads((root / "submission_metadata.json").read_bytes())
    except (OSError, ValueError):
        return None


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
