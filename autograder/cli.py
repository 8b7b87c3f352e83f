"""The command `attn`: reads what was asked, finds the course, calls the part that does it."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from autograder.layout import Course, find_course
from autograder.model import KitError
from autograder.plain import to_json
from autograder.settings import load_settings

# A command imports what it needs: nbgrader alone takes seconds, and a student's file is graded in less.


def init(args: argparse.Namespace) -> int:
    from autograder.author.build import build_missing
    from autograder.record.course import init as make_or_join

    joined = make_or_join(args.directory)
    for file in joined.made:
        print(f"made {file}")
    for line in joined.todo:
        print(line)
    for folder in build_missing(joined.course):
        print(f"made {folder}{os.sep}")
    print(f"The course is in {joined.course.root}. Next: cd there, then: attn release self_attention")
    return 0


def build(args: argparse.Namespace) -> int:
    from autograder.author.build import build as weave

    for name in args.exercise or args.course.exercises:
        written = weave(args.course, name, force=args.force)
        told = f"wrote {len(written)} files" if written else "nothing to write"
        print(f"{name}: {told}; {args.course.source(name)} is up to date")
    return 0


def doctor(args: argparse.Namespace) -> int:
    from autograder.author.doctor import examine
    from autograder.author.doctor.report import report

    languages, holds = load_settings(args.course).languages, True
    for name in args.exercise or args.course.exercises:
        found = examine(args.course, name)
        text = report(found.findings, found.prices, languages)
        print(text.replace(f"{args.course.root}{os.sep}", ""), end="\n\n")
        holds = holds and found.ok
    return 0 if holds else 1


def new(args: argparse.Namespace) -> int:
    from autograder.author.scaffold import new_exercise, new_step

    make = new_exercise if args.what == "exercise" else new_step
    for file in make(args.course, args.of, args.step):
        print(f"wrote {file}")
    print(f"Next: write what says TODO. What is left: attn doctor {args.of}")
    return 0


def absorb(args: argparse.Namespace) -> int:
    from autograder.author.absorb import absorb as take_back

    print(take_back(args.course, args.exercise))
    return 0


def release(args: argparse.Namespace) -> int:
    from autograder.record.release import release as hand_out

    out = hand_out(args.course, args.exercise, update=args.update)
    if args.update:
        for file in out.changed:
            print(f"changed {file}")
        print(out.todo or f"Nothing has changed since {args.exercise} was released in {out.folder}")
    else:
        print(f"{args.exercise} is released in {out.folder}")
    return 0


def grade(args: argparse.Namespace) -> int:
    return _grade_files(args) if args.path else _grade_class(args)


def _grade_files(args: argparse.Namespace) -> int:
    from autograder.grade.grade import grade_files
    from autograder.show import gradesheet_text, without_walls

    languages = load_settings(args.course).languages
    for sheet in grade_files(args.course, args.exercise, args.path, walls=args.walls):
        print(json.dumps(to_json(sheet)) if args.json else gradesheet_text(sheet, languages), flush=True)
    print(*without_walls(args.walls), sep="\n", end="", file=sys.stderr)
    return 0


def _grade_class(args: argparse.Namespace) -> int:
    from autograder.grade.grade import grade_class
    from autograder.progress import progress
    from autograder.record.along import Along
    from autograder.show import class_notes, class_table, console, summary, without_walls

    with progress() as show, Along(args.course, args.exercise, show) as along:
        how = {"force": args.force, "walls": args.walls, "progress": along.graded if args.record else show}
        sheets = grade_class(args.course, args.exercise, args.student, **how)
    if args.json:
        for sheet in sheets:
            print(json.dumps(to_json(sheet)))
    else:
        console().print(class_table(sheets))
        print(*class_notes(sheets, load_settings(args.course).languages[0]), sep="\n")
        print(f"{args.exercise}: {summary(sheets)}; gradesheets in {args.course.root / 'gradesheets'}")
    print(*without_walls(args.walls), sep="\n", end="", file=sys.stderr)
    return _say_recorded(args.exercise, along.recorded()) if args.record else 0


def record(args: argparse.Namespace) -> int:
    from autograder.record.gradebook import record as write_down

    return _say_recorded(args.exercise, write_down(args.course, args.exercise, args.student))


def _say_recorded(exercise: str, written: Sequence) -> int:
    failed = [one for one in written if one.fault]
    for one in failed:
        print(f"{one.student}: not recorded: {one.fault}", file=sys.stderr)
    print(f"{exercise}: {len(written) - len(failed)} of {len(written)} recorded in the gradebook")
    return 1 if failed else 0


def status(args: argparse.Namespace) -> int:
    from autograder.record.gradebook import statuses
    from autograder.show import console, status_table

    rows = statuses(args.course, args.exercise)
    console().print(status_table(rows, load_settings(args.course).languages[0]))
    if not rows:
        print("Nobody is enrolled, and nothing was handed in. Enrol students: nbgrader db student add ID")
    return 0


def explain(args: argparse.Namespace) -> int:
    from autograder.grade.explain import explain as tell

    print(tell(args.course, args.exercise, args.student, args.step, as_case=args.as_case))
    return 0


def jail(args: argparse.Namespace) -> int:
    from autograder.grade.walls import report

    print(report())
    return 0


def parser() -> argparse.ArgumentParser:
    """Every command with its arguments; a command's function is its name."""
    top = argparse.ArgumentParser(prog="attn", description="The self-attention kit: release, grade, record.")
    top.add_argument("--version", action="version", version=f"attn {version('self-attention-kit')}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(run: Callable, text: str, *arguments: str, course: bool = True) -> argparse.ArgumentParser:
        sub = commands.add_parser(run.__name__, help=text, description=f"{text[0].upper()}{text[1:]}.")
        sub.set_defaults(run=run)
        for argument in arguments:
            sub.add_argument(argument)
        if course:
            sub.add_argument("--course", metavar="DIR", type=Path, help="the course (default: where you are)")
        return sub

    command(init, "make a course, or join one that nbgrader runs", course=False).add_argument(
        "directory", metavar="DIR", type=Path
    )
    building = command(build, "weave notebook, stubs, handouts and self-check into source/")
    building.add_argument("exercise", nargs="*")
    building.add_argument("--force", action="store_true", help="even over edits that were not taken back")
    examining = command(doctor, "check the laws that exercises keep, and print the price list")
    examining.add_argument("exercise", nargs="*")
    making = command(new, "begin an exercise with its first step, or one step more")
    making.add_argument("what", choices=("exercise", "step"))
    making.add_argument("of", metavar="EXERCISE")
    making.add_argument("step", metavar="STEP")
    command(absorb, "take a teacher's edits of the notebook back into the handouts", "exercise")

    releasing = command(release, "generate and release an exercise to the class", "exercise")
    releasing.add_argument("--update", action="store_true", help="newer handouts and self-check, same cells")

    one = {"action": "append", "metavar": "ID", "help": "only this one (may be repeated)"}
    grading = command(grade, "grade a class, or files anywhere", "exercise")
    grading.add_argument("path", nargs="*", type=Path, help="notebooks, .py files, folders; records nothing")
    grading.add_argument("--json", action="store_true", help="one line of JSON for each gradesheet")
    grading.add_argument("--student", **one)
    grading.add_argument("--force", action="store_true", help="grade again what has not changed")
    unsafe = {"action": "store_const", "const": "none", "default": "auto", "dest": "walls"}
    grading.add_argument("--unsafe", **unsafe, help="without walls: for your own work alone")
    grading.add_argument("--record", action="store_true", help="record the grades too")
    command(record, "write the grades into nbgrader's gradebook", "exercise").add_argument("--student", **one)
    command(status, "one line for each enrolled student", "exercise")

    telling = command(
        explain, "what one student's step did, and what it earned", "student", "exercise", "step"
    )
    telling.add_argument("--as-case", action="store_true", help="write it as an anonymous test case")
    command(jail, "the walls around students' code on this machine", course=False)
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
    """Runs one command. Returns its exit status: 0 done, 1 something to mend, 130 stopped."""
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
        return args.run(args)
    except KitError as error:
        print(f"attn: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("attn: stopped. What was done is kept; the same command goes on from there.", file=sys.stderr)
        return 130


def _known(course: Course, asked: str | list[str]) -> None:
    for name in [asked] if isinstance(asked, str) else asked:
        if name not in course.exercises:
            raise KitError(f"there is no exercise {name!r}; there are: {', '.join(course.exercises)}")
