"""Every version of a student's work is kept, and one of them counts: the last, or the best.

submitted/ holds the version that counts, so that gradesheet, gradebook, feedback and explanation are of one
and the same work. The others lie in the course's private folder.
"""

import datetime
import hashlib
import shutil
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path

from autograder.grade import grade
from autograder.grade.files import read_sheet, sheet_bytes, write_whole
from autograder.grade.proctor import Proctor
from autograder.layout import Course
from autograder.model import Gradesheet
from autograder.record.hand_in import copy_regular, handed_in, listing

FORM = "%Y%m%dT%H%M%S.%f"  # of a version's time in its folder's name


def keep(course: Course, name: str, student: str) -> Path | None:
    """Copies what lies in submitted/, unless that is kept already. None where nothing lies there."""
    source = course.submitted(student, name)
    if not source.is_dir() or source.is_symlink():
        return None
    files = [file for file, _ in listing(source, [])[0]]
    target = course.versions(student, name) / f"{handed_in(source).strftime(FORM)}-{_digest(source, files)}"
    if not target.is_dir():
        part = target.with_name(f".{target.name}.part")
        _copied(source, part, files)
        part.replace(target)
    return target


def _digest(folder: Path, files: Iterable[str]) -> str:
    found = hashlib.sha256()
    for file in sorted(files):
        found.update(file.encode("utf-8", "surrogateescape") + b"\0")
        found.update(hashlib.sha256((folder / file).read_bytes()).digest())
    return found.hexdigest()[:12]


def _copied(source: Path, target: Path, files: Iterable[str]) -> None:
    shutil.rmtree(target, ignore_errors=True)  # a copy that was interrupted
    target.mkdir(mode=0o700, parents=True)
    for file in files:
        copy_regular(source / file, target / file)
        shutil.copystat(source / file, target / file, follow_symlinks=False)


def kept(course: Course, name: str, student: str) -> list[Path]:
    """The versions of one student's work, oldest first."""
    return sorted(path for path in course.versions(student, name).glob("[!.]*-*") if path.is_dir())


def times(course: Course, name: str, student: str) -> set[datetime.datetime]:
    """When the versions were handed in."""
    return {
        datetime.datetime.strptime(path.name.rpartition("-")[0], FORM) for path in kept(course, name, student)
    }


def put_best(course: Course, name: str, sheets: Sequence[Gradesheet]) -> list[str]:
    """Sees to it that the best version of each lies in submitted/; gives those whose does only now.

    sheets: the present gradesheets. Of equals the newest counts. A kept version that other checks graded is
    graded again, so that all are judged alike.
    """
    changed, judge = [], _Judge(course, name)
    with judge:
        for sheet in sheets:
            here = keep(course, name, sheet.student)
            if here is not None:
                write_whole(_sheet_of(here), sheet_bytes(sheet), mode=0o600)
            versions = kept(course, name, sheet.student)
            best = max(versions, key=lambda one: (judge.points(one, sheet), one.name), default=here)
            if best != here:
                _put_in_place(best, course.submitted(sheet.student, name))
                changed.append(sheet.student)
    return changed


def lost(course: Course, name: str) -> list[str]:
    """Those of whom versions are kept and nothing lies in submitted/: a run died as it put one there."""
    found = (course.private / "versions").glob(f"*/{name}")
    return sorted(f.parent.name for f in found if not course.submitted(f.parent.name, name).is_dir())


def bring_back(course: Course, name: str) -> None:
    for student in lost(course, name):
        if versions := kept(course, name, student):
            _put_in_place(versions[-1], course.submitted(student, name))


def _sheet_of(version: Path) -> Path:
    return version.with_name(f"{version.name}.json")


def _put_in_place(version: Path, place: Path) -> None:
    part, old = place.with_name(f".{place.name}.part"), place.with_name(f".{place.name}.old")
    _copied(version, part, [file for file, _ in listing(version, [])[0]])
    part.chmod(0o755)
    shutil.rmtree(old, ignore_errors=True)
    if place.is_dir():
        place.rename(old)
    part.rename(place)
    shutil.rmtree(old, ignore_errors=True)


class _Judge:
    """What kept versions earn by today's checks; sets a proctor up only where one was graded by others."""

    def __init__(self, course: Course, name: str):
        self._course, self._name = course, name
        self._proctor: Proctor | None = None

    def __enter__(self) -> "_Judge":
        return self

    def __exit__(self, *exception: object) -> None:
        if self._proctor is not None:
            self._proctor.__exit__(*exception)

    def points(self, version: Path, present: Gradesheet) -> Fraction:
        """Points; less than none where there is no grade."""
        sheet = read_sheet(_sheet_of(version))
        if sheet is None or _key(sheet) != _key(present):
            sheet = self._graded(version, present.student)
            write_whole(_sheet_of(version), sheet_bytes(sheet), mode=0o600)
        return Fraction(-1) if sheet.earned is None else sheet.earned

    def _graded(self, version: Path, student: str) -> Gradesheet:
        if self._proctor is None:
            self._proctor = grade.open_proctor(self._course, self._name)
        exercise = self._proctor.exercise
        release = grade.release_of(self._course, exercise)
        return grade.grade(grade.take(version, exercise, release, student), self._proctor)


def _key(sheet: Gradesheet) -> tuple[str, str, str]:
    return sheet.exercise_version, sheet.seed, sheet.grader
