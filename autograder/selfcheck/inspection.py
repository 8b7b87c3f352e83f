"""inspect_attention(scores, weights): the statistics worth printing, and what each oddity usually means."""

from __future__ import annotations

import html
from collections.abc import Iterator

import numpy as np

from . import notebook
from .exercise import BrokenRelease, load
from .heat import MOST, heat_map, matrix
from .words import Pair, wrapped

ONE_HOT, FLAT = 0.99, 0.999  # largest weight of a row; entropy as a share of ln n
WIDE = 30.0  # scores of one row that are further apart leave nothing for the lower ones
FILL = -1e3  # a finite score below this is a filling, not a score
WEIGHTS = Pair("weights", "注意力权重")


def inspect_attention(scores=None, weights=None, *, lang: str | None = None) -> None:
    """Shows what is in the scores and the weights; either may be left out."""
    try:
        language = notebook.language_here(load().language(lang))
    except BrokenRelease:
        language = lang or "en"
    lines = [pair.say(language) for pair in findings(scores, weights)]
    plain = "\n".join(line for text in lines for line in wrapped(text, 84))
    if not notebook.shows_html():
        notebook.show_line(plain)
        return
    picture = _picture(weights, language)
    items = "".join(f'<li style="margin:.15em 0">{html.escape(line)}</li>' for line in lines)
    notebook.display_html(f'<ul style="max-width:62em;line-height:1.5">{items}</ul>{picture}', plain)


def _picture(weights, language: str) -> str:
    array = _numbers(weights)
    if array is None or array.ndim < 2 or not 0 < max(array.shape[-2:]) <= MOST or not array.size:
        return ""
    return heat_map(matrix(array), WEIGHTS.say(language), language)


def findings(scores=None, weights=None) -> list[Pair]:
    """One thought each. Never raises, whatever comes in."""
    found: list[Pair] = []
    for name, value, look in (
        (Pair("scores", "分数"), scores, _scores),
        (WEIGHTS, weights, _weights),
    ):
        if value is None:
            continue
        array = _numbers(value)
        if array is None or array.ndim < 1 or not array.size:
            found.append(Pair(f"{name.en}: not an array of numbers.", f"{name.zh}：不是数值数组。"))
            continue
        found.append(_statistics(name, array))
        with np.errstate(all="ignore"):
            found += look(array)
    both = _numbers(scores), _numbers(weights)
    if both[0] is not None and both[1] is not None:
        found += _together(*both)
    return found


def _numbers(value):
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return None


def _statistics(name: Pair, array: np.ndarray) -> Pair:
    finite = array[np.isfinite(array)]
    numbers = ("–", "–", "–")
    if finite.size:
        numbers = tuple(f"{value:.4g}" for value in (finite.min(), finite.max(), finite.mean()))
    nan, low = int(np.isnan(array).sum()), int((array == -np.inf).sum())
    return Pair(
        f"{name.en} {array.shape}: min {numbers[0]}, max {numbers[1]}, mean {numbers[2]}, "
        f"nan {nan}, -inf {low}.",
        f"{name.zh} {array.shape}：最小 {numbers[0]}，最大 {numbers[1]}，平均 {numbers[2]}，"
        f"nan {nan} 个，-inf {low} 个。",
    )


def _share(rows: np.ndarray) -> Pair:
    count, total = int(rows.sum()), rows.size
    return Pair(f"{count} of {total} rows", f"{total} 行中有 {count} 行")


def _scores(scores: np.ndarray) -> Iterator[Pair]:
    finite = np.isfinite(scores)
    if np.isnan(scores).any():
        yield Pair(
            "The scores hold nan: x or a W holds nan, or the mask was multiplied in (0 times -inf is nan).",
            "分数里有 nan：x 或某个 W 里有 nan，或者掩码是乘上去的（0 乘 -inf 是 nan）。",
        )
    if (scores == np.inf).any():
        yield Pair(
            "A score is +inf: a mask with the wrong sign, or an overflow.",
            "有分数是 +inf：掩码符号反了，或者溢出了。",
        )
    if (finite & (scores < FILL)).any() and not (scores == -np.inf).any():
        yield Pair(
            "Some scores are very negative but finite: a mask should fill with -inf, which gives exactly 0.",
            "有的分数是很大的负数但仍有限：掩码应填 -inf，这样权重恰好为 0。",
        )
    yield from _spread(scores, finite & (scores >= FILL))


def _spread(scores: np.ndarray, finite: np.ndarray) -> Iterator[Pair]:
    """What the finite scores look like beside one another."""
    high, low = np.where(finite, scores, -np.inf).max(-1), np.where(finite, scores, np.inf).min(-1)
    wide = high - low > WIDE
    if wide.any():
        share = _share(wide)
        yield Pair(
            f"In {share.en} the scores lie more than {WIDE:g} apart, so one key takes all: "
            "is the division by the root of d_k missing?",
            f"{share.zh}的分数相差超过 {WIDE:g}，一个键会拿走全部权重：是不是忘了除以 d_k 的平方根？",
        )
    if finite.all() and scores.shape[-1] > 1 and np.ptp(scores) == 0:
        yield Pair("All scores are equal: is W_Q or W_K zero?", "所有分数都相等：W_Q 或 W_K 是不是零？")
    if (
        _square(scores)
        and finite.all()
        and np.ptp(scores) > 0
        and np.allclose(scores, scores.swapaxes(-1, -2))
    ):
        yield Pair("The scores are symmetric: is K made with W_Q?", "分数矩阵是对称的：K 是不是用 W_Q 算的？")


