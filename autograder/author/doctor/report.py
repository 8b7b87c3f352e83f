"""An examination as text for a teacher: the laws first, then the price list."""

from collections.abc import Iterator, Sequence

from autograder.author.doctor.finding import Finding
from autograder.author.doctor.trials import Price
from autograder.model import Sentence

HOLDS, BROKEN, WARNING = Sentence("holds", "成立"), Sentence("BROKEN", "不成立"), Sentence("look", "请看")
PRICES = Sentence(
    "What each known mistake costs on its own step (* = the public checks do not catch it):",
    "每个已知错误在对应步骤扣的分（* = 公开检查发现不了）：",
)


def report(findings: Sequence[Finding], prices: Sequence[Price], languages: Sequence[str]) -> str:
    """What the doctor says of one exercise."""
    lines = [findings[0].exercise]
    for before, finding in zip((None, *findings), findings, strict=False):
        same = before is not None and (before.law, before.warning) == (finding.law, finding.warning)
        lines += _finding(finding, languages, headed=not same)
    return "\n".join([*lines, "", *_price_list(prices, languages)] if prices else lines)


def _finding(finding: Finding, languages: Sequence[str], *, headed: bool) -> Iterator[str]:
    state = WARNING if finding.warning else HOLDS if finding.ok else BROKEN
    if headed:
        yield f"  {getattr(state, languages[0]):8}{finding.law.in_languages(languages, ' ')}"
    for text, lead in ((finding.detail, ""), (finding.cure, "→ ")):
        yield from (f"          {lead}{line}" for line in text.split("\n") if text)


def _price_list(prices: Sequence[Price], languages: Sequence[str]) -> Iterator[str]:
    """The mistakes step by step, the dearest first."""
    yield PRICES.in_languages(languages)
    for step in dict.fromkeys(price.step for price in prices):
        own = [price for price in prices if price.step == step]
        yield f"  {step} ({_amount(own[0].points)})"
        for price in sorted(own, key=lambda each: (-each.costs, each.mistake)):
            sentence, mark = getattr(price.sentence, languages[0]), " " if price.public else "*"
            yield f"  {_amount(price.costs):>6} {mark} {price.mistake}: {sentence}"


def _amount(points: object) -> str:
    return f"{float(points):.2f}".rstrip("0").rstrip(".")
