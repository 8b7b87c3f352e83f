"""The walls around a desk: which ones this machine gives, and stepping behind them in the right order.

A zygote prepares them once; each desk then needs a few system calls. What fails here is our fault, and the
desk never starts.
"""

import ctypes
import errno
import os
import platform
import resource
import signal
import struct
import sys
from pathlib import Path

from . import folders, landlock, seccomp

MEGABYTE = 1 << 20
NOBODY = 65534
DEATH_SIGNAL, DUMPABLE = 1, 4  # prctl's numbers
CAPABILITIES = 0x20080522  # the version of capset's structures that has 64 of them
LINUX = sys.platform == "linux"  # elsewhere there are no walls, and bounds as far as they go


class WallsError(Exception):
    """The walls that were asked for cannot be built here."""


class Prepared:
    """What the zygote has made ready, so that each desk only has to step behind it."""

    def __init__(self, settings: dict) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._bounds = _bounds(settings["limits"])
        self._rules, self._filter = -1, b""
        mode, root = settings["mode"], os.geteuid() == 0
        machine = {
            "kernel": platform.release(),
            "architecture": platform.machine(),
            "python": platform.python_version(),
        }
        machine["landlock_abi"] = abi = _landlock_abi(self._libc, settings)
        used = ["bubblewrap"] if mode == "bubblewrap" else []
        used += self._build(mode, abi, settings["packages"]) if mode != "none" else []
        used += ["nobody"] if root and _become_nobody() else []
        if LINUX:
            _drop_capabilities(self._libc)
            self._libc.prctl(DUMPABLE, 0, 0, 0, 0)
        self.report = {"mode": mode, "machine": machine, "root": root, "used": [*used, "rlimits"]}

    def _build(self, mode: str, abi: int, packages: str) -> list[str]:
        """Landlock and seccomp as far as the mode wants them and the kernel has them."""
        if mode == "landlock" and abi == 0:
            raise WallsError("this kernel has no Landlock")
        files = abi > 0 and mode != "strict"
        if files:
            readable, listed = folders.readable(packages)
            self._rules = landlock.ruleset(self._libc, abi, map(str, readable), map(str, listed))
        self._filter = seccomp.program(files=files)
        self._try_filter()
        return ["landlock", "seccomp"] if files else ["strict seccomp"]

    def _try_filter(self) -> None:
        """Whether the kernel takes the filter is found out in a process that ends at once."""
        pid = os.fork()
        if pid == 0:
            try:
                seccomp.install(self._libc, self._filter)
                os._exit(0)
            finally:
                os._exit(1)
        if os.waitpid(pid, 0)[1]:
            raise WallsError("this kernel takes no seccomp filter")

    def confine(self, line: int) -> None:
        """Gives up everything that a desk does not need; there is no way back."""
        if LINUX:
            self._libc.prctl(DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        for what, bound in self._bounds.items():
            resource.setrlimit(what, bound)
        if self._filter:
            if self._libc.prctl(seccomp.NO_NEW_PRIVS, 1, 0, 0, 0):
                raise WallsError(f"no_new_privs: {errno.errorcode.get(ctypes.get_errno())}")
            if self._rules >= 0:
                landlock.restrict(self._libc, self._rules)
        os.closerange(line + 1, 256)
        if self._filter:
            seccomp.install(self._libc, self._filter)


def _bounds(limits: dict) -> dict[int, tuple[int, int]]:
    """(soft, hard) for each resource; the second of CPU between the two is for who ignores SIGXCPU."""
    seconds = limits["total_seconds"]
    bounds = {
        resource.RLIMIT_CPU: (seconds, seconds + 1),
        resource.RLIMIT_FSIZE: (0, 0),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_NOFILE: (64, 64),
        resource.RLIMIT_NPROC: (0, 0),  # binds ordinary users only
        resource.RLIMIT_MEMLOCK: (0, 0),
    }
    if LINUX:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        memory = pages * resource.getpagesize() + limits["memory_mb"] * MEGABYTE
        bounds |= {resource.RLIMIT_AS: (memory, memory), resource.RLIMIT_MSGQUEUE: (0, 0)}
    return {what: _within(bound, resource.getrlimit(what)[1]) for what, bound in bounds.items()}


def _within(bound: tuple[int, int], most: int) -> tuple[int, int]:
    """The bound, where a stricter one is not in force already."""
    return bound if most == resource.RLIM_INFINITY else (min(bound[0], most), min(bound[1], most))


def _become_nobody() -> bool:
    """Gives root's rights up for good, where the system lets go of them."""
    try:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    except OSError:  # inside a user namespace that has no such user
        return False
    return True


def _drop_capabilities(libc: ctypes.CDLL) -> None:
    """Root's single rights, where a container's root cannot become anyone else."""
    header, none = struct.pack("Ii", CAPABILITIES, 0), bytes(24)
    if libc.capset(header, none):
        raise WallsError(f"capset: {errno.errorcode.get(ctypes.get_errno())}")


def _landlock_abi(libc: ctypes.CDLL, settings: dict) -> int:
    return landlock.abi(libc, settings["landlock_abi"]) if LINUX else 0


def needs_all_modules(settings: dict) -> bool:
    """Whether desks can read no modules later: no files at all, or a Python in a closed home."""
    mode = settings["mode"]
    if mode == "strict" or (mode == "bubblewrap" and not _landlock_abi(ctypes.CDLL(None), settings)):
        return True
    library = Path(os.__file__).parent
    closed = [folder for folder in (library, *library.parents) if folder.stat().st_mode & 0o005 != 0o005]
    return os.geteuid() == 0 and bool(closed)
