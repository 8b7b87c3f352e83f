"""What a handout's section says: its contract, clauses, hints and formulas."""

import re
from collections.abc import Mapping

from autograder.author.handout import CELL_INFO, MARK, Fence, sections


def contract(text: str) -> str:
    """What stands under `### Contract` or `### 约定` in a section, up to the next heading."""
    return under(text, ("### Contract", "### 约定"))


def under(text: str, titles: tuple[str, ...]) -> str:
    """The Markdown under one of the `titles`, up to the next heading, stub or cell of code."""
    out, reading, fence = [], False, Fence()
    for line in text.split("\n"):
        info = fence.feed(line)
        mark = MARK.fullmatch(line)
        if reading and ((re.match(r"#{1,3} ", line) and not fence.open) or info == CELL_INFO):
            break
        if reading and not (mark and not fence.open):
            out.append(line)
        reading = reading or line.strip() in titles
    return "\n".join(out).strip()


def clauses(text: str) -> tuple[str, ...]:
    """The ids of the clauses that a section's contract announces."""
    return tuple(re.findall(r"<!--\s*clause:\s*(\w+)\s*-->", contract(text)))


def hints(text: str) -> tuple[str, ...]:
    """The hints of a section, weakest first, without their folding."""
    found = re.findall(r"<summary>.*?</summary>(.*?)</details>", under(text, ("### Hints", "### 提示")), re.S)
    return tuple(hint.strip() for hint in found)


def formulas(text: str) -> tuple[str, ...]:
    """The displayed formulas of a text, in order, without their spacing."""
    return tuple(re.sub(r"\s+", "", formula) for formula in re.findall(r"\$\$(.+?)\$\$", text, re.S))


def announced(text: str, asked: Mapping[str, str]) -> str:
    """The handout as students may read it by itself: without marks, clause ids or mark schemes.

    asked: what stands in a section of that name in place of the cells that are graded.
    """
    out: list[str] = []
    for section in sections(text):
        kept = [(piece.kind, piece.text) for piece in section.pieces]
        if all(kind not in ("stub", "scheme") for kind, _ in kept):
            kept.append(("stub", ""))
        for kind, words in kept:
            shown = {"markdown": words, "code": f"```python\n{words}\n```"}.get(
                kind, asked.get(section.name, "")
            )
            out += [shown] if shown else []
    return re.sub(r"(?m)^<!--[\s\S]*?-->\n|[ \t]*<!--[\s\S]*?-->", "", "\n\n".join(out)) + "\n"
