"""How far a run is: a bar with its rate and the time left where a person looks, a plain line else."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

PAUSE = 5.0  # seconds between two plain lines
Show = Callable[[int, int, Any], None]


@contextmanager
def progress(stream: TextIO | None = None, what: str = "graded") -> Iterator[Show]:
    """A function to be told how many are graded, of how many. `stream`: standard error, if not another."""
    stream = stream or sys.stderr
    if stream.isatty():
        with _bar(stream, what) as show:
            yield show
    else:
        yield _lines(stream, what)


@contextmanager
def _bar(stream: TextIO, what: str) -> Iterator[Show]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    parts = BarColumn(), MofNCompleteColumn(), TextColumn(what), TextColumn("{task.fields[pace]}")
    with Progress(*parts, console=Console(file=stream)) as bar:
        task, pace = bar.add_task("", total=None, pace=""), Pace()

        def show(done: int, total: int, latest: Any) -> None:
            bar.update(task, completed=done, total=total, pace=pace.text(done, total))

        yield show


def _lines(stream: TextIO, what: str) -> Show:
    pace, said = Pace(), [time.monotonic()]

    def show(done: int, total: int, latest: Any) -> None:
        if time.monotonic() - said[0] >= PAUSE or (done == total and total > 1):
            said[0] = time.monotonic()
            print(f"{done} of {total} {what}{pace.text(done, total, ', ')}", file=stream, flush=True)

    return show


class Pace:
    """Rate and time left, from the first that was done on: starting up is not counted."""

    def __init__(self, now: Callable[[], float] = time.monotonic):
        self._now, self._first = now, (0.0, 0)

    def text(self, done: int, total: int, before: str = "") -> str:
        """`85 a second, 3 s left`; nothing where nothing can be said yet."""
        if not self._first[1]:
            self._first = self._now(), done
        seconds, since = self._now() - self._first[0], done - self._first[1]
        if seconds <= 0 or since <= 0:
            return ""
        rate, left = since / seconds, (total - done) * seconds / since
        return f"{before}{rate:.{0 if rate >= 10 else 1}f} a second" + (
            f", {_time(left)} left" if left else ""
        )


def _time(seconds: float) -> str:
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    return f"{whole // 60} min" if whole < 6000 else f"{whole // 3600} h {whole % 3600 // 60} min"
