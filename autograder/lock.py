"""One writer at a time for an exercise: a file that says who holds it, where, doing what, and since when.

The kernel knows whether a holder on this machine lives: its hold on the file ends with its process, however
that ends. What the file says is for people, and for machines whose kernels do not tell each other.
"""

import contextlib
import datetime
import errno
import fcntl
import getpass
import json
import os
import platform
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder.layout import Course
from autograder.model import KitError

PAUSE = 0.2  # seconds between two looks at a lock that is waited for
NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)  # a file system that knows none


class LockedError(KitError):
    """Somebody else writes at the moment; the message says who, and what to do."""

    def __init__(self, message: str, here: bool):
        super().__init__(message)
        self.here = here  # a process of this machine, so that it is at work indeed


@dataclass(frozen=True)
class Holder:
    """Who holds an exercise."""

    user: str
    host: str
    pid: int
    command: str
    since: str  # in UTC

    def __str__(self) -> str:
        return f"{self.user} on {self.host} (process {self.pid}) runs `{self.command}` since {self.since}"


@contextlib.contextmanager
def locked(
    course: Course, name: str, command: str, *, wait: float = 0, say: Callable[[str], None] | None = None
) -> Iterator[None]:
    """Holds the exercise. wait: seconds to wait for another. say: is told of waiting and taking over.

    Raises LockedError where somebody else holds it for longer.
    """
    file = course.lock(name)
    handle = _opened(file)
    try:
        _take(handle, name, file, wait, say or _say)
        _write(handle, json.dumps(asdict(_ourselves(command)), ensure_ascii=False))
        try:
            yield
        finally:
            _write(handle, "")
    finally:
        os.close(handle)


def _take(handle: int, name: str, file: Path, wait: float, say: Callable[[str], None]) -> None:
    deadline = time.monotonic() + wait
    if (other := _refusing(handle)) and wait:
        say(f"{name}: waiting; {other}.")
    while other and time.monotonic() < deadline:
        time.sleep(PAUSE)
        other = _refusing(handle)
    if other:
        raise LockedError(_refusal(name, other, file), other.host == platform.node())
    if before := _read(handle):
        say(f"{name}: taken over from a run that ended without a word: {before}.")


def _opened(file: Path) -> int:
    try:
        for folder in reversed(file.parents[:2]):  # the course's private folder may be new
            folder.mkdir(mode=0o700, exist_ok=True)
        return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise KitError(
            f"{file} cannot be written: {error.strerror}.\nMake the course's folder writable, then try again."
        ) from error


def _refusing(handle: int) -> Holder | None:
    """Takes hold of the file, or gives who else does."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read(handle) or Holder("somebody", platform.node(), 0, "attn", "a moment ago")
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
        return _alive_by_number(_read(handle))
    there = _read(handle)
    if there and there.host != platform.node():  # its kernel may not have told ours
        _let_go(handle)
        return there
    return None


def _alive_by_number(there: Holder | None) -> Holder | None:
    """Where the file system knows no locks: the holder, unless it was a process of this machine."""
    gone = there and there.host == platform.node() and not Path(f"/proc/{there.pid}").exists()
    return None if gone else there


def _let_go(handle: int) -> None:
    with contextlib.suppress(OSError):
        fcntl.flock(handle, fcntl.LOCK_UN)


def _refusal(name: str, other: Holder, file: Path) -> str:
    if other.host == platform.node():
        cure = "Try again when it has ended, or let the same command wait: add --wait."
    else:
        cure = f"If that machine or process is gone, take the lock away: rm {shlex.quote(str(file))}"
    return f"{name} is in use, and nothing was touched: {other}.\n{cure}"


def _ourselves(command: str) -> Holder:
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container's user without a name
        user = f"user {os.getuid()}"
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return Holder(user, platform.node(), os.getpid(), command, now)


def _read(handle: int) -> Holder | None:
    try:
        return Holder(**json.loads(os.pread(handle, 1 << 16, 0)))
    except (ValueError, TypeError):
        return None


def _write(handle: int, text: str) -> None:
    with contextlib.suppress(OSError):  # a full disk: the hold is the kernel's, the text is for people
        os.ftruncate(handle, 0)
        os.pwrite(handle, text.encode("utf-8", "backslashreplace"), 0)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
