"""What checking one step found, as frozen values; the panel and the terminal draw it.

Knows nothing of how it is found or drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

from .agree import Difference
from .words import NOTHING, Pair

PASSES, FAILS, UNWRITTEN, MISSING = "passes", "fails", "unwritten", "missing"


@dataclass(frozen=True, eq=False)
class Finding:
    """One public example or law that was tried, and what became of it."""

    holds: bool
    source: str = ""  # the example's own lines
    example: int = 0  # its number
    fact: Pair = NOTHING  # for a law: what must hold
    fault: tuple[Pair, ...] = ()  # what is wrong, one thought each; the first one is the headline
    code: tuple[str, ...] = ()  # the student's line, with a caret under it where that is known
    difference: Difference | None = None
    expected: object = None
    got: object = None
    returned: bool = False  # whether `got` is there to be shown
    printed: str = ""
    unwritten: bool = False
    endless: bool = False  # stopped by the guard: the function is not called again


@dataclass(frozen=True)
class Report:
    """One step."""

    step: str
    state: str
    findings: tuple[Finding, ...] = ()
    notes: tuple[Pair, ...] = ()  # an old definition, an earlier step to mend first, ...
    section: str = ""  # the handout's section; "" where there is none
    total: int = 0  # public examples
    broken: bool = False  # the code that defines it does not run
    hidden: Pair = NOTHING  # what hidden checks will try besides

    @property
    def examples(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.source)

    @property
    def laws(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if not finding.source)

    @property
    def held(self) -> int:
        """How many of the public examples pass: all that they print is right."""
        tried = {finding.example for finding in self.examples}
        return len(tried - {finding.example for finding in self.examples if not finding.holds})

    @property
    def first_fault(self) -> Finding | None:
        return next((finding for finding in self.findings if not finding.holds), None)

    @property
    def headline(self) -> Pair:
        """The step in one line; never more comfort than there is."""
        if self.state == MISSING:
            return Pair(f"{self.step}: not there", f"{self.step}：找不到")
        if self.state == UNWRITTEN:
            return Pair(f"{self.step}: not written yet", f"{self.step}：还没有写")
        if self.broken:
            return Pair(f"{self.step}: its code does not run", f"{self.step}：定义它的代码无法运行")
        total = self.total
        if self.held < total:
            return Pair(
                f"{self.step}: {self.held} of {total} public examples pass",
                f"{self.step}：{total} 个公开示例通过了 {self.held} 个",
            )
        head = Pair(
            f"{self.step}: {total} of {total} public examples pass",
            f"{self.step}：{total} 个公开示例通过了 {total} 个",
        )
        if self.state == FAILS:
            return Pair(f"{head.en}, but a promise is broken", f"{head.zh}，但有一条约定没有做到")
        return head
