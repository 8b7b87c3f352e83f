"""Commands that grade and record: grade, record, status, explain, jail."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from autograder.commands import ACCEPT, ONE_STEP, ONE_STUDENT, SINCE, UNSAFE, WAIT, Command, alone
from autograder.layout import CourseNotFoundError, find_course
from autograder.model import Gradesheet, KitError
from autograder.plain import to_json
from autograder.settings import load_settings


def grade(args: argparse.Namespace) -> int:
    check_steps(args)
    return _grade_files(args) if args.path else _grade_class(args)


def _grade_files(args: argparse.Namespace) -> int:
    from autograder.grade.grade import grade_files
    from autograder.show import gradesheet_text, without_walls

    languages = load_settings(args.course).languages
    for sheet in grade_files(args.course, args.exercise, args.path, walls=args.walls):
        print(
            _json(sheet, args.step) if args.json else gradesheet_text(sheet, languages, args.step), flush=True
        )
    print(*without_walls(args.walls, languages), sep="\n", end="", file=sys.stderr)
    return 0


def _grade_class(args: argparse.Namespace) -> int:
    from autograder.grade.early import begin

    if args.pool == "processes" and not args.student:
        begin(args.course, args.exercise)
    from autograder.grade.classes import grade_class
    from autograder.progress import progress
    from autograder.record.along import Along
    from autograder.show import without_walls

    languages = load_settings(args.course).languages
    changed: list[tuple[Gradesheet, Gradesheet]] = []
    with alone(args):
        with progress() as show, Along(args.course, args.exercise, args.accept) as along:
            told = {"progress": show, "changed": lambda *pair: changed.append(pair)}
            told |= {"each": along.add} if args.record else {}
            how = {"force": args.force, "walls": args.walls, "pool": args.pool} | told
            sheets = grade_class(args.course, args.exercise, _students(args), **how)
        _show_class(args, sheets)
        if changed and not args.record:
            _say_changed(args, changed)
        print(*without_walls(args.walls, languages), sep="\n", end="", file=sys.stderr)
        return _say_recorded(args, along.recorded()) if args.record else 0


def _show_class(args: argparse.Namespace, sheets: Sequence[Gradesheet]) -> None:
    from autograder.show import class_notes, class_table, console, summary

    if args.json:
        print(*(_json(sheet, args.step) for sheet in sheets), sep="\n", end="\n" if sheets else "")
        return
    console().print(class_table(sheets, args.step))
    print(*class_notes(sheets, load_settings(args.course).languages[0], args.step), sep="\n")
    print(f"{args.exercise}: {summary(sheets)}; gradesheets in {args.course.root / 'gradesheets'}")


def check_steps(args: argparse.Namespace) -> None:
    """Raises KitError where a step was named that the exercise does not have."""
    from autograder.author.exercise import load_exercise

    if args.step:
        names = [step.name for step in load_exercise(args.course, args.exercise).steps]
        for step in args.step:
            if step not in names:
                raise KitError(f"{args.exercise} has no step {step}.\nIts steps: {', '.join(names)}")


def _students(args: argparse.Namespace) -> Sequence[str] | None:
    """Whom the options name; None for all with work."""
    if args.since is None:
        return args.student
    from autograder.grade.grade import students_with_work
    from autograder.record.hand_in import handed_in

    everybody = args.student or students_with_work(args.course, args.exercise)
    return [one for one in everybody if handed_in(args.course.submitted(one, args.exercise)) >= args.since]


def _json(sheet: Gradesheet, steps: Sequence[str] | None) -> str:
    """One line. What the whole earned stays, where only some of its steps are shown."""
    data = to_json(sheet)
    if steps:
        data["steps"] = [step for step in data["steps"] if step["name"] in steps]
    return json.dumps(data)


def record(args: argparse.Namespace) -> int:
    from autograder.record.gradebook import record as write_down

    with alone(args):
        return _say_recorded(
            args, write_down(args.course, args.exercise, _students(args), accept=args.accept)
        )


def _say_recorded(args: argparse.Namespace, written: Sequence) -> int:
    from autograder.show import show_changes

    failed, held = [one for one in written if one.fault], [one.student for one in written if one.held]
    for one in failed:
        print(f"{one.student}: not recorded: {one.fault}", file=sys.stderr)
    done = len(written) - len(failed) - len(held)
    show_changes([change for one in written if not one.held for change in one.changes], args.step)
    print(f"{args.exercise}: {done} of {len(written)} recorded in the gradebook")
    if held:
        show_changes([change for one in written if one.held for change in one.changes], args.step)
        print(
            f"These marks are in the gradebook already, and would change for the same work.\n"
            f"Until you accept them, nothing of these students is recorded: {', '.join(held)}.\n"
            f"Accept them (for some: --student ID): attn record {args.exercise} --accept"
        )
    return 1 if failed or held else 0


def _say_changed(args: argparse.Namespace, changed: Sequence[tuple[Gradesheet, Gradesheet]]) -> None:
    """Before anything is recorded: whose marks a new grading of the same work would change."""
    from autograder.record.changes import between
    from autograder.record.gradebook import differences
    from autograder.show import show_changes

    recorded = differences(args.course, args.exercise, [after.student for _, after in changed])
    found = [change for pair in changed for change in recorded.get(pair[1].student, between(*pair))]
    stream = sys.stderr if args.json else sys.stdout
    show_changes(found, args.step, stream)
    if recorded:
        again = f"See them again: attn diff {args.exercise}"
        print(f"The gradebook holds the marks as they were. {again}", file=stream)


def status(args: argparse.Namespace) -> int:
    from autograder.record.gradebook import statuses
    from autograder.show import console, status_table

    rows = statuses(args.course, args.exercise)
    console().print(status_table(rows, load_settings(args.course).languages[0]))
    if waiting := sum(row.waiting > 0 for row in rows):
        print(f"{waiting} of {len(rows)} wait for a person: the formgrader's Manual Grading")
    if not rows:
        print("Nobody is enrolled, and nothing was handed in. Enrol students: nbgrader db student add ID")
    return 0


def explain(args: argparse.Namespace) -> int:
    from autograder.grade.explain import explain as tell
    from autograder.show import printable

    how = {"as_case": args.as_case, "anonymous": args.anonymous}
    text = tell(args.course, args.exercise, args.student, args.step, **how)
    print(printable(text.expandtabs(4)))
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
    grading.add_argument("--since", **SINCE)
    grading.add_argument("--step", **ONE_STEP)
    grading.add_argument("--force", action="store_true", help="grade again what has not changed")
    grading.add_argument("--unsafe", **UNSAFE)
    grading.add_argument("--record", action="store_true", help="record the grades too")
    grading.add_argument("--pool", default="processes", help="who grades: processes, dask, dask://HOST:PORT")
    grading.add_argument("--accept", **ACCEPT)
    grading.add_argument("--wait", **WAIT)
    recording = command(record, "write the grades into nbgrader's gradebook", "exercise")
    recording.add_argument("--student", **ONE_STUDENT)
    recording.add_argument("--since", **SINCE)
    recording.add_argument("--accept", **ACCEPT)
    recording.add_argument("--wait", **WAIT)
    recording.set_defaults(step=None)
    command(status, "one line for each enrolled student", "exercise")
    what = "what one student's step did, and what it earned"
    telling = command(explain, what, "student", "exercise", "step")
    telling.add_argument("--anonymous", action="store_true", help="without id, path and comments")
    telling.add_argument("--as-case", action="store_true", help="write it as an anonymous test case")
    command(jail, "the walls around students' code on this machine", course=False)
