"""The clock that a student's code runs under: it raises when time is up, and anew where that is swallowed."""

import signal
import sys
import types
from collections.abc import Callable
from time import process_time

from . import channel, errors

LOOKS = 40  # at what is running, within the time that it may take; it takes two of them more at the most
TICK = 0.25  # seconds of CPU after which code that swallowed its time-out is told again


class Alarm:
    """One for a desk. `tell`: is called with the frame that was running, before anything is raised there.

    A timer ticks as long as it watches; to set one for each call would take longer than many calls do.
    """

    def __init__(self, line: channel.Channel, tell: Callable[[types.FrameType | None], None]) -> None:
        self._line, self._tell = line, tell
        self._armed = self._rang = False
        self._each, self._until, self._began = 0.0, 0.0, None
        signal.signal(signal.SIGPROF, self._look)

    def watch(self, each: float, left: float) -> None:
        """From now on: whatever is timed has so many seconds of CPU, and all of it together what is left."""
        self._each, self._until, self._began = each, process_time() + left, None
        self._tick(max(min(each, left) / LOOKS, 0.001))

    def rest(self) -> None:
        """Watches no more."""
        self._tick(0)

    def timed(self, function: Callable, /, *args: object, **kwargs: object) -> tuple:
        """(value, None) or (None, exception), whatever the student's code does in the time it has."""
        self._rang, self._began = False, None
        try:
            self._armed = True
            value, error = function(*args, **kwargs), None
        except BaseException as raised:
            value, error = None, raised
        finally:
            self._armed = False
            if self._rang:
                sys.settrace(None)
        if self._rang and not errors.is_late(error):  # a destructor, or an `except`, has swallowed it
            value, error = None, errors.OutOfTime()
        return value, error

    def _tick(self, seconds: float) -> None:
        signal.setitimer(signal.ITIMER_PROF, seconds, seconds)

    def _look(self, number: int, frame: types.FrameType | None) -> None:
        if not self._armed or self._line.busy:
            return
        now = process_time()
        if self._began is None:  # since the last look
            self._began = now
        if not self._rang:
            if now < self._until and now < self._began + self._each:
                return
            self._rang = True
            self._tick(TICK)
            self._tell(frame)
        _lay_traps(frame)
        raise errors.OutOfTime


def _lay_traps(frame: types.FrameType | None) -> None:
    """Where an `except` swallows the exception and would go on for ever, its next line raises it again."""
    sys.settrace(_trap)
    while frame is not None:
        if _is_students(frame):
            frame.f_trace = _trap
        frame = frame.f_back


def _trap(frame: types.FrameType, event: str, argument: object) -> Callable | None:
    if event == "line" and _is_students(frame):
        raise errors.OutOfTime
    return _trap if _is_students(frame) else None


def _is_students(frame: types.FrameType) -> bool:
    return frame.f_code.co_filename.startswith("<cell ")
