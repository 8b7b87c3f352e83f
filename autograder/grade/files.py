"""A course's files that grading writes: the seed, gradesheets, the record of runs. Whole, or not at all."""

import contextlib
import functools
import glob
import hashlib
import json
import os
import platform
import secrets
import tempfile
from dataclasses import replace
from pathlib import Path

from autograder.layout import Course
from autograder.model import Gradesheet, KitError, StepResult
from autograder.plain import from_json, number, to_json

SEED_BYTES = 32


def write_whole(file: Path, content: bytes, mode: int = 0o644) -> None:
    """Writes a file so that a reader, or a crash, sees the old content or the new, never a part. OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    _clear_away(file)
    part = file.parent / f".{file.name}.{platform.node()}.{os.getpid()}.part"
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _clear_away(file: Path) -> None:
    """Removes what a process that was killed in the middle has left of this file."""
    for part in file.parent.glob(f".{glob.escape(file.name)}.{platform.node()}.*.part"):
        number = part.name.split(".")[-2]
        if number.isdigit() and not Path(f"/proc/{number}").exists() and Path("/proc/self").exists():
            part.unlink(missing_ok=True)


def course_seed(course: Course) -> bytes:
    """The secret from which the course's hidden inputs are drawn; made once, readable by its owner alone."""
    try:
        return _seed(course)
    except FileNotFoundError:
        course.private.mkdir(mode=0o700, parents=True, exist_ok=True)
        _create(course.seed, secrets.token_hex(SEED_BYTES).encode() + b"\n")
        return _seed(course)


def _seed(course: Course) -> bytes:
    text = course.seed.read_text(encoding="ascii", errors="replace").strip()
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise KitError(
            f"{course.seed} is not a seed of {2 * SEED_BYTES} hexadecimal digits.\n"
            "Put back the one that the class was graded with, or delete it to draw another: "
            "the next `attn grade` then grades everything anew."
        )
    return seed


def _create(file: Path, content: bytes) -> None:
    """Creates a file with all its content, unless another process was faster."""
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(descriptor)
    try:
        with contextlib.suppress(FileExistsError):
            os.link(name, file)
    finally:
        Path(name).unlink()


def fingerprint_of_seed(seed: bytes) -> str:
    """What a gradesheet tells of the seed: enough to see that it is another one, not what it is."""
    return hashlib.sha256(b"attn seed\0" + seed).hexdigest()[:16]


def sheet_bytes(sheet: Gradesheet) -> bytes:
    """A gradesheet as it stands in its file."""
    text = _text(to_json(replace(sheet, steps=())) | {"earned": number(sheet.earned)})
    if sheet.steps:
        steps = ",\n  ".join(map(_step_text, sheet.steps))
        text = text.replace('\n "steps": []', f'\n "steps": [\n  {steps}\n ]', 1)
    return f"{text}\n".encode("utf-8", "backslashreplace")


@functools.lru_cache(maxsize=64)
def _step_text(step: StepResult) -> str:
    """A step's part of it; those that passed are the same for a whole class."""
    return _text(to_json(step)).replace("\n", "\n  ")


def _text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)


def read_sheet(file: Path) -> Gradesheet | None:
    """The gradesheet in a file; None where there is none, or none that this version can read."""
    try:
        found = json.loads(file.read_bytes())
        steps = tuple(_step(json.dumps(step)) for step in found["steps"])
        return replace(from_json(Gradesheet, found | {"steps": []}), steps=steps)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


@functools.lru_cache(maxsize=64)
def _step(text: str) -> StepResult:
    """A step's result; those that passed are the same for a whole class."""
    return from_json(StepResult, json.loads(text))


def note_run(course: Course, exercise: str, record: dict) -> None:
    """Adds what is true of one run alone to the course's run.json."""
    try:
        runs = json.loads(course.run_record.read_bytes())
    except (OSError, ValueError):
        runs = {}
    runs = runs if isinstance(runs, dict) else {}
    runs[exercise] = record
    # Names of folders need not be text: what cannot be written as such is spelt out.
    write_whole(course.run_record, f"{_text(runs)}\n".encode("utf-8", "backslashreplace"))
