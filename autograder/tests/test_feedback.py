"""What a student reads: every verdict in both languages, nothing hidden, and no text that acts."""

from fractions import Fraction
from html.parser import HTMLParser

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.author.build import released
from autograder.author.exercise import load_exercise
from autograder.layout import KIT, Course
from autograder.model import Aspect, Diagnosis, Gradesheet, Sentence, Status, StepResult, Verdict
from autograder.record import feedback
from autograder.untrusted import UNSEEN

EXERCISE = load_exercise(Course(KIT), "self_attention")
LANGUAGES = [["en"], ["zh"], ["en", "zh"], ["zh", "en"]]
OURS = {"section", "style", "div", "strong", "span", "table", "tr", "th", "td", "p", "ul", "li", "code"}
OURS |= {"details", "summary", "a", "svg", "rect", "text"}
SECRET = "expected 0.7310585786300049"


class Page(HTMLParser):
    """The tags and the text of a page, as a browser reads it."""

    def __init__(self, html: str):
        super().__init__()
        self.tags, self.text, self.quiet = set(), "", False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.quiet = tag == "style"

    def handle_endtag(self, tag):
        self.quiet = False

    def handle_data(self, data):
        self.text += "" if self.quiet else data


def aspect(verdict=Verdict.passed, sentence="It holds.", **more):
    return Aspect("test_it", "values", Sentence(sentence, f"中{sentence}"), verdict, detail=SECRET, **more)


def step(*aspects, diagnosis=()):
    return StepResult("softmax", Fraction(4), aspects or (aspect(),), diagnosis)


def sheet(*steps, status=Status.graded, **more):
    return Gradesheet("self_attention", "ada", "f.ipynb", status, Fraction(20), steps=steps, **more)


def written(given, languages=("en", "zh")):
    notebook = released(EXERCISE, list(languages)).notebook
    feedback.write(notebook, EXERCISE, given, languages)
    return notebook


def under(notebook, name):
    return next(cell for step, cell in feedback.grade_cells(notebook) if step == name)["outputs"]


@pytest.mark.parametrize("languages", LANGUAGES, ids="-".join)
@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_told_in_the_courses_languages(verdict, languages):
    text = Page(feedback.step_panel(step(aspect(verdict), aspect(sentence="Another.")), languages)).text
    told = {
        Verdict.passed: feedback.WORDS["holds"],
        Verdict.failed: feedback.WORDS["fails"],
        Verdict.unwritten: feedback.UNWRITTEN,
        Verdict.grader_fault: feedback.OUR_FAULT,
    } | feedback.NOTES
    for language in languages:
        assert getattr(told[verdict], language) in text
    assert ("成立" in text) <= ("zh" in languages)


@pytest.mark.parametrize("verdict", Verdict)
def test_the_summary_has_a_word_for_every_verdict(verdict):
    text = written(sheet(step(aspect(verdict))))["cells"][0]["source"]
    assert feedback.OUTCOMES[verdict].en in Page(text).text


@pytest.mark.parametrize("verdict", Verdict)
def test_what_only_a_teacher_may_know_is_nowhere(verdict):
    assert SECRET not in nbformat.writes(nbformat.from_dict(written(sheet(step(aspect(verdict), aspect())))))


def test_what_passes_comes_first_then_the_mistake_then_what_fails():
    mistake = Diagnosis("x", Sentence("You divided by `d_k`.", "你除以了 `d_k`。"))
    result = step(aspect(Verdict.failed, "It fails."), aspect(sentence="It works."), diagnosis=(mistake,))
    text = Page(feedback.step_panel(result, ["en"])).text
    assert text.index("It works.") < text.index("You divided by d_k.") < text.index("It fails.")


def test_the_rung_stands_beside_the_fact_that_fails():
    rung = Sentence("The shape is another.", "形状不同。")
    html = feedback.step_panel(step(aspect(Verdict.failed, rung=rung), aspect()), ["en", "zh"])
    assert rung.en in html and rung.zh in html


