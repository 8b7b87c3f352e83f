"""Commands that show a class and its students: report, roster, forget."""

from autograder.commands import Command


def add(command: Command) -> None:
    """These commands, with their arguments."""
