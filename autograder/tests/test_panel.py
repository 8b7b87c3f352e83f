"""The panel: numbers and a sentence beside every colour, everything escaped, and facts about attention."""

import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import numpy as np
import pytest

from autograder.selfcheck.check import examine
from autograder.selfcheck.exercise import load
from autograder.selfcheck.heat import heat_map, is_weights, matrix
from autograder.selfcheck.inspection import findings
from autograder.selfcheck.panel import panel, progress_panel
from autograder.tests.released import REFERENCE, release

VOID = {"br", "img", "hr", "meta", "input"}


class Balanced(HTMLParser):
    """Fails where a tag is not closed in its order, and notes what is there."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.text = [], [], ""

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def parsed(html):
    parser = Balanced()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


@pytest.fixture(scope="module")
def exercise(tmp_path_factory):
    return load(release(tmp_path_factory.mktemp("released")) / "selfcheck")


@pytest.fixture
def functions():
    namespace = {"np": np}
    exec(REFERENCE, namespace)
    return namespace


def shown(exercise, namespace, step, language="en"):
    return panel(exercise, examine(namespace[step], exercise.step(step), exercise, namespace), language)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_step_that_passes_has_a_whole_panel(exercise, functions, language):
    for step in exercise.steps:
        page = parsed(shown(exercise, functions, step.name, language))
        assert step.name in page.text
        assert ("Hidden checks" if language == "en" else "隐藏测试") in page.text
        assert page.seen[0][1]["lang"] == {"en": "en", "zh": "zh-Hans"}[language]


@pytest.mark.parametrize("step", ["softmax", "self_attention"])
def test_steps_that_make_weights_show_yours_beside_the_expected_ones(exercise, functions, step):
    page = parsed(shown(exercise, functions, step))
    pictures = [attributes for tag, attributes in page.seen if tag == "svg"]
    assert len(pictures) == 2
    assert all(p["role"] == "img" and "looks most at key" in p["aria-label"] for p in pictures)


def test_a_wrong_weight_is_framed_and_said(exercise, functions):
    exec(
        "def softmax(s, axis=-1):\n    e = np.exp(s)\n    return e / e.sum(axis=0, keepdims=True)", functions
    )
    html = shown(exercise, functions, "softmax")
    assert 'stroke-width="2.5"' in html
    assert "<mark" in html
    assert "furthest off is at [0, 2]" in parsed(html).text


def test_nothing_of_a_students_reaches_the_page_unescaped(exercise, functions):
    evil = "<script>alert(1)</script><img src=x onerror=y>"
    source = f"class E(Exception): pass\ndef softmax(s, axis=-1):\n    print({evil!r})\n    raise E({evil!r})"
    exec(source, functions)
    page = parsed(shown(exercise, functions, "softmax"))
    assert not {"script", "img"} & {tag for tag, _ in page.seen}
    exec(f"def softmax(s, axis=-1):\n    return {evil!r}", functions)
    assert not {"script", "img"} & {tag for tag, _ in parsed(shown(exercise, functions, "softmax")).seen}


def test_the_page_names_no_colour_for_text_but_on_a_ground_of_its_own(exercise, functions):
    functions["softmax"] = lambda s, axis=-1: s
    page = parsed(shown(exercise, functions, "softmax"))
    for tag, attributes in page.seen:
        style = attributes.get("style", "")
        assert "color:#" not in style.replace("background:#ffd54f;color:#000", ""), (tag, style)
        assert attributes.get("fill", "currentColor") in ("currentColor", "#3b82f6")


def test_a_step_that_is_not_done_offers_its_hints_folded(exercise, functions):
    assert "Hint 1" not in shown(exercise, functions, "softmax")
    functions["softmax"] = lambda s, axis=-1: s
    html = shown(exercise, functions, "softmax", "zh")
    assert all(f"<summary>提示 {number}</summary>" in html for number in (1, 2, 3))


def test_progress_says_in_words_what_is_done_and_what_is_next(exercise):
    page = parsed(progress_panel(exercise, "zh"))
    assert "project_qkv" in page.text
    assert "下一步" in page.text


def test_a_heat_map_is_well_formed_with_every_number_in_it():
    weights = np.array([[0.25, 0.75], [np.nan, -np.inf]])
    svg = heat_map(weights, "a < b & 'c'", "en", (0, 1))
    assert ElementTree.fromstring(svg).tag == "svg"
    assert all(number in svg for number in ("0.250", "0.750", "nan", "-inf"))
    assert "2 of 4 weights are not finite" in svg


def test_only_rows_that_sum_to_one_are_drawn_as_weights():
    assert is_weights(np.full((2, 3, 4), 0.25))
    assert matrix(np.full((2, 3, 4), 0.25)).shape == (3, 4)
    for other in (
        None,
        np.eye(3) > 0,
        np.full((3, 4), 0.5),
        np.ones((3, 1)),
        np.ones(3) / 3,
        np.ones((0, 3)),
    ):
        assert not is_weights(other)
    assert not is_weights(np.full((13, 2), 0.5))


# inspect_attention

RNG = np.random.default_rng(0)
S = RNG.normal(size=(2, 5, 5))
W = np.exp(S) / np.exp(S).sum(-1, keepdims=True)
CAUSAL = np.tril(np.ones((5, 5), bool))

ODD = {
    "nan in the scores": (S * np.where(CAUSAL, 1, np.nan), None, "hold nan"),
    "plus infinity": (np.where(CAUSAL, S, np.inf), None, "+inf"),
    "a finite fill": (np.where(CAUSAL, S, -1e9), None, "fill with -inf"),
    "no scale": (S * 40, None, "root of d_k missing"),
    "all alike": (S * 0, None, "W_Q or W_K zero"),
    "symmetric": (S + S.swapaxes(-1, -2), None, "made with W_Q"),
    "nan rows": (None, np.where(CAUSAL, W, np.nan), "hold nan"),
    "rows of zeros": (None, np.where(np.arange(5)[:, None] == 2, 0.0, W), "all zero"),
    "negative": (None, S, "negative"),
    "mask after softmax": (None, W * CAUSAL, "applied after the softmax"),
    "over the queries": (None, np.exp(S) / np.exp(S).sum(-2, keepdims=True), "ran over the queries"),
    "one-hot": (None, np.eye(5)[[0, 0, 1, 2, 4]], "nearly one-hot"),
    "even": (None, np.full((3, 4), 0.25), "spread evenly"),
    "the future": (None, W, "on the future"),
    "shapes": (S, W[0], "shapes differ"),
    "forbidden": (np.where(CAUSAL, S, -np.inf), W, "-inf and yet some weight"),
}  # fmt: skip


@pytest.mark.parametrize("oddity", ODD)
def test_what_is_odd_about_attention_is_said_in_both_languages(oddity):
    scores, weights, said = ODD[oddity]
    found = findings(scores, weights)
    assert any(said in pair.en for pair in found), found
    assert all(pair.zh and pair.zh != pair.en for pair in found)


def test_good_causal_attention_has_nothing_odd_but_its_first_row():
    scores = np.where(CAUSAL, S, -np.inf)
    found = findings(scores, np.exp(scores) / np.exp(scores).sum(-1, keepdims=True))
    assert [pair.en.split()[0] for pair in found] == ["scores", "weights", "Entropy", "2"]
    assert "The first row under a causal mask is so" in found[-1].en


@pytest.mark.parametrize(
    "value", ["x", [], [[None]], [[1], [2, 3]], object(), {}, 3.0, np.nan, np.zeros((0, 2))]
)
def test_inspecting_whatever_comes_raises_nothing(value):
    assert findings(value, W)
    assert findings(S, value)
    assert findings(value, value)
