"""The clock that a student's code runs under: it raises when time is up, and anew where that is swallowed."""

import signal
import sys
import types
from collections.abc import Callable

from . import channel, errors

TICK = 0.25  # seconds of CPU after which code that swallowed its time-out is told again


class Alarm:
    """One for a desk. `tell`: is called with the frame that was running, before anything is raised there."""

    def __init__(self, line: channel.Channel, tell: Callable[[types.FrameType | None], None]) -> None:
        self._line, self._tell = line, tell
        self._armed = self._rang = False
        signal.signal(signal.SIGPROF, self._ring)

    def timed(self, seconds: float, function: Callable, /, *args: object, **kwargs: object) -> tuple:
        """(value, None) or (None, exception), whatever the student's code does in the time it has."""
        self._rang = False
        try:
            self._armed = True
            self.set(seconds)
            value, error = function(*args, **kwargs), None
        except BaseException as raised:
            value, error = None, raised
        finally:
            self._armed = False
            self.set(0)
            if self._rang:
                sys.settrace(None)
        if self._rang and not errors.is_late(error):  # a destructor, or an `except`, has swallowed it
            value, error = None, errors.OutOfTime()
        return value, error

    def set(self, seconds: float) -> None:
        """It rings after so many seconds of CPU from now; 0: never."""
        signal.setitimer(signal.ITIMER_PROF, seconds, TICK)

    def _ring(self, number: int, frame: types.FrameType | None) -> None:
        if not self._armed or self._line.busy:
            return
        if not self._rang:
            self._rang = True
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
