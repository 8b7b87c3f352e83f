"""Bulk downloads as Canvas and Moodle make them, and what hostile people make of such a file."""

import datetime
import io
import struct
import zipfile

DAY = datetime.datetime(2026, 3, 1, 12)


def zip_of(*entries):
    """A zip; an entry is a name and its bytes, and if wished a dictionary of what else is true of it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, *more in entries:
            about = more[0] if more else {}
            info = zipfile.ZipInfo(name, about.get("local", (2026, 3, 1, 12, 0, 0)))
            info.compress_type, info.create_system = zipfile.ZIP_DEFLATED, 3
            info.external_attr = about.get("mode", 0o100644) << 16
            if when := about.get("utc"):
                seconds = int(when.replace(tzinfo=datetime.UTC).timestamp())
                info.extra = struct.pack("<HHBi", 0x5455, 5, 1, seconds)
            archive.writestr(info, data)
    return out.getvalue()


def flagged(content, flag, name, *, on=True):
    """The same zip with a flag of one entry set or not, in its own header and in the directory."""
    content = bytearray(content)
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = 0
        while (start := content.find(mark, start)) >= 0:
            if name.encode() in content[start : start + 200]:
                (old,) = struct.unpack_from("<H", content, start + at)
                struct.pack_into("<H", content, start + at, old | flag if on else old & ~flag)
            start += 4
    return bytes(content)


def canvas(who, user, attachment, file, *, late=False):
    return f"{who}{'_LATE' if late else ''}_{user}_{attachment}_{file}"


def moodle(name, participant, file, *, old=False, newest=False):
    folder = f"{name}_{participant}_assignsubmission_file"
    return f"{folder}_{file}" if old else f"{folder}{'' if newest else '_'}/{file}"
