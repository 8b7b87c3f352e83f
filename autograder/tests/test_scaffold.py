"""What `attn new` writes loads, weaves and is graded at once; the doctor names what is left to write."""

import re

import pytest

from autograder.author.build import build
from autograder.author.doctor import examine, price_list
from autograder.author.exercise import load_exercise
from autograder.author.handout import sections
from autograder.author.scaffold import ScaffoldError, left_to_write, new_exercise, new_question, new_step
from autograder.cli import main
from autograder.layout import KIT, PACKAGE, Course
from autograder.tests.courses import make_course


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)


def finish(course, exercise):
    """Writes something for every TODO, as short as can be."""
    for file in {file for file, _, _ in left_to_write(course, exercise)}:
        text = file.read_text(encoding="utf-8")
        for english, chinese in ((r"TODO: ", "TODO："), ("TODO", "TODO")):
            text = re.sub(english, "Done ", text).replace(chinese, "写完")
        file.write_text(text, encoding="utf-8")


def broken(course, exercise):
    return [finding for finding in examine(course, exercise).findings if not finding.ok]


def test_a_new_exercise_is_whole_but_for_what_a_person_must_write(course):
    new_exercise(course, "shifts", "add_one")
    build(course, "shifts")
    assert {finding.law.en for finding in broken(course, "shifts")} == {"Nothing is left to write."}
    finish(course, "shifts")
    build(course, "shifts")
    assert broken(course, "shifts") == []
    assert [price.step for price in price_list(course, "shifts")] == ["add_one"]


def test_a_new_question_stands_behind_the_others(course):
    new_question(course, "two_steps", "why_twice_more")
    exercise = load_exercise(course, "two_steps")
    assert [question.name for question in exercise.questions] == ["why_twice", "why_twice_more"]
    for text in exercise.prose.values():
        names = [section.name for section in sections(text)]
        assert names == ["", "double", "quadruple", "why_twice", "why_twice_more", ""]
    finish(course, "two_steps")
    build(course, "two_steps")
    assert broken(course, "two_steps") == []


def test_a_question_has_a_name_of_its_own(course):
    with pytest.raises(ScaffoldError, match="why_twice"):
        new_question(course, "two_steps", "why_twice")


def test_a_new_step_stands_behind_the_others_and_before_the_question(course):
    new_step(course, "two_steps", "add_one")
    exercise = load_exercise(course, "two_steps")
    assert [step.name for step in exercise.steps] == ["double", "quadruple", "add_one"]
    for text in exercise.prose.values():
        assert [section.name for section in sections(text)] == [
            "",
            "double",
            "quadruple",
            "add_one",
            "why_twice",
            "",
        ]
    finish(course, "two_steps")
    build(course, "two_steps")
    assert broken(course, "two_steps") == []


def test_what_was_there_is_kept(course):
    before = {file: file.read_text(encoding="utf-8") for file in course.root.rglob("*.*") if file.is_file()}
    new_step(course, "two_steps", "add_one")
    for file, text in before.items():
        lines = iter(file.read_text(encoding="utf-8").splitlines())
        assert all(line in lines for line in text.splitlines()), file  # in the same order


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda course: new_exercise(course, "two_steps", "add_one"), "exercise called two_steps"),
        (lambda course: new_exercise(course, "Two Steps", "add_one"), "no name for"),
        (lambda course: new_exercise(course, "shifts", "1st"), "no name for a step"),
        (
            lambda course: new_step(course, "two_steps", "double"),
            "of two_steps called double",
        ),
        (lambda course: new_step(course, "two_steps", "why_twice"), "called why_twice"),
        (lambda course: new_step(course, "self_attention", "add_one"), "self_attention is the kit's"),
    ],
)
def test_what_cannot_be_made_is_refused_and_nothing_is_written(course, make, said):
    before = set(course.root.rglob("*"))
    with pytest.raises(ScaffoldError, match=said):
        make(course)
    assert set(course.root.rglob("*")) == before


def test_the_kits_suites_stay_in_the_package():
    from autograder.author.scaffold import suite_folder

    assert suite_folder(Course(KIT), "shifts") == PACKAGE / "suites" / "shifts"


def test_the_command_says_what_it_wrote_and_what_is_next(course, capsys):
    assert main(["new", "exercise", "shifts", "add_one", "--course", str(course.root)]) == 0
    out = capsys.readouterr().out
    assert str(course.root / "solutions" / "shifts.py") in out and "attn doctor shifts" in out
