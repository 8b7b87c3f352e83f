"""A classroom on JupyterHub, set up by the commands of docs/jupyterhub.md, with people of its own.

Accounts, processes and folders are removed again, also where something failed.
"""

import contextlib
import fcntl
import os
import pwd
import re
import secrets
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.layout import KIT

PAGE = KIT / "docs" / "jupyterhub.md"
SECTION = re.compile(r"^## (.*?)\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAMES = ("grace", "ada", "bob", "attention")  # an instructor, two students, and what several graders share
GROUPS = ("instructors", "students")
START_SECONDS = 60
LOCK = Path("/run/attn-classroom.lock")


@dataclass(frozen=True)
class Classroom:
    """A running Hub. Names are those of the page, or like them where this machine has such people already."""

    root: Path
    port: int
    instructor: str
    students: tuple[str, ...]
    account: str
    password: str

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def course(self) -> Path:
        return home(self.instructor) / "attention"

    @property
    def inbound(self) -> Path:
        return self.root / "exchange" / "attention" / "inbound"

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(filter(_exists, (self.instructor, *self.students, self.account)))

    def environment(self, person: str) -> Path:
        return self.root / ("student" if person in self.students else "staff")

    def run(self, person: str, *command: str, cwd: Path | None = None) -> subprocess.CompletedProcess:
        """A command as that person, with the programs that the Hub gives them."""
        account = pwd.getpwnam(person)
        return subprocess.run(
            command,
            cwd=cwd or account.pw_dir,
            env={
                "HOME": account.pw_dir,
                "USER": person,
                "LANG": "C.UTF-8",
                "PATH": f"{self.environment(person) / 'bin'}:/usr/bin:/bin",
            },
            user=account.pw_uid,
            group=account.pw_gid,
            extra_groups=os.getgrouplist(person, account.pw_gid),
            capture_output=True,
            text=True,
            check=False,
        )


def home(person: str) -> Path:
    return Path(pwd.getpwnam(person).pw_dir)


def commands(heading: str) -> str:
    """The commands under the headings of the page that begin so."""
    page = PAGE.read_text(encoding="utf-8")
    found = [text for title, text in SECTION.findall(page) if re.match(heading, title)]
    return "\n".join(block for text in found for block in BLOCK.findall(text))


@contextlib.contextmanager
def classroom() -> Iterator[Classroom]:
    """A classroom that is set up; its Hub does not run yet. Needs root."""
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two at once would take the same names, and remove each other's
        yield from _alone()


def _alone() -> Iterator[Classroom]:
    instructor, *students, account = (_free(name) for name in NAMES)
    root = Path(tempfile.mkdtemp(prefix="classroom-", dir="/srv"))
    room = Classroom(root, _free_port(), instructor, tuple(students), account, secrets.token_hex(8))
    groups = [group for group in GROUPS if not _exists(group, "group")]
    try:
        set_up(room, r"\d\. ")
        passwords = "".join(f"{name}:{room.password}\n" for name in room.people)
        subprocess.run(["chpasswd"], input=passwords, text=True, check=True)
        yield room
    finally:
        for person in room.people:
            end_processes(person)
            subprocess.run(["userdel", "--force", "--remove", person], capture_output=True, check=False)
        for group in filter(lambda group: _exists(group, "group"), groups):
            subprocess.run(["groupdel", group], check=False)
        subprocess.run(["rm", "-rf", root], check=True)  # some fifty thousand files


def set_up(room: Classroom, heading: str) -> None:
    """Types the commands of a part of the page, as root, in the clone."""
    environment = {
        **os.environ,
        "CLASSROOM": str(room.root),
        "PORT": str(room.port),
        "INSTRUCTOR": room.instructor,
        "STUDENTS": " ".join(room.students),
        "ACCOUNT": room.account,
    }
    done = subprocess.run(
        ["bash", "-eu"],
        input=commands(heading),
        cwd=KIT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@contextlib.contextmanager
def hub(room: Classroom) -> Iterator[None]:
    """The Hub, as the page starts it; ended with all servers that it has started."""
    folder = room.root / "hub"
    command = [room.root / "staff/bin/jupyterhub", f"--config={folder}/jupyterhub_config.py"]
    environment = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "PORT": str(room.port),
        "ACCOUNT": room.account,
    }
    with (folder / "log").open("a", encoding="utf-8") as log:
        running = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        _wait(room, running, folder / "log")
        yield
    finally:
        for person in room.people:
            end_processes(person)  # the Hub would wait ten seconds for each server
        running.terminate()
        try:
            running.wait(timeout=30)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
        proxy = folder / "proxy.pid"
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a Hub that had time has ended it
            os.kill(int(proxy.read_text(encoding="ascii")), signal.SIGKILL)


def _wait(room: Classroom, running: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while running.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{room.address}/hub/health", timeout=5):
            return
        time.sleep(0.2)
    raise AssertionError("JupyterHub did not start:\n" + log.read_text(encoding="utf-8"))


def _exists(name: str, table: str = "passwd") -> bool:
    return subprocess.run(["getent", table, name], capture_output=True, check=False).returncode == 0


def _free(name: str) -> str:
    """The name, or one like it that nobody on this machine has."""
    names = (name, *(f"{name}{number}" for number in range(2, 100)))
    return next(name for name in names if not (_exists(name) or _exists(name, "group")))


def _free_port() -> int:
    """A port with three more above it: the proxy's and the Hub's own doors, and a service's."""
    while True:
        with socket.socket() as first:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
        with contextlib.suppress(OSError, OverflowError), contextlib.ExitStack() as stack:
            for each in range(port, port + 4):
                stack.enter_context(socket.socket()).bind(("127.0.0.1", each))
            return port


def end_processes(person: str) -> None:
    """Ends whatever this person's account still runs."""
    uid = pwd.getpwnam(person).pw_uid
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if process.stat().st_uid == uid:
                os.kill(int(process.name), signal.SIGKILL)
