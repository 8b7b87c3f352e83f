"""Sample students, named by what is wrong with what they handed in, each with what must come of it.

A sample is a function that writes a student's folder. `SAMPLES` holds all of them by name; `DEMO_CLASS` is
the class of `make demo`, and `later.LATER` has what some of it hand in for the later exercises. `Work` gives
a sample the released notebook and the reference's functions.
"""

import copy
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from autograder.author.stub import function_source
from autograder.model import Exercise, Release, Status, Verdict

ESSAY = (
    "I measured it: with d_k = 512 the scores spread to about 22, and one weight takes nearly all.\n"
    "我测了：除以 √d_k 之后分数的方差约为 1，softmax 不再饱和，梯度也就不会消失。"
)


@dataclass(frozen=True)
class Work:
    """What a student has: a folder to fill, the released notebook, the right functions to write into it."""

    folder: Path
    exercise: Exercise
    release: Release

    @property
    def steps(self) -> tuple[str, ...]:
        return tuple(step.name for step in self.exercise.steps)

    def solution(self, step: str) -> str:
        """The reference's function, as a student might have written it."""
        lines = function_source(self.exercise, step).split("\n")
        return "\n".join(line for line in lines if "SOLUTION" not in line)

    def notebook(self, *steps: str, all_steps: bool = True) -> dict:
        """The released notebook with these steps solved; with all and the essay if none is named."""
        notebook = copy.deepcopy(dict(self.release.notebook))
        for step in steps or (self.steps if all_steps else ()):
            self.cell(notebook, step)["source"] = self.solution(step)
        if not steps and all_steps:
            self.cell(notebook, self.question)["source"] = ESSAY
        return notebook

    @property
    def question(self) -> str:
        return self.exercise.questions[0].name

    def cell(self, notebook: dict, grade_id: str) -> dict:
        """The cell of that grade_id."""
        return notebook["cells"][self.index(notebook, grade_id)]

    def index(self, notebook: dict, grade_id: str) -> int:
        marks = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in notebook["cells"]]
        return marks.index(grade_id)

    def insert(self, notebook: dict, grade_id: str, source: str, *, after: bool = False) -> None:
        """A code cell of the student's own before (or after) the cell of that grade_id."""
        notebook["cells"].insert(self.index(notebook, grade_id) + after, code(source))

    def write(self, notebook: dict, name: str = "", **options: object) -> Path:
        """Writes a notebook, under its own name unless told another."""
        options = {"ensure_ascii": False, "indent": 1} | options
        text = json.dumps(notebook, **options)
        return self.put(name or f"{self.exercise.name}.ipynb", text.encode("utf-8", "surrogatepass"))

    def put(self, name: str, data: bytes | str) -> Path:
        """Writes any file into the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
        return path

    def script(self, *steps: str) -> str:
        """The stubs' file with these steps solved, or all of them."""
        head = self.release.module.split(f"\ndef {self.steps[0]}(")[0].rstrip()
        bodies = [self.solution(step) for step in steps or self.steps]
        return "\n\n\n".join([head, *bodies]) + "\n"

    @property
    def outside(self) -> Path:
        """A file of somebody else's, solved, that no submission may reach."""
        path = self.folder.parent.parent / "somebody_elses.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self.notebook()), encoding="utf-8")
        return path


def code(source: str, **metadata: object) -> dict:
    """A code cell of a student's own."""
    cell = {"cell_type": "code", "metadata": metadata, "source": source, "outputs": []}
    return cell | {"execution_count": None, "id": own_id(source)}


def own_id(source: str) -> str:
    return f"own-{hashlib.sha256(source.encode()).hexdigest()[:8]}"


def text(source: str, **metadata: object) -> dict:
    """A Markdown cell of a student's own."""
    return {
        "cell_type": "markdown",
        "metadata": metadata,
        "source": source,
        "id": own_id(source),
    }


NO_POINTS = (Verdict.unwritten, Verdict.timed_out)


