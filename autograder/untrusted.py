"""Text that somebody else wrote, made harmless for the place where it is shown: page, terminal, table.

Escaping markup is the templates' work; here is what escaping leaves alone.
"""

import re

# Control characters but tab and newline, marks that hide or reorder text, lone surrogates.
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
)
FORMULA = (
    "=+-@\t\r\n＝＋－＠"  # a spreadsheet computes a cell that begins so; East Asian ones take the wide ones
)
LONGEST = 80  # characters of a name: enough for people, too few to break a page


def visible(text: str) -> str:
    """Control characters, marks of direction, lone surrogates as `\\u202e`: no text hides or reorders."""
    return UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def on_one_line(text: str, longest: int = LONGEST) -> str:
    """A name or an id as one short line; what is too long ends in `…`."""
    line = visible(text).replace("\n", "\\n").replace("\t", "\\t")
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def table_cell(text: str) -> str:
    """Text for a cell of a CSV file: where it would be a formula, an apostrophe stands before it."""
    shown = visible(text)
    return f"'{shown}" if text.strip(" \xa0\u3000")[:1] in tuple(FORMULA) else shown
