"""The commands of `attn`, a module for each kind of work. What a command needs, it imports when it runs.

nbgrader alone takes seconds to import, and a student's file is graded in less.
"""

import argparse
import datetime
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from autograder.layout import Course
from autograder.lock import locked
from autograder.moment import FORMS, moment

ONE_STUDENT: dict[str, Any] = {"action": "append", "metavar": "ID", "help": "only this one (may be repeated)"}

ONE_STEP: dict[str, Any] = {
    "action": "append",
    "metavar": "STEP",
    "help": "show only this one (may be repeated)",
}
UNSAFE: dict[str, Any] = {
    **{"action": "store_const", "const": "none", "default": "auto", "dest": "walls"},
    "help": "without walls: for your own work alone",
}
ACCEPT: dict[str, Any] = {
    "action": "store_true",
    "help": "record marks too that change although the student handed in nothing new",
}
WAIT: dict[str, Any] = {
    **{"action": "store_const", "const": float("inf"), "default": 0.0},
    "help": "wait for whoever grades or records the exercise at the moment",
}


def since(text: str) -> datetime.datetime:
    """A moment among the arguments."""
    try:
        return moment(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


SINCE: dict[str, Any] = {"type": since, "metavar": "WHEN", "help": f"only what was handed in since: {FORMS}"}


def alone(args: argparse.Namespace) -> AbstractContextManager[None]:
    """While this command writes, no other does. Raises LockedError where another is at it already."""
    course: Course = args.course
    return locked(course, args.exercise, f"attn {args.run.__name__} {args.exercise}", wait=args.wait)


class Run(Protocol):
    """What a command does; its name is the command's. Returns the exit status."""

    __name__: str

    def __call__(self, args: argparse.Namespace) -> int: ...


class Command:
    """Adds commands to the parser, each with the options that every command has."""

    def __init__(self, subparsers: Any):
        self._subparsers = subparsers

    def __call__(self, run: Run, text: str, *arguments: str, course: bool = True) -> argparse.ArgumentParser:
        described = f"{text[0].upper()}{text[1:]}."
        sub = self._subparsers.add_parser(run.__name__, help=text, description=described)
        sub.set_defaults(run=run)
        for argument in arguments:
            sub.add_argument(argument)
        if course:
            sub.add_argument("--course", metavar="DIR", type=Path, help="the course (default: where you are)")
        return sub
