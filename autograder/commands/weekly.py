"""Commands of every week: diff, feedback, cycle."""

import argparse

from autograder.commands import ONE_STEP, ONE_STUDENT, UNSAFE, WAIT, Command, alone
from autograder.commands.grading import check_steps


def diff(args: argparse.Namespace) -> int:
    from autograder.grade.classes import grade_class
    from autograder.progress import progress
    from autograder.record.gradebook import differences
    from autograder.show import show_changes

    check_steps(args)
    with alone(args):
        with progress() as show:
            sheets = grade_class(args.course, args.exercise, args.student, progress=show, walls=args.walls)
        found = differences(args.course, args.exercise, [sheet.student for sheet in sheets])
    changes = [change for each in found.values() for change in each]
    show_changes(changes, args.step)
    if any(change.by_hand is None for change in changes):
        print(f"Nothing was recorded. Accept these marks: attn record {args.exercise} --accept")
    elif not changes:
        print(f"{args.exercise}: no mark in the gradebook would change for the same work")
    if new := len(sheets) - len(found):
        print(f"{new} not recorded yet: attn record {args.exercise}")
    return 0


def add(command: Command) -> None:
    """These commands, with their arguments."""
    comparing = command(diff, "who would gain and who would lose, by step, for the same work", "exercise")
    comparing.add_argument("--student", **ONE_STUDENT)
    comparing.add_argument("--step", **ONE_STEP)
    comparing.add_argument("--unsafe", **UNSAFE)
    comparing.add_argument("--wait", **WAIT)
