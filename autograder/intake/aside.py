"""Links and devices of a hand-in, which wait in a folder of ours while nbgrader copies, and come back.

nbgrader follows the one and waits for the other. Where it ends before they are back, the next reading of
the submission puts them back, so that what was handed in stays what it was.
"""

import os
import stat
from pathlib import Path


def set_aside(path: Path, folder: Path, aside: Path) -> None:
    """Moves one file of a submission out of the way."""
    _move(path, _free(aside / path.relative_to(folder)))


def put_back(folder: Path, aside: Path) -> None:
    """What was set aside, where it came from; what has no room there any more stays aside."""
    for where, folders, files in os.walk(aside, topdown=False):
        for name in (*folders, *files):
            path = Path(where, name)
            target = folder / path.relative_to(aside)
            if not os.path.lexists(target) and _is_inside(target.parent, folder):
                _move(path, target)
            elif stat.S_ISDIR(path.lstat().st_mode) and not any(path.iterdir()):
                path.rmdir()
    if aside.is_dir() and not any(aside.iterdir()):
        aside.rmdir()


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether no link on the way from the folder leads elsewhere: another hand-in may have come since."""
    return not any(part.is_symlink() for part in (path, *path.parents) if part.is_relative_to(folder))


def _move(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    path.rename(target)


def _free(path: Path) -> Path:
    """The path, or one like it that nothing stands at: an earlier hand-in may have left something there."""
    names = (path, *(path.with_name(f"{path.name}.{number}") for number in range(1, 1000)))
    return next(name for name in names if not os.path.lexists(name))
