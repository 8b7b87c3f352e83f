"""Commands that take work in and hand grades on: collect, export, package."""

from autograder.commands import Command


def add(command: Command) -> None:
    """These commands, with their arguments."""
