"""From the bytes of a notebook or script, of any editor and any state, to a plain list of cells.

Total: whatever the bytes are, the answer is a list of cells or the reason why there is none.
"""

import codecs
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from autograder.intake import mends, reasons, script
from autograder.intake.script import RawCell
from autograder.model import Sentence

MAX_CELLS = 2000
MAX_TEXT = 4_000_000  # characters of all cells
MAX_SCRIPT = 1_000_000  # characters of a script
MAX_VALUES = 3_000_000  # JSON values: what bounds the memory that parsing takes
LARGE = 4_000_000  # characters from which on they are counted first
MAX_PICTURE = 2 << 20  # characters of a picture pasted into an answer
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
# A string, or what opens or follows a value; one without an end goes to the end, and is not looked for again
VALUE = re.compile(r'"(?:[^"\\]|\\.)*+"?|[,\[{]', re.DOTALL)
MARKS = (  # longest first: the mark of UTF-32 begins as that of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8 with a byte order mark"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
SIGNATURES = (
    (b"PK\x03\x04", "a zip archive (or a Word file)", "压缩包（或 Word 文件）"),
    (b"Rar!", "a rar archive", "rar 压缩包"),
    (b"7z\xbc\xaf", "a 7z archive", "7z 压缩包"),
    (b"\x1f\x8b", "a gzip archive", "gzip 压缩包"),
    (b"%PDF", "a PDF file", "PDF 文件"),
    (b"\x89PNG", "a picture", "图片"),
    (b"\xff\xd8\xff", "a picture", "图片"),
    (b"\xd0\xcf\x11\xe0", "an Office file", "Office 文件"),
    (b"\x7fELF", "a program", "程序"),
)
CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?: |$)", re.MULTILINE)
WEB_PAGE = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """What a file holds: its cells and what was mended, or why it cannot be read."""

    cells: tuple[RawCell, ...] = ()
    warnings: tuple[Sentence, ...] = ()
    problem: Sentence | None = None
    is_script: bool = False


class _UnreadableError(Exception):
    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence


def read(name: str, data: bytes) -> Reading:
    """The cells of a file's bytes; its name says whether they should be a notebook or a script."""
    try:
        text, warnings = _decoded(data)
        as_script = bool(re.search(r"\.py(\.\w+)?$", name, re.IGNORECASE))
        if as_script and text.lstrip().startswith("{") and '"cells"' in text:
            as_script, warnings = False, [*warnings, mends.read_as_notebook()]
        elif not as_script and script.looks_like_one(text):
            as_script, warnings = True, [*warnings, mends.read_as_script()]
        if as_script:
            _require_length(len(text), MAX_SCRIPT)
            cells = script.cells(text)
        else:
            cells, found = _notebook(text)
            warnings += found
        _require_bounds(cells)
    except _UnreadableError as error:
        return Reading(problem=error.sentence)
    return Reading(tuple(cells), tuple(warnings), is_script=as_script)


def _decoded(data: bytes) -> tuple[str, list[Sentence]]:
    for signature, en, zh in SIGNATURES:
        if data.startswith(signature):
            raise _UnreadableError(reasons.is_a(en, zh))
    text, encoding = _text(data)
    if "\0" in text:
        raise _UnreadableError(reasons.is_a("a binary file", "二进制文件"))
    text = clean(text.removeprefix("\ufeff"))
    if WEB_PAGE.match(text):
        raise _UnreadableError(reasons.is_a("a web page", "网页"))
    return text, [mends.decoded(encoding)] if encoding else []


def _text(data: bytes) -> tuple[str, str]:
    """The text, and the encoding's name where it is not UTF-8."""
    for mark, codec, name in MARKS:
        if data.startswith(mark):
            return data.decode(codec, "replace"), name
    for codec, where in (("utf-16-le", slice(1, 64, 2)), ("utf-16-be", slice(0, 64, 2))):
        if len(data) > 3 and not any(data[where]):
            return data.decode(codec, "replace"), "UTF-16"
    try:
        return data.decode("utf-8"), ""
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("gb18030"), "GB18030"
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace"), "damaged UTF-8"


