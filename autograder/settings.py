"""A course's settings: traitlets in its nbgrader_config.py, the file that a teacher already edits."""

from traitlets import Enum, Float, Integer, List
from traitlets.config import Config, Configurable
from traitlets.config.loader import JSONFileConfigLoader, PyFileConfigLoader

from autograder.layout import CONFIG, Course

LANGUAGES = ("en", "zh")

# Passes of ours in the place of nbgrader's, in the order in which they run; record/passes.py holds them.
PASSES = "autograder.record.passes"
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


def plug_in(c: Config) -> None:
    """Puts the kit's passes in place of nbgrader's, so that Autograde and Generate go our way."""
    c.Autograde.sanitize_preprocessors = list(SANITIZE)
    c.Autograde.autograde_preprocessors = list(AUTOGRADE)


def load_config(course: Course) -> Config:
    """The configuration that nbgrader itself would read in the course's folder."""
    config = PyFileConfigLoader(CONFIG, path=str(course.root)).load_config()
    if (course.root / "nbgrader_config.json").is_file():
        config.merge(JSONFileConfigLoader("nbgrader_config.json", path=str(course.root)).load_config())
    return config


def load_settings(course: Course) -> Attn:
    """The course's settings. Raises TraitError where a value is not of its kind."""
    return Attn(config=load_config(course))
