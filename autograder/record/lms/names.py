"""The names that Canvas and Moodle give to files in a bulk download, and what they tell of each."""

import re
from dataclasses import dataclass

# Canvas: `<name>[_LATE]_<user id>_<attachment id>_<file>`; without names, `anon_<id>` stands in front.
CANVAS = re.compile(
    r"(?P<who>(?:(?P<name>.*?)(?P<late>_LATE)?_(?P<user>\d+)))_(?P<attachment>\d+)_(?P<file>.+)", re.DOTALL
)
ANONYMOUS = re.compile(
    r"(?P<who>(?P<late1>LATE_)?(?P<name>anon_[^\W_]+)(?P<late2>_LATE)?)_(?P<attachment>\d+)_(?P<file>.+)",
    re.DOTALL,
)
TYPED = re.compile(
    r"(?:(?P<name>.*?)(?P<late>_LATE)?_(?P<user>\d+)|anon_[^\W_]+(?:_LATE)?)_(?:text|link)\.html"
)
# Moodle: a folder for each participant, or on older sites the same as the beginning of the file's name.
MOODLE = re.compile(
    r"(?P<name>[^/]*?)_(?P<id>\d+)_assignsubmission_(?P<kind>file|onlinetext)(?:_?/|_)(?P<file>.+)", re.DOTALL
)
RUBBISH = re.compile(r"(?:^|/)(?:__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)")


@dataclass(frozen=True)
class Sender:
    """Who handed a file in, as the LMS says; `back` is the name under which feedback returns."""

    lms: str
    name: str  # Moodle: in full; Canvas: the sortable name in lower case, word characters alone
    user_id: str = ""  # Canvas's own; Moodle gives none in its archive
    back: str = ""

    @property
    def label(self) -> str:
        return f"{self.name} ({self.user_id})" if self.user_id else self.name


@dataclass(frozen=True)
class Named:
    """What a file's name in the archive says."""

    sender: Sender
    file: str  # as the student called it, folders included
    late: bool = False
    order: int = 0  # a higher one came later


def named(path: str) -> Named | None:
    """None where the name is none that an LMS makes. A folder around everything does not matter."""
    if found := MOODLE.search(path):
        folder = path[found.start() : found.start("file")].rstrip("/")
        typed = found["kind"] == "onlinetext"
        return Named(Sender("moodle", found["name"], back=folder), "" if typed else found["file"])
    *_, last = path.split("/")
    if TYPED.fullmatch(last):
        found = TYPED.fullmatch(last)
        return Named(Sender("canvas", found["name"] or "anon", found["user"] or ""), "")
    if found := ANONYMOUS.fullmatch(last):
        late = bool(found["late1"] or found["late2"])
        return _canvas(found, "", late)
    if found := CANVAS.fullmatch(last):
        return _canvas(found, found["user"], bool(found["late"]))
    return None


def _canvas(found: re.Match[str], user: str, late: bool) -> Named:
    sender = Sender("canvas", found["name"], user, back=f"{found['who']}_{found['attachment']}_")
    return Named(sender, found["file"], late, int(found["attachment"]))
