"""--watch: checks again whenever the file is saved."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from .screen import Screen
from .words import Pair
from .work import Unreadable

EVERY = 0.3  # seconds between looks at the file's time stamp


def watch(find: Callable[[], Path], check: Callable[[], int], screen: Screen) -> int:
    """Until Ctrl-C; gives back the status of the last check."""
    status = 1
    try:
        while True:
            before = stamp(find)
            screen.clear()
            try:
                status = check()
            except Unreadable as problem:
                screen.say(problem.pair, "bad")
                status = 1
            now = time.strftime("%H:%M:%S")
            screen.say(
                Pair(
                    f"Checked at {now}. Save the file to check again, Ctrl-C to leave.",
                    f"检查于 {now}。保存文件即重新检查，按 Ctrl-C 退出。",
                ),
                "dim",
            )
            while stamp(find) == before:
                time.sleep(EVERY)
    except KeyboardInterrupt:
        screen.text("")
        return status


def stamp(find: Callable[[], Path]) -> tuple:
    """Which file, when it was written and how long it is; an editor may have it away for a moment."""
    try:
        path = find()
        state = path.stat()
    except (Unreadable, OSError):
        return ()
    return (path, state.st_mtime_ns, state.st_size)
