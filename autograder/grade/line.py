"""The proctor's end of a desk's line, under a clock that a busy machine does not speed up.

A desk holds back answers that nobody waits for; where it ends before they are sent, they are in its memory.

CPU time counts first. Sleeping counts too, waiting for a processor does not; where the machine does not tell
the two apart, wall time counts, generously.
"""

import contextlib
import os
import select
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path

from autograder.desk import channel, wire
from autograder.grade.answers import LostError

GRACE = 0.5  # seconds of CPU after the desk's own alarm, before it is killed
NOTICE = 0.05  # seconds after which a call is worth a closer look
IDLE, IDLE_MORE = 2.0, 1.0  # a sleeping call gets this many times its CPU seconds, and so many seconds more
WALL, WALL_MORE = 10.0, 10.0  # the same for wall time, whatever the machine was doing
CREDENTIALS = struct.Struct("iII")


def cpu_seconds(pid: int) -> float:
    """What a process has used since it began; 0 where the kernel does not tell, or of no process."""
    with contextlib.suppress(OSError):
        return time.clock_gettime((~pid << 3) | 2) if pid else 0.0  # the kernel's name for its CPU clock
    return 0.0


class Clock:
    """How long the present call has taken, by the kernel's own account of the desk's process."""

    def __init__(self, pid: int, seconds: float) -> None:
        self._pid = pid
        self.restart(seconds)

    def restart(self, seconds: float) -> None:
        """A new call begins, with so many seconds of CPU."""
        self.limit = self.seconds = max(seconds, 0.01)
        self._start, self._began, self._paused = time.monotonic(), self._used(), 0.0
        self._noticed = False

    def hurry(self) -> None:
        """The call's own alarm has rung; what does not listen to it has no more than the grace left."""
        self.seconds = min(self.seconds, self._used() - self._began)

    @contextlib.contextmanager
    def pause(self) -> Iterator[None]:
        """What the proctor itself takes is not the student's."""
        start = time.monotonic()
        yield
        self._paused += time.monotonic() - start

    def patience(self) -> float:
        """Seconds until the next look at the clock. Raises LostError where the call has had its time."""
        elapsed = self._elapsed()
        if elapsed < NOTICE:
            return NOTICE
        if not self._noticed:
            self._noticed, self._queue = True, self._queued()
        left = {
            "cpu": self.seconds + GRACE - (self._used() - self._began),
            "wall": self.seconds * WALL + WALL_MORE - elapsed,
        }
        if self._queue is not None:
            left["idle"] = self.seconds * IDLE + IDLE_MORE - self._own(elapsed)
        why = min(left, key=left.get)
        if left[why] <= 0:
            raise LostError(why)
        return max(left[why], 0.01)

    def spent(self) -> float:
        """What the present call is charged: its CPU seconds, and those that it slept."""
        used, elapsed = self._used() - self._began, self._elapsed()
        if not self._noticed:
            return min(used, elapsed) if self._pid else elapsed
        return max(used, self._own(elapsed) if self._queue is not None else elapsed / WALL)

    def _elapsed(self) -> float:
        return time.monotonic() - self._start - self._paused

    def _own(self, elapsed: float) -> float:
        """The time that passed, without what was spent waiting for a processor."""
        return elapsed - ((self._queued() or 0.0) - self._queue)

    def _used(self) -> float:
        return cpu_seconds(self._pid)

    def _queued(self) -> float | None:
        """Seconds that the desk was ready to run and had no processor; None where nobody tells.

        Those of this thread count as well: a desk that has asked something sleeps until we come to answer.
        """
        with contextlib.suppress(OSError, ValueError, IndexError):
            return sum(map(_waited, (f"/proc/{self._pid}/schedstat", "/proc/thread-self/schedstat")))
        return None


def _waited(schedstat: str) -> float:
    return int(Path(schedstat).read_text(encoding="ascii").split()[1]) / 1e9


class Line:
    """Frames to and from one desk."""

    def __init__(self, ours: socket.socket) -> None:
        self._socket, self._reader = ours, wire.Reader()
        self.desk = self.pid = 0  # known once it has started
        self.memory = channel.shared_memory()  # a descriptor; it holds what the desk holds back
        self._outgoing, self._lost = bytearray(), None
        self._poll = select.poll()
        self._poll.register(ours, select.POLLIN)

    def start(self, desk: int, seconds: float) -> None:
        """Waits until the desk of that number is ready, and notes its process id as this process knows it."""
        self._socket.settimeout(seconds)
        try:
            data, extra, _, _ = self._socket.recvmsg(1 << 12, 256)
        except OSError as error:
            raise LostError("died") from error
        self._socket.setblocking(False)
        if data != wire.pack({"k": "ready"}):
            raise LostError("died")
        # Linux signs the message with the sender's process id, translated out of its name space.
        self.desk, self.pid = desk, CREDENTIALS.unpack(extra[0][2])[0] if extra else 0
        if extra:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)

    @property
    def unsent(self) -> int:
        """Bytes that the desk has not taken yet."""
        return len(self._outgoing)

    def send(self, frame: bytes) -> None:
        """Sends as soon as the desk takes it; `frames` does the work."""
        self._outgoing += frame

    def frames(self, clock: Clock) -> Iterator[tuple[bytes, bytes]]:
        """Sends what is to be sent, and yields what arrives, header and body, until the caller has enough.

        Raises LostError, after all that the desk has said until then.
        """
        self._lost = None
        while True:
            try:
                while (frame := self._reader.cut()) is not None:
                    yield frame
            except wire.WireError as error:
                raise LostError("died") from error
            if self._lost is not None:
                raise self._lost
            try:
                self._wait(clock)
            except LostError as error:
                self._lost = error
                self._reader.feed(self._held_back())

    def _held_back(self) -> bytes:
        """What the desk has not sent any more."""
        held = os.pread(self.memory, channel.SIZE, 0)
        length = channel.LENGTH.unpack_from(held)[0] if held else 0
        return held[channel.LENGTH.size : channel.LENGTH.size + length]

    @property
    def silent(self) -> bool:
        """Whether nothing has come that was not asked for."""
        return self._reader.empty and not self._poll.poll(0)

    @property
    def has_more(self) -> bool:
        """Whether a part of what has arrived is not heard yet, be it that no more will come."""
        return self._lost is not None or not self._reader.empty

    def _wait(self, clock: Clock) -> None:
        try:
            self._send_some()
            mask = select.POLLIN | (select.POLLOUT if self._outgoing else 0)
            self._poll.modify(self._socket, mask)
            events = self._poll.poll(clock.patience() * 1000)
            if events and events[0][1] & ~select.POLLOUT:
                self._receive()
        except OSError as error:
            raise LostError("died") from error

    def _send_some(self) -> None:
        while self._outgoing:
            try:
                sent = self._socket.send(memoryview(self._outgoing)[: 1 << 18])
            except BlockingIOError:
                return
            del self._outgoing[:sent]

    def _receive(self) -> None:
        data = self._socket.recv(1 << 18)
        if not data:
            raise LostError("died")
        self._reader.feed(data)

    def close(self) -> None:
        self._socket.close()
        os.close(self.memory)
