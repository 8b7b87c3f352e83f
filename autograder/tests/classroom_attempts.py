"""What a hostile student on the Hub tries: paths that must be closed to one, hand-ins that must not pass."""

import re
from collections.abc import Callable
from pathlib import Path

from autograder.layout import KIT, PACKAGE
from autograder.tests.classroom import Classroom, home

EXERCISE = "self_attention"
LATEST = "2099-01-01 00:00:00.000000 UTC"  # so that it is what counts, if it counts


def _packages(room: Classroom) -> Path:
    return next((room.root / "staff" / "lib").glob("python3.*")) / "site-packages" / "autograder"


def _other(room: Classroom) -> Path:
    return home(room.students[0])


# Each is there, and the second student must be able neither to read nor to change it.
CLOSED: dict[str, Callable[[Classroom], Path]] = {
    "the course": lambda room: room.course,
    "the gradebook": lambda room: room.course / "gradebook.db",
    "the source": lambda room: room.course / "source" / EXERCISE / f"{EXERCISE}.ipynb",
    "submissions": lambda room: room.course / "submitted" / room.students[0],
    "gradesheets": lambda room: room.course / "gradesheets" / room.students[0] / f"{EXERCISE}.json",
    "graded work": lambda room: room.course / "autograded" / room.students[0],
    "the feedback of others": lambda room: room.course / "feedback" / room.students[0],
    "the seed": lambda room: room.course / ".attn" / "seed",
    "another's home": _other,
    "another's work": lambda room: _other(room) / EXERCISE / f"{EXERCISE}.ipynb",
    "the solutions": lambda room: _packages(room) / "_kit" / "solutions" / f"{EXERCISE}.py",
    "the suites": lambda room: _packages(room) / "suites" / EXERCISE / "test_softmax.py",
    "the mistakes": lambda room: _packages(room) / "suites" / EXERCISE / "mistakes_softmax.py",
    "the staff's programs": lambda room: room.root / "staff" / "bin" / "attn",
    "the Hub's secret": lambda room: room.root / "hub" / "cookie_secret",
    "the Hub's database": lambda room: room.root / "hub" / "jupyterhub.sqlite",
    "released feedback": lambda room: room.inbound.with_name("feedback"),
}

# Each is there, and no student may change it or put something in its place.
FIXED: dict[str, Callable[[Classroom], Path]] = {
    "the release": lambda room: room.inbound.with_name("outbound") / EXERCISE / f"{EXERCISE}.ipynb",
    "the releases": lambda room: room.inbound.with_name("outbound"),
    "the course's exchange": lambda room: room.inbound.parent,
    "everybody's programs": lambda room: room.root / "student" / "bin" / "jupyterhub-singleuser",
    "everybody's settings": lambda room: room.root / "student" / "etc" / "jupyter" / "nbgrader_config.py",
    "the proxy": lambda room: room.root / "proxy" / "package.json",
    "the classroom": lambda room: room.root / "student",
}

READ = """
import pathlib, sys
path = pathlib.Path(sys.argv[1])
print(*(path.iterdir() if path.is_dir() else [path.read_bytes()]))
"""
CHANGE = """
import os, pathlib, sys
path, done = pathlib.Path(sys.argv[1]), []
for name, attempt in {
    "write": lambda: path.open("ab"),
    "rename": lambda: path.rename(path.with_name("gone")),
    "mode": lambda: path.chmod(0o777),
    "remove": lambda: path.rmdir() if path.is_dir() else path.unlink(),
    "add": lambda: (path / "added").touch() if path.is_dir() else (path.parent / "added").touch(),
}.items():
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
print(*done)
"""

# Pages and doors of the Hub that a student asks for with their own cookies; INSTRUCTOR and OTHER are names.
DOORS = (
    "/user/INSTRUCTOR/formgrader",
    "/user/INSTRUCTOR/lab",
    "/user/INSTRUCTOR/api/contents/attention/gradebook.db",
    "/user/INSTRUCTOR/files/attention/.attn/seed",
    "/user/OTHER/api/contents/self_attention/self_attention.ipynb",
    "/user/OTHER/lab",
    "/hub/admin",
    "/hub/api/users",
    "/hub/api/users/OTHER",
    "/hub/api/proxy",
    "/hub/api/services",
)

HIDDEN_FUNCTION = re.compile(r"^def \w{14,}\(.*", re.MULTILINE)  # its whole line: a name may be NumPy's too
SOLVED = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.DOTALL)


def hidden_texts(released: str) -> list[str]:
    """What only the kit's hidden part has: heads of checks and mistakes, lines of solutions."""
    suites = [file.read_text(encoding="utf-8") for file in (PACKAGE / "suites").rglob("*.py")]
    heads = {head for text in suites for head in HIDDEN_FUNCTION.findall(text)}
    solutions = [file.read_text(encoding="utf-8") for file in (KIT / "solutions").glob("*.py")]
    lines = {line.strip() for text in solutions for part in SOLVED.findall(text) for line in part.split("\n")}
    return sorted(text for text in heads | {line for line in lines if len(line) > 40} if text not in released)


def looking_for_it(words: Path, *places: Path) -> list[str]:
    """The command that lists the files in these places in which one of the words stands."""
    how = ("--recursive", "--files-with-matches", "--binary-files=text", "--fixed-strings")
    return ["grep", *how, f"--file={words}", *map(str, places)]


def hand_in(room: Classroom, name: str, *commands: str) -> None:
    """A folder in the exchange that the second student makes by hand. Raises where even that is refused."""
    begin = ('mkdir -- "$1" && cd -- "$1"', f"cp ~/{EXERCISE}/{EXERCISE}.ipynb .")
    script = "\n".join((*begin, *commands, 'chmod -R a+rX "$1"'))
    done = room.run(room.students[1], "bash", "-euc", script, "bash", str(room.inbound / name))
    assert done.returncode == 0, done.stderr


def collected(room: Classroom) -> str:
    """nbgrader's collect, as the instructor; its log."""
    done = room.run(room.instructor, "nbgrader", "collect", EXERCISE, "--update", cwd=room.course)
    assert done.returncode == 0, done.stderr
    return done.stderr
