"""A PostgreSQL server of the tests' own: in a temporary folder, on a socket in it, gone afterwards."""

import itertools
import os
import pwd
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg

PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin"), default=Path("/usr/bin"))
OWNER = "postgres"  # of Debian's package: no server runs as root
SECONDS = 60  # to start, at the most


class Server:
    """Makes databases, empty or as copies of another."""

    def __init__(self, folder: Path, owner: str):
        self._folder, self._owner, self._numbers = folder, owner, itertools.count(1)

    def url(self, name: str) -> str:
        return f"postgresql://{self._owner}@/{name}?host={self._folder}"

    def database(self, template: str = "template1") -> str:
        """The name of a new database."""
        name = f"course_{next(self._numbers)}"
        self.order(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def order(self, command: str, name: str = "postgres") -> None:
        with closing(psycopg.connect(self.url(name), autocommit=True)) as connection:
            connection.execute(command)

    def is_up(self) -> bool:
        try:
            self.order("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def server() -> Iterator[Server]:
    """A server for as long as this lasts, run by an ordinary user."""
    root = os.geteuid() == 0
    owner = OWNER if root else pwd.getpwuid(os.geteuid()).pw_name
    lowered = {"user": OWNER, "group": OWNER, "extra_groups": []} if root else {}
    with tempfile.TemporaryDirectory(prefix="attn-pg-") as made:
        folder = Path(made)
        if root:
            account = pwd.getpwnam(OWNER)
            os.chown(folder, account.pw_uid, account.pw_gid)
        data = folder / "data"
        making = [PROGRAMS / "initdb", "-D", data, "-U", owner, "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(making, cwd=folder, check=True, capture_output=True, **lowered)
        running = [PROGRAMS / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", "-F"]
        process = subprocess.Popen(running, cwd=folder, stderr=subprocess.DEVNULL, **lowered)
        try:
            yield _up(Server(folder, owner))
        finally:
            process.terminate()
            process.wait(SECONDS)


def _up(made: Server) -> Server:
    deadline = time.monotonic() + SECONDS
    while not made.is_up():
        assert time.monotonic() < deadline, "the server does not start"
        time.sleep(0.1)
    return made
