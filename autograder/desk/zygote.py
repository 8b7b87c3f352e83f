"""A warm Python with NumPy that forks a desk for each submission; the only one that kills and reaps them.

Started as a program of its own with a clean environment. Its settings come over the socket on descriptor 0, and it never reads
anything that a desk writes.
"""

import gc
import importlib
import json
import os
import signal
import socket
import sys

CONTROL = 0
PRELOADED = ["abc", "array", "bisect", "cmath", "collections.abc", "contextlib", "copy", "ctypes", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "heapq", "inspect", "io", "itertools", "json", "math", "numbers", "operator", "pprint", "random", "re", "statistics", "string", "struct", "textwrap", "time", "timeit", "traceback", "types", "typing", "unittest.mock", "warnings", "numpy.linalg", "numpy.fft", "numpy.random", "numpy.ma", "numpy.testing", "numpy.polynomial", "numpy.lib.stride_tricks"]


def main() -> None:
    """Sets up once, then obeys orders until the proctor is gone."""
    control = socket.socket(fileno=os.dup(CONTROL))
    settings = json.loads(control.recv(1 << 16))
    try:
        worker, jail = _load(settings)
        prepared = jail.prepare(settings)
    except Exception as error:  # whatever it is, the proctor is told, and the run stops
        control.send(json.dumps({"fault": f"{type(error).__name__}: {error}"}).encode())
        raise
    _to_dev_null((0, 1, 2))
    gc.collect()
    gc.freeze()
    control.send(json.dumps({"walls": prepared.report}).encode())
    _obey(control, worker, prepared)


def _load(settings: dict) -> tuple:
    """Our own modules and NumPy, from exactly two folders that are not searched afterwards."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path[:0] = [here, settings["packages"]]
    worker = importlib.import_module(f"{os.path.basename(os.path.dirname(os.path.abspath(__file__)))}.worker")
    jail = importlib.import_module(f"{worker.__package__}.jail")
    for name in PRELOADED:
        importlib.import_module(name)
    del sys.path[:2]
    sys.path_importer_cache.pop(settings["packages"], None)
    if len(os.listdir("/proc/self/task")) != 1:
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
            control.send(b"{}")
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
