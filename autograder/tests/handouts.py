"""The handouts' texts, cut into sections and sentences, for the tests that read them."""

import re

import pytest

from autograder.author.exercise import load_exercise
from autograder.author.handout import sections
from autograder.layout import KIT, Course

LANGUAGES = ("en", "zh")
EXERCISE = load_exercise(Course(KIT), "self_attention")
STEPS = [step.name for step in EXERCISE.steps]
TEXTS = {
    language: (KIT / "assignments/self_attention" / f"handout.{language}.md").read_text(encoding="utf-8")
    for language in LANGUAGES
}
SECTIONS = {language: sections(text) for language, text in TEXTS.items()}
KEYS = (  # in the order of the handouts
    "intro",
    "words",
    "one example",
    *STEPS,
    "why_scale",
    "outlook",
    "often told",
    "interviews",
    "end",
)
BLOCK = re.compile(r"<!-- numbers: ([^\n]+?) -->\n(```text\n.*?\n```|(?:\|[^\n]*\n)+)", re.S)
FENCED = re.compile(r"^```.*?^```$", re.S | re.M)
ASIDE = re.compile(r"`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|<[^>]*>|\]\([^)]*\)", re.S)

both = pytest.mark.parametrize("language", LANGUAGES)


def named(language):
    """The sections of one language by their keys."""
    return dict(zip(KEYS, SECTIONS[language], strict=True))


def prose(text):
    """The sentences alone: no code, formulas, blocks of numbers or marks."""
    return ASIDE.sub(" ", FENCED.sub(" ", BLOCK.sub(" ", text)))
