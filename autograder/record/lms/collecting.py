"""Takes a bulk download of Canvas's or Moodle's in, by nbgrader's own zip_collect with plugins of ours.

What was handed in before stays beside, under .attn/earlier; the time is the LMS's, never a student's file.
"""

import datetime
import json
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from autograder.grade.files import write_whole
from autograder.layout import Course
from autograder.record.due import Due, due
from autograder.record.exchange import STAMP, STUDENT
from autograder.record.gradebook import database, not_held
from autograder.record.lms.archive import Archive
from autograder.record.lms.matching import Person, Roster
from autograder.record.lms.names import Sender
from autograder.record.lms.sorting import HandedIn, Sorted, sort
from autograder.record.opening import opened

SECOND = datetime.timedelta(seconds=1)


@dataclass(frozen=True)
class Collected:
    """What became of each file and sender of an archive."""

    taken: tuple[str, ...]  # students
    unchanged: tuple[str, ...]  # whose work was here already
    strangers: Mapping[str, list[str]]  # senders that are nobody in the roster, with their files
    refused: tuple[tuple[str, str], ...]  # file, reason
    notes: tuple[str, ...]


class _Extractor(ExtractorPlugin):
    """Writes what was sorted, instead of unpacking by the names that stand in an archive."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        for student, work in self.parent.works.items():
            folder = Path(extracted_path, student)
            folder.mkdir()
            for name, content in work.files.items():
                (folder / name).write_bytes(content)


class _Collector(FileNameCollectorPlugin):
    """Knows each extracted file's student and time."""

    def collect(self, submitted_file: str) -> dict[str, Any]:
        file = Path(submitted_file)
        when = self.parent.times.get(file.parent.name)
        about = {"student_id": file.parent.name, "file_id": file.name}
        return about | ({"timestamp": f"{when} UTC"} if when else {})


class _ZipCollect(ZipCollectApp):
    """nbgrader's own, on works that were sorted before; what a student handed in earlier is kept."""

    def begin(self, course: Course, name: str, works: Mapping[str, HandedIn], times: Mapping) -> None:
        self.course, self.works, self.times, self.exercise = course, works, times, name
        self.extractor_plugin, self.collector_plugin = _Extractor, _Collector

    def _clear_existing_files(self, path: str) -> None:
        folder = Path(path)
        if folder.is_relative_to(self.course.root / "submitted") and any(folder.iterdir()):
            stamp = f"{datetime.datetime.now(datetime.UTC):%Y%m%dT%H%M%S.%f}"
            kept = self.course.private / "earlier" / folder.parent.name / self.exercise / stamp
            kept.parent.mkdir(parents=True, exist_ok=True)
            folder.rename(kept)
            folder.mkdir()


def collect_zip(course: Course, name: str, source: Path, told: Mapping[str, str] | None = None) -> Collected:
    """Puts each student's work under submitted/. Raises KitError where the file is no bulk download."""
    with opened(course) as api, not_held(), Gradebook(database(api), api.coursedir.course_id) as gradebook:
        people = [
            Person(s.id, s.first_name or "", s.last_name or "", s.email or "", s.lms_user_id or "")
            for s in gradebook.students
            if STUDENT.match(s.id)
        ]
        dates = due(gradebook, name)
    with Archive(source) as archive:
        found = sort(archive, Roster(people, told), name)
    times, notes = _times(found, dates)
    works = {student: work for student, work in found.students.items() if work.files}
    new = {student: work for student, work in works.items() if not _is_there(course, name, student, work)}
    if new:
        _collect(course, name, new, times)
    remember(course, name, {student: work.sender for student, work in works.items()})
    same = tuple(sorted(works.keys() - new.keys()))
    return Collected(tuple(sorted(new)), same, found.strangers, tuple(found.refused), tuple(notes))


def _collect(course: Course, name: str, works: Mapping[str, HandedIn], times: Mapping) -> None:
    course.private.mkdir(mode=0o700, exist_ok=True)
    with opened(course) as api, tempfile.TemporaryDirectory(dir=course.private) as scratch:
        app = _app(api, Path(scratch).relative_to(course.root), name)
        app.begin(course, name, works, times)
        (Path(scratch) / name / app.archive_directory).mkdir(parents=True)
        app.init_plugins()
        app.extract_archive_files()
        app.process_extracted_files()


def _app(api: NbGraderAPI, downloaded: Path, name: str) -> _ZipCollect:
    api.coursedir.assignment_id = name
    app = _ZipCollect(config=api.config, log=api.log)
    app.coursedir, app.downloaded_directory = api.coursedir, str(downloaded)
    return app


def _times(found: Sorted, dates: Due) -> tuple[dict, list[str]]:
    """When each work came: by the archive, but where the LMS says in time or late, that holds.

    An archive whose times are those of its packing cannot make anybody late, nor say how late one was.
    """
    times, notes = {}, []
    for student, work in found.students.items():
        last, when = dates.of(student), work.time
        if last is None or when is None:
            times[student] = when
        elif work.late and (found.packed or when <= last):
            times[student] = last + SECOND
            notes.append(f"{student}: late, but the archive does not say how late; counted from one second")
        elif not work.late and when > last and (work.sender.lms == "canvas" or found.packed):
            times[student] = last
            if work.sender.lms != "canvas":
                notes.append(f"{student}: counted as in time, since the archive has only its own time")
        else:
            times[student] = when
    return times, notes


def _is_there(course: Course, name: str, student: str, work: HandedIn) -> bool:
    """Whether a student's folder holds just this already."""
    folder = course.submitted(student, name)
    if not folder.is_dir() or folder.is_symlink():
        return False
    there = {file.name for file in folder.iterdir()} - {STAMP}
    return there == work.files.keys() and all(
        (folder / one).is_file()
        and not (folder / one).is_symlink()
        and (folder / one).read_bytes() == content
        for one, content in work.files.items()
    )


def remember(course: Course, name: str, senders: Mapping[str, Sender]) -> None:
    """Keeps the names under which the LMS knows the work, so that feedback can go back by them."""
    known = senders_of(course, name) | senders
    text = json.dumps(
        {student: asdict(sender) for student, sender in sorted(known.items())}, ensure_ascii=False
    )
    write_whole(_memory(course, name), text.encode(), 0o600)


def senders_of(course: Course, name: str) -> dict[str, Sender]:
    """Who handed in through an LMS, as far as was collected here."""
    try:
        return {
            student: Sender(**about)
            for student, about in json.loads(_memory(course, name).read_bytes()).items()
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _memory(course: Course, name: str) -> Path:
    return course.private / "lms" / f"{name}.json"
