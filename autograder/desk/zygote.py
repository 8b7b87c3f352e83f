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
    settings = json.loads(control.recv(1 << 16))
    try:
        worker, jail = _load(settings)
        _to_dev_null((0, 1))
        prepared = jail.Prepared(settings)
    except Exception as error:  # whatever it is, the proctor is told, and the run stops
        control.send(json.dumps({"fault": f"{type(error).__name__}: {error}"}).encode())
        raise
    gc.collect()
    gc.freeze()  # so that no desk's collector touches, and thereby copies, what all share
    os.dup2(0, 2)  # until here, what went wrong could be told there
    control.send(json.dumps({"walls": prepared.report}).encode())
    _obey(control, worker, prepared)


def _load(settings: dict) -> tuple:
    """Our own modules and NumPy, from exactly two folders that are not searched afterwards."""
    sys.path[:0] = [str(HERE.parent), settings["packages"]]
    jail, modules, worker = (
        importlib.import_module(f"{HERE.name}.{name}") for name in ("jail", "modules", "worker")
    )
    names = modules.COMMON
    if jail.needs_all_modules(settings["mode"], settings["landlock_abi"]):
        names += modules.RARE
    for name in names:
        with contextlib.suppress(ImportError):  # a Python may be built without sqlite3
            importlib.import_module(name)
    del sys.path[:2]
    for folder in (str(HERE.parent), settings["packages"]):
        sys.path_importer_cache.pop(folder, None)
    if len([*Path("/proc/self/task").iterdir()]) != 1:
        raise RuntimeError(
            "a second thread runs, so forking is not safe; is OPENBLAS_NUM_THREADS=1 respected?"
        )
    return worker, jail


def _to_dev_null(descriptors: tuple[int, ...]) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(null, descriptor)
    os.close(null)


def _obey(control: socket.socket, worker: object, prepared: object) -> None:
    """One order a message: open (with the desk's end of its line) and close."""
    desks: dict[int, int] = {}
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1 << 12, 1)
        if not message:
            break
        order = json.loads(message)
        if "open" in order:
            desks[order["open"]] = _fork(control, descriptors[0], worker, prepared)
        else:
            _end(desks.pop(order["close"], 0))
    for pid in desks.values():
        _end(pid)


def _fork(control: socket.socket, descriptor: int, worker: object, prepared: object) -> int:
    try:
        pid = os.fork()
    except OSError:  # the line closes without a word, which the proctor takes as our fault
        os.close(descriptor)
        return 0
    if pid == 0:
        _become_desk(control, descriptor, worker, prepared)
    os.close(descriptor)
    return pid


def _become_desk(control: socket.socket, descriptor: int, worker: object, prepared: object) -> None:
    """Never returns. What fails before the desk says that it is ready is ours."""
    try:
        os.dup2(descriptor, worker.LINE)
        control.detach()
        prepared.confine(worker.LINE)
        worker.run()
    finally:
        os._exit(0)


def _end(pid: int) -> None:
    if pid:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
