"""The commands of `attn`, a module for each kind of work. What a command needs, it imports when it runs.

nbgrader alone takes seconds to import, and a student's file is graded in less.
"""

import argparse
from pathlib import Path
from typing import Any, Protocol

ONE_STUDENT: dict[str, Any] = {"action": "append", "metavar": "ID", "help": "only this one (may be repeated)"}


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
