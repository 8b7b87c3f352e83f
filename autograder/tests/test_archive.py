"""Whatever the bytes of a zip are: it is sorted, or it is an error that people can read."""

import random
import struct
import zipfile
import zlib

import pytest

from autograder.intake.folder import MAX_ALL
from autograder.model import KitError
from autograder.record.lms.archive import Archive
from autograder.record.lms.matching import Person, Roster
from autograder.record.lms.sorting import TOLD, sort
from autograder.tests.downloads import DAY, canvas, moodle, zip_of

ROSTER = Roster([Person("ada", "Ada", "Lovelace", "", "101"), Person("bob", "Bob", "Li")])
WHOLE = zip_of(
    (canvas("a", 101, 5, "self_attention.ipynb"), b"work" * 50),
    (moodle("Bob Li", 3, "作业.ipynb"), b"x" * 99, {"utc": DAY}),
    (canvas("a", 101, 6, "hw.zip"), zip_of(("self_attention.py", b"q" * 70))),
)


def damaged(seed):
    """Some bytes other, gone or new."""
    chance, content = random.Random(seed), bytearray(WHOLE)
    for _ in range(chance.choice([1, 1, 2, 5])):
        at = chance.randrange(len(content))
        kind = chance.random()
        if kind < 0.7:
            content[at] = chance.choice([0, 255, 1, chance.randrange(256)])
        elif kind < 0.85:
            del content[at : at + chance.randrange(20)]
        else:
            content[at:at] = chance.randbytes(chance.randrange(6))
    return bytes(content)


def test_the_undamaged_one_is_sorted():
    with Archive(WHOLE) as archive:
        found = sort(archive, ROSTER, "self_attention")
    assert {student: set(work.files) for student, work in found.students.items()} == {
        "ada": {"self_attention.ipynb", "self_attention.py"},
        "bob": {"作业.ipynb"},
    }
    assert not found.refused and not found.strangers


@pytest.mark.parametrize("start", range(0, 2000, 500))
def test_damage_is_an_error_or_costs_the_damaged_alone(start):
    ends = {"sorted": 0, "refused": 0, "error": 0}
    for seed in range(start, start + 500):
        try:
            with Archive(damaged(seed)) as archive:
                found = sort(archive, ROSTER, "self_attention")
            ends["refused" if found.refused else "sorted"] += 1
        except KitError as error:
            assert str(error)
            ends["error"] += 1
    assert all(ends.values()), "damage of every kind was met"


SIZE = 1 << 20  # bytes that each entry unpacks to


def repeated(entries, crc):
    """A short zip whose entries all are the same bytes, in the same place."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(bytes(SIZE)) + packer.flush()
    fields = (20, 0, 8, 0, 0x21, crc, len(data), SIZE, 1, 0)
    local = struct.pack("<4s5H3L2H", b"PK\3\4", *fields) + b"a" + data
    entry = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, *fields, 0, 0, 0, 0, 0) + b"a"
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, entries, entries, len(entry) * entries, len(local), 0)
    return local + entry * entries + end


@pytest.mark.parametrize("crc", [0, zlib.crc32(bytes(SIZE))], ids=["damaged", "sound"])
def test_a_student_s_zip_unpacks_to_so_much_and_is_told_in_so_many_lines(monkeypatch, crc):
    unpacked = []
    read = zipfile.ZipExtFile.read
    monkeypatch.setattr(
        zipfile.ZipExtFile, "read", lambda self, n=-1: unpacked.append(self._left) or read(self, n)
    )
    inner = repeated(5000, crc)
    whole = zip_of(
        (canvas("a", 101, 5, "hw.zip"), inner), (canvas("b", 101, 6, "self_attention.py"), b"work")
    )
    with Archive(whole) as archive:
        found = sort(archive, ROSTER, "self_attention")
    assert len(unpacked) < 3 * MAX_ALL / SIZE
    assert len(found.refused) == TOLD + 1 and "more files in it" in found.refused[-1][1]
    if crc == 0:
        assert found.students["ada"].files == {"self_attention.py": b"work"}
