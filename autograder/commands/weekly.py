"""Commands of every week: diff, feedback, cycle."""

from autograder.commands import Command


def add(command: Command) -> None:
    """These commands, with their arguments."""
