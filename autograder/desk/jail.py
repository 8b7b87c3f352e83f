"""The walls around a desk: which ones this machine gives, and putting them up in the order in which they hold."""

import os
import resource

MEGABYTE = 1 << 20


def limit_resources(limits: dict) -> None:
    """Bounds memory, time, files and processes of this process for good."""
    bounds = {
        resource.RLIMIT_AS: _address_space() + limits["memory_mb"] * MEGABYTE,
        resource.RLIMIT_CPU: limits["total_seconds"],
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_NPROC: 0,  # binds ordinary users only
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    for what, soft in bounds.items():
        # one more second of CPU: who ignores SIGXCPU is then killed
        hard = soft + 1 if what == resource.RLIMIT_CPU else soft
        resource.setrlimit(what, (soft, hard))


def _address_space() -> int:
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[0]) * resource.getpagesize()


class Prepared:
    """What the zygote has made ready, so that each desk only has to step behind it."""

    def __init__(self, settings: dict) -> None:
        self._limits = settings["limits"]
        self.report: dict = {"walls": "none"}

    def confine(self, line: int) -> None:
        """Gives up everything that a desk does not need; there is no way back."""
        os.closerange(line + 1, 256)
        limit_resources(self._limits)


def prepare(settings: dict) -> Prepared:
    return Prepared(settings)
