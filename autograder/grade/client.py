"""Warm zygotes, the walls around the desks that they open, and all that a proctor needs to use them.

Everything that a desk sends is distrusted: it gives plain values, an outcome that is the student's own, or a
dead desk.
"""

import json
import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Self

import numpy as np

from autograder.desk import bubblewrap, wire
from autograder.grade.answers import (
    Answer,
    DeskFault,
    Effects,
    Error,
    Limits,
    Loaded,
    LostError,
    Outcome,
    Refused,
    WallsMissing,
)
from autograder.grade.desks import Desk
from autograder.grade.line import Line, cpu_seconds
from autograder.grade.selftest import self_test
from autograder.grade.tables import Tables
from autograder.model import Cell

__all__ = [
    "Answer",
    "Desk",
    "DeskFault",
    "Effects",
    "Error",
    "Limits",
    "Loaded",
    "Outcome",
    "Refused",
    "WallsMissing",
    "Zygote",
]

PROGRAM = Path(wire.__file__).with_name("zygote.py")
PACKAGES = str(Path(np.__file__).resolve().parent.parent)
SECONDS = 60.0  # to start, or to get ready: only a loaded machine takes longer than one, and only we wait
LINUX = sys.platform == "linux"
STRONGEST_FIRST = ("bubblewrap", "landlock", "strict")
ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",  # sets in the same order in every run
    "LC_ALL": "C.UTF-8",
}


class Zygote:
    """One warm process that opens desks. A context manager.

    `walls`: auto, or one of bubblewrap, landlock, strict and none; after a colon, the most of Landlock's
    versions that is used ("landlock:1"). Raises WallsMissing where the machine does not give them.
    """

    def __init__(self, limits: Limits | None = None, walls: str = "auto") -> None:
        self.limits, self._wanted = limits or Limits(), walls
        self._control: socket.socket | None = None
        self._process: subprocess.Popen | None = None
        self.tables = Tables()
        self.cpu_seconds = 0.0  # of all desks that have ended
        self.walls: dict = {}  # what is in force, as plain data for run.json

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop()

    def open(
        self,
        cells: Sequence[Cell],
        *,
        stand_ins: Mapping[str, Callable] | None = None,
        max_asks: int | None = None,
        late: Collection[int] = (),
        told: bytes = b"",
    ) -> Desk:
        """A desk with these cells loaded; `stand_ins` answer, here, for its functions of these names.

        late: places of cells that ran out of time at another desk; they are not given all of it again.
        told: what it is told beforehand, so that it does not ask; see prompting.py.
        """
        asks = self.limits.asks if max_asks is None else max_asks
        return Desk(self, cells, stand_ins or {}, asks, late, told)

    @property
    def process_id(self) -> int:
        """The zygote's process, or bubblewrap's around it."""
        return self._process.pid

    # a desk's process

    def fork(self) -> Line:
        """The line to a new desk that is ready. Raises DeskFault."""
        line = self._try_fork()
        if line is None:  # without walls, a student's code may have killed the zygote
            self._stop()
            self._start()
            line = self._try_fork()
        if line is None:
            raise DeskFault("a desk could not be set up; `attn jail` says what this machine lacks")
        return line

    def _try_fork(self) -> Line | None:
        ours, theirs = socket.socketpair()
        if LINUX:
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        line, number = Line(ours), secrets.randbits(48)
        try:
            with theirs:
                order = json.dumps({"open": number}).encode() + b"\n"
                socket.send_fds(self._control, [order], [theirs.fileno(), line.memory])
            line.start(number, SECONDS)
        except (OSError, LostError):
            line.close()
            return None
        return line

    def end(self, line: Line) -> None:
        """Has the desk behind this line killed and reaped, before anything else that the zygote does."""
        self.cpu_seconds += cpu_seconds(line.pid)
        line.close()
        with suppress(OSError):
            self._control.sendall(json.dumps({"close": line.desk}).encode() + b"\n")

    # the zygote's own process

    def _start(self) -> None:
        """The strongest walls first; what is weaker only where the machine does not give them."""
        wanted, _, abi = self._wanted.partition(":")
        missing = {}
        for mode in STRONGEST_FIRST if wanted == "auto" else (wanted,):
            try:
                report = self._launch(mode, int(abi) if abi else None)
            except WallsMissing as fault:
                missing[mode] = str(fault)
                self._stop()
                continue
            self.walls = report | {"missing": missing, "self_test": {}}
            self._try_walls(mode)
            return
        raise WallsMissing(f"this machine gives no walls ({'; '.join(missing.values())})")

    def _try_walls(self, mode: str) -> None:
        try:
            self.walls["self_test"] = self_test(self.open) if mode != "none" else {}
        except BaseException:
            self._stop()
            raise

    def _launch(self, mode: str, abi: int | None) -> dict:
        if not LINUX and (mode != "none" or not hasattr(os, "fork")):
            raise WallsMissing(f"{mode}: not on {sys.platform}")
        program = [os.path.realpath(sys.executable), "-s", "-S", "-P", "-B", str(PROGRAM)]
        if mode == "bubblewrap":
            program = bubblewrap.command(PACKAGES, program, ENVIRONMENT)
            if program is None:
                raise WallsMissing(
                    "bubblewrap: not installed (Debian and Ubuntu: apt-get install bubblewrap)"
                )
        self._control, theirs = socket.socketpair()
        with theirs:
            streams = {"stdin": theirs, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
            self._process = subprocess.Popen(
                program, **streams, env=ENVIRONMENT, cwd="/", start_new_session=True
            )
        reply = self._settle(mode, abi)
        if "walls" in reply:
            self._process.stderr.close()
            return reply["walls"]
        raise WallsMissing(f"{mode}: {reply.get('fault') or self._last_words()}")

    def _settle(self, mode: str, abi: int | None) -> dict:
        """Sends the settings, which are nobody else's to see, and waits until the zygote is warm."""
        limits = asdict(self.limits) | {
            "total_seconds": int(self.limits.load_seconds * 2 + 12 * self.limits.step_seconds)
        }
        settings = {"mode": mode, "landlock_abi": abi, "packages": PACKAGES, "limits": limits}
        try:
            self._control.settimeout(SECONDS)
            self._control.sendall(json.dumps(settings).encode() + b"\n")
            return json.loads(self._control.makefile("rb").readline() or b"{}")
        except OSError:
            return {}

    def _last_words(self) -> str:
        self._process.kill()
        words = self._process.communicate()[1].decode("utf-8", "replace").strip()
        return words.rsplit("\n", 1)[-1][:200] or "it ended without a word"

    def _stop(self) -> None:
        if self._control is not None:
            self._control.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=5)
            self._process.kill()
            self._process.wait()
            self._process.stderr.close()
        self._control = None
