"""What a student costs in classes of different size: graded and recorded, memory and files included.

    python benchmarks/scale.py [STUDENTS ...]

Every hundred students of a made class are the same mix, so the cost of one should not depend on how many
there are. CPU seconds are the measure: other work on the machine does not make them more, or not much.
"""

import sys
import tempfile
from pathlib import Path

from measured import Measured, measured

from autograder.tests.large_class import EXERCISE, make

ATTN = Path(sys.executable).with_name("attn")
HEAD = "| students | seconds | CPU ms a student | memory, MB | gradebook, KB a student | files a student |"


def main(sizes: list[int]) -> None:
    print(HEAD, "|---|---|---|---|---|---|", sep="\n")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            print(line(Path(folder) / "course", size), flush=True)


def line(folder: Path, size: int) -> str:
    """A class made (unless it lies there), graded and recorded."""
    if not folder.is_dir():
        make(folder, size)
    took: Measured = measured([ATTN, "grade", EXERCISE, "--record"], folder)
    book = sum(file.stat().st_size for file in folder.glob("gradebook.db*")) / 1024
    files = sum(1 for part in ("gradesheets", "autograded") for _ in folder.glob(f"{part}/*/**/*"))
    figures = f"{took.wall:.0f} | {1000 * took.cpu / size:.1f} | {took.memory:.0f}"
    return f"| {size:,} | {figures} | {book / size:.1f} | {files / size:.1f} |"


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [100, 1000])
