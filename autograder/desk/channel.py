"""The desk's end of the wire."""

import contextlib
import mmap
import os
import struct
from collections import deque
from time import monotonic

from . import wire

SIZE = 64 << 10  # bytes of the memory shared with the proctor
LENGTH = struct.Struct("<I")  # at its beginning: how many bytes after it are not sent yet
SECONDS = 0.02  # after which what is held back goes out, so that the proctor sees work going on


def shared_memory() -> int:
    """A file that is nowhere; empty where the process may make none of that size, and then it is not used."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("desk")
    else:
        import tempfile  # only where it is needed: each module makes a fork slower

        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    with contextlib.suppress(OSError):
        os.truncate(descriptor, SIZE)
    return descriptor


class ClosedError(Exception):
    """The proctor has hung up."""


class Channel:
    """The desk's end of the wire; what arrives while an answer is awaited waits its turn.

    Frames that nobody waits for are held back and sent together, since each one wakes the proctor. They are
    held in memory that it shares: where the process ends before they are sent, it finds them there.
    """

    def __init__(self, descriptor: int, memory: int | None = None) -> None:
        """memory: descriptor of SIZE bytes, closed here; without it, or with fewer, nothing is held back."""
        self._descriptor, self._reader = descriptor, wire.Reader()
        self._waiting: deque = deque()
        self._held, self._end, self._since = None, LENGTH.size, monotonic()
        if memory is not None:
            with contextlib.suppress(ValueError, OSError):
                self._held = mmap.mmap(memory, SIZE)
            os.close(memory)
        self.busy = False  # in the middle of a frame, where nothing may come between

    def hold(self, frame: bytes) -> None:
        """Sends the frame before anything else that is sent or awaited, or somewhat sooner."""
        end = self._end + len(frame)
        if self._held is None or end > SIZE:
            return self.send(frame)
        self.busy = True
        self._held[self._end : end] = frame
        LENGTH.pack_into(self._held, 0, end - LENGTH.size)
        self._end = end
        self.busy = False
        if monotonic() - self._since > SECONDS:
            self.send()
            self._since = monotonic()

    def send(self, frame: bytes = b"") -> None:
        """Sends what is held back, and the frame."""
        self.busy = True
        if self._end > LENGTH.size:
            self._write(self._held[LENGTH.size : self._end])
            self._end = LENGTH.size
            LENGTH.pack_into(self._held, 0, 0)
        self._write(frame)
        self.busy = False

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]

    def _read(self) -> tuple[dict, bytes]:
        while (frame := self._reader.next()) is None:
            self.send()
            data = os.read(self._descriptor, 1 << 18)
            if not data:
                raise ClosedError
            self._reader.feed(data)
        self._since = monotonic()
        return frame

    def next(self) -> tuple[dict, bytes]:
        return self._waiting.popleft() if self._waiting else self._read()

    def answer(self, number: int) -> tuple[dict, bytes]:
        """The proctor's answer to the question of that number."""
        while (frame := self._read())[0].get("n") != number:
            self._waiting.append(frame)
        return frame
