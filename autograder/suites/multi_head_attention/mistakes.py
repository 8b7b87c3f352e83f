"""What students do wrong in any step of this exercise, told by what it does.

The symptoms are those of self_attention, for these steps. A call that must raise shows none of them. The
mistakes of one step are in `mistakes_<step>.py` beside this file.
"""

from dataclasses import replace

from autograder.suites import Symptom
from autograder.suites.self_attention import mistakes as common

MASKS = ("padding_mask", "combine_masks")
NUMBERS = ("split_heads", "merge_heads", "multi_head_attention")


def here(symptoms, steps=NUMBERS + MASKS) -> tuple[Symptom, ...]:
    """The same symptom of each of these steps, in a tuple."""

    def shows(calls):
        return symptoms[0].shows([call for call in calls if call.expected is not None])

    return tuple(replace(symptoms[0], step=step, shows=shows) for step in steps)


returns_nothing = here(common.returns_nothing)
answers_differently_each_time = here(common.answers_differently_each_time)
changes_its_arguments = here(common.changes_its_arguments)
moves_the_generator = here(common.moves_the_generator)
loses_precision = here(common.loses_precision, NUMBERS)
stumbles_over_whole_numbers = here(common.stumbles_over_whole_numbers, NUMBERS)
forgets_the_batch = here(common.forgets_the_batch, ("split_heads", "multi_head_attention"))
