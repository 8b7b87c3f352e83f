"""A command's wall seconds, its CPU seconds and its memory, each with all processes that it starts."""

import ctypes
import os
import resource
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

SUBREAPER = 36  # prctl: processes that lose their parent become children of this one, and are accounted for
PAUSE = 0.5  # seconds between two looks at the memory, at the least
SPARING = 100  # times what a look takes: it holds up whose memory it adds up


@dataclass(frozen=True)
class Measured:
    """What a command took."""

    wall: float
    cpu: float
    memory: float  # MB at the most: the sum of proportional set sizes, so that shared pages count once


def measured(command: Sequence[str | Path], folder: Path) -> Measured:
    """Runs a command in a folder to its end. Raises CalledProcessError where it fails."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    began, before, ended = time.monotonic(), _cpu(), threading.Event()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    peaks = [0.0]
    watching = threading.Thread(target=_watch, args=(process.pid, ended, peaks))
    watching.start()
    errors = process.communicate()[1]
    wall = time.monotonic() - began
    ended.set()
    watching.join()
    with suppress(ChildProcessError):
        while True:
            os.wait()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, stderr=errors)
    return Measured(wall, _cpu() - before, peaks[0])


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watch(pid: int, ended: threading.Event, peaks: list[float]) -> None:
    pause = PAUSE
    while not ended.wait(pause):
        began = time.monotonic()
        peaks[0] = max(peaks[0], sum(map(_memory, (pid, *_descendants(pid)))))
        pause = max(PAUSE, SPARING * (time.monotonic() - began))


def _descendants(pid: int) -> Iterator[int]:
    with suppress(OSError):
        for file in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in map(int, file.read_text(encoding="ascii").split()):
                yield child
                yield from _descendants(child)


def _memory(pid: int) -> float:
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
        return int(next(line for line in lines if line.startswith("Pss:")).split()[1]) / 1024
    return 0.0
