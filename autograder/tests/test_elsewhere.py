"""What leaves for Gradescope and GitHub: valid results of every kind, nothing hidden where students read."""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.author.exercise import load_exercise
from autograder.elsewhere import results
from autograder.elsewhere.attempts import earlier
from autograder.elsewhere.github import files as for_github
from autograder.elsewhere.packing import NEEDED, gradescope, requirements
from autograder.layout import KIT, PACKAGE, Course
from autograder.model import Diagnosis, KitError, Sentence, Status, StepResult, Verdict
from autograder.settings import SHOWS
from autograder.tests import formats
from autograder.tests.courses import make_course
from autograder.tests.test_feedback import aspect

EXERCISE = load_exercise(Course(KIT), "self_attention")
BOTH = ["en", "zh"]
WHY = Sentence("It is so.", "如此。")


def checked(whole):
    found = formats.gradescope(json.dumps(whole).encode())
    assert list(found) == [step.name for step in EXERCISE.steps]
    assert [most for _, most in found.values()] == [float(step.points) for step in EXERCISE.steps]
    return {name: score for name, (score, _) in found.items()}


def steps(*verdicts):
    found = (aspect(verdict) for verdict in verdicts)
    return tuple(StepResult(s.name, s.points, (aspect(), next(found))) for s in EXERCISE.steps)


@pytest.mark.parametrize("status", list(Status))
def test_whatever_becomes_of_a_submission_the_result_is_valid_and_says_why(status):
    whole = results.ungraded(EXERCISE, status, WHY, BOTH)
    assert not any(checked(whole).values())
    assert ("如此。" in whole["output"]) == (status is not Status.grader_fault)
    if status in (Status.unreadable, Status.misnamed, Status.grader_fault):
        assert "not a mark" in whole["output"]


def test_verdicts_are_points_and_hidden_details_stay_out():
    some = (Verdict.passed, Verdict.failed, Verdict.raised, Verdict.timed_out, Verdict.grader_fault)
    graded = steps(*some, Verdict.unwritten, Verdict.skipped)
    whole = results.graded(graded, (WHY,), BOTH)
    scores = checked(whole)
    for step in graded:
        assert scores[step.name] == pytest.approx(float(step.earned or 0), abs=1e-4)
    text = json.dumps(whole, ensure_ascii=False)
    for step in graded:
        for one in step.aspects:
            assert not one.detail or one.detail not in text
            assert one.name not in text
    assert whole["extra_data"]["attn"]["status"] == "grader_fault"


def test_students_see_as_much_as_the_course_has_decided():
    mistake = Diagnosis("m", Sentence("You squared.", "你求了平方。"))
    graded = [replace(step, diagnosis=(mistake,)) for step in steps(*[Verdict.failed] * 7)]
    texts = {
        shows: json.dumps(results.graded(graded, (), BOTH, shows), ensure_ascii=False) for shows in SHOWS
    }
    fact = graded[0].aspects[1].sentence.zh
    assert [fact in texts[shows] for shows in SHOWS] == [False, True, True]
    assert ["你求了平方" in texts[shows] for shows in SHOWS] == [False, False, True]


def test_what_was_found_before_the_end_stays():
    done = steps(*[Verdict.passed] * 7)[:3]
    assert list(checked(results.unfinished(EXERCISE, BOTH, done)).values()) == [2, 3, 2, 0, 0, 0, 0]


# How many a day

NOW = "2026-03-02T09:00:00.5-08:00"
GRADED = results.graded(steps(*[Verdict.passed] * 7), (), BOTH)


def before(*times, **about):
    return {
        "created_at": NOW,
        "previous_submissions": [
            {"submission_time": time, "score": 20.0, "autograder_error": False, "results": GRADED} | about
            for time in times
        ],
    }


TODAY, EARLY, YESTERDAY = (
    f"2026-03-0{day}T{time}" for day, time in ((2, "08:00:00-08:00"), (2, "08:30:00Z"), (2, "07:59:00Z"))
)


@pytest.mark.parametrize(
    ("metadata", "limit", "is_reached"),
    [
        (before(), 1, False),
        (before(TODAY), 1, True),
        (before(TODAY), 0, False),
        (before(TODAY), 2, False),
        (before(TODAY, EARLY), 2, True),
        (before(YESTERDAY), 1, False),  # in the submission's own time zone
        (before(TODAY, autograder_error=True), 1, False),
        (before(TODAY, results=None), 1, False),
        (before(TODAY, results=results.ungraded(EXERCISE, Status.unreadable, WHY, BOTH)), 1, False),
        (before(TODAY, results=results.again(GRADED, 1, BOTH)), 1, False),
        (before("nonsense"), 1, False),
        ({}, 1, False),
        (None, 1, False),
        ([], 1, False),
        ({"created_at": NOW, "previous_submissions": 3}, 1, False),
    ],
)
def test_only_todays_graded_submissions_count(metadata, limit, is_reached):
    assert (earlier(metadata, limit) is not None) == is_reached


