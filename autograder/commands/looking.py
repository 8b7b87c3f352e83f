"""Commands that show a class and its students: report, forget."""

import argparse

from autograder.commands import Command
from autograder.settings import load_settings


def report(args: argparse.Namespace) -> int:
    if args.student:
        from autograder.record.glance import one
        from autograder.show import pupil_text

        print(pupil_text(one(args.course, args.exercise, args.student), load_settings(args.course).languages))
        return 0
    from autograder.record.report import write_report

    print(f"The report is in {write_report(args.course, args.exercise, anonymous=args.anonymous)}")
    return 0


def add(command: Command) -> None:
    """These commands, with their arguments."""
    reporting = command(report, "the class at a glance, as one page; or one student, here", "exercise")
    what = reporting.add_mutually_exclusive_group()
    what.add_argument("--anonymous", action="store_true", help="a page without names, to be shown in class")
    what.add_argument("--student", metavar="ID", help="this one, in the terminal")
