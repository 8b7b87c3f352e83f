"""Each exercise's figure: made by its script from the reference, readable, described in both languages."""

import importlib.util
import re
import xml.etree.ElementTree as ET

import pytest

from autograder.layout import KIT


def script(name):
    """The figure's script of one exercise, as a module."""
    spec = importlib.util.spec_from_file_location("figure", KIT / "assignments" / name / "figure.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FIGURES = {name: script(name) for name in ("self_attention", "multi_head_attention", "why_it_works")}
SVG = "{http://www.w3.org/2000/svg}"
HAN = re.compile(r"[\u4e00-\u9fff]")

each = pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
both = pytest.mark.parametrize("language", ["en", "zh"])


@each
@both
def test_the_committed_figure_is_what_the_script_draws(figure, language):
    file = figure.HERE / figure.FILES[language]
    assert file.read_text(encoding="utf-8") == figure.draw(language), f"run {figure.HERE}/figure.py"


@each
def test_both_languages_have_the_same_words_to_say(figure):
    assert figure.WORDS["en"].keys() == figure.WORDS["zh"].keys()


@each
@both
def test_it_is_told_in_both_languages_to_those_who_do_not_see_it(figure, language):
    root = ET.fromstring(figure.draw(language))
    for tag in ("title", "desc"):
        told = root.findall(SVG + tag)
        assert {element.get("lang") for element in told} == {"en", "zh"}
        assert told[0].get("lang") == language  # the first one is read out
        assert told[0].get("id") in root.get("aria-labelledby").split()


@each
@both
def test_no_text_is_smaller_than_twelve_pixels_or_in_the_other_language(figure, language):
    texts = ET.fromstring(figure.draw(language)).findall(SVG + "text")
    assert all(int(text.get("font-size")) >= 12 for text in texts)
    assert bool(HAN.search("".join(text.text or "" for text in texts))) == (language == "zh")


@each
@both
def test_everything_stands_within_the_picture(figure, language):
    root = ET.fromstring(figure.draw(language))
    for box in root.iter(SVG + "rect"):
        if box.get("x") is not None:
            assert float(box.get("x")) + float(box.get("width")) <= figure.WIDTH
            assert float(box.get("y")) + float(box.get("height")) <= figure.HEIGHT


@each
def test_the_handouts_show_it(figure):
    for language, name in figure.FILES.items():
        assert f"]({name})" in (figure.HERE / f"handout.{language}.md").read_text(encoding="utf-8")
