"""The handouts' texts, cut into sections and sentences, for the tests that read them."""

import re

import pytest

from autograder.author.exercise import load_exercise
from autograder.author.handout import sections
from autograder.layout import KIT, Course

LANGUAGES = ("en", "zh")
ENDS = ("often told", "interviews", "end")
FRAMES = {  # the sections before and after the steps, in the order of the handouts
    "self_attention": (("intro", "words", "one example"), ("why_scale", "outlook", *ENDS)),
    "multi_head_attention": (("intro", "words", "example"), ("why_heads", *ENDS)),
    "why_it_works": (("intro", "words", "example"), ("experiment", "why_the_leak_looks_better", *ENDS)),
}
EXERCISES = {name: load_exercise(Course(KIT), name) for name in FRAMES}
STEPS = {name: [step.name for step in exercise.steps] for name, exercise in EXERCISES.items()}
KEYS = {name: (*before, *STEPS[name], *after) for name, (before, after) in FRAMES.items()}
TEXTS = {name: exercise.prose for name, exercise in EXERCISES.items()}
SECTIONS = {
    name: {language: sections(text) for language, text in texts.items()} for name, texts in TEXTS.items()
}
BLOCK = re.compile(r"<!-- numbers: ([^\n]+?) -->\n(```text\n.*?\n```|(?:\|[^\n]*\n)+)", re.S)
FENCED = re.compile(r"^```.*?^```$", re.S | re.M)
ASIDE = re.compile(r"`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|<[^>]*>|\]\([^)]*\)", re.S)

both = pytest.mark.parametrize("language", LANGUAGES)
each = pytest.mark.parametrize("name", FRAMES)
each_section = pytest.mark.parametrize("name, key", [(name, key) for name in FRAMES for key in KEYS[name]])
each_step = pytest.mark.parametrize("name, step", [(name, step) for name in FRAMES for step in STEPS[name]])


def named(name, language):
    """The sections of one exercise in one language by their keys."""
    return dict(zip(KEYS[name], SECTIONS[name][language], strict=True))


def prose(text):
    """The sentences alone: no code, formulas, blocks of numbers or marks."""
    return ASIDE.sub(" ", FENCED.sub(" ", BLOCK.sub(" ", text)))