def _square(array: np.ndarray) -> bool:
    return array.ndim > 1 and array.shape[-1] == array.shape[-2] > 1


def _weights(weights: np.ndarray) -> Iterator[Pair]:
    nan, zero = np.isnan(weights).any(-1), (weights == 0).all(-1)
    if nan.any():
        share = _share(nan)
        yield Pair(
            f"{share.en} hold nan: every score of the row is -inf (a query that may attend to nothing), "
            "or exp overflowed because the row's maximum was not subtracted.",
            f"{share.zh}含有 nan：整行分数都是 -inf（该查询什么都不能看），或者没减去行最大值而溢出。",
        )
    if zero.any():
        share = _share(zero)
        yield Pair(
            f"{share.en} are all zero: right only for a query that may attend to nothing. Otherwise the mask "
            "is too wide, or the scores are so low that exp gave 0.",
            f"{share.zh}全为 0：只有什么都不能看的查询才应如此。否则是掩码太宽，或分数太低使 exp 得 0。",
        )
    yield from _signs_and_future(weights)
    yield from _sums(weights, ~nan & ~zero)
    proper = ~nan & np.isclose(weights.sum(-1), 1.0, atol=1e-4)
    yield from _sharpness(weights, proper & (weights >= 0).all(-1))


def _signs_and_future(weights: np.ndarray) -> Iterator[Pair]:
    if (weights < 0).any():
        yield Pair(
            "Some weights are negative: these are scores, or exp is missing.",
            "有负的权重：这是分数，或者漏了 exp。",
        )
    if _square(weights):
        future = np.triu(np.ones(weights.shape[-2:], bool), 1)
        largest = np.nanmax(np.where(future, weights, 0.0))
        if largest > 0:
            yield Pair(
                f"Some weight is on the future (up to {largest:.3f}): right without a causal mask, "
                "a leak with one.",
                f"有权重落在后面的词元上（最大 {largest:.3f}）：没有因果掩码时正常，"
                "有因果掩码时就是信息泄漏。",
            )


def _sums(weights: np.ndarray, rows: np.ndarray) -> Iterator[Pair]:
    off = rows & ~np.isclose(weights.sum(-1), 1.0, atol=1e-4)
    if not off.any():
        return
    share = _share(off)
    columns = weights.ndim > 1 and np.allclose(weights.sum(-2), 1.0, atol=1e-4)
    why = Pair("was the mask applied after the softmax?", "掩码是不是用在了 softmax 之后？")
    if columns:
        why = Pair(
            "the columns do, so the softmax ran over the queries, not over the keys.",
            "列和为 1，说明 softmax 沿查询做了，应沿键做。",
        )
    yield Pair(f"{share.en} do not sum to 1: {why.en}", f"{share.zh}的和不是 1：{why.zh}")


def _sharpness(weights: np.ndarray, rows: np.ndarray) -> Iterator[Pair]:
    """Entropy against ln n, where n counts the keys that a row gives any weight."""
    if not rows.any():
        return
    positive = np.where(weights > 0, weights, 1.0)
    entropy = -(positive * np.log(positive)).sum(-1)
    keys = (weights > 0).sum(-1)
    several = rows & (keys > 1)
    if several.any():
        share = entropy[several] / np.log(keys[several])
        yield Pair(
            f"Entropy of a row: {entropy[several].mean():.3f} on average, {share.mean():.0%} of the ln n "
            f"of an even spread (from {share.min():.0%} to {share.max():.0%}).",
            f"每行的熵：平均 {entropy[several].mean():.3f}，是均匀分布 ln n 的 {share.mean():.0%}"
            f"（{share.min():.0%} 到 {share.max():.0%}）。",
        )
        yield from _flat(several & (entropy > FLAT * np.log(np.maximum(keys, 2))))
    yield from _one_hot(rows & (weights.max(-1) > ONE_HOT) & (weights.shape[-1] > 1))


def _flat(rows: np.ndarray) -> Iterator[Pair]:
    if rows.any():
        said = _share(rows)
        yield Pair(
            f"{said.en} are spread evenly: the scores of a row are all alike. "
            "Is a W zero, or the denominator too large?",
            f"{said.zh}几乎均匀：该行分数都差不多。是不是某个 W 为零，或分母太大？",
        )


def _one_hot(rows: np.ndarray) -> Iterator[Pair]:
    if rows.any():
        said = _share(rows)
        yield Pair(
            f"{said.en} are nearly one-hot. The first row under a causal mask is so; many such rows "
            "mean scores that are too large (divide by the root of d_k), or a mask that leaves one key.",
            f"{said.zh}几乎只看一个键。因果掩码下第 0 行本该如此；这样的行很多，说明分数太大"
            "（要除以 d_k 的平方根），或掩码只留下一个键。",
        )


def _together(scores: np.ndarray, weights: np.ndarray) -> Iterator[Pair]:
    if scores.shape != weights.shape:
        yield Pair(
            f"The shapes differ: scores {scores.shape}, weights {weights.shape}.",
            f"形状不同：分数 {scores.shape}，权重 {weights.shape}。",
        )
        return
    leaking = (scores == -np.inf) & (weights > 0)
    if leaking.any():
        yield Pair(
            f"{int(leaking.sum())} places have a score of -inf and yet some weight: "
            "do these weights belong to these scores?",
            f"有 {int(leaking.sum())} 处分数是 -inf 却有权重：这些权重是由这些分数算出来的吗？",
        )
