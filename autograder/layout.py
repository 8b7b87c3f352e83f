"""Where everything lies: one place that knows the names of folders and files."""

from dataclasses import dataclass
from pathlib import Path

from autograder.model import KitError

PACKAGE = Path(__file__).resolve().parent
CONFIG = "nbgrader_config.py"


def _kit_root() -> Path:
    """The clone that this package stands in, or what a wheel carries of it."""
    carried = PACKAGE / "_kit"
    return carried if carried.is_dir() else PACKAGE.parent


KIT = _kit_root()


class CourseNotFoundError(KitError):
    """There is no course here; the message names the command that makes one."""


@dataclass(frozen=True)
class Course:
    """A directory with an nbgrader_config.py. It uses the kit's exercises and may hold some of its own."""

    root: Path

    def _own_or_kits(self, *parts: str, kit: Path = KIT) -> Path:
        own = self.root.joinpath(*parts)
        return own if own.exists() else kit.joinpath(*parts)

    @property
    def exercises(self) -> tuple[str, ...]:
        folders = (KIT / "assignments", self.root / "assignments")
        return tuple(
            sorted({toml.parent.name for folder in folders for toml in folder.glob("*/exercise.toml")})
        )

    def assignment(self, exercise: str) -> Path:
        return self._own_or_kits("assignments", exercise)

    def solution(self, exercise: str) -> Path:
        return self._own_or_kits("solutions", f"{exercise}.py")

    def suite(self, exercise: str) -> Path:
        return self._own_or_kits("suites", exercise, kit=PACKAGE)

    def source(self, exercise: str) -> Path:
        return self.root / "source" / exercise

    def release(self, exercise: str) -> Path:
        return self.root / "release" / exercise

    def submitted(self, student: str, exercise: str) -> Path:
        return self.root / "submitted" / student / exercise

    def autograded(self, student: str, exercise: str) -> Path:
        return self.root / "autograded" / student / exercise

    def feedback(self, student: str, exercise: str) -> Path:
        return self.root / "feedback" / student / exercise

    def gradesheet(self, student: str, exercise: str) -> Path:
        taken = student == self.run_record.name  # a student may be called so; none is called with a dot
        return self.root / "gradesheets" / (f".{student}" if taken else student) / f"{exercise}.json"

    @property
    def run_record(self) -> Path:
        """What a gradesheet must not depend on: times, walls, the machine."""
        return self.root / "gradesheets" / "run.json"

    @property
    def reports(self) -> Path:
        return self.root / "reports"

    @property
    def private(self) -> Path:
        return self.root / ".attn"

    def pages(self, exercise: str) -> Path:
        """What is known of each student's feedback: what it was made of, and when it was given."""
        return self.private / "feedback" / f"{exercise}.json"

    def versions(self, student: str, exercise: str) -> Path:
        """Every version of a student's work that a cycle or a collection met."""
        return self.private / "versions" / student / exercise

    def standing(self, exercise: str) -> Path:
        """What was true of files when their gradesheets were made."""
        return self.private / "standing" / f"{exercise}.json"

    def lock(self, exercise: str) -> Path:
        """Says who writes at the moment."""
        return self.private / "locks" / exercise

    def aside(self, student: str, exercise: str) -> Path:
        """Where links and pipes of a submission wait while nbgrader copies it."""
        return self.private / "aside" / student / exercise

    @property
    def seed(self) -> Path:
        return self.private / "seed"


def find_course(start: Path | None = None) -> Course:
    """The course that `start` (by default the working directory) lies in. Raises CourseNotFoundError."""
    start = (start or Path.cwd()).resolve()
    for folder in (start, *start.parents):
        if (folder / CONFIG).is_file():
            return Course(folder)
    raise CourseNotFoundError(
        f"{start} is in no course: it and its parents hold no {CONFIG}.\nMake one: attn init DIR"
    )
