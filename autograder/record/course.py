"""Makes a course of a folder, or joins one that nbgrader already runs.

Joining touches no file that is there: what we need stands in files of its own.
"""

import json
import os
import re
import secrets
import shlex
from dataclasses import dataclass
from pathlib import Path

from jupyter_core.paths import jupyter_config_path
from traitlets.config import Config

from autograder.layout import CONFIG, Course
from autograder.settings import load_config, plugs

BESIDE = "nbgrader_config.json"  # nbgrader reads it beside nbgrader_config.py, and it wins
HUB_EXCHANGE = Path("/usr/local/share/nbgrader/exchange")  # nbgrader's default, made by an administrator
EXCHANGE_MODE = 0o1777  # everyone may hand in, nobody may remove another's work

SETTINGS = '''\
"""This course's settings, read by nbgrader and by attn."""

from pathlib import Path

from autograder.settings import plug_in

here = Path(__file__).resolve().parent
c = get_config()  # noqa: F821 (nbgrader provides it)
plug_in(c)

c.CourseDirectory.course_id = {course_id}
c.CourseDirectory.root = str(here)
{exchange}
c.Attn.languages = ["en", "zh"]  # the first is open, the second folded
'''
OWN_EXCHANGE = 'c.Exchange.root = str(here / "exchange")  # where releases and submissions cross'
STUDENTS = '''\
"""What a student's nbgrader needs to know: JUPYTER_CONFIG_PATH names this folder."""

from pathlib import Path

c = get_config()  # noqa: F821 (nbgrader provides it)
c.CourseDirectory.course_id = {course_id}
c.Exchange.root = str(Path(__file__).resolve().parent)
'''
FIND_IT = "Students on this machine find the course by: export JUPYTER_CONFIG_PATH={folder}"
IGNORED = """\
# Students' data, secrets and everything derived from them never enter git
/release/
/submitted/
/autograded/
/feedback/
/gradesheets/
/exports/
/reports/
/exchange/
/gradebook.db*
/.attn/
/.nbgrader.log
"""
PLUG_LINES = "from autograder.settings import plug_in\nplug_in(c)"
LAYOUT_TRAITS = ("directory_structure", "source_directory", "release_directory", "submitted_directory")
LAYOUT_TRAITS += ("autograded_directory", "feedback_directory")


@dataclass(frozen=True)
class Joined:
    """What `init` found and did."""

    course: Course
    made: tuple[Path, ...]  # empty where everything was there already
    todo: tuple[str, ...]  # what only a person can do, with the lines to type


def init(directory: Path) -> Joined:
    """Makes a course in `directory`, or joins the one there. Doing it twice changes nothing."""
    root = directory.expanduser().resolve()
    root.mkdir(parents=True, exist_ok=True)
    course = Course(root)
    if (root / CONFIG).exists():
        made, todo = _join(course)
    else:
        made, todo = _found(course)
    return Joined(course, tuple(made + _secrets(course)), tuple(todo))


def _found(course: Course) -> tuple[list[Path], list[str]]:
    """A course of our own making: settings, exchange and a list of what git must not take."""
    machine = _machine()
    on_hub = "root" in machine.Exchange or os.access(HUB_EXCHANGE, os.W_OK | os.X_OK)
    theirs = machine.CourseDirectory.get("course_id") if on_hub else None
    course_id = repr(theirs or _course_id(course.root))
    exchange = "" if on_hub else OWN_EXCHANGE
    made = _write(course.root / CONFIG, SETTINGS.format(course_id=course_id, exchange=exchange))
    made += _write(course.root / ".gitignore", IGNORED)
    if not on_hub:
        folder = course.root / "exchange"
        folder.mkdir(exist_ok=True)
        folder.chmod(EXCHANGE_MODE)
        made += _write(folder / CONFIG, STUDENTS.format(course_id=course_id), mode=0o644)
        return made, [*_unignored(course), FIND_IT.format(folder=shlex.quote(str(folder)))]
    course.root.chmod(course.root.stat().st_mode & ~0o007)  # students have accounts on the same machine
    return made, _unignored(course)


def _machine() -> Config:
    """What nbgrader knows outside any course: by an administrator, and by this person for all courses."""
    config = Config()
    for folder in reversed(jupyter_config_path()):
        if Path(folder, CONFIG).is_file():
            config.merge(load_config(Course(Path(folder))))
    return config


def _course_id(root: Path) -> str:
    """The folder's name without what nbgrader cannot carry in the names of submissions."""
    return re.sub(r"[^\w.-]+", "-", root.name).strip("-.") or "course"


def _join(course: Course) -> tuple[list[Path], list[str]]:
    """Another's course: our passes stand in a file beside its settings, or its teacher adds two lines."""
    config = load_config(course)
    todo = _unignored(course) + [
        f"{CONFIG} sets CourseDirectory.{name}, but attn knows only nbgrader's own folder names: remove it."
        for name in LAYOUT_TRAITS
        if name in config.CourseDirectory
    ]
    beside = course.root / BESIDE
    wanted = plugs(config)
    if all(
        config[part].get(name) == value for part, names in wanted.items() for name, value in names.items()
    ):
        return [], todo
    if beside.exists():
        return [], [*todo, f"{beside} is yours, so add these lines at the end of {CONFIG}:\n{PLUG_LINES}"]
    return _write(beside, json.dumps(wanted, indent=1) + "\n", mode=0o644), todo


def _unignored(course: Course) -> list[str]:
    """What an ignore list that is not ours lets into git."""
    file = course.root / ".gitignore"
    if not file.is_file():
        return []
    present = {
        line.strip().strip("/") for line in file.read_text(encoding="utf-8", errors="replace").splitlines()
    }
    lacking = [
        line for line in IGNORED.splitlines() if line.startswith("/") and line.strip("/") not in present
    ]
    return (
        [f"Add to {file}, so that students' data stays out of git:\n" + "\n".join(lacking)] if lacking else []
    )


def _secrets(course: Course) -> list[Path]:
    """The seed that hidden inputs are drawn from, in a folder that git and other people cannot read."""
    course.private.mkdir(mode=0o700, exist_ok=True)
    made = _write(course.private / ".gitignore", "*\n") + _write(course.seed, secrets.token_hex(32) + "\n")
    sheets = course.root / "gradesheets"
    sheets.mkdir(exist_ok=True)
    return made + _write(sheets / ".gitignore", "*\n")


def _write(file: Path, text: str, mode: int = 0o600) -> list[Path]:
    """Writes a file that is not there yet; one that is there is never touched."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        return []
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write(text)
    file.chmod(mode)
    return [file]
