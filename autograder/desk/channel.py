"""The desk's end of the wire."""

import os
from collections import deque

from . import wire


class ClosedError(Exception):
    """The proctor has hung up."""


class Channel:
    """The desk's end of the wire; what arrives while an answer is awaited waits its turn."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._reader = descriptor, wire.Reader()
        self._waiting: deque = deque()
        self.busy = False  # in the middle of a frame, where nothing may come between

    def send(self, frame: bytes) -> None:
        self.busy, view = True, memoryview(frame)
        while view:
            view = view[os.write(self._descriptor, view) :]
        self.busy = False

    def _read(self) -> tuple[dict, bytes]:
        while (frame := self._reader.next()) is None:
            data = os.read(self._descriptor, 1 << 18)
            if not data:
                raise ClosedError
            self._reader.feed(data)
        return frame

    def next(self) -> tuple[dict, bytes]:
        return self._waiting.popleft() if self._waiting else self._read()

    def answer(self, number: int) -> tuple[dict, bytes]:
        """The proctor's answer to the question of that number."""
        while (frame := self._read())[0].get("n") != number:
            self._waiting.append(frame)
        return frame
