"""Zip files for an LMS: an exercise to hand out, feedback under the names that a bulk upload looks for."""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.layout import Course
from autograder.model import KitError
from autograder.record.exporters.base import write_kept
from autograder.record.lms.collecting import senders_of
from autograder.record.lms.names import Sender
from autograder.record.release import generate

ANY_TIME = (2000, 1, 1, 0, 0, 0)  # the same content is the same zip


@dataclass(frozen=True)
class Given:
    """The zip files, and the students whose feedback is in none of them."""

    files: tuple[Path, ...]
    sent: int
    left: tuple[str, ...]


def release_zip(course: Course, name: str) -> Path:
    """Generates the exercise and packs it for a download; the exchange is left alone."""
    folder = generate(course, name)
    files = {
        f"{name}/{file.relative_to(folder)}": file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }
    target = course.root / "exports" / f"{name}.zip"
    write_kept(target, zipped(files))
    return target


def feedback_zip(course: Course, name: str) -> Given:
    """Feedback pages for the bulk upload of each LMS that work came through. Raises KitError for none."""
    pages = {
        page.parts[-3]: page for page in sorted((course.root / "feedback").glob(f"*/{name}/{name}.html"))
    }
    senders = {student: one for student, one in senders_of(course, name).items() if one.back}
    if not pages:
        raise KitError(f"There is no feedback on {name} yet.\nMake it: attn feedback {name}")
    if not pages.keys() & senders.keys():
        raise KitError(
            f"Nobody's work on {name} came through an LMS, so no name to send feedback back under is known.\n"
            f"Take its bulk download in first: attn collect {name} --from FILE.zip"
        )
    files = [_packed(course, name, lms, pages, senders) for lms in sorted({s.lms for s in senders.values()})]
    sent = pages.keys() & senders.keys()
    return Given(tuple(files), len(sent), tuple(sorted(pages.keys() - senders.keys())))


def _packed(
    course: Course, name: str, lms: str, pages: Mapping[str, Path], senders: Mapping[str, Sender]
) -> Path:
    files = {
        _path(sender, name): pages[student].read_bytes()
        for student, sender in senders.items()
        if sender.lms == lms and student in pages
    }
    target = course.root / "exports" / f"{name}.feedback.{lms}.zip"
    write_kept(target, zipped(files))
    return target


def _path(sender: Sender, name: str) -> str:
    """Canvas looks for its two ids in a file's name, Moodle for the participant's in a folder's."""
    return f"{sender.back}{'/' if sender.lms == 'moodle' else ''}{name}.html"


def zipped(files: Mapping[str, bytes], modes: Mapping[str, int] | None = None) -> bytes:
    """The files as a zip archive; the same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            info = zipfile.ZipInfo(path, ANY_TIME)
            info.compress_type, info.create_system = zipfile.ZIP_DEFLATED, 3  # Unix: it carries modes
            info.external_attr = (0o100000 | (modes or {}).get(path, 0o644)) << 16
            archive.writestr(info, files[path])
    return out.getvalue()