def clean(text: str) -> str:
    """Line ends as Python counts them, and nothing that cannot be written as UTF-8."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.isascii() else text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _notebook(text: str) -> tuple[list[RawCell], list[Sentence]]:
    parsed = _parsed(text)
    listed, warnings = parsed.get("cells"), []
    if not isinstance(listed, list):
        sheets = parsed.get("worksheets")
        if not isinstance(sheets, list):
            raise _UnreadableError(reasons.not_a_notebook())
        inner = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
        listed = [cell for cells in inner if isinstance(cells, list) for cell in cells]
        warnings.append(mends.old_format())
    if len(listed) > MAX_CELLS:
        raise _UnreadableError(reasons.too_large(reasons.more_than(MAX_CELLS, "cells", "个单元格")))
    cells = [_cell(number, cell) for number, cell in enumerate(listed, 1) if isinstance(cell, dict)]
    if odd := len(listed) - len(cells):
        warnings.append(mends.odd_cells(odd))
    if any(cell.lost_picture for cell in cells):
        warnings.append(mends.picture_dropped())
    return cells, warnings


def _parsed(text: str) -> dict:
    if not text.strip():
        raise _UnreadableError(reasons.is_a("an empty file", "空文件"))
    if len(text) > LARGE and _exceeds(VALUE.finditer(text), MAX_VALUES):
        raise _UnreadableError(reasons.too_large(reasons.more_than(MAX_VALUES, "values", "个值")))
    try:
        parsed = json.loads(text, strict=False, parse_constant=lambda name: None)
    except json.JSONDecodeError as error:
        if conflict := CONFLICT.search(text):
            line = text.count("\n", 0, conflict.start()) + 1
            raise _UnreadableError(reasons.conflict(line)) from error
        raise _UnreadableError(reasons.broken_json(error.lineno)) from error
    except (
        ValueError,
        RecursionError,
    ) as error:  # numbers of thousands of digits; lists in lists without end
        raise _UnreadableError(reasons.broken_json(1)) from error
    if not isinstance(parsed, dict):
        raise _UnreadableError(reasons.not_a_notebook())
    return parsed


def _exceeds(things: Iterator, limit: int) -> bool:
    return next(itertools.islice(things, limit, None), None) is not None


def _cell(number: int, cell: dict) -> RawCell:
    kind = cell.get("cell_type")
    kind = kind if kind in ("code", "markdown") else "markdown" if kind in ("heading", "html") else "raw"
    source = _joined(cell.get("source", cell.get("input")))
    metadata = cell.get("metadata") if isinstance(cell.get("metadata"), dict) else {}
    marks = metadata.get("nbgrader") if isinstance(metadata.get("nbgrader"), dict) else {}
    tags = metadata.get("tags") if isinstance(metadata.get("tags"), list) else []
    raw = RawCell(
        kind,
        dedented(source) if kind == "code" else source,
        number,
        grade_id=_name(marks.get("grade_id")),
        id=_name(cell.get("id")),
        marks=marks,
        is_skipped="skip-execution" in tags,
    )
    return _with_pictures(raw, cell.get("attachments"))


def _name(value: object) -> str:
    return clean(value)[:200] if isinstance(value, str) else ""


def _joined(value: object) -> str:
    """A source that may be a text or a list of lines, with or without their line ends."""
    if isinstance(value, list):
        lines = [line for line in value if isinstance(line, str)]
        glue = "" if any(line.endswith("\n") for line in lines[:-1]) else "\n"
        value = glue.join(lines)
    return clean(value) if isinstance(value, str) else ""


def dedented(source: str) -> str:
    """A cell that is indented as a whole runs in a notebook as though it were not; so it does here."""
    first = next((line for line in source.split("\n") if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip(" \t"))]
    return re.sub("^" + indent, "", source, flags=re.MULTILINE) if indent else source


def _with_pictures(cell: RawCell, attachments: object) -> RawCell:
    """Pictures pasted into text, moved into the text itself: the cell's attachments do not travel."""
    if cell.kind == "code" or not isinstance(attachments, dict) or "attachment:" not in cell.source:
        return cell
    source, lost = cell.source, False
    for name, bundle in list(attachments.items())[:20]:
        kinds = bundle if isinstance(bundle, dict) else {}
        kind = next((kind for kind in PICTURES if isinstance(kinds.get(kind), str)), "")
        code = re.sub(r"\s", "", kinds[kind]) if kind and len(kinds[kind]) <= MAX_PICTURE else ""
        place, picture = f"(attachment:{name})", f"(data:{kind};base64,{code})"
        fits = (
            len(source) + source.count(place) * len(picture) <= MAX_TEXT
        )  # one may be shown a million times
        if fits and re.fullmatch(r"[A-Za-z0-9+/]+=*", code):
            source = source.replace(place, picture)
        else:
            lost = True
    return replace(cell, source=source, lost_picture=lost)


def _require_bounds(cells: list[RawCell]) -> None:
    if len(cells) > MAX_CELLS:
        raise _UnreadableError(reasons.too_large(reasons.more_than(MAX_CELLS, "cells", "个单元格")))
    _require_length(sum(len(cell.source) for cell in cells), MAX_TEXT)


def _require_length(length: int, limit: int) -> None:
    if length > limit:
        raise _UnreadableError(reasons.too_large(reasons.more_than(limit, "characters", "个字符")))
