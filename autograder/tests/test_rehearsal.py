"""A zygote plays a desk to itself once, and then is as though it had not."""

import subprocess
import sys

from autograder.layout import PACKAGE

PROGRAM = """
import os, random, signal, sys
os.environ["OPENBLAS_NUM_THREADS"] = "1"
sys.path.insert(0, sys.argv[1])
from desk import placeholders, rehearsal, worker
import numpy as np

def state():
    streams = sys.stdin, sys.stdout, sys.stderr
    signals = signal.getsignal(signal.SIGPROF), signal.getsignal(signal.SIGINT)
    files = sorted(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else []
    return streams, signals, dict(sys.modules), list(sys.meta_path), files, set(placeholders.GUARDED)

rehearsal.rehearse()  # whatever is imported for the first time stays
before = state()
rehearsal.rehearse()
after = state()
assert before == after, [pair for pair in zip(before, after) if pair[0] != pair[1]]
assert not placeholders.State.grading and "mixed" not in dir(sys.modules["__main__"])
drawn = np.random.random()
rehearsal.rehearse()
assert np.random.random() == drawn
print("as it was")
"""


def test_it_leaves_the_process_as_it_was():
    command = [sys.executable, "-c", PROGRAM, str(PACKAGE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "as it was\n", "")
