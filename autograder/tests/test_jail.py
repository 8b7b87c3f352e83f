"""Each way of walling in holds by itself, says what it is made of, and is tried before each run."""

import errno
import os
import platform
import re
import struct
import sys
from pathlib import Path

import pytest

from autograder.desk import bubblewrap, seccomp, syscalls
from autograder.grade import client, selftest, walls
from autograder.grade.client import DeskFault, Limits, WallsMissing, Zygote
from autograder.tests.walls import GOOD, INNER, OUTER, QUICK, REDUCED, WHOLE, ask, one, verdict

ALL = [*WHOLE, *REDUCED]


@pytest.mark.parametrize("mode", ALL)
def test_each_way_of_walling_in_holds_by_itself(mode):
    with Zygote(QUICK, mode) as zygote:
        found = zygote.walls
        with zygote.open(one(GOOD)) as desk:
            assert verdict(desk) == "pass"
    assert found["mode"] == mode.partition(":")[0]
    assert set(found["self_test"].values()) == {"held"}
    assert len(found["self_test"]) >= 10
    assert set(found["used"]) <= set(walls.LAYERS)


@pytest.mark.parametrize("mode", ALL)
def test_walls_are_made_of_what_they_say(mode):
    name, _, abi = mode.partition(":")
    with Zygote(QUICK, mode) as zygote:
        found = zygote.walls
    files = name != "strict" and abi != "0" and bool(INNER)
    assert ("bubblewrap" in found["used"]) == (name == "bubblewrap")
    assert ("landlock" in found["used"]) == ("seccomp" in found["used"]) == files
    assert ("strict seccomp" in found["used"]) != files
    assert ("nobody" in found["used"]) <= (os.geteuid() == 0)
    assert abi == "" or found["machine"]["landlock_abi"] == int(abi)


def test_the_strongest_walls_are_taken():
    with Zygote(QUICK) as zygote:
        assert zygote.walls["mode"] == WHOLE[0]


def test_weaker_walls_are_taken_where_stronger_ones_fail(monkeypatch):
    monkeypatch.setattr(
        bubblewrap, "command", lambda *arguments: [sys.executable, "-c", "raise SystemExit('no')"]
    )
    with Zygote(QUICK) as zygote:
        assert zygote.walls["mode"] == [*INNER, "strict"][0]
        assert zygote.walls["missing"] == {"bubblewrap": "bubblewrap: no"}
    monkeypatch.setattr(bubblewrap, "command", lambda *arguments: None)
    with Zygote(QUICK, "auto:0") as zygote:
        assert zygote.walls["mode"] == "strict"
        assert "not installed" in zygote.walls["missing"]["bubblewrap"]
        assert "Landlock" in zygote.walls["missing"]["landlock"]


def test_without_any_walls_the_work_of_others_is_refused(monkeypatch):
    monkeypatch.setattr(client, "STRONGEST_FIRST", ("landlock",))
    with pytest.raises(WallsMissing, match="no walls"), Zygote(QUICK, "auto:0"):
        pass
    said = walls.report("auto:0")
    assert "container" in said and "--unsafe" in said


def test_no_walls_say_so():
    with Zygote(QUICK, "none") as zygote:
        assert zygote.walls["mode"] == "none"
        assert not zygote.walls["self_test"]
    assert "NO WALLS" in walls.report("none")


def test_the_self_test_finds_what_gets_through():
    with Zygote(QUICK, "none") as zygote, pytest.raises(DeskFault) as caught:
        selftest.self_test(zygote.open)
    for breach in ("reads_a_file_of_the_system", "lists_a_folder", "makes_a_socket", "signals_its_parent"):
        assert breach in str(caught.value)


def test_a_self_test_that_tries_nothing_is_none(monkeypatch, tmp_path):
    empty = tmp_path / "breaches.py"
    empty.write_text("import nothing.at.all\n1 / 0\n", encoding="utf-8")
    monkeypatch.setattr(selftest, "BREACHES", empty)
    with pytest.raises(DeskFault, match="could not be loaded"), Zygote(QUICK, "strict"):
        pass
    empty.write_text("", encoding="utf-8")
    with pytest.raises(DeskFault, match="could not be loaded"), Zygote(QUICK, "strict"):
        pass


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_report_names_each_layer_and_breach(language):
    said, found = walls.report(language=language), walls.inspect()
    assert all(getattr(walls.LAYERS[layer], language) in said for layer in found["used"])
    assert all(breach.replace("_", " ") in said for breach in found["self_test"])


# limits

BOUNDS = """
import resource
def limits(): return [list(resource.getrlimit(getattr(resource, 'RLIMIT_' + name))) for name in NAMES]
NAMES = 'FSIZE CORE NOFILE NPROC MEMLOCK MSGQUEUE'.split()
def seconds(): return list(resource.getrlimit(resource.RLIMIT_CPU))
def room():
    taken = []
    while True: taken.append(bytearray(1 << 20))
"""


@pytest.mark.parametrize("mode", [WHOLE[0], "none"])
def test_resources_are_bounded(mode):
    with Zygote(Limits(memory_mb=64), mode) as zygote, zygote.open(one(BOUNDS)) as desk:
        assert ask(desk, "limits").value == [[0, 0], [0, 0], [64, 64], [0, 0], [0, 0], [0, 0]]
        soft, hard = ask(desk, "seconds").value
        assert hard == soft + 1
        assert ask(desk, "room").error.name == "MemoryError"


