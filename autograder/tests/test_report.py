"""The report of a class: everybody once, in the course's language, and without names where asked."""

import datetime
from fractions import Fraction
from html.parser import HTMLParser

import pytest

from autograder.cli import main as attn
from autograder.grade.walls import UNSAFE
from autograder.model import Sentence, Status, Verdict
from autograder.record.glance import one
from autograder.record.gradebook import record
from autograder.record.report import page, span, write_report
from autograder.record.report_words import STATUSES, WORDS
from autograder.tests.classes import EXERCISE, hand_in, released, solved, wrong
from autograder.tests.sheets import HOSTILE, MISTAKE, classroom, of_many, pupil, sheet, step, ungraded

LATE = datetime.timedelta(days=1, hours=3)


class Read(HTMLParser):
    """A page as a browser reads it: tags, attributes, text, and the rows of the table of all."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.values, self.text, self.rows, self.inside = [], [], "", [], []
        self.feed(html)
        self.close()
        self.students = [row for row in self.rows if len(row) > 9]

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.values += [(name, value or "") for name, value in attrs]
        self.inside.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data):
        if not {"style", "script"} & set(self.inside):
            self.text += data
            if {"td", "th"} & set(self.inside):
                self.rows[-1][-1] += data.strip()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_speaks_the_courses_first_language(language):
    found = classroom(
        pupil("ada", sheet(step("softmax", Verdict.failed, diagnosis=[MISTAKE]))), languages=(language,)
    )
    read = Read(page(found))
    other = "zh" if language == "en" else "en"
    for key in ("who", "distribution", "steps", "mistakes", "doubts", "late_ones", "time", "table"):
        assert getattr(WORDS[key], language) in read.text
        assert getattr(WORDS[key], other) not in read.text
    assert getattr(MISTAKE.sentence, language).replace("`", "") in read.text
    assert ("lang", {"en": "en", "zh": "zh-Hans"}[language]) in read.values


@pytest.mark.parametrize("anonymous", [False, True])
def test_it_says_where_nothing_held_the_code_back(anonymous):
    said = {}
    for mode in ("none", "bubblewrap"):
        found = classroom(pupil("ada", sheet()), languages=("zh",), run={"walls": {"mode": mode}})
        said[mode] = UNSAFE.zh in Read(page(found, anonymous=anonymous)).text
    assert said == {"none": True, "bubblewrap": False}


@pytest.mark.parametrize("anonymous", [False, True])
@pytest.mark.parametrize("count", [0, 1, 7, 2000])
def test_everybody_stands_in_the_table_once(count, anonymous):
    read = Read(page(of_many(count), anonymous=anonymous))
    assert len(read.students) == (count + 1 if count else 0)
    assert read.tags.count("script") == 1


@pytest.mark.parametrize("status", Status)
def test_every_status_has_its_word_and_its_reason(status):
    reason = Sentence("Because of this.", "就因为这个。")
    found = classroom(pupil("ada", sheet(status=status, reason=reason)))
    read = Read(page(found))
    assert STATUSES[status].en in read.text
    assert (reason.en in read.text) == (status is not Status.graded)


def test_nothing_graded_yet_says_so_with_the_command():
    read = Read(page(classroom(ungraded("ada"), pupil("bob"))))
    assert "attn grade self_attention" in read.text and WORDS["ungraded"].en in read.text
    assert WORDS["distribution"].en not in read.text


def test_a_line_has_each_step_and_links_to_the_feedback():
    found = sheet(step("softmax", Verdict.failed), step("causal_mask", Verdict.grader_fault))
    read = Read(page(classroom(pupil("ada", found, feedback="../feedback/ada/x.html"))))
    assert ("href", "../feedback/ada/x.html") in read.values
    assert read.students[1][3:10] == ["2", "3", "–", "3", "3.56", "2", "4"]


def test_a_penalty_is_taken_off_and_nobody_has_less_than_nothing():
    read = Read(
        page(
            classroom(
                pupil("ada", sheet(), late=LATE, penalty=3.5), pupil("bob", sheet(), late=LATE, penalty=99.0)
            )
        )
    )
    assert [row[11:13] for row in read.students[1:]] == [["16.5", "1 d 3 h"], ["0", "1 d 3 h"]]


@pytest.mark.parametrize(
    ("minutes", "en", "zh"),
    [(1, "1 min", "1 分钟"), (61, "1 h 1 min", "1 小时 1 分钟"), (2885, "2 d 5 min", "2 天 5 分钟")],
)
def test_a_span_is_said_in_its_two_largest_parts(minutes, en, zh):
    value = datetime.timedelta(minutes=minutes)
    assert (span(value, "en"), span(value, "zh")) == (en, zh)


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_text_of_others_becomes_markup(kind):
    text = HOSTILE[kind]
    said = Sentence(text, text)
    hostile = classroom(
        pupil(
            text,
            sheet(status=Status.unreadable, steps=(), reason=said),
            name=text,
            late=LATE,
            feedback="../f.html",
        ),
        pupil(text, sheet(step("softmax", Verdict.failed)), name=text),
    )
    plain = classroom(
        pupil(
            "a",
            sheet(status=Status.unreadable, steps=(), reason=Sentence("b", "b")),
            name="c",
            late=LATE,
            feedback="../f.html",
        ),
        pupil("a", sheet(step("softmax", Verdict.failed)), name="c"),
    )
    html, harmless = page(hostile), Read(page(plain))
    read = Read(html)
    assert read.tags == harmless.tags and {n for n, _ in read.values} == {n for n, _ in harmless.values}
    assert not set("\x1b\x00\x07\u202e\ud800") & set(html)
    html.encode()


def anonymous_class(names, order=None):
    wrong_one = sheet(step("softmax", Verdict.failed))
    pupils = [
        pupil(
            names[0],
            sheet(file=f"submitted/{names[0]}/f.ipynb"),
            name=names[1],
            late=LATE,
            feedback=f"../{names[0]}.html",
        ),
        pupil(names[2], wrong_one, name=names[3], seconds=9.75),
        pupil(names[4], sheet(status=Status.misnamed, steps=(), reason=Sentence(f"{names[4]}.docx", "文件"))),
        pupil(names[5]),
    ]
    return classroom(*[pupils[place] for place in order or range(4)])


def test_without_names_nothing_betrays_anyone():
    """The page of the same results by others, who stand in another order, is the same to the byte."""
    names = ["zz9", "Zelda Zorn", "aa1", "Ada Arne", "mm5", "kk3"]
    html = page(anonymous_class(names), anonymous=True)
    assert not [name for name in names if name in html] and "feedback" not in Read(html).text
    others = ["p1", "Q R", "s2", "T U", "v3", "w4"]
    assert page(anonymous_class(others, (3, 1, 0, 2)), anonymous=True) == html
    assert "9.75" not in html and "9.75" in page(anonymous_class(names))


def test_the_page_seals_its_script_and_lets_nothing_else_in():
    values = dict(Read(page(of_many(3))).values)
    policy = next(v for v in [value for _, value in Read(page(of_many(3))).values] if "default-src" in v)
    assert "default-src 'none'" in policy and "script-src 'sha256-" in policy and "http" not in policy
    assert values["charset"] == "utf-8"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = released(tmp_path_factory.mktemp("report"))
    hand_in(course, "ada", solved(course))
    hand_in(course, "bob", solved(course, wrong))
    hand_in(course, "cyd", None)
    record(course, EXERCISE)
    return course


def test_the_command_writes_it_and_says_where(course, capsys):
    assert attn(["report", EXERCISE, "--course", str(course.root)]) == 0
    file = course.reports / f"{EXERCISE}.html"
    assert str(file) in capsys.readouterr().out and len(Read(file.read_text("utf-8")).students) == 4
    assert attn(["report", EXERCISE, "--anonymous", "--course", str(course.root)]) == 0
    assert "ada" not in (course.reports / f"{EXERCISE}.anonymous.html").read_text("utf-8")
    assert (course.reports / ".gitignore").read_text("utf-8") == "*\n"


def test_the_same_class_gives_the_same_bytes(course):
    before = write_report(course, EXERCISE).read_bytes()
    assert write_report(course, EXERCISE).read_bytes() == before


def test_one_student_is_told_in_the_terminal(course, capsys):
    assert attn(["report", EXERCISE, "--student", "bob", "--course", str(course.root)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("bob\ngraded: ") and "scaled_scores" in said and "to grade by hand" in said
    assert attn(["report", EXERCISE, "--student", "cyd", "--course", str(course.root)]) == 0
    assert "missing" in (out := capsys.readouterr().out) or "no notebook" in out
    assert attn(["report", EXERCISE, "--student", "nobody", "--course", str(course.root)]) == 1
    assert "attn status" in capsys.readouterr().err


def test_points_given_by_hand_are_in_the_total(course):
    pupil_found = one(course, EXERCISE, "ada")
    assert pupil_found.total == Fraction(20) and pupil_found.row.waiting == 1
