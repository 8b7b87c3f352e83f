"""Commands that take work in and hand grades on: collect, roster, extend, export, package."""

import argparse
import datetime
import sys
from pathlib import Path

from autograder.commands import Command
from autograder.model import KitError

FORMATS = ("canvas", "moodle", "csv", "json")


def extend(args: argparse.Namespace) -> int:
    from autograder.record.exporters.base import amount, moment
    from autograder.record.late import extend as grant

    length = datetime.timedelta(days=args.days, hours=args.hours, minutes=args.minutes)
    due, before, now = grant(args.course, args.exercise, args.student, length)
    print(f"{args.exercise} is due for {args.student} at {moment(due)}")
    if before != now:
        print(f"penalty: {amount(before)} before, {amount(now)} now; no code was run")
    return 0


def export(args: argparse.Namespace) -> int:
    from autograder.record.exporters.write import export as write

    if args.from_file and args.to != "canvas":
        raise KitError("--from takes Canvas's own export: say --to canvas")
    written = write(args.course, args.exercise, args.to, args.from_file, args.output, args.column)
    for line in written.remarks:
        print(line, file=sys.stderr)
    print(f"{args.exercise}: {written.told}; {written.file}")
    return 0


def add(command: Command) -> None:
    """These commands, with their arguments."""
    granting = command(extend, "give one student more time; the penalty follows", "student", "exercise")
    for unit in ("days", "hours", "minutes"):
        granting.add_argument(f"--{unit}", type=float, default=0, metavar="N", help="0 in all takes it back")
    exporting = command(export, "grades for Canvas, Moodle, a spreadsheet or a program", "exercise")
    exporting.add_argument("--to", choices=FORMATS, required=True)
    exporting.add_argument(
        "--from",
        dest="from_file",
        metavar="FILE",
        type=Path,
        help="a gradebook that Canvas exported, to fill in",
    )
    exporting.add_argument(
        "--column", metavar="TITLE", help="of that file, if it is not called as the exercise"
    )
    exporting.add_argument("--output", metavar="FILE", type=Path, help="(default: in exports/)")