def test_the_latest_of_today_is_given_again_and_says_so():
    other = results.graded(steps(*[Verdict.failed] * 7), (), BOTH)
    metadata = before(TODAY)
    metadata["previous_submissions"] += before("2026-03-02T08:45:00-08:00", results=other)[
        "previous_submissions"
    ]
    whole = results.again(earlier(metadata, 2), 2, BOTH)
    assert checked(whole) == checked(other) and "2 graded" in whole["output"] and "2 次" in whole["output"]


# What is packed


def test_pip_is_told_all_that_grading_needs_by_hash():
    text = requirements((KIT / "requirements.txt").read_text(encoding="utf-8"))
    names = set(re.findall(r"^([\w-]+)==", text, re.MULTILINE))
    assert names == set(NEEDED)
    for name in names:
        for need in importlib.metadata.requires(name) or ():
            if ";" not in need:
                assert re.match(r"[\w-]+", need)[0] in names, f"{name} needs {need}"
    entries = re.split(r"\n(?=\w)", text.strip())
    assert all("--hash=sha256:" in entry for entry in entries)
    with pytest.raises(KitError, match="missing"):
        requirements(text, ("missing",))


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return make_course(tmp_path_factory.mktemp("course"), name="two_steps")


def test_a_courses_own_exercise_goes_along_and_students_do_not(course):
    (course.submitted("ada", "two_steps")).mkdir(parents=True)
    (course.submitted("ada", "two_steps") / "two_steps.py").write_text("secret", encoding="utf-8")
    packed = gradescope(course, "two_steps", 3)
    assert {"setup.sh", "run_autograder", "course/suites/two_steps/test_double.py"} <= packed.keys()
    assert not [path for path in packed if "submitted/" in path or "/tests/" in path or "gradebook" in path]
    assert json.loads(packed["course/gradescope.json"]) == {
        "exercise": "two_steps",
        "limit": 3,
        "shows": "diagnosis",
    }


def test_what_is_packed_imports_nothing_that_is_left_out(course):
    there = {path for path in gradescope(course, "two_steps") if path.endswith(".py")}
    script = """
import sys
import autograder.elsewhere.gradescope
print(*(module.__file__ for name, module in sys.modules.items() if name.startswith("autograder")), sep="\\n")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    used = {Path(line).relative_to(PACKAGE).as_posix() for line in done.stdout.splitlines()}
    assert used and {f"kit/autograder/{path}" for path in used} <= there


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """What a template repository for GitHub holds."""
    folder = tmp_path_factory.mktemp("github")
    for path, content in for_github(Course(KIT), "self_attention").items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def test_nothing_hidden_and_no_solution_is_in_the_repository(repository):
    texts = [file.read_text(encoding="utf-8") for file in repository.rglob("*") if file.is_file()]
    together = "\n".join(texts)
    assert "BEGIN SOLUTION" not in together and "BEGIN MARK SCHEME" not in together
    suites = "\n".join(
        file.read_text("utf-8") for file in (PACKAGE / "suites" / "self_attention").glob("*.py")
    )
    told = {line.strip() for line in suites.splitlines() if "agree(" in line or "reference." in line}
    assert told and not [line for line in told if line in together]
    assert "would not be hidden" in (repository / ".github/workflows/selfcheck.yml").read_text("utf-8")


@pytest.mark.parametrize("solved", [False, True])
def test_the_workflows_script_checks_each_step_and_writes_the_summary(repository, tmp_path, solved):
    work = repository / "self_attention.py"
    stub = work.read_bytes()
    if solved:
        work.write_bytes((KIT / "solutions" / "self_attention.py").read_bytes())
    summary = tmp_path / "summary.md"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"GITHUB_STEP_SUMMARY": str(summary), "PATH": path}
    workflow = (repository / ".github/workflows/selfcheck.yml").read_text(encoding="utf-8")
    script = workflow.rstrip().rpartition("run: ")[2]
    done = subprocess.run(["bash", "-c", script], cwd=repository, env=environment, capture_output=True)
    work.write_bytes(stub)
    assert done.returncode == (0 if solved else 1)
    text = summary.read_text(encoding="utf-8")
    assert (text.count("✓"), text.count("✗")) == ((7, 0) if solved else (0, 7))
