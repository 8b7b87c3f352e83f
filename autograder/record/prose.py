"""Markdown as HTML that needs nothing else: formulas as MathML, pictures inside, no request to anywhere.

A student's Markdown is text first: its HTML is shown as it was typed, and no picture is fetched.
"""

import re
from functools import lru_cache
from html import escape, unescape
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import convert_to_element
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograder.untrusted import visible

LONGEST = 4000  # characters of one formula; a longer one is shown as it was typed
MATHML = "http://www.w3.org/1998/Math/MathML"
ACTING = {"href", "style", "class", "id", "xmlns", "xlink:href"}  # attributes that a formula must not have
INSIDE = re.compile(r"data:image/(?:png|jpeg|gif|webp|svg\+xml);base64,", re.IGNORECASE)
SIGNS = {"~": "∼", "negativethinmathspace": "-0.167em"}  # what the converter leaves to old browsers


@lru_cache(maxsize=2048)
def formula(tex: str, display: str = "inline") -> str:
    """A formula as MathML; what is none is shown as it was typed."""
    typed = f"<code>{escape(visible(tex))}</code>"
    if len(tex) > LONGEST:
        return typed
    try:
        element = convert_to_element(tex, display=display)
        _tidy(element)
        text = tostring(element, encoding="unicode")
    except Exception:  # the converter has an exception of its own for each slip, and recurses
        return typed
    return visible(text.replace("<math", f'<math xmlns="{MATHML}"', 1))


def _tidy(element: Element) -> None:
    for name in list(element.attrib):
        if name.rpartition("}")[2] in ACTING:
            del element.attrib[name]
        else:
            element.set(name, SIGNS.get(element.get(name), element.get(name)))
    if element.text:
        text = unescape(element.text).replace("\\_", "_")
        element.text = SIGNS.get(text, text)
    for child in element:
        _tidy(child)


class _Handout(IPythonRenderer):
    """Our own texts: HTML passes, pictures of the release are put inside."""

    def block_math(self, body: str) -> str:
        return f'<div class="formula" tabindex="0">{formula(body.strip(), "block")}</div>'

    def inline_math(self, body: str) -> str:
        return formula(body.strip())

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(f"\\begin{{{name}}}{body}\\end{{{name}}}")

    def image(self, text: str, url: str, title: str | None = None) -> str:
        source = url if INSIDE.match(url) else self._src_to_base64(url) or ""
        return super().image(text, source, title) if source else escape(text)


class _Student(_Handout):
    """Anybody's text."""

    def _src_to_base64(self, src: str) -> None:
        return None  # no file of ours is theirs to show

    def block_mermaidjs(self, code: str) -> str:
        return f"<pre><code>{self.escape_html(code)}</code></pre>"

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """A link that leads to a page, or its words."""
        if not re.match(r"https?://", url, re.IGNORECASE):
            return text
        return f'<a href="{escape(url)}" rel="noopener noreferrer">{text}</a>'


def handout(markdown: str, folder: Path) -> str:
    """Our own Markdown; `folder` holds its pictures."""
    renderer = _Handout(escape=False, exclude_anchor_links=True, path=str(folder))
    return _reachable(MarkdownWithMath(renderer=renderer).render(markdown))


def students(markdown: str) -> str:
    """Markdown that a student wrote, or a grader who quotes one."""
    renderer = _Student(escape=True, allow_harmful_protocols=False, exclude_anchor_links=True)
    return _reachable(MarkdownWithMath(renderer=renderer).render(visible(markdown)))


def _reachable(html: str) -> str:
    """What may scroll sideways is reached by the keyboard too. (Text cannot hold a bare `<pre`.)"""
    return html.replace("<pre>", '<pre tabindex="0">')
