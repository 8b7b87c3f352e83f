"""A zip file from somewhere else, read so that nothing in it can reach, fill or stop anything.

Nothing is unpacked by a name that stands in it. What is refused is told with its reason; the rest goes on.
"""

import datetime
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from autograder.intake.folder import MAX_FILE
from autograder.model import KitError

MOST_ENTRIES = 50_000
MOST_BYTES = 4 << 30  # of everything in one archive
PIECE = 1 << 20  # bytes read at a time
ENCRYPTED, UTF8 = 0x1, 0x800  # flags of an entry
UNIVERSAL_TIME = 0x5455  # an extra field with seconds in UTC; the plain field has local time


class RefusedError(Exception):
    """One entry is not taken; the message says why."""


@dataclass(frozen=True)
class Entry:
    """One file in an archive, not read yet."""

    path: str
    time: datetime.datetime | None  # in UTC
    info: zipfile.ZipInfo


class Archive:
    """A context manager. Raises KitError where the file is no zip."""

    def __init__(self, source: Path | bytes):
        self._source = source
        self._left = MOST_BYTES

    def __enter__(self) -> "Archive":
        name = self._source if isinstance(self._source, Path) else "it"
        try:
            opened: Path | BinaryIO = (
                self._source if isinstance(self._source, Path) else BytesIO(self._source)
            )
            self._zip = zipfile.ZipFile(opened)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error) as error:
            why = getattr(error, "strerror", None) or error
            raise KitError(f"{name} is no zip file that can be read: {why}") from error
        return self

    def __exit__(self, *exception: object) -> None:
        self._zip.close()

    def entries(self) -> Iterator[Entry]:
        """All files, folders left out. One that is not safe to name comes too: reading it refuses."""
        infos = self._zip.infolist()
        if len(infos) > MOST_ENTRIES:
            raise KitError(f"{self._source} holds {len(infos)} entries, more than {MOST_ENTRIES}.")
        for info in infos:
            if not info.filename.endswith("/"):  # an empty name, at which is_dir stops, is refused later
                yield Entry(_path(info), _time(info), info)

    def read(self, entry: Entry, most: int = MAX_FILE) -> bytes:
        """An entry's bytes. Raises RefusedError where it is not to be taken."""
        if why := _unsafe(entry, most := min(most, self._left)):
            raise RefusedError(why)
        try:
            with self._zip.open(entry.info) as opened:
                return self._bounded(opened, most, min(PIECE, entry.info.file_size + 1))
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, struct.error) as error:
            raise RefusedError(f"it is damaged: {error}") from error
        except NotImplementedError as error:
            raise RefusedError(f"it is packed in a way that is not read: {error}") from error
        except RuntimeError as error:  # what zipfile says of a password
            raise RefusedError("it is encrypted") from error

    def _bounded(self, opened: BinaryIO, most: int, size: int) -> bytes:
        """What an entry says of its size is not believed: it is counted, in pieces of the given size."""
        pieces, taken = [], 0
        while piece := opened.read(size):
            taken += len(piece)
            if taken > most:
                raise RefusedError(f"it unpacks to more than {most >> 20} MB")
            pieces.append(piece)
        self._left -= taken
        return b"".join(pieces)


def _unsafe(entry: Entry, most: int) -> str:
    mode = entry.info.external_attr >> 16
    kind = stat.S_IFMT(mode)
    if entry.info.flag_bits & ENCRYPTED:
        return "it is encrypted"
    if kind not in (0, stat.S_IFREG):
        return "it is a link" if stat.S_ISLNK(mode) else "it is no regular file"
    path = PurePosixPath(entry.path)
    if path.is_absolute() or ".." in path.parts or entry.path[1:3] in (":/", ":\\"):
        return "its name leads out of the archive"
    if entry.info.file_size > most:
        return f"it unpacks to more than {most >> 20} MB"
    return ""


def _path(info: zipfile.ZipInfo) -> str:
    """The entry's name as it was meant: many programs write UTF-8 or GBK and do not say so."""
    name = info.filename
    if not info.flag_bits & UTF8:
        try:
            raw = info.orig_filename.encode("cp437")
        except UnicodeEncodeError:
            return name.replace("\\", "/")
        for encoding in ("utf-8", "gb18030"):
            try:
                return raw.decode(encoding).replace("\\", "/")
            except UnicodeDecodeError:
                continue
    return name.replace("\\", "/")


def _time(info: zipfile.ZipInfo) -> datetime.datetime | None:
    """When the entry was last changed, in UTC; a plain time is taken as this machine's."""
    at, extra = 0, info.extra
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, at)
        if kind == UNIVERSAL_TIME and size >= 5 and at + 9 <= len(extra) and extra[at + 4] & 1:
            (seconds,) = struct.unpack_from("<i", extra, at + 5)
            return datetime.datetime.fromtimestamp(seconds, datetime.UTC).replace(tzinfo=None)
        at += 4 + size
    try:
        local = datetime.datetime(*info.date_time)
        return local.astimezone(datetime.UTC).replace(tzinfo=None) if local.year > 1980 else None
    except (ValueError, OverflowError):
        return None