@dataclass(frozen=True)
class Sample:
    """A student's folder, and what must come of it. `steps` names those that do not pass."""

    name: str
    make: Callable[[Work], None]
    status: Status = Status.graded
    steps: Mapping[str, Verdict | None] = field(default_factory=dict)  # None: any but passed
    essay: bool | None = None  # whether there is one to grade; None: there is
    warns: str | None = None  # English words that must be said; None: nothing may be

    def points(self, exercise: Exercise) -> tuple[Fraction, Fraction]:
        """The least and the most that it may earn: what fails or raises may earn some of its points."""
        if self.status is not Status.graded:
            return Fraction(0), Fraction(0)
        whole = sum((step.points for step in exercise.steps if step.name not in self.steps), Fraction(0))
        partly = [
            exercise.step(name).points for name, verdict in self.steps.items() if verdict not in NO_POINTS
        ]
        return whole, whole + sum(partly, Fraction(0))

    def write(self, folder: Path, exercise: Exercise, release: Release) -> None:
        """Writes the student's folder."""
        folder.mkdir(parents=True, exist_ok=True)
        self.make(Work(folder, exercise, release))


SAMPLES: dict[str, Sample] = {}


def sample(
    *,
    status: str = "graded",
    warns: str | None = None,
    essay: bool | None = None,
    **steps: str | None,
) -> Callable[[Callable[[Work], None]], Callable[[Work], None]]:
    """Registers a maker under its own name. `softmax="raised"` says that this step does not pass."""
    verdicts = {name: None if verdict is None else Verdict(verdict) for name, verdict in steps.items()}

    def register(make: Callable[[Work], None]) -> Callable[[Work], None]:
        SAMPLES[make.__name__] = Sample(make.__name__, make, Status(status), verdicts, essay, warns)
        return make

    return register


# Each module registers its samples; they need what stands above.
from autograder.tests.submissions import accidents, attacks, formats, good, names, scripts  # noqa: E402, F401

DEMO_CLASS: dict[str, Sample] = {
    student: SAMPLES[name]
    for student, name in {
        "ada_byron": "solves_everything",
        "chen_xiaoyu": "solves_everything_in_chinese",
        "david_okafor": "forgets_scaling",
        "emma_larsen": "solves_the_first_half",
        "fang_zihan": "divides_by_d_k",
        "grace_muller": "works_in_the_script",
        "he_ruoxi": "sums_over_queries",
        "ivan_petrov": "writes_a_syntax_error",
        "jin_yichen": "loops_forever_in_a_step",
        "kofi_mensah": "pastes_into_a_new_notebook",
        "li_mohan": "names_the_file_as_a_copy",
        "maria_santos": "deletes_check_cells",
        "ouyang_qing": "inverts_the_mask",
        "priya_nair": "hands_in_broken_json",
        "song_an": "changes_nothing",
        "tom_baker": "hands_in_nothing",
    }.items()
}
DEMO_NAMES: dict[str, tuple[str, str]] = {  # first and last name, as the gradebook shows them
    "ada_byron": ("Ada", "Byron"),
    "chen_xiaoyu": ("晓雨", "陈"),
    "david_okafor": ("David", "Okafor"),
    "emma_larsen": ("Emma", "Larsen"),
    "fang_zihan": ("子涵", "方"),
    "grace_muller": ("Grace", "Müller"),
    "he_ruoxi": ("若溪", "何"),
    "ivan_petrov": ("Ivan", "Petrov"),
    "jin_yichen": ("奕辰", "金"),
    "kofi_mensah": ("Kofi", "Mensah"),
    "li_mohan": ("墨涵", "李"),
    "maria_santos": ("Maria", "Santos"),
    "ouyang_qing": ("清", "欧阳"),
    "priya_nair": ("Priya", "Nair"),
    "song_an": ("安", "宋"),
    "tom_baker": ("Tom", "Baker"),
}
