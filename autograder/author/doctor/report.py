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
    """What the doctor says of one exercise: each law once, and each cure once for what it mends together."""
    lines = [findings[0].exercise]
    neighbours = zip((None, *findings), findings, (*findings[1:], None), strict=False)
    for before, finding, after in neighbours:
        if not _alike(before, finding):
            lines.append(_law(finding, languages))
        lines += [f"          {line}" for line in finding.detail.split("\n") if line]
        if finding.cure and not (_alike(after, finding) and after.cure == finding.cure):
            lines += [f"          → {line}" for line in finding.cure.split("\n")]
    return "\n".join([*lines, "", *_price_list(prices, languages)] if prices else lines)


def _alike(one: Finding | None, other: Finding) -> bool:
    return one is not None and (one.law, one.warning) == (other.law, other.warning)


def _law(finding: Finding, languages: Sequence[str]) -> str:
    state = WARNING if finding.warning else HOLDS if finding.ok else BROKEN
    return f"  {getattr(state, languages[0]):8}{finding.law.in_languages(languages, ' ')}"


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
