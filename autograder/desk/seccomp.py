"""A list of the system calls that a desk may make, as a program that the kernel runs before each of them.

What is not on the list fails with EPERM, so that an honest mistake is an exception and not a dead process.
"""

import ctypes
import errno
import platform
import struct

from . import syscalls

NO_NEW_PRIVS, SET_SECCOMP, FILTER_MODE = 38, 22, 2  # prctl's numbers
ALLOW, FAIL, KILL = 0x7FFF0000, 0x00050000, 0x80000000
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in the kernel's struct seccomp_data
X32 = 0x40000000  # numbers from here on are the x86_64 kernel's second, little-tested table
# Opening to write, create, truncate, append, for a nameless file or as a mere handle
NOT_READING = 0o3 | 0o100 | 0o1000 | 0o2000 | 0o20000000 | 0o10000000
DESCRIPTOR_COMMANDS = (0, 1, 2, 3, 1030)  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC


class SeccompError(Exception):
    """The kernel did not take the filter."""


def program(machine: str = "", *, files: bool) -> bytes:
    """The filter for an architecture. `files`: whether files may be read at all; Landlock says which."""
    machine = machine or platform.machine()
    if machine not in syscalls.AUDIT:
        raise SeccompError(f"there is no table of system calls for {machine}")
    special = syscalls.numbers(syscalls.SPECIAL, machine)
    allowed = syscalls.numbers(syscalls.MEMORY_AND_TIME, machine)
    if files:
        allowed |= syscalls.numbers(syscalls.READING_FILES, machine)
    code = [*_load(ARCHITECTURE), (EQUAL, 1, 0, syscalls.AUDIT[machine]), _return(KILL), *_load(NUMBER)]
    code += [(AT_LEAST, 0, 1, X32), _return(KILL)] if machine == "x86_64" else []
    for number in sorted(allowed.values()):
        code += _case(number, [_return(ALLOW)])
    for name, block in _closer_looks(files).items():
        if name in special:
            code += _case(special[name], block)
    code.append(_return(FAIL | errno.EPERM))
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code)


def _closer_looks(files: bool) -> dict[str, list]:
    """What becomes of calls that depend on their arguments."""
    looks = {
        "ioctl": [_return(FAIL | errno.ENOTTY)],
        "clone3": [_return(FAIL | errno.ENOSYS)],
        "openat2": [_return(FAIL | errno.ENOSYS)],
        "fcntl": [*_load(_argument(1)), *_one_of(DESCRIPTOR_COMMANDS)],
        "prlimit64": _reading_own_limits(),
    }
    if files:
        looks |= {"openat": _reading(2), "open": _reading(1)}
    return looks


def _reading(argument: int) -> list:
    return [
        *_load(_argument(argument)),
        (ANY_BIT, 0, 1, NOT_READING),
        _return(FAIL | errno.EACCES),
        _return(ALLOW),
    ]


def _reading_own_limits() -> list:
    """Process 0 (itself), and no new limit: both halves of that pointer are null."""
    refuse, code = _return(FAIL | errno.EPERM), []
    for offset in (_argument(0), _argument(2), _argument(2) + 4):
        code += [*_load(offset), (EQUAL, 1, 0, 0), refuse]
    return [*code, _return(ALLOW)]


def _one_of(values: tuple[int, ...]) -> list:
    code = [step for value in values for step in ((EQUAL, 0, 1, value), _return(ALLOW))]
    return [*code, _return(FAIL | errno.EPERM)]


def _argument(index: int) -> int:
    return ARGUMENTS + 8 * index  # its lower half, on little-endian machines


def _load(offset: int) -> list:
    return [(LOAD, 0, 0, offset)]


def _return(action: int) -> tuple[int, int, int, int]:
    return (RETURN, 0, 0, action)


def _case(number: int, block: list) -> list:
    """The block for one call's number; it ends in a return."""
    return [(EQUAL, 0, len(block), number), *block]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def install(libc: ctypes.CDLL, filter_program: bytes) -> None:
    """Puts this process, and all that it could ever start, behind the filter. Raises SeccompError."""
    block = _Program(len(filter_program) // 8, filter_program)
    if libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(
        SET_SECCOMP, FILTER_MODE, ctypes.byref(block), 0, 0
    ):
        raise SeccompError(f"the kernel refused the filter: {errno.errorcode.get(ctypes.get_errno())}")
