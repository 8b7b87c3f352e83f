"""A course's settings: traitlets in its nbgrader_config.py, the file that a teacher already edits."""

import copy
import os
import shutil
import sys
from pathlib import Path

from traitlets import Bool, Dict, Enum, Float, Integer, List, TraitType, Union
from traitlets.config import Config, Configurable
from traitlets.config.loader import JSONFileConfigLoader, PyFileConfigLoader

from autograder.layout import CONFIG, Course

LANGUAGES = ("en", "zh")
SHOWS = ("points", "sentence", "diagnosis")  # of hidden checks, each more than the one before
WHEN = ("at once", "after the due date")

# What stands in a solution's place in a release, in whatever language the rest of it is.
CODE_STUB = "# YOUR CODE HERE 在此写代码\nraise NotImplementedError"
TEXT_STUB = "YOUR ANSWER HERE 在此作答"

# Passes of ours in the place of nbgrader's, in the order in which they run; record/passes.py holds them.
PASSES = "autograder.record.passes"
SHOWING = "autograder.record.showing"
SANITIZE = (f"{PASSES}.Restore", "nbgrader.preprocessors.CheckCellMetadata")
AUTOGRADE = (
    f"{PASSES}.InsertVerdicts",  # in place of Execute: no student's code runs inside nbgrader
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    f"{PASSES}.SaveVerdicts",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
)
GENERATE = (
    f"{PASSES}.RequireFreshSource",  # before anything is touched
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbgrader.preprocessors.InstantiateTests",
    "nbgrader.preprocessors.LockCells",
    f"{PASSES}.ClearSolutions",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
)
PLUGS = {
    "Autograde": {
        "sanitize_preprocessors": list(SANITIZE),
        "autograde_preprocessors": list(AUTOGRADE),
        "pre_convert_hook": f"{PASSES}.tidy_submission",
        "exporter_class": f"{PASSES}.Reader",
    },
    "GenerateAssignment": {"preprocessors": list(GENERATE)},
    "GenerateFeedback": {"exporter_class": f"{SHOWING}.Pages"},
    "HTMLExporter": {"preprocessors": [f"{SHOWING}.ForGraders"]},  # in the formgrader alone
    "ExchangeFactory": {"collect": "autograder.record.exchange.Collect"},
    "AssignLatePenalties": {"plugin_class": "autograder.record.late.LateWork"},
}


def _by_exercise(kind: TraitType, default: object, text: str) -> Union:
    """One value for all exercises, or a value by exercise; who is not named has the default."""
    return Union([kind, Dict(value_trait=copy.copy(kind))], default_value=default, help=text).tag(config=True)


class Attn(Configurable):
    """What a teacher may set in nbgrader_config.py, as `c.Attn.NAME = VALUE`."""

    languages = List(
        Enum(LANGUAGES),
        ["en", "zh"],
        minlen=1,
        help="Languages of handouts and feedback, the first one open.",
    ).tag(config=True)
    call_seconds = Float(2.0, help="CPU seconds that one cell or one call of a student's code may take.").tag(
        config=True
    )
    step_seconds = Float(10.0, help="CPU seconds that all calls of one step may take.").tag(config=True)
    memory_mb = Integer(512, help="Memory in MB that a student's code may take beyond NumPy itself.").tag(
        config=True
    )
    counts = Enum(
        ("last", "best"),
        "last",
        help="Which of a student's submissions counts in `attn cycle`; all of them are kept.",
    ).tag(config=True)
    feedbacks_a_day = Integer(
        0, min=0, help="How often a day `attn cycle` gives a student new feedback; 0: every time."
    ).tag(config=True)
    feedback_shows = _by_exercise(
        Enum(SHOWS),
        "diagnosis",
        "What a student sees of hidden checks: the points of each step; each check's sentence and whether it "
        "holds; or the diagnosis too. For all exercises, or by name: {'self_attention': 'points'}.",
    )
    feedback_when = _by_exercise(
        Enum(WHEN), "at once", "When feedback may be made: at once, or after the student's own due date."
    )
    release_solution = _by_exercise(
        Bool(), False, "Whether `attn release EXERCISE --solution` may hand out the solved notebook."
    )


def plugs(c: Config) -> dict[str, dict[str, object]]:
    """Our passes for this configuration. An exchange, a hook or a rule that a teacher has chosen stays."""
    theirs = {
        ("ExchangeFactory", "collect"),
        ("Autograde", "pre_convert_hook"),
        ("GenerateFeedback", "exporter_class"),
        ("HTMLExporter", "preprocessors"),
        ("AssignLatePenalties", "plugin_class"),
    }
    return {
        part: {
            name: value
            for name, value in names.items()
            if (part, name) not in theirs or c[part].get(name, value) == value
        }
        for part, names in PLUGS.items()
    }


def plug_in(c: Config) -> None:
    """Puts the kit's passes in place of nbgrader's, so that its commands and its formgrader go our way."""
    c.merge(Config(plugs(c)))
    reach_programs()


def reach_programs() -> None:
    """Puts this environment's programs on PATH: nbgrader calls `alembic` by name, and half-fails without."""
    if shutil.which("alembic") is None:
        os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def load_config(course: Course) -> Config:
    """The configuration that nbgrader itself would read in the course's folder."""
    config = PyFileConfigLoader(CONFIG, path=str(course.root)).load_config()
    if (course.root / "nbgrader_config.json").is_file():
        config.merge(JSONFileConfigLoader("nbgrader_config.json", path=str(course.root)).load_config())
    return config


def load_settings(course: Course) -> Attn:
    """The course's settings. Raises TraitError where a value is not of its kind."""
    return Attn(config=load_config(course))
