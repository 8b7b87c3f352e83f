"""What students do wrong in any step of this exercise, told by what it does.

The symptoms are those of self_attention where they fit; steps that draw at random have some of their own.
The mistakes of one step are in `mistakes_<step>.py` beside this file.
"""

from dataclasses import replace

import numpy as np

from autograder.suites import Seed, Symptom, symptom
from autograder.suites.self_attention import mistakes as common

CHANCE = ("xavier_uniform", "saturation", "finds_leak")
CERTAIN = ("softmax_jacobian", "attention_backward", "temperature_softmax")


def here(symptoms, steps) -> tuple[Symptom, ...]:
    """The same symptom of each of these steps, in a tuple."""
    return tuple(replace(symptoms[0], step=step) for step in steps)


def by_chance(*, en, zh, steps=CHANCE):
    """A symptom of the steps that are passed a generator."""

    def decorate(shows) -> tuple[Symptom, ...]:
        return tuple(symptom(step, en=en, zh=zh)(shows) for step in steps)

    return decorate


returns_nothing = here(common.returns_nothing, CHANCE + CERTAIN)


@by_chance(
    en="NumPy's global generator was used or seeded: draw everything from the argument rng.",
    zh="使用或设定了 NumPy 的全局随机数生成器：一切随机数都从参数 rng 中抽取。",
)
def uses_the_global_generator(calls):
    return any(call.answer.effects.generator for call in calls)


answers_differently_each_time = here(common.answers_differently_each_time, CHANCE + CERTAIN)


@by_chance(
    en="Generators of different seeds gave the same numbers: a generator of its own is made inside.",
    zh="不同种子的生成器给出了同样的数：函数里自己另造了一个生成器。",
    steps=("xavier_uniform", "saturation"),
)
def makes_a_generator_of_its_own(calls):
    seen = {}
    for call in calls:
        if call.answer.outcome == "returned":
            sizes = tuple(value for value in call.args if not isinstance(value, Seed))
            seen.setdefault(sizes, {})[call.args[-1 if len(sizes) == 2 else 3]] = call.answer.value
    pairs = [list(by_seed.values())[:2] for by_seed in seen.values() if len(by_seed) > 1]
    drawn = [next(iter(by_seed.values())) for by_seed in seen.values()]  # a constant is no chance
    varied = len({(np.shape(value), np.asarray(value).tobytes()) for value in drawn}) == len(drawn)
    return bool(pairs) and varied and all(np.array_equal(*pair) and np.ptp(pair[0]) > 0 for pair in pairs)


changes_its_arguments = here(common.changes_its_arguments, CERTAIN)
moves_the_generator = here(common.moves_the_generator, CERTAIN)
loses_precision = here(common.loses_precision, CERTAIN)
stumbles_over_whole_numbers = here(common.stumbles_over_whole_numbers, CERTAIN)
answers_an_earlier_call = here(common.answers_an_earlier_call, CERTAIN)
forgets_the_batch = here(common.forgets_the_batch, ("attention_backward",))
knows_one_batch_axis = here(common.knows_one_batch_axis, ("attention_backward", "temperature_softmax"))
