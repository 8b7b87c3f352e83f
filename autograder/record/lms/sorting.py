"""A bulk download sorted by student, nothing written yet: what is taken, what is not and why."""

import datetime
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from autograder.intake.folder import COPY, ENDINGS, MAX_ALL, NOT_STUDENTS
from autograder.model import KitError
from autograder.record.exchange import MOST_FILES, SECRET, STAMP
from autograder.record.lms.archive import Archive, Entry, RefusedError
from autograder.record.lms.matching import Roster, plain
from autograder.record.lms.names import RUBBISH, Named, Sender, named

TOLD = 20  # refused files of one student's zip; the others are counted
LONGEST = 200  # bytes of a file's name; systems take 255
NOT_THEIRS = (STAMP, SECRET)  # names that mean something to nbgrader: a student's own must not
IN_A_ROW = datetime.timedelta(hours=1)  # entries no further apart were stamped by the packing


@dataclass
class HandedIn:
    """One student's files, and when they came as far as the archive knows."""

    sender: Sender
    files: dict[str, bytes] = field(default_factory=dict)
    orders: dict[str, int] = field(default_factory=dict)
    late: bool = False
    time: datetime.datetime | None = None

    @property
    def size(self) -> int:
        return sum(map(len, self.files.values()))


@dataclass
class Sorted:
    """What an archive holds."""

    students: dict[str, HandedIn] = field(default_factory=dict)
    strangers: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # sender -> files
    refused: list[tuple[str, str]] = field(default_factory=list)  # file, reason
    packed: bool = False  # whether the archive's times are those of its packing


def sort(archive: Archive, roster: Roster, exercise: str) -> Sorted:
    """Reads an archive to its end, whatever single entries are like."""
    found, times, known = Sorted(), [], 0
    for entry in archive.entries():
        if RUBBISH.search(entry.path):
            continue
        about = named(entry.path)
        if about is None:
            found.refused.append((entry.path, "its name is none that Canvas or Moodle gives"))
            continue
        known += 1
        times += [entry.time] if entry.time else []
        _take(archive, entry, about, roster, found)
    if not known:
        raise KitError(
            "This zip holds no file named as Canvas or Moodle name them in a bulk download.\n"
            "Canvas: Download Submissions, on the assignment's page. Moodle: Download all submissions."
        )
    found.packed = len(found.students) > 1 and bool(times) and max(times) - min(times) < IN_A_ROW
    for work in found.students.values():
        _name_as_released(work, exercise)
    return found


def _take(archive: Archive, entry: Entry, about: Named, roster: Roster, found: Sorted) -> None:
    student = roster.find(about.sender)
    if student is None:
        found.strangers[about.sender.label].append(about.file or entry.path)
        return
    if not about.file:
        found.refused.append((entry.path, "text typed into the LMS: a notebook or a .py file is needed"))
        return
    work = found.students.setdefault(student, HandedIn(about.sender))
    try:
        data = archive.read(entry, MAX_ALL - work.size)
        files = list(_unpacked(about.file, data, MAX_ALL - work.size, found, entry.path))
    except RefusedError as why:
        found.refused.append((entry.path, str(why)))
        return
    for name, content in files:
        if len(work.files) >= MOST_FILES:
            found.refused.append((entry.path, f"more than {MOST_FILES} files of one student"))
            return
        _put(work, name, content, about.order)
    work.late |= about.late
    if entry.time and (work.time is None or entry.time > work.time):
        work.time = entry.time


def _unpacked(name: str, data: bytes, most: int, found: Sorted, path: str) -> Iterator[tuple[str, bytes]]:
    """A file, or the files of a zip that a student handed in; no deeper.

    What is refused counts as what is taken does: it may have been unpacked first.
    """
    if not name.lower().endswith(".zip"):
        yield name, data
        return
    try:
        with Archive(data) as inner:
            refused = 0
            for entry in inner.entries():
                if RUBBISH.search(entry.path):
                    continue
                try:
                    yield entry.path, inner.read(entry, most)
                except RefusedError as why:
                    refused += 1
                    if refused <= TOLD:
                        found.refused.append((f"{path}: {entry.path}", str(why)))
                most -= entry.info.file_size if entry.info.file_size <= most else 0
            if refused > TOLD:
                found.refused.append((path, f"{refused - TOLD} more files in it cannot be taken"))
    except KitError as error:
        raise RefusedError(str(error)) from error


def _put(work: HandedIn, name: str, content: bytes, order: int) -> None:
    *folders, last = PurePosixPath(name).parts or ("",)
    last = _short(last)
    if any(folder.lower() in NOT_STUDENTS or folder.startswith(".") for folder in folders):
        return
    if last.lower() in NOT_THEIRS or last.startswith("."):
        return
    if work.files.get(last, content) != content:
        path = PurePosixPath(last)
        numbered = (f"{path.stem} ({number}){path.suffix}" for number in range(2, MOST_FILES + 2))
        last = next(name for name in numbered if name not in work.files)
    work.files[last], work.orders[last] = content, order


def _short(name: str) -> str:
    """The name cut so that every file system takes it; its ending stays."""
    name = "".join(c if c.isprintable() else "_" for c in name) or "_"
    ending = PurePosixPath(name).suffix[:20]
    stem = name.removesuffix(ending).encode()
    if len(stem) + len(ending.encode()) <= LONGEST:
        return name
    return stem[: LONGEST - len(ending.encode())].decode("utf-8", "ignore") + ending


def _name_as_released(work: HandedIn, exercise: str) -> None:
    """Takes back what LMS, browser and system did to the exercise's name, where only one can be meant."""
    for ending in (".ipynb", ".py"):
        wanted = f"{exercise}{ending}"
        alike = [name for name in work.files if _is_copy(name, exercise, ending)]
        if wanted in work.files or not alike:
            continue
        newest = max(alike, key=lambda name: work.orders[name])
        if len(alike) == 1 or [work.orders[name] for name in alike].count(work.orders[newest]) == 1:
            work.files[wanted], work.orders[wanted] = work.files.pop(newest), work.orders.pop(newest)


def _is_copy(name: str, exercise: str, ending: str) -> bool:
    found = ENDINGS.search(name)
    if found is None or f".{found[1].lower()}" != ending:
        return False
    return plain(COPY.sub("", name[: found.start()])) == plain(exercise)