def test_a_failure_that_another_step_has_paid_for_says_so():
    html = feedback.step_panel(step(aspect(Verdict.failed, excused=True), aspect()), ["en"])
    assert feedback.WORDS["excused"].en in html and '<ul class="attn-fails">' not in html


def test_facts_that_empty_work_satisfies_are_not_praised():
    html = feedback.step_panel(step(aspect(safety=True), aspect(Verdict.failed)), ["en"])
    assert feedback.ONLY_SAFETY.en in html


@given(st.text(st.characters(codec=None), max_size=60), st.sampled_from(LANGUAGES))
def test_no_text_can_act_hide_or_reorder(text, languages):
    note = Sentence(text, text)
    result = step(aspect(Verdict.failed, text, rung=note), diagnosis=(Diagnosis("x", note),))
    for html in (
        feedback.step_panel(result, languages),
        feedback._summary(EXERCISE, sheet(result, warnings=(note,)), languages, "diagnosis"),
    ):
        page = Page(html)
        assert page.tags <= OURS
        assert not UNSEEN.search(html)
        html.encode()


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "</style><img src=x onerror=alert(1)>", "{{ 7*7 }}"]
)
def test_markup_is_shown_as_it_was_typed(text):
    page = Page(feedback.step_panel(step(aspect(Verdict.failed, text)), ["en"]))
    assert text in page.text and page.tags <= OURS


def test_the_number_is_the_points():
    outputs = under(written(sheet(step(aspect(Verdict.failed), aspect(), aspect()))), "softmax")
    assert float(outputs[-1]["data"]["text/plain"]) == float(Fraction(8, 3))
    assert outputs[0]["output_type"] == "display_data" and outputs[1]["output_type"] == "execute_result"


def test_a_fault_of_ours_is_no_number():
    kinds = [o["output_type"] for o in under(written(sheet(step(aspect(Verdict.grader_fault)))), "softmax")]
    assert kinds == ["display_data"]


@pytest.mark.parametrize("status", [s for s in Status if s is not Status.graded])
def test_work_without_a_grade_says_why_under_every_step(status):
    reason = Sentence("It is a picture.", "这是一张图片。")
    notebook = written(sheet(status=status, reason=reason))
    for _, cell in feedback.grade_cells(notebook):
        assert reason.en in cell["outputs"][0]["data"]["text/plain"]
    assert reason.en in notebook["cells"][0]["source"]


def test_warnings_stand_on_top():
    notebook = written(
        sheet(step(), warnings=(Sentence("Cell 3 has a syntax error.", "第 3 格有语法错误。"),))
    )
    assert "Cell 3 has a syntax error." in notebook["cells"][0]["source"]


def test_points_that_wait_for_a_person_are_not_counted_as_lost():
    result = sheet(step(), StepResult("apply_mask", Fraction(3), (aspect(Verdict.grader_fault),)))
    assert "at least 4 of 20 points" in written(result)["cells"][0]["source"]


@pytest.mark.parametrize("languages", LANGUAGES, ids="-".join)
def test_the_notebook_stays_valid_and_writing_again_changes_nothing(languages):
    given = sheet(step(aspect(Verdict.failed), aspect()))
    once = written(given, languages)
    nbformat.validate(nbformat.from_dict(once))
    text = nbformat.writes(nbformat.from_dict(once))
    feedback.write(once, EXERCISE, given, languages)
    assert nbformat.writes(nbformat.from_dict(once)) == text


def test_the_plain_twin_says_the_same():
    outputs = under(written(sheet(step(aspect(Verdict.failed, "a < b & c"), aspect()))), "softmax")
    plain = outputs[0]["data"]["text/plain"]
    assert "a < b & c" in plain and "It holds." in plain and "<" not in plain.replace("a < b", "")


def test_no_blank_line_ends_the_html_inside_markdown():
    assert (
        "\n\n"
        not in written(sheet(step(), warnings=(Sentence("One.\n\nTwo.", "一\n\n二"),)))["cells"][0]["source"]
    )
