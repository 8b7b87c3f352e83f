"""A warm Python with NumPy that forks a desk for each submission; the only one that kills and reaps them.

Started as a program of its own with a clean environment. Its settings come over the socket on descriptor 0,
and it never reads anything that a desk writes.
"""

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
from pathlib import Path

CONTROL = 0
HERE = Path(__file__).resolve().parent


def main() -> None:
    """Sets up once, then obeys orders until the proctor is gone."""
    control = socket.socket(fileno=os.dup(CONTROL))
    settings = json.loads(control.makefile("rb").readline())
    try:
        worker, jail = _load(settings)
        _to_dev_null((0, 1))
        prepared = jail.Prepared(settings)
    except Exception as error:  # whatever it is, the proctor is told, and the run stops
        _tell(control, {"fault": f"{type(error).__name__}: {error}"})
        raise
    gc.collect()
    gc.freeze()  # so that no desk's collector touches, and thereby copies, what all share
    os.dup2(0, 2)  # until here, what went wrong could be told there
    _tell(control, {"walls": prepared.report})
    _obey(control, worker, prepared)


def _tell(control: socket.socket, message: dict) -> None:
    control.sendall(json.dumps(message).encode() + b"\n")


def _load(settings: dict) -> tuple:
    """Our own modules and NumPy, from exactly two folders that are not searched afterwards."""
    sys.path[:0] = [str(HERE.parent), settings["packages"]]
    jail, modules, rehearsal, worker = (
        importlib.import_module(f"{HERE.name}.{name}") for name in ("jail", "modules", "rehearsal", "worker")
    )
    names = modules.COMMON
    if jail.needs_all_modules(settings):
        names += modules.RARE
    for name in names:
        with contextlib.suppress(ImportError):  # a Python may be built without sqlite3
            importlib.import_module(name)
    del sys.path[:2]
    for folder in (str(HERE.parent), settings["packages"]):
        sys.path_importer_cache.pop(folder, None)
    if jail.LINUX and len([*Path("/proc/self/task").iterdir()]) != 1:
        raise RuntimeError(
            "a second thread runs, so forking is not safe; is OPENBLAS_NUM_THREADS=1 respected?"
        )
    rehearsal.rehearse()
    return worker, jail


def _to_dev_null(descriptors: tuple[int, ...]) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(null, descriptor)
    os.close(null)


def _obey(control: socket.socket, worker: object, prepared: object) -> None:
    """One order a line: open, with the desk's end of its line and its memory as descriptors, and close."""
    desks: dict[int, int] = {}
    text, waiting = b"", []
    while data := socket.recv_fds(control, 1 << 12, 8):
        text, waiting = text + data[0], waiting + data[1]
        *orders, text = text.split(b"\n")
        for order in map(json.loads, orders):
            if "open" in order:
                line, memory, *waiting = waiting
                desks[order["open"]] = _fork(control, line, memory, worker, prepared)
            else:
                _end(desks.pop(order["close"], 0))
        if not data[0]:
            break
    for pid in desks.values():
        _end(pid)


def _fork(control: socket.socket, line: int, memory: int, worker: object, prepared: object) -> int:
    try:
        pid = os.fork()
    except OSError:  # the line closes without a word, which the proctor takes as our fault
        pid = None
    if pid == 0:
        _become_desk(control, line, memory, worker, prepared)
    os.close(line)
    os.close(memory)
    return pid or 0


def _become_desk(control: socket.socket, line: int, memory: int, worker: object, prepared: object) -> None:
    """Never returns. What fails before the desk says that it is ready is ours."""
    try:
        channel = worker.open_line(memory)
        os.dup2(line, worker.LINE)
        control.detach()
        prepared.confine(worker.LINE)
        worker.run(channel)
    finally:
        os._exit(0)


def _end(pid: int) -> None:
    if pid:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
