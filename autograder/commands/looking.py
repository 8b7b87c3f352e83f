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


def forget(args: argparse.Namespace) -> int:
    from autograder.record.forget import forget as erase
    from autograder.record.forget import said, traces
    from autograder.show import printable

    if not args.yes:
        print(printable("\n".join(map(str, traces(args.course, args.student)))))
        print("and this person's rows in the gradebook and its copies. There is no way back.")
        if _typed(f"Type the id to erase it: {printable(args.student)}\n") != args.student:
            print("Nothing was erased.")
            return 1
    print(printable("\n".join(said(erase(args.course, args.student)))))
    return 0


def _typed(question: str) -> str:
    """What a person answers; nothing where there is nobody to ask."""
    try:
        return input(question).strip()
    except EOFError:
        return ""


def add(command: Command) -> None:
    """These commands, with their arguments."""
    reporting = command(report, "the class at a glance, as one page; or one student, here", "exercise")
    what = reporting.add_mutually_exclusive_group()
    what.add_argument("--anonymous", action="store_true", help="a page without names, to be shown in class")
    what.add_argument("--student", metavar="ID", help="this one, in the terminal")
    forgetting = command(forget, "erase one person from the course, and say where", "student")
    forgetting.add_argument("--yes", action="store_true", help="without asking")
