"""What students do wrong in any step of this exercise, told by what it does.

The symptoms are those of self_attention, for these steps. A call that must raise shows none of them. The
mistakes of one step are in `mistakes_<step>.py` beside this file.
"""

from dataclasses import replace

from autograder.suites import Symptom, symptom
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
knows_one_batch_axis = here(common.knows_one_batch_axis, ("split_heads", "multi_head_attention"))
answers_an_earlier_call = here(common.answers_an_earlier_call)


def sorted_out(calls):
    """Whether all calls that have an answer went right, and the calls that must raise."""
    even = [call for call in calls if call.expected is not None]
    uneven = [call for call in calls if call.expected is None]
    return bool(uneven) and all(map(common.right, even)), [call.answer for call in uneven]


def of_uneven_heads(*, en, zh):
    """A symptom of the steps that must refuse heads which do not divide."""

    def decorate(shows) -> tuple[Symptom, ...]:
        return tuple(symptom(step, en=en, zh=zh)(shows) for step in ("split_heads", "multi_head_attention"))

    return decorate


@of_uneven_heads(
    en="Right where the heads divide the width; where they do not, it must be a ValueError.",
    zh="能整除时都对；不能整除时，抛出的应是 ValueError。",
)
def raises_another_exception(calls):
    right, answers = sorted_out(calls)
    return right and any(answer.error is not None and answer.error.name != "ValueError" for answer in answers)


@of_uneven_heads(
    en="Right where the heads divide the width; where they do not, an answer came: raise a ValueError.",
    zh="能整除时都对；不能整除时却给出了结果：要抛出 ValueError。",
)
def gives_an_answer_for_uneven_heads(calls):
    right, answers = sorted_out(calls)
    return right and any(answer.outcome == "returned" for answer in answers)
