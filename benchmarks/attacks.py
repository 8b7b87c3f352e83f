"""Runs every hostile program in every way of walling in, and writes the outcomes into docs/security.md.

python benchmarks/attacks.py
"""

import re
import sys
from contextlib import ExitStack
from pathlib import Path

from autograder.grade import walls
from autograder.grade.client import Zygote
from autograder.tests.attempts import ATTACKS, LIMITS, attempt, places, promise, runs, saw_names, verdicts

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "security.md"
BETWEEN = re.compile(r"(?<=<!-- attacks: begin -->\n).*(?=<!-- attacks: end -->)", re.DOTALL)


def outcomes() -> dict[str, dict[str, str]]:
    """Attack to way of walling in to its verdict; in bold what should not have been."""
    found: dict[str, dict[str, str]] = {}
    with ExitStack() as stack:
        there = stack.enter_context(places())
        modes = dict.fromkeys(mode for mode, _ in runs())
        warm = {mode: stack.enter_context(Zygote(LIMITS, mode)) for mode in modes}
        for mode, name in runs():
            done = attempt(warm[mode], mode, name, there)
            held = done.verdict in verdicts(name) and not done.escaped and not saw_names(done, mode)
            found.setdefault(name, {})[mode] = done.verdict if held else f"**{done.verdict}**"
    return found


def table(found: dict[str, dict[str, str]], modes: list[str]) -> list[str]:
    lines = [
        "| attack | what must be observed | " + " | ".join(modes) + " |",
        "|---|---|" + "---|" * len(modes),
    ]
    for name, by_mode in found.items():
        cells = [by_mode.get(mode, "") for mode in modes]
        said = promise(name).replace("|", "\\|").replace("<", "&lt;")
        lines.append(f"| {name.replace('_', ' ')} | {said} | " + " | ".join(cells) + " |")
    return lines


def main() -> int:
    found = outcomes()
    modes = list(dict.fromkeys(mode for mode, _ in runs()))
    broken = [name for name, by_mode in found.items() if any("**" in said for said in by_mode.values())]
    count = sum(map(len, found.values()))
    text = [
        "`attn jail` on the machine of this run:",
        *("", "```", walls.report(), "```", ""),
        f"{len(found)} programs, {count} runs; {len(broken)} ended as they should not.",
        "A cell is empty where a program was not run in that way: time limits do not depend on the walls.",
        *("", *table(found, modes), ""),
    ]
    document = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(BETWEEN.sub(lambda _: "\n".join(text), document), encoding="utf-8")
    print(f"{DOCUMENT.name}: {len(ATTACKS)} attacks; broken: {', '.join(broken) or 'none'}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
