"""The canonical notebook: laws for any student's notebook, and answers that cannot act on a reader."""

import json
import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbconvert.filters import markdown2html

from autograder.author.build import released
from autograder.author.exercise import load_exercise
from autograder.intake.canonical import canonical, harmless
from autograder.intake.take import take
from autograder.layout import KIT, Course
from autograder.model import Status
from autograder.tests.handed_in import RELEASE, WORK, calm, cells, sources, taken
from autograder.tests.submissions import ESSAY, Work, code, text


def test_the_canonical_notebook_of_an_untouched_release_is_the_release(tmp_path):
    assert canonical(taken(tmp_path, RELEASE.notebook), RELEASE) == RELEASE.notebook


@pytest.mark.parametrize("languages", [["en", "zh"], ["zh"]], ids="+".join)
@pytest.mark.parametrize("name", Course(KIT).exercises)
def test_every_exercise_comes_in_as_it_goes_out(name, languages, tmp_path):
    """Untouched it is empty, solved it is graded, as notebook and as script; nothing is lost or added."""
    exercise = load_exercise(Course(KIT), name)
    release = released(exercise, languages)
    work = Work(tmp_path, exercise, release)
    steps = [step.name for step in exercise.steps]
    script, notebook = tmp_path / f"{name}.py", tmp_path / f"{name}.ipynb"
    for whole, source, status in (
        (work.notebook(all_steps=False), release.module, Status.empty),
        (work.notebook(*steps), work.script(), Status.graded),
    ):
        work.write(whole)
        script.write_text(source, encoding="utf-8")
        submission = take(notebook, exercise, release)
        assert (submission.status, submission.warnings) == (status, ())
        assert canonical(submission, release) == whole
        submission = take(script, exercise, release)
        assert (submission.status, submission.warnings) == (status, ())


@calm
@given(st.sets(st.sampled_from(WORK.steps)))
def test_the_canonical_notebook_of_solved_steps_is_that_notebook_without_outputs(tmp_path, steps):
    solved = WORK.notebook(*steps, all_steps=False)
    WORK.cell(solved, "why_scale")["source"] = ESSAY
    run = json.loads(json.dumps(solved))
    for cell in run["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [{"output_type": "stream", "text": "1"}], 7
    assert canonical(taken(tmp_path, run), RELEASE) == solved


@calm
@given(st.data())
def test_the_canonical_notebook_runs_the_same_code_in_the_same_order(tmp_path, data):
    """Cells of the student's own anywhere, text too: none is lost, none moves, a second time changes none."""
    notebook = WORK.notebook()
    own = st.sampled_from(["x = 1", "def helper(a):\n    return a", "print(softmax)", "%matplotlib inline"])
    for number in range(data.draw(st.integers(0, 6))):
        at = data.draw(st.integers(0, len(notebook["cells"])))
        cell = data.draw(st.one_of(own.map(code), st.just(text("A note."))))
        notebook["cells"].insert(at, cell | {"id": f"x{number}"})
    first = taken(tmp_path, notebook)
    whole = canonical(first, RELEASE)
    second = taken(tmp_path, whole)
    assert sources(second) == sources(first)
    assert second.answers == first.answers
    assert canonical(second, RELEASE) == whole


@calm
@given(st.permutations(WORK.steps), st.booleans())
def test_steps_in_any_order_stand_in_their_own_cells(tmp_path, steps, in_one_cell):
    """Without any metadata, in any order, in cells of their own or all in one."""
    bodies = [WORK.solution(step) for step in steps]
    bodies = ["\n\n\n".join(bodies)] if in_one_cell else bodies
    submission = taken(tmp_path, cells("import numpy as np", *bodies))
    assert submission.status is Status.graded
    whole = canonical(submission, RELEASE)
    for step in steps:
        assert WORK.cell(whole, step)["source"] == WORK.solution(step).strip("\n")


@pytest.mark.parametrize(
    "markdown",
    [
        "If $a <b$ and x < y, see <https://example.org>? `d<k>` **bold** <br> <sub>k</sub>",
        "$\\begin{aligned} a &= b \\\\ & \\sqrt{d_k} \\end{aligned}$ AT&T a&nbsp;b 1 &lt; 2 \\classes",
        "[a](https://example.org/a?b=c&d=e) [b](#there) ![c](data:image/png;base64,aGk=) [d](figure.svg)",
    ],
)
def test_harmless_text_stays_readable(markdown):
    assert harmless(markdown).replace("< ", "<") == markdown.replace("< ", "<")


def test_formulas_that_link_are_broken():
    for way in ("\\href{javascript:alert(1)}{x}", "\\&#104;ref{x}{y}", "\\require{action}", "\\class{a}{b}"):
        seen = unescape(harmless(f"${way}$"))  # once, as a browser does
        assert not re.search(r"\\(?:href|require|class)", seen)
    for way in (
        "\\bbox[position:fixed;top:0]{x}",
        "\\mmlToken{mi}[href='x']{y}",
        "\\htmlStyle{color:red}{x}",
    ):
        assert way not in harmless(way)
    assert harmless("$\\begin{aligned}a&=b\\end{aligned}$") == "$\\begin{aligned}a&=b\\end{aligned}$"


@pytest.mark.parametrize("opening", ["\\begin{a}", "\\[", "\\\\[", "\\("])
def test_formulas_without_an_end_do_not_hold_up_everybodys_feedback(opening):
    """Each would be looked for to the end of the text: a million characters took hours."""
    few, many = f"{opening}x " * 100, f"{opening}x " * 300
    assert harmless(few) == few
    assert opening not in harmless(many) and len(markdown2html(harmless(many))) > len(many)


@pytest.mark.parametrize(
    "markdown",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<br onclick=alert(1)>",
        "<svg/onload=alert(1)>",
        "</details><iframe srcdoc='x'>",
        "<!-- <script> -->",
        "[a](javascript:alert(1))",
        "[a]( JaVaScRiPt:alert(1))",
        "[a](&#106;avascript:alert(1))",
        "[a](data:text/html;base64,AAAA)",
        "[a](<javascript:alert(1)>)",
        "[a]: javascript:alert(1)",
        "![a](vbscript:x)",
        "[x [y](z](javascript:alert(1))",
        "[a](" + "x" * 300 + "javascript:alert(1))",
    ],
)
def test_markdown_that_acts_is_shown_as_text(markdown):
    page = markdown2html(harmless(markdown))
    assert not re.search(r"<(?:script|img|svg|iframe|br\s)|<!--", page), page
    assert not re.search(r"""(?:href|src)\s*=\s*["'](?!https?:)[^"']*:""", page), page


@pytest.mark.parametrize("space", ["", " ", "\t", "\n", " \u00a0"])
@pytest.mark.parametrize("way", ["[a](<{}>)", "[a]: <{}>", "![a](< {}>)", "[a](<{}"])
def test_space_in_a_target_hides_nothing(way, space):
    shown = harmless(way.format(f"{space}java{space}script{space}:alert(1)"))
    assert "](" not in shown and "]:" not in shown


@calm
@given(
    st.lists(
        st.sampled_from(
            ["<", "script", ">", "](", "]:", "javascript:", "&#106;", "&", "amp;", "\\", "href", " "]
        )
    )
)
def test_what_is_harmless_stays_as_it_is(parts):
    once = harmless("".join(parts))
    assert harmless(once) == once
