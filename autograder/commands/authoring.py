"""Commands of those who make a course and write exercises: init, build, doctor, new, absorb, release."""

import argparse
import os
from pathlib import Path

from autograder.commands import Command
from autograder.settings import load_settings


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
    from autograder.author.scaffold import new_exercise, new_question, new_step

    make = {"exercise": new_exercise, "step": new_step, "question": new_question}[args.what]
    for file in make(args.course, args.of, args.name):
        print(f"wrote {file}")
    print(f"Next: write what says TODO. What is left: attn doctor {args.of}")
    return 0


def absorb(args: argparse.Namespace) -> int:
    from autograder.author.absorb import absorb as take_back

    print(take_back(args.course, args.exercise))
    return 0


def release(args: argparse.Namespace) -> int:
    if args.solution:
        return _release_solution(args)
    return _release_zip(args) if args.zip else _release_exchange(args)


def _release_solution(args: argparse.Namespace) -> int:
    from autograder.record.solution import release_solution

    print(f"The solution is out, in {release_solution(args.course, args.exercise)}")
    print(f"Students fetch it: nbgrader fetch_assignment {args.exercise}_solution")
    return 0


def _release_zip(args: argparse.Namespace) -> int:
    from autograder.record.lms.giving import release_zip

    print(f"{args.exercise} is packed in {release_zip(args.course, args.exercise)}")
    return 0


def _release_exchange(args: argparse.Namespace) -> int:
    from autograder.record.release import release as hand_out

    out = hand_out(args.course, args.exercise, update=args.update)
    if args.update:
        for file in out.changed:
            print(f"changed {file}")
        print(out.todo or f"Nothing has changed since {args.exercise} was released in {out.folder}")
    else:
        print(f"{args.exercise} is released in {out.folder}")
    return 0


def add(command: Command) -> None:
    """These commands, with their arguments."""
    making = command(init, "make a course, or join one that nbgrader runs", course=False)
    making.add_argument("directory", metavar="DIR", type=Path)
    building = command(build, "weave notebook, stubs, handouts and self-check into source/")
    building.add_argument("exercise", nargs="*")
    building.add_argument("--force", action="store_true", help="even over edits that were not taken back")
    examining = command(doctor, "check the laws that exercises keep, and print the price list")
    examining.add_argument("exercise", nargs="*")
    beginning = command(new, "begin an exercise with its first step, one step more, or a question")
    beginning.add_argument("what", choices=("exercise", "step", "question"))
    beginning.add_argument("of", metavar="EXERCISE")
    beginning.add_argument("name", metavar="NAME", help="of the step or question")
    command(absorb, "take a teacher's edits of the notebook back into the handouts", "exercise")
    releasing = command(release, "generate and release an exercise to the class", "exercise")
    releasing.add_argument("--zip", action="store_true", help="into a zip for an LMS, not into the exchange")
    releasing.add_argument("--solution", action="store_true", help="the solved notebook, after the due date")
    releasing.add_argument("--update", action="store_true", help="newer handouts and self-check, same cells")
