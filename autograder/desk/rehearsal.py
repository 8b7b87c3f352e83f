"""Once through the life of a desk before there is one, so that none pays for what is done for the first time.

Python specializes its bytecode and NumPy fills its caches in the zygote. A desk that did so for itself would
do it each time anew, and copy every page of memory that it changes thereby.
"""

import contextlib
import gc
import json
import signal
import socket
import sys
from collections.abc import Iterator

import numpy as np

from . import cases, channel, placeholders, wire, worker

TIMES = 10  # Python specializes what has run about eight times
CELLS = (
    """\
import os
import sys

import numpy as np

try:
    from selfcheck import check
except ImportError:
    sys.path += [name for name in (".", "..") if os.path.isfile(os.path.join(name, "selfcheck.py"))]
""",
    '''\
def mixed(a, b, flag=False):
    """Nothing that anybody is asked for."""
    if a.ndim < 2 or a.shape[-1] != b.shape[-1]:
        raise ValueError(f"shapes {a.shape} and {b.shape}")
    parts = [a @ np.swapaxes(b, -1, -2), np.matmul(b, b.T), np.einsum("ij,kj->ik", a, b), np.dot(a, b.T)]
    parts += [a / np.sqrt(3), np.exp(-a), a - a.max(axis=-1, keepdims=True), a.sum(axis=-1), np.max(a)]
    parts += [np.tril(np.ones((3, 3), dtype=bool)), np.where(a > 0, a, -np.inf), a.astype(np.float64)]
    parts += [np.concatenate([a, b], axis=-1), a.reshape(-1, 1), np.broadcast_to(a, (2, *a.shape)), a.mean()]
    parts += [np.isnan(a).any(), np.all(a == a), np.sum(a, axis=0), np.arange(3)[:, None] >= np.arange(3)]
    for row in range(a.shape[0]):
        parts.append(float(a[row].sum()) if flag else [number for number in a[row]])
    return parts[0], parts[5]
''',
    "x = np.array([[1, 0], [0, 1]])\nprint(x, 1.5)",
    "def broken(:",
    "1 / 0",
)


def rehearse() -> None:
    """Plays a desk to itself, and leaves the process as it was."""
    finder = placeholders.Finder()
    sys.meta_path.append(finder)
    with _as_it_was(), contextlib.suppress(channel.ClosedError):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            for frame in _frames():
                ours.sendall(frame)
            ours.shutdown(socket.SHUT_WR)
            worker.Desk(channel.Channel(theirs.fileno(), channel.shared_memory())).serve()
    sys.meta_path.remove(finder)
    np.random.seed(worker.SEED)  # as every desk finds it


def _frames() -> Iterator[bytes]:
    load = {"k": "load", "i": 0, "stand_ins": [], "late": [], "left": 9.0}
    texts = json.dumps([[number, text, 9.0] for number, text in enumerate(CELLS)]).encode()
    a, b = np.arange(6.0).reshape(2, 3), np.ones((2, 3))
    body = cases.lots([((a, b), {}), ((a, b), {"flag": True}), ((a[0], b), {}), ((a, None), {})])[0][1]
    call = {"k": "call", "i": 1, "name": "mixed", "left": 9.0, "seconds": 9.0, "first": True, "last": True}
    for _ in range(TIMES):
        yield wire.pack(load, texts)
        yield wire.pack(call, body)


@contextlib.contextmanager
def _as_it_was() -> Iterator[None]:
    streams, modules = (sys.stdin, sys.stdout, sys.stderr), dict(sys.modules)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGPROF, signal.SIGINT)}
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        for name in set(sys.modules) - set(modules):
            del sys.modules[name]
        sys.modules.update(modules)
        placeholders.GUARDED.clear()
        for number, handler in handlers.items():
            signal.signal(number, handler)
        gc.collect()  # the desk goes, and the memory that it held
