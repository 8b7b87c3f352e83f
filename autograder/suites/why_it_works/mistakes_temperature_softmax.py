"""What students do wrong in temperature_softmax, each as a change to the right function where it can be."""

from autograder.suites import mistake


@mistake(
    "temperature_softmax",
    en="TODO: say what was done and where to look, never the code.",
    zh="TODO：说出做了什么、该看哪里，不要给出代码。",
)
def todo_say_what_goes_wrong(correct, x):
    return correct(x) + 1.0  # TODO: a change to the right function