def test_a_desk_sees_no_more_than_it_needs():
    source = "import os, sys\ndef seen(): return [*os.environ, *sys.argv, *sys.orig_argv, *sys.path]"
    os.environ["ATTN_TEST_TOKEN"] = "token"
    with Zygote(QUICK) as zygote, zygote.open(one(source)) as desk:
        seen = " ".join(ask(desk, "seen").value)
    del os.environ["ATTN_TEST_TOKEN"]
    assert "TOKEN" not in seen and "site-packages" not in seen.replace(client.PACKAGES, "")


# the filter, run here instruction by instruction as the kernel would

NAMES = {0x7FFF0000: "allow", 0x80000000: "kill"}


def decide(program, machine, number, *arguments):
    """What the filter says to one system call."""
    data = struct.pack("<IIQ", number, syscalls.AUDIT[machine], 0)
    data += struct.pack("<6Q", *(arguments + (0,) * 6)[:6])
    steps, at, value = list(struct.iter_unpack("HBBI", program)), 0, 0
    while True:
        code, true, false, k = steps[at]
        at += 1
        if code == seccomp.LOAD:
            value = struct.unpack_from("<I", data, k)[0]
        elif code == seccomp.RETURN:
            return NAMES.get(k) or errno.errorcode[k & 0xFFFF]
        else:
            holds = {
                seccomp.EQUAL: value == k,
                seccomp.AT_LEAST: value >= k,
                seccomp.ANY_BIT: bool(value & k),
            }[code]
            at += true if holds else false


MACHINES = pytest.mark.parametrize("machine", syscalls.AUDIT)


@MACHINES
@pytest.mark.parametrize("files", [True, False])
def test_exactly_the_listed_calls_are_allowed(machine, files):
    program = seccomp.program(machine, files=files)
    allowed = syscalls.numbers(syscalls.MEMORY_AND_TIME, machine)
    special = syscalls.numbers(syscalls.SPECIAL, machine)
    reading = syscalls.numbers(syscalls.READING_FILES, machine)
    for number in range(600):
        said = decide(program, machine, number)
        if number in allowed.values() or (files and number in reading.values()):
            assert said == "allow", number
        elif number not in special.values():
            assert said == "EPERM", number


@MACHINES
def test_arguments_decide_where_they_matter(machine):
    program = seccomp.program(machine, files=True)
    number = syscalls.numbers(syscalls.SPECIAL, machine)
    say = lambda name, *arguments: decide(program, machine, number[name], *arguments)  # noqa: E731 shorter so
    assert say("openat", -100 & 0xFFFFFFFF, 1, os.O_RDONLY | os.O_CLOEXEC) == "allow"
    for flag in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_APPEND, os.O_PATH, os.O_TMPFILE):
        assert say("openat", 0, 1, flag) == "EACCES"
    assert say("fcntl", 3, 3) == "allow"  # F_GETFL
    for command in (4, 5, 6, 8, 10, 1024, 1033):  # F_SETFL, locks, F_SETOWN, F_SETSIG, a lease, seals
        assert say("fcntl", 3, command) == "EPERM"
    assert say("prlimit64", 0, 7, 0, 1) == "allow"
    assert (
        say("prlimit64", 1, 7, 0, 1)
        == say("prlimit64", 0, 7, 1 << 32)
        == say("prlimit64", 0, 7, 1)
        == "EPERM"
    )
    assert say("ioctl", 0, 0x5412) == "ENOTTY"
    assert say("clone3") == say("openat2") == "ENOSYS"


@MACHINES
def test_without_files_none_can_be_opened(machine):
    program = seccomp.program(machine, files=False)
    for name, number in syscalls.numbers(syscalls.SPECIAL, machine).items():
        if name.startswith("open"):
            assert decide(program, machine, number) in ("EPERM", "ENOSYS")


def test_other_doors_of_x86_64_kill():
    program = seccomp.program("x86_64", files=True)
    assert decide(program, "x86_64", 0x40000000) == "kill"
    assert decide(program, "aarch64", 0) == "kill"  # any other architecture's calls


def test_an_unknown_architecture_has_no_filter():
    with pytest.raises(seccomp.SeccompError, match="m68k"):
        seccomp.program("m68k", files=True)


@MACHINES
def test_no_number_stands_for_two_calls(machine):
    tables = (syscalls.MEMORY_AND_TIME, syscalls.READING_FILES, syscalls.SPECIAL)
    numbers = [number for table in tables for number in syscalls.numbers(table, machine).values()]
    assert len(numbers) == len(set(numbers))


@pytest.mark.system
@pytest.mark.parametrize(
    ("machine", "header"),
    [("x86_64", "x86_64-linux-gnu/asm/unistd_64.h"), ("aarch64", "asm-generic/unistd.h")],
)
def test_the_tables_agree_with_the_kernel_s_own(machine, header):
    """The headers are in Debian's package linux-libc-dev; aarch64 uses the generic numbers."""
    text = Path("/usr/include", header).read_text(encoding="utf-8")
    known = {name: int(n) for name, n in re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", text)}
    known["newfstatat"] = known.get("newfstatat", known.get("fstatat"))
    for table in (syscalls.MEMORY_AND_TIME, syscalls.READING_FILES, syscalls.SPECIAL):
        for name, number in syscalls.numbers(table, machine).items():
            assert number == known[name], name


def test_this_machine_has_a_table_or_no_walls():
    assert platform.machine() in syscalls.AUDIT or not OUTER
