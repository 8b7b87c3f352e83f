"""A page is parsed part by part, and a part that many students' pages share is parsed once.

nbconvert parses each finished page and writes it out again, which takes most of its time. A part that opens
and closes its own tags alone comes out the same by itself as within the page; any other stays in the page.
"""

import itertools
import re
import secrets
from html.parser import HTMLParser

from bs4 import BeautifulSoup

CELL = re.compile(r'<div\b[^<>]*\bclass="cell border-box-sizing[^<>]*>')  # where nbconvert begins a cell
VOID = {
    "area",
    "base",
    "br",
    "col",
    "embed",
    "hr",
    "img",
    "input",
    "link",
    "meta",
    "param",
    "source",
    "track",
    "wbr",
}
KEEPS_SPACES = ("pre", "textarea")
ANCESTORS = "jp-Notebook"  # where it stands, nbconvert asks what a part stands in
MOST = 2000  # parts that are kept


class Page:
    """What nbconvert needs of BeautifulSoup for one page. `kept`: finished parts by their text."""

    def __init__(self, kept: dict[str, str], html: str, features: str):
        self._kept, self._html, self._features = kept, html, features
        self._tag = f"attn-{secrets.token_hex(8)}"
        self._parts: list[str] = []
        self._frame = BeautifulSoup(self._without_parts(), features)
        if not self._holds():
            self._parts, self._frame = [], BeautifulSoup(html, features)
        unknown = dict.fromkeys(part for part in self._parts if part not in kept)
        self._new = {part: BeautifulSoup(part, features) for part in unknown}

    def select(self, selector: str) -> list:
        """In all that is parsed now; what was finished before has been through the same."""
        return [found for soup in (self._frame, *self._new.values()) for found in soup.select(selector)]

    def __str__(self) -> str:
        finished = self._kept | {part: str(soup) for part, soup in self._new.items()}
        pieces = re.split(f"<{self._tag}></{self._tag}>", str(self._frame))
        whole = [pieces[0]]
        for part, piece in zip(self._parts, pieces[1:], strict=True):
            whole += [finished[part], piece]
        if len(finished) <= MOST:
            self._kept.update(finished)
        return "".join(whole)

    def _without_parts(self) -> str:
        """The page with an empty element in the place of each part."""
        starts = [] if ANCESTORS in self._html else [found.start() for found in CELL.finditer(self._html)]
        frame, end, before = [], 0, 0
        for start, following in itertools.pairwise(starts):
            if not _Tags(self._html[before:start]).complete:
                break  # a comment, say, that goes on: where it ends is for the whole page to say
            before = self._html.rindex(">", 0, following) + 1
            part = self._html[start:before]
            if part in self._kept or _stands_alone(part):
                frame += [self._html[end:start], f"<{self._tag}></{self._tag}>"]
                self._parts.append(part)
                end = before
            else:
                before = start
        return "".join([*frame, self._html[end:]])

    def _holds(self) -> bool:
        """Whether each empty element was read as one, where spaces are treated as anywhere."""
        found = self._frame.find_all(self._tag)
        among = {parent.name for element in found for parent in element.parents}
        return len(found) == len(self._parts) and not among & set(KEEPS_SPACES)


def _stands_alone(part: str) -> bool:
    tags = _Tags(part)
    return tags.complete and tags.balanced and not tags.open


class _Tags(HTMLParser):
    """Follows which tags a text opens and closes."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.open: list[str] = []
        self.balanced = True
        self.feed(text)

    @property
    def complete(self) -> bool:
        """Whether whatever follows is read as if it stood by itself."""
        return not self.rawdata and self.cdata_elem is None

    def handle_starttag(self, tag: str, attrs: list) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.balanced = False
