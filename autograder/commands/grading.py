"""Commands that grade and record: grade, record, status, explain, jail."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from autograder.commands import ONE_STUDENT, Command
from autograder.layout import CourseNotFoundError, find_course
from autograder.plain import to_json
from autograder.settings import load_settings


def grade(args: argparse.Namespace) -> int:
    return _grade_files(args) if args.path else _grade_class(args)


def _grade_files(args: argparse.Namespace) -> int:
    from autograder.grade.grade import grade_files
    from autograder.show import gradesheet_text, without_walls

    languages = load_settings(args.course).languages
    for sheet in grade_files(args.course, args.exercise, args.path, walls=args.walls):
        print(json.dumps(to_json(sheet)) if args.json else gradesheet_text(sheet, languages), flush=True)
    print(*without_walls(args.walls, languages), sep="\n", end="", file=sys.stderr)
    return 0


def _grade_class(args: argparse.Namespace) -> int:
    from autograder.grade.grade import grade_class
    from autograder.progress import progress
    from autograder.record.along import Along
    from autograder.show import class_notes, class_table, console, summary, without_walls

    languages = load_settings(args.course).languages
    with progress() as show, Along(args.course, args.exercise, show) as along:
        how = {"force": args.force, "walls": args.walls, "progress": along.graded if args.record else show}
        sheets = grade_class(args.course, args.exercise, args.student, **how)
    if args.json:
        for sheet in sheets:
            print(json.dumps(to_json(sheet)))
    else:
        console().print(class_table(sheets))
        print(*class_notes(sheets, languages[0]), sep="\n")
        print(f"{args.exercise}: {summary(sheets)}; gradesheets in {args.course.root / 'gradesheets'}")
    print(*without_walls(args.walls, languages), sep="\n", end="", file=sys.stderr)
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

    try:
        language = load_settings(find_course()).languages[0]
    except CourseNotFoundError:  # it may be asked of a machine before there is a course
        language = "en"
    print(report(language=language))
    return 0


def add(command: Command) -> None:
    """These commands, with their arguments."""
    grading = command(grade, "grade a class, or files anywhere", "exercise")
    grading.add_argument("path", nargs="*", type=Path, help="notebooks, .py files, folders; records nothing")
    grading.add_argument("--json", action="store_true", help="one line of JSON for each gradesheet")
    grading.add_argument("--student", **ONE_STUDENT)
    grading.add_argument("--force", action="store_true", help="grade again what has not changed")
    unsafe = {"action": "store_const", "const": "none", "default": "auto", "dest": "walls"}
    grading.add_argument("--unsafe", **unsafe, help="without walls: for your own work alone")
    grading.add_argument("--record", action="store_true", help="record the grades too")
    recording = command(record, "write the grades into nbgrader's gradebook", "exercise")
    recording.add_argument("--student", **ONE_STUDENT)
    command(status, "one line for each enrolled student", "exercise")
    what = "what one student's step did, and what it earned"
    telling = command(explain, what, "student", "exercise", "step")
    telling.add_argument("--as-case", action="store_true", help="write it as an anonymous test case")
    command(jail, "the walls around students' code on this machine", course=False)
