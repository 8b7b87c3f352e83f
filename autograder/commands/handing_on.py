"""Commands that take work in and hand grades on: collect, roster, extend, export, package."""

import argparse
import datetime
import sys
from pathlib import Path

from autograder.commands import WAIT, Command, alone
from autograder.model import KitError

MATCH = '--match "NAME=STUDENT"'
FORMATS = ("canvas", "moodle", "csv", "json")


def collect(args: argparse.Namespace) -> int:
    with alone(args):
        return _collect_zip(args) if args.from_file else _collect_exchange(args)


def _collect_exchange(args: argparse.Namespace) -> int:
    from autograder.grade.grade import students_with_work
    from autograder.record.classroom import ClassroomError
    from autograder.record.classroom import collect as from_exchange

    try:
        told = from_exchange(args.course, args.exercise)
    except ClassroomError as error:
        cure = f"Without an exchange, take a bulk download in: attn collect {args.exercise} --from FILE.zip"
        raise KitError(f"nothing was collected from the exchange: {str(error).strip()}\n{cure}") from error
    for line in told.splitlines():
        if line.startswith(("[WARNING]", "[ERROR]")):
            print(line.partition("] ")[2], file=sys.stderr)
    print(f"{args.exercise}: work of {len(students_with_work(args.course, args.exercise))} students is here")
    return 0


def _collect_zip(args: argparse.Namespace) -> int:
    from autograder.record.lms.collecting import collect_zip
    from autograder.show import printable

    done = collect_zip(args.course, args.exercise, args.from_file, _matches(args.match))
    for file, why in done.refused:
        print(f"refused: {printable(file)}: {printable(why)}", file=sys.stderr)
    for note in done.notes:
        print(note, file=sys.stderr)
    for who, files in done.strangers.items():
        print(f"nobody in the roster: {printable(who)}: {printable(', '.join(files))}", file=sys.stderr)
    if done.strangers:
        print(f"Enrol them (attn roster FILE), or say who it is: {MATCH}", file=sys.stderr)
    print(
        f"{args.exercise}: {len(done.taken)} collected, {len(done.unchanged)} were here already, "
        f"{len(done.strangers)} not matched, {len(done.refused)} files refused"
    )
    return 0


def _matches(words: list[str] | None) -> dict[str, str]:
    """What `--match` says, from the LMS's name or id to a student."""
    pairs = [word.rpartition("=") for word in words or []]
    if wrong := [
        word for word, (name, _, student) in zip(words or [], pairs, strict=True) if not (name and student)
    ]:
        raise KitError(f"--match {wrong[0]!r} is not NAME=STUDENT")
    return {name: student for name, _, student in pairs}


def roster(args: argparse.Namespace) -> int:
    from autograder.record.lms.roster import import_roster
    from autograder.show import printable

    done = import_roster(args.course, args.file)
    for student, what in done.updated.items():
        print(printable(f"updated {student}: {what}"))
    for line in done.refused:
        print(printable(f"refused: {line}"), file=sys.stderr)
    if done.absent:
        print(printable(f"not in the list, and left enrolled: {', '.join(done.absent)}"), file=sys.stderr)
    print(f"{len(done.added)} enrolled, {len(done.updated)} updated, {done.unchanged} as they were")
    return 1 if done.refused else 0


def extend(args: argparse.Namespace) -> int:
    from autograder.record.exporters.base import amount, moment
    from autograder.record.late import extend as grant

    length = datetime.timedelta(days=args.days, hours=args.hours, minutes=args.minutes)
    with alone(args):
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


def package(args: argparse.Namespace) -> int:
    return (_for_gradescope if args.system == "gradescope" else _for_github)(args)


def _for_gradescope(args: argparse.Namespace) -> int:
    from autograder.author.exercise import load_exercise
    from autograder.elsewhere.packing import gradescope
    from autograder.plain import number
    from autograder.record.exporters.base import write_kept
    from autograder.record.lms.giving import zipped

    files = gradescope(args.course, args.exercise, args.limit)
    target = args.output or args.course.root / "exports" / f"{args.exercise}.gradescope" / "autograder.zip"
    write_kept(target, zipped(files, {"setup.sh": 0o755, "run_autograder": 0o755}))
    points = sum(step.points for step in load_exercise(args.course, args.exercise).steps)
    print(f"{target}\nSet the assignment's autograder points to {number(points)}.")
    print(
        "It holds solutions, hidden checks and the course's seed: upload it to Gradescope, show it to nobody."
    )
    return 0


def _for_github(args: argparse.Namespace) -> int:
    from autograder.elsewhere.github import files
    from autograder.record.exporters.base import write_kept
    from autograder.record.lms.giving import zipped

    target = args.output or args.course.root / "exports" / f"{args.exercise}.github.zip"
    write_kept(target, zipped(files(args.course, args.exercise)))
    print(
        f"{target}\nUnpack it into a template repository. It holds the public checks alone: nothing is hidden"
    )
    print("in a repository that students can read. Grade what they push with: attn grade")
    return 0


def add(command: Command) -> None:
    """These commands, with their arguments."""
    _add_taking_in(command)
    _add_handing_on(command)


def _add_taking_in(command: Command) -> None:
    taking = command(collect, "take in what was handed in: from the exchange, or from an LMS", "exercise")
    zipped = "a bulk download of Canvas's or Moodle's"
    taking.add_argument("--from", dest="from_file", metavar="FILE.zip", type=Path, help=zipped)
    who = "who a sender is that the roster does not tell; may be repeated"
    taking.add_argument("--wait", **WAIT)
    taking.add_argument("--match", action="append", metavar="NAME=STUDENT", help=who)
    enrolling = command(roster, "enrol or update the students of a list from Canvas, Moodle or a spreadsheet")
    enrolling.add_argument("file", metavar="FILE", type=Path)
    granting = command(extend, "give one student more time; the penalty follows", "student", "exercise")
    granting.add_argument("--wait", **WAIT)
    for unit in ("days", "hours", "minutes"):
        granting.add_argument(f"--{unit}", type=float, default=0, metavar="N", help="0 in all takes it back")


def _add_handing_on(command: Command) -> None:
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
    packing = command(
        package, "an exercise for Gradescope (with hidden checks) or GitHub (public ones)", "exercise"
    )
    packing.add_argument("--for", dest="system", choices=("gradescope", "github"), required=True)
    per_day = "graded submissions a day on Gradescope (default: any number)"
    packing.add_argument("--limit", type=int, default=0, metavar="N", help=per_day)
    packing.add_argument("--output", metavar="FILE", type=Path, help="(default: in exports/)")
