"""The doctor's report says each law once, then what each mistake costs."""

import pytest

from autograder.author.build import build
from autograder.author.doctor import doctor, examine, price_list
from autograder.author.doctor.report import report
from autograder.tests.courses import make_course

FRESH = "Generated files are fresh."


@pytest.fixture
def course(tmp_path):
    course = make_course(tmp_path)
    build(course, "two_steps")
    return course


def test_the_report_says_each_law_once_and_then_the_prices(course):
    for name in ("handout.en.md", "handout.zh.md"):
        (course.source("two_steps") / name).write_text("old", encoding="utf-8")
    found = examine(course, "two_steps")
    text = report(found.findings, found.prices, ["en", "zh"])
    assert not found.ok and text.count(FRESH) == 1 and text.count("→ attn build two_steps") == 1
    assert "  BROKEN  Generated files are fresh. 生成的文件都是最新的。" in text
    assert "double (2)\n       2   squares: You squared; doubling adds." in text


def test_the_price_list_tells_what_each_mistake_costs(course):
    (price,) = price_list(course, "two_steps")
    assert (price.step, price.mistake, price.points, price.costs) == ("double", "squares", 2, 2)
    assert price.named and price.public
    assert (
        doctor(course, ["two_steps"])[-1].detail
        == "Known mistakes: 1; the public checks catch 1 of them (100%)"
    )
