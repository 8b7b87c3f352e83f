"""The command `attn`: reads what was asked, finds the course, calls the part that does it."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from autograder.layout import find_course
from autograder.model import KitError

# Heavy packages (nbgrader takes seconds) are imported by the command that needs them, never by all.


def init(args: argparse.Namespace) -> int:
    from autograder.record.course import init as make_course

    print(make_course(args.directory))
    return 0


def build(args: argparse.Namespace) -> int:
    from autograder.author.build import build as build_exercise

    for name in _exercises(args):
        for path in build_exercise(args.course, name):
            print(path)
    return 0


def doctor(args: argparse.Namespace) -> int:
    from autograder.author.doctor import doctor as examine
    from autograder.show import print_findings

    return print_findings(examine(args.course, args.exercise or None))


def absorb(args: argparse.Namespace) -> int:
    from autograder.author.absorb import absorb as take_back

    print(take_back(args.course, args.exercise))
    return 0


def release(args: argparse.Namespace) -> int:
    from autograder.record.release import release as hand_out

    print(hand_out(args.course, args.exercise, update=args.update))
    return 0


def grade(args: argparse.Namespace) -> int:
    from autograder.show import print_class, print_files

    if args.path:
        return print_files(args.course, args.exercise, args.path, as_json=args.json)
    sheets = print_class(args.course, args.exercise, students=args.student or None, force=args.force)
    if args.record:
        return record(args)
    return 0 if sheets else 1


def record(args: argparse.Namespace) -> int:
    from autograder.record.gradebook import record as write_down

    print(write_down(args.course, args.exercise, students=args.student or None))
    return 0


def status(args: argparse.Namespace) -> int:
    from autograder.show import print_statuses

    return print_statuses(args.course, args.exercise)


def explain(args: argparse.Namespace) -> int:
    from autograder.grade.explain import explain as tell

    print(tell(args.course, args.exercise, args.student, args.step, as_case=args.as_case))
    return 0


def jail(args: argparse.Namespace) -> int:
    from autograder.show import print_walls

    return print_walls()


def _exercises(args: argparse.Namespace) -> Sequence[str]:
    return args.exercise or args.course.exercises


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="attn", description="The self-attention kit: release, grade and record."
    )
    top.add_argument("--version", action="version", version=f"attn {version('self-attention-kit')}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(run: Callable, text: str, *, course: bool = True) -> argparse.ArgumentParser:
        sub = commands.add_parser(run.__name__, help=text, description=text)
        sub.set_defaults(run=run)
        if course:
            sub.add_argument("--course", metavar="DIR", type=Path, help="the course (default: where you are)")
        return sub

    command(init, "make a course, or join an nbgrader course that is there", course=False).add_argument(
        "directory", metavar="DIR", type=Path
    )
    several = (("exercise",), {"nargs": "*", "metavar": "EXERCISE"})
    for run, text in (
        (build, "weave notebook, stubs, handouts and self-check into source/"),
        (doctor, "check the laws that exercises must keep; print the price list"),
    ):
        command(run, text).add_argument(*several[0], **several[1])
    command(absorb, "take a teacher's edits of the notebook back into the handouts").add_argument("exercise")

    releasing = command(release, "generate and release an exercise to the class")
    releasing.add_argument("exercise")
    releasing.add_argument("--update", action="store_true", help="new handouts and self-check, same cells")

    grading = command(grade, "grade a class, or files anywhere")
    grading.add_argument("exercise")
    grading.add_argument(
        "path", nargs="*", type=Path, help="notebooks, .py files or folders; nothing is recorded"
    )
    grading.add_argument("--json", action="store_true", help="one line of JSON for each path")
    grading.add_argument("--student", action="append", metavar="ID", help="only this one (may be repeated)")
    grading.add_argument("--force", action="store_true", help="grade again what has not changed")
    grading.add_argument("--record", action="store_true", help="record the grades too")

    recording = command(record, "write the grades into nbgrader's gradebook")
    recording.add_argument("exercise")
    recording.add_argument("--student", action="append", metavar="ID", help="only this one (may be repeated)")
    command(status, "one line for each enrolled student").add_argument("exercise")

    telling = command(explain, "what one student's step did, and why it earned what it earned")
    for name in ("student", "exercise", "step"):
        telling.add_argument(name)
    telling.add_argument("--as-case", action="store_true", help="write it as an anonymous test case")
    command(jail, "the walls around students' code on this machine", course=False)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    # nbgrader calls alembic by name, so our own environment's programs must be on PATH.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    args = parser().parse_args(argv)
    try:
        if "course" in args:
            args.course = find_course(args.course)
        return args.run(args)
    except KitError as error:
        print(f"attn: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(
            "attn: stopped; what was done is kept, and the same command goes on from there", file=sys.stderr
        )
        return 130
