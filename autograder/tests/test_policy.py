"""Feedback as the teacher decides it: what is not to be seen is nowhere, and nothing comes too early."""

import datetime
from html import unescape

import pytest
from nbgrader.api import Gradebook

from autograder.author.exercise import load_exercise
from autograder.author.notebook import placed_cells
from autograder.grade.classes import grade_class
from autograder.grade.files import read_sheet
from autograder.model import KitError, Verdict
from autograder.record.classroom import ClassroomError, make_feedback
from autograder.record.due import Arrival, Due
from autograder.record.gradebook import record
from autograder.record.policy import Policy, must_wait, policy
from autograder.settings import SHOWS, WHEN
from autograder.tests.classes import EXERCISE, hand_in, released, solved, wrong

DATE = datetime.datetime(2026, 3, 1, 12)
HOUR = datetime.timedelta(hours=1)
STUDENTS = ("bob", "cyd", "dan", "eve")


def raises(source):
    return source.replace("    # your", "").replace("np.exp", "np.exq") if "softmax" in source else source


def lazy(source):
    return source.replace("return weights @ V", "return V") if "weighted_sum" in source else source


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = released(tmp_path_factory.mktemp("policy"))
    for student, change in zip(STUDENTS, (wrong, raises, lazy, str), strict=True):
        hand_in(course, student, solved(course, change, answer="I measured $\\sqrt{d_k}$."))
    return course


def decide(course, **settings):
    file = course.root / "nbgrader_config.py"
    kept = file.read_text("utf-8").partition("\n# decided\n")[0]
    lines = "".join(f"c.Attn.{name} = {value!r}\n" for name, value in settings.items())
    file.write_text(f"{kept}\n# decided\n{lines}", encoding="utf-8")


def made(course):
    """Recorded and made anew: pages of feedback and graded notebooks, as a browser's text, by student."""
    record(course, EXERCISE)
    make_feedback(course, EXERCISE)
    return {s: (course.feedback(s, EXERCISE) / f"{EXERCISE}.html").read_text("utf-8") for s in STUDENTS}


def secrets(course, student, shows):
    """Every sentence that a policy hides, in every language, and what is hidden always."""
    for step in read_sheet(course.gradesheet(student, EXERCISE)).steps:
        for aspect in step.aspects:
            told = (aspect.rung.en, aspect.rung.zh) if aspect.rung else ()
            yield from (line for line in aspect.detail.splitlines() if len(line) > 30 and line not in told)
            if shows != "diagnosis" and aspect.rung and aspect.verdict is not Verdict.passed:
                yield from (aspect.rung.en, aspect.rung.zh)
            if shows == "points":
                yield from (aspect.sentence.en, aspect.sentence.zh)
        if shows != "diagnosis":
            yield from (text for d in step.diagnosis for text in (d.mistake, d.sentence.en, d.sentence.zh))
    exercise = load_exercise(course, EXERCISE)
    for placed in placed_cells(exercise, ["en", "zh"]):
        if placed.role == "answer":
            yield from (line for line in placed.cell["source"].splitlines() if len(line) > 40)


@pytest.mark.parametrize("by_name", [False, True], ids=["for all", "by name"])
@pytest.mark.parametrize("shows", SHOWS)
def test_what_is_not_to_be_seen_is_nowhere_in_the_file(course, shows, by_name):
    decide(course, feedback_shows={EXERCISE: shows} if by_name else shows)
    looked = 0
    for student, html in made(course).items():
        graded = (course.autograded(student, EXERCISE) / f"{EXERCISE}.ipynb").read_text("utf-8")
        promised = placed_text(course)  # the list of what is graded is in every release
        for secret in filter(str.strip, secrets(course, student, shows)):
            looked += 1
            for text in (html, unescape(html), html.replace("<code>", "").replace("</code>", "")):
                assert secret not in text and secret.replace("`", "") not in text
            assert secret in promised or secret not in graded
    assert looked > 20


def placed_text(course):
    cells = placed_cells(load_exercise(course, EXERCISE), ["en", "zh"])
    return "\n".join(placed.cell["source"] for placed in cells if placed.role == "promises")


@pytest.mark.parametrize("shows", SHOWS)
def test_what_may_be_seen_is_there(course, shows):
    decide(course, feedback_shows=shows)
    html = unescape(made(course)["bob"])
    (step,) = [one for one in read_sheet(course.gradesheet("bob", EXERCISE)).steps if one.diagnosis]
    failing = next(aspect for aspect in step.aspects if aspect.verdict is Verdict.failed)
    assert f"{float(step.earned):g}"[:4] in html
    assert (failing.sentence.en in html) == (shows != "points")
    assert (step.diagnosis[0].sentence.en in html) == (failing.rung.en in html) == (shows == "diagnosis")


def test_another_decision_holds_from_the_next_page_on(course):
    decide(course, feedback_shows="diagnosis")
    assert 'attn-mistake"' in made(course)["bob"]
    decide(course, feedback_shows="points")
    make_feedback(course, EXERCISE)
    assert 'attn-mistake"' not in (course.feedback("bob", EXERCISE) / f"{EXERCISE}.html").read_text("utf-8")


def test_work_that_was_graded_anew_is_recorded_before_it_is_told(course):
    decide(course)
    made(course)
    hand_in(course, "bob", solved(course))
    grade_class(course, EXERCISE, ["bob"])
    with pytest.raises(ClassroomError, match="attn record self_attention --student bob"):
        make_feedback(course, EXERCISE)
    hand_in(course, "bob", solved(course, wrong))
    made(course)


def test_after_the_due_date_means_the_students_own(course):
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        past, future = DATE.replace(year=2020), datetime.timedelta(days=365 * 100)
        gradebook.update_or_create_assignment(EXERCISE, duedate=past)
        gradebook.find_submission(EXERCISE, "cyd").extension = future
        gradebook.db.commit()
    decide(course, feedback_when="after the due date")
    with pytest.raises(ClassroomError, match="cyd: feedback waits until"):
        make_feedback(course, EXERCISE)
    there = {s for s in STUDENTS if (course.feedback(s, EXERCISE) / f"{EXERCISE}.html").is_file()}
    assert there == set(STUDENTS) - {"cyd"}


def test_who_must_wait():
    late = Policy(when=WHEN[1])
    due = Due(DATE, {"cyd": Arrival(DATE, HOUR)})
    assert must_wait(Policy(), Due(None), "ada", EXERCISE, DATE) == ""
    assert must_wait(late, due, "ada", EXERCISE, DATE) and not must_wait(
        late, due, "ada", EXERCISE, DATE + HOUR / 2
    )
    assert must_wait(late, due, "cyd", EXERCISE, DATE + HOUR / 2)
    with pytest.raises(KitError, match="duedate"):
        must_wait(late, Due(None), "ada", EXERCISE, DATE)


def test_an_exercise_that_there_is_not_is_refused(course):
    decide(course, feedback_shows={"self_atention": "points"})
    with pytest.raises(KitError, match="self_atention"):
        policy(course, EXERCISE)


def test_an_exercise_that_is_not_named_has_the_default(course):
    decide(course, feedback_shows={"multi_head_attention": "points"}, release_solution={EXERCISE: True})
    assert policy(course, EXERCISE) == Policy(SHOWS[-1], WHEN[0], True)
    assert policy(course, "multi_head_attention") == Policy("points", WHEN[0], False)
