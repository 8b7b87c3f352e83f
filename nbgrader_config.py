"""The demo course's settings, read by nbgrader and by attn: the kit's own root is a course."""

from pathlib import Path

from autograder.settings import plug_in

here = Path(__file__).resolve().parent
c = get_config()  # noqa: F821 (nbgrader provides it)
plug_in(c)

c.CourseDirectory.course_id = "demo"
c.CourseDirectory.root = str(here)
c.Exchange.root = str(here / "exchange")  # where releases and submissions cross
c.Attn.languages = ["en", "zh"]  # the first is open, the second folded
