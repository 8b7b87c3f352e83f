"""Where an instructor's course lies. It stands in the instructor's home: ~/.jupyter/nbgrader_config.py."""

from pathlib import Path

c = get_config()  # noqa: F821 (nbgrader provides it)
c.CourseDirectory.root = str(Path.home() / "attention")
