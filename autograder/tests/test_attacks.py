"""No program that a student sends in learns, changes or stops anything, whichever the walls are."""

import os
import re
import shutil
import socket
import tempfile
import time
from hashlib import sha256
from pathlib import Path

import pytest

from autograder.grade.client import Limits, Zygote
from autograder.layout import KIT, PACKAGE
from autograder.tests.walls import GOOD, OUTER, REDUCED, WHOLE, descendants, one, verdict

ATTACKS = {
    f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8")
    for path in sorted(Path(__file__).with_name("attacks").glob("*/*.py"))
}
REACHING = ("controls/", "peeking/", "tampering/", "escaping/")  # where the kernel's age matters
UNWALLED = ("controls/", "cheating/", "forging/", "messages/", "sharing_a_process/")  # hold without walls
SLOW = [name for name, text in ATTACKS.items() if "timeout" in re.search(r"^# expect: (.*)$", text, re.M)[1]]
RUNS = [(mode, name) for mode in WHOLE for name in ATTACKS if mode == WHOLE[0] or name not in SLOW]
RUNS += [(m, name) for m in REDUCED for name in ATTACKS if name.startswith(REACHING) and name not in SLOW]
RUNS += [("none", name) for name in ATTACKS if name.startswith(UNWALLED) and name not in SLOW]
LIMITS = Limits(call_seconds=0.25, step_seconds=2.0, load_seconds=4.0, memory_mb=256)
MARKER = "M4RK3R"
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


@pytest.fixture(scope="module")
def zygotes():
    """One warm zygote for each way of walling in, started when it is first needed."""
    warm = {}
    os.environ["ATTACKED_TOKEN"] = MARKER

    def zygote(mode):
        if mode not in warm:
            warm[mode] = Zygote(LIMITS, mode).__enter__()
        return warm[mode]

    yield zygote
    del os.environ["ATTACKED_TOKEN"]
    for each in warm.values():
        each.__exit__()


@pytest.fixture(scope="module")
def places():
    """What an attack would like to reach: open to every user, so that only the walls protect it."""
    secret, writable = (Path(tempfile.mkdtemp(prefix="walls-")) for _ in range(2))
    for name in ("tests/test_secret.py", "reference.py", "submissions/alice.py", "results/grades.json"):
        (secret / name).parent.mkdir(exist_ok=True)
        (secret / name).write_text(f"{MARKER} = 20\n", encoding="utf-8")
    for path in (secret, writable, *secret.rglob("*")):
        path.chmod(0o777)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        yield {
            **{"SECRET": str(secret), "WRITABLE": str(writable), "KIT": str(KIT), "PORT": port},
            **{
                "SUITES": str(PACKAGE / "suites"),
                "FORGE": FORGE,
                "PARENTHESES": "(" * 2500 + "1" + ")" * 2500,
            },
        }
    shutil.rmtree(secret)
    shutil.rmtree(writable)


def filled(text, places):
    return re.sub(r"@([A-Z]+)@", lambda found: places[found[1]], text)


def promised(text):
    return re.search(r"^# expect: (.*)$", text, re.MULTILINE)[1].split()


def left_behind(places):
    """Files that an attack has made, and a fingerprint of those that it should not have touched."""
    folders = ("/tmp", "/var/tmp", "/dev/shm", places["WRITABLE"])
    made = [str(path) for folder in folders for path in Path(folder).glob("*attack_left*")]
    files = sorted(path for path in Path(places["SECRET"]).rglob("*"))
    texts = [(str(path), path.read_bytes() if path.is_file() else b"") for path in files]
    return made, sha256(repr(texts).encode()).hexdigest()


def alone(pid, processes, tries=200):
    """Whether, within a moment, no process is there that was not there before."""
    for _ in range(tries):
        if descendants(pid) <= processes:
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize(("mode", "name"), RUNS)
def test_an_attack_gains_nothing(zygotes, places, mode, name):
    zygote, text = zygotes(mode), ATTACKS[name]
    pid = zygote.process_id
    processes, before, start = descendants(pid), left_behind(places), time.monotonic()
    with zygote.open(one(filled(text, places))) as desk:
        found, loaded = verdict(desk), desk.loaded
        probed = desk.many("probe", [((), {})])[0] if "def probe" in text and mode != "none" else None
    assert time.monotonic() - start < 20
    assert found in promised(text), loaded
    texts = [cell.error.text for cell in loaded if cell.error]
    if probed is not None:
        seen = str(probed.value)
        assert not seen.startswith("ESCAPED"), seen
        assert not (seen.startswith("STAT") and mode in OUTER), seen
        assert MARKER not in repr(probed)
        texts += [probed.error.text] if probed.error else []
    assert all(len(text) <= 200 and text.isprintable() for text in texts), texts
    assert left_behind(places) == before
    assert alone(pid, processes), "a process is left"
    with zygote.open(one(GOOD)) as desk:
        assert verdict(desk) == "pass"
        assert not alone(pid, processes, 1), "a process would be seen if there were one"
