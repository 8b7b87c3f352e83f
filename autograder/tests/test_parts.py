"""A page that is parsed part by part comes out as BeautifulSoup writes the whole, whatever students write."""

import functools

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.record.parts import Page, _stands_alone

CELL = '<div class="cell border-box-sizing text_cell rendered">'
PIECES = [
    *("<b>", "</b>", "<p>", "</p>", "</div>", "<div>", "<br>", "<br/>", "</br>", "<pre>", "</pre>", "<i/>"),
    *(
        "<script>",
        "</script>",
        "<!--",
        "-->",
        "<textarea>",
        "</textarea>",
        "&amp;",
        "&lt",
        "&#x3c;",
        "<",
        ">",
    ),
    *(
        "  ",
        "\n\n",
        "text",
        "<img src=x>",
        '<a href="<">',
        CELL,
        "<style>",
        "</style>",
        "<![CDATA[",
        "]]>",
        "<?x",
    ),
]
bodies = st.lists(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), min_size=1, max_size=5)


def page(bodies):
    cells = "\n".join(f"{CELL}\n{body}\n</div>" for body in bodies)
    return f"<html><head><style>a > b {{}}</style></head><body>\n<div>\n{cells}\n</div>\n</body></html>"


def finished(soup):
    """What nbconvert does with it."""
    for image in soup.select("img:not([alt])"):
        image.attrs["alt"] = "none"
    return str(soup)


@settings(deadline=None, max_examples=300)
@given(st.lists(bodies, min_size=1, max_size=3))
def test_pages_come_out_as_if_parsed_whole_also_where_parts_are_known_already(pages):
    in_parts = functools.partial(Page, {})
    for text in [page(bodies) for bodies in (*pages, *pages)]:
        assert finished(in_parts(text, "html.parser")) == finished(BeautifulSoup(text, "html.parser"))


def test_what_pages_share_is_parsed_once():
    kept = {}
    for student in ("ann", "bob"):
        str(Page(kept, page(["<p>the same</p>", f"<p>{student}</p>", "the end"]), "html.parser"))
    assert sum("the same" in part for part in kept) == 1 and len(kept) == 3


@pytest.mark.parametrize("text", ["<p>", "</p>", "<p></b></p>", "<br></br>", "<!--", "<script>", "<p></p><"])
def test_what_leans_on_its_neighbours_stays_in_the_page(text):
    assert not _stands_alone(text)
