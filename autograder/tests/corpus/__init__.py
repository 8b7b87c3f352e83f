"""Wrong and right ways to write each step, in one text file a step, by what is wrong with them.

An entry begins `=== what it does | wrong <severity> <name of the mistake>`, or `| right`. Severities: bug
(another function), fragile (right on ordinary inputs), contract (right values, a promise broken), convention
(right mathematics, said otherwise). Names joined by + are all expected, those parted by / are as good as one
another; - is for no name, ? for any or none. Lines that begin with - and + change the plain solution at the
head of the file; other entries are whole. What an exercise is given can be imported.
"""

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
HEAD = "import math\nimport numpy as np\n"
STEPS = (
    "project_qkv",
    "scaled_scores",
    "causal_mask",
    "apply_mask",
    "softmax",
    "weighted_sum",
    "self_attention",
)
HEADS = ("split_heads", "merge_heads", "padding_mask", "combine_masks", "multi_head_attention")
WHY = (
    "xavier_uniform",
    "softmax_jacobian",
    "attention_backward",
    "temperature_softmax",
    "finds_leak",
    "saturation",  # the one that needs another
)
EXERCISES = {"self_attention": STEPS, "multi_head_attention": HEADS, "why_it_works": WHY}


@dataclass(frozen=True)
class Entry:
    """One way to write one step."""

    step: str
    what: str
    right: bool
    severity: str
    named: str
    source: str

    def __str__(self) -> str:
        return f"{self.step}: {self.what}"

    def is_named_by(self, mistakes: list[str]) -> bool:
        """Whether a diagnosis of these mistakes is the one that is expected."""
        expected = [sorted(filter(None, one.strip("-").split("+"))) for one in self.named.split("/")]
        return self.named == "?" or sorted(mistakes) in expected


def entries(exercise: str = "self_attention") -> list[Entry]:
    """Every entry of every step of an exercise."""
    return [entry for step in EXERCISES.get(exercise, ()) for entry in read(step)]


def read(step: str) -> list[Entry]:
    """The entries of one step, in the order of its file."""
    text = (HERE / f"{step}.txt").read_text(encoding="utf-8")
    plain, *parts = re.split(r"^=== ", text, flags=re.MULTILINE)
    return [_entry(step, part, plain) for part in parts]


def _entry(step: str, part: str, plain: str) -> Entry:
    head, body = part.split("\n", 1)
    what, marks = head.split(" | ")
    kind, severity, named = (*marks.split(), "", "")[:3]
    body = changed(plain, body) if body.startswith(("- ", "+ ")) else body
    return Entry(step, what, kind == "right", severity, named or "-", HEAD + "\n\n" + (body.strip() or plain))


def changed(plain: str, change: str) -> str:
    """The plain solution with each run of - lines in it replaced by the + lines after it."""
    for old, new in re.findall(r"((?:^- .*\n)+)((?:^\+ .*\n?)*)", change, flags=re.MULTILINE):
        before, after = (re.sub(r"^[-+] ", "", lines, flags=re.MULTILINE) for lines in (old, new))
        if plain.count(before) != 1:
            raise ValueError(f"not found once: {before!r}")
        plain = plain.replace(before, after if after.endswith("\n") or not after else after + "\n")
    return plain
