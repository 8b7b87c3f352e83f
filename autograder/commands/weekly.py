"""Commands of every week: diff, feedback, cycle."""

import argparse
import sys

from autograder.commands import ONE_STEP, ONE_STUDENT, UNSAFE, WAIT, Command, alone
from autograder.commands.grading import check_steps
from autograder.lock import LockedError


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


def feedback(args: argparse.Namespace) -> int:
    from autograder.progress import progress
    from autograder.record.giving import release
    from autograder.record.making import make

    with alone(args):
        with progress(what="made") as show:
            found = make(args.course, args.exercise, args.student, force=args.force, show=show)
        failed = [one for one in found if one.fault]
        for one in failed:
            print(f"{one.student}: no feedback: {one.fault}", file=sys.stderr)
        anew = sum(one.anew for one in found)
        unchanged = len(found) - len(failed) - anew
        print(f"{args.exercise}: feedback made for {anew}, unchanged for {unchanged}")
        if args.release:
            release(args.course, args.exercise, args.student)
            print(f"{args.exercise}: feedback is released to {'them' if args.student else 'all'}")
        if args.zip:
            _pack(args)
    return 1 if failed else 0


def _pack(args: argparse.Namespace) -> None:
    """The pages for an LMS, under the names by which it knows the work."""
    from autograder.record.lms.giving import feedback_zip

    given = feedback_zip(args.course, args.exercise)
    if given.left:
        left = ", ".join(given.left)
        print(f"in no zip, since their work came through no LMS: {left}", file=sys.stderr)
    for file in given.files:
        print(f"{args.exercise}: packed for {given.sent} students in {file}")


def cycle(args: argparse.Namespace) -> int:
    from autograder.record.cycle import cycle as once

    try:
        with alone(args):
            done = once(args.course, args.exercise, walls=args.walls)
    except LockedError as error:
        if error.here:
            return 0  # the one that runs does it all
        raise
    if line := done.line(args.exercise):
        print(line)
    for fault in done.faults:
        print(fault, file=sys.stderr)
    return 1 if done.faults else 0


def add(command: Command) -> None:
    """These commands, with their arguments."""
    comparing = command(diff, "who would gain and who would lose, by step, for the same work", "exercise")
    comparing.add_argument("--student", **ONE_STUDENT)
    comparing.add_argument("--step", **ONE_STEP)
    comparing.add_argument("--unsafe", **UNSAFE)
    comparing.add_argument("--wait", **WAIT)
    making = command(feedback, "make the students' feedback pages, on every core", "exercise")
    making.add_argument("--student", **ONE_STUDENT)
    making.add_argument("--force", action="store_true", help="make again what has not changed")
    making.add_argument("--release", action="store_true", help="release them to the students too")
    making.add_argument("--zip", action="store_true", help="pack them for Canvas's or Moodle's bulk upload")
    making.add_argument("--wait", **WAIT)
    what = "collect what is new, grade, record, give feedback; for cron: says nothing where nothing is new"
    looping = command(cycle, what, "exercise")
    looping.add_argument("--unsafe", **UNSAFE)
    looping.set_defaults(wait=0.0)
