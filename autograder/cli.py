"""The command `attn`: reads what was asked, finds the course, calls the part that does it."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from autograder.commands import Command, authoring, grading, handing_on, looking, weekly
from autograder.layout import Course, find_course
from autograder.model import KitError

GROUPS = (authoring, grading, weekly, looking, handing_on)


def parser() -> argparse.ArgumentParser:
    """Every command with its arguments; a command's function is its name."""
    top = argparse.ArgumentParser(prog="attn", description="The self-attention kit: release, grade, record.")
    top.add_argument("--version", action="version", version=f"attn {version('self-attention-kit')}")
    command = Command(top.add_subparsers(required=True, metavar="COMMAND"))
    for group in GROUPS:
        group.add(command)
    return top


def _parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    """The arguments, with paths wherever they stand: argparse takes them before an option only."""
    top = parser()
    args, rest = top.parse_known_args(argv)
    if rest and not (hasattr(args, "path") and all(not word.startswith("-") for word in rest)):
        top.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        args.path += [Path(word) for word in rest]
    return args


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command. Returns its exit status: 0 done, 1 something to mend, 130 stopped, 141 unread."""
    # nbgrader calls alembic by name, so our own environment's programs must be on PATH.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # a terminal's encoding never stops a class
    args = _parsed(argv)
    try:
        if "course" in args:
            args.course = find_course(args.course)
        if "exercise" in args:
            _known(args.course, args.exercise)
        status = args.run(args)
        sys.stdout.flush()
        return status
    except KitError as error:
        print(f"attn: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("attn: stopped. What was done is kept; the same command goes on from there.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # who reads our words, as `head`, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what Python still flushes
        return 141  # as a program that the signal has ended


def _known(course: Course, asked: str | list[str]) -> None:
    for name in [asked] if isinstance(asked, str) else asked:
        if name not in course.exercises:
            raise KitError(f"there is no exercise {name!r}; there are: {', '.join(course.exercises)}")
