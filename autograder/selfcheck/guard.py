"""Stops a student's code that does not come to an end, on every system and in any thread's main loop.

A second thread waits and then raises TimeUp inside the first; no signals, which Windows and notebooks lack.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from contextlib import suppress

SECONDS = 3.0  # long enough for any example, short enough to be waited for
AGAIN = 0.05  # a loop that swallows the exception gets it again


class TimeUp(BaseException):  # `except Exception` must not swallow it
    """The code took too long; the traceback names the line it was in."""


def limited(work, seconds: float = SECONDS, *, stuck=None):
    """What `work()` returns; raises TimeUp inside it once it has taken `seconds`.

    stuck: called from the waiting thread where even that does not stop the work (code that hangs in C).
    """
    watch = _Watch(threading.get_ident(), seconds, stuck)
    try:
        try:
            return work() if watch.started() else _traced(work, seconds)
        finally:
            watch.end()
    except TimeUp:
        watch.end()  # it may have come in just before the line above
        raise


class _Watch:
    """Waits beside the thread `target`, and raises TimeUp there when the time is over.

    The two threads speak through plain attributes and single calls of a lock: TimeUp may come in between any
    two instructions, so a `with lock:` in the target could be left with the lock held.
    """

    PATIENCE = 40  # times AGAIN: two seconds

    def __init__(self, target: int, seconds: float, stuck):
        self.target, self.seconds, self.stuck = target, seconds, stuck
        self.raised, self.ended, self.gone = 0, False, False
        self.gate = threading.Lock()
        self.gate.acquire()

    def started(self) -> bool:
        """False in a Python without threads (in a browser)."""
        try:
            threading.Thread(target=self.wait, daemon=True).start()
        except RuntimeError:
            self.gone = True
        return not self.gone

    def wait(self) -> None:
        """Runs in the second thread."""
        wait = self.seconds
        while not self.gate.acquire(timeout=wait) and not self.ended:
            self.raised += 1
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.target), ctypes.py_object(TimeUp))
            wait = AGAIN
            if self.raised == self.PATIENCE and self.stuck is not None:
                self.stuck()
        self.gone = True

    def end(self) -> None:
        """Afterwards nothing is raised any more, and nothing that was raised is still on its way."""
        while True:
            try:
                self.ended = True
                with suppress(RuntimeError):  # released already, on an earlier turn
                    self.gate.release()
                while not self.gone:
                    time.sleep(0.0002)
                for _ in range(100 if self.raised else 0):
                    pass  # what was raised last comes in here, if it is still on its way
                return
            except TimeUp:
                continue  # it came in while we were ending: the block is over all the same


def _traced(work, seconds: float):
    """The same by looking at the clock on every line: slow, but it needs nothing."""
    end, before = time.monotonic() + seconds, sys.gettrace()

    def look(frame, event, argument):
        if time.monotonic() > end:
            raise TimeUp
        return look

    sys.settrace(look)
    try:
        return work()
    finally:
        sys.settrace(before)
