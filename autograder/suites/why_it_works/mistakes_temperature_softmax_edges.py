"""What students do wrong in temperature_softmax that shows where the temperature is very low or very high."""

import numpy as np

from autograder.suites import mistake
from autograder.suites.why_it_works.mistakes_temperature_softmax import STEP


@mistake(
    STEP,
    en="At a low temperature all these powers vanish, and 0/0 is nan: divide the scores before the softmax.",
    zh="温度很低时，权重的幂全变成 0，0/0 得 nan：应当先除分数，再做 softmax。",
)
def raises_to_the_inverse(correct, scores, temperature):
    raised = correct(scores, 1.0) ** (1 / temperature)
    return raised / raised.sum(axis=-1, keepdims=True)


@mistake(
    STEP,
    en="Minus infinity was replaced by a finite score, which a high temperature brings near the others.",
    zh="把负无穷换成了有限的分数：温度一高，它就和别的分数差不多了。",
)
def replaces_minus_infinity(correct, scores, temperature):
    return correct(np.where(np.isneginf(scores), -1e6, scores), temperature)


@mistake(
    STEP,
    en="Low temperatures were raised to a bound: every positive temperature divides as it is.",
    zh="低温被抬高到了一个下限：任何正的温度都要原样去除。",
)
def bounds_the_temperature(correct, scores, temperature):
    return correct(scores, max(temperature, 1e-3))
