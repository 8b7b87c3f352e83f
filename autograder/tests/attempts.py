"""The hostile programs in attacks/, and one attempt of one of them at a desk."""

import re
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from autograder.grade.client import Answer, Limits, Loaded, Zygote
from autograder.layout import KIT, PACKAGE
from autograder.tests.walls import OUTER, REDUCED, WHOLE, descendants, one, verdict

ATTACKS = {
    f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8")
    for path in sorted(Path(__file__).with_name("attacks").glob("*/*.py"))
}
LIMITS = Limits(call_seconds=0.25, step_seconds=2.0, load_seconds=4.0, memory_mb=256)
MARKER = "M4RK3R"
REACHING = ("controls/", "peeking/", "tampering/", "escaping/")  # where the kernel's age matters
UNWALLED = ("controls/", "cheating/", "forging/", "messages/", "sharing_a_process/")  # hold without walls
FORGE = """
import gc, json, os, struct, sys
def desk(): return next(o for o in gc.get_objects() if type(o).__name__ == "Desk" and hasattr(o, "_request"))
def value(v, a=()): return {"k": "answer", "i": desk()._request, "o": "returned", "v": v, "a": list(a)}
def frame(h, body=b"", hl=None, bl=None):
    if not isinstance(h, bytes): h = json.dumps(h).encode()
    hl, bl = len(h) if hl is None else hl, len(body) if bl is None else bl
    return struct.pack("<4sII", b"DSK1", hl, bl) + h + body
def raw(b): os.write(3, b)
"""


def promise(name: str) -> str:
    """What must be observed of an attack."""
    return re.search(r"^# must: (.*)$", ATTACKS[name], re.MULTILINE)[1]


def verdicts(name: str) -> list[str]:
    """The verdicts that are right for an attack."""
    return re.search(r"^# expect: (.*)$", ATTACKS[name], re.MULTILINE)[1].split()


def runs() -> list[tuple[str, str]]:
    """(walls, attack) for all that is tried; where only time is at stake, one way of walling in will do."""
    quick = [name for name in ATTACKS if "timeout" not in verdicts(name)]
    found = [(mode, name) for mode in WHOLE for name in (ATTACKS if mode == WHOLE[0] else quick)]
    found += [(mode, name) for mode in REDUCED for name in quick if name.startswith(REACHING)]
    return found + [("none", name) for name in quick if name.startswith(UNWALLED)]


@contextmanager
def places() -> Iterator[Mapping[str, str]]:
    """What an attack would like to reach: open to every user, so that only the walls protect it."""
    secret, writable = (Path(tempfile.mkdtemp(prefix="walls-")) for _ in range(2))
    for name in ("tests/test_secret.py", "reference.py", "submissions/alice.py", "results/grades.json"):
        (secret / name).parent.mkdir(exist_ok=True)
        (secret / name).write_text(f"{MARKER} = 20\n", encoding="utf-8")
    for path in (secret, writable, *secret.rglob("*")):
        path.chmod(0o777)
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            yield {
                **{"SECRET": str(secret), "WRITABLE": str(writable), "KIT": str(KIT)},
                **{"SUITES": str(PACKAGE / "suites"), "PORT": str(server.getsockname()[1])},
                **{"FORGE": FORGE, "PARENTHESES": "(" * 2500 + "1" + ")" * 2500},
            }
    finally:
        shutil.rmtree(secret)
        shutil.rmtree(writable)


def filled(name: str, there: Mapping[str, str]) -> str:
    return re.sub(r"@([A-Z]+)@", lambda found: there[found[1]], ATTACKS[name])


@dataclass(frozen=True)
class Attempt:
    """What one attack did at a desk."""

    verdict: str
    loaded: tuple[Loaded, ...]
    probed: Answer | None
    seconds: float

    @property
    def messages(self) -> list[str]:
        errors = [cell.error for cell in self.loaded] + [self.probed.error if self.probed else None]
        return [error.text for error in errors if error]

    @property
    def escaped(self) -> bool:
        """Whether its own probe says that it got through."""
        return self.probed is not None and str(self.probed.value).startswith("ESCAPED")


def attempt(zygote: Zygote, mode: str, name: str, there: Mapping[str, str]) -> Attempt:
    start = time.monotonic()
    with zygote.open(one(filled(name, there))) as desk:
        found, probed = verdict(desk), None
        if "def probe" in ATTACKS[name] and mode != "none":
            probed = desk.many("probe", [((), {})])[0]
        loaded = desk.loaded
    return Attempt(found, loaded, probed, time.monotonic() - start)


def saw_names(done: Attempt, mode: str) -> bool:
    """Whether it saw that a hidden file exists where it should not even see that."""
    return mode in OUTER and done.probed is not None and str(done.probed.value).startswith("STAT")


def left_behind(there: Mapping[str, str]) -> tuple[list[str], str]:
    """Files that an attack has made, and a fingerprint of those that it should not have touched."""
    folders = ("/tmp", "/var/tmp", "/dev/shm", there["WRITABLE"])
    made = [str(path) for folder in folders for path in Path(folder).glob("*attack_left*")]
    files = sorted(Path(there["SECRET"]).rglob("*"))
    texts = [(str(path), path.read_bytes() if path.is_file() else b"") for path in files]
    return made, sha256(repr(texts).encode()).hexdigest()


def alone(pid: int, processes: set[int], tries: int = 200) -> bool:
    """Whether, within a moment, no process is there that was not there before."""
    for _ in range(tries):
        if descendants(pid) <= processes:
            return True
        time.sleep(0.01)
    return False
