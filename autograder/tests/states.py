"""A class with a student for every state that handed-in work can be in."""

from nbgrader.api import Gradebook

from autograder.model import Status
from autograder.tests import classes
from autograder.tests.classes import EXERCISE, hand_in
from autograder.tests.damage import DAMAGE

SEEN = ["untouched", "cells_twice", "checks_deleted", "claims_99", "schema_99"]
NO_GRADE = {"not_json": Status.unreadable, "two_names": Status.misnamed}


def everybody(folder):
    """A class in every state that work can be in."""
    course = classes.released(folder)
    for student in SEEN:
        hand_in(course, student, DAMAGE[student](classes.solved(course, classes.wrong)))
    hand_in(course, "stub", classes.stub(course))
    hand_in(course, "no_cells", classes.stub(course) | {"cells": []})
    hand_in(course, "not_json", "{")
    hand_in(course, "script", classes.SOLUTION, f"{EXERCISE}.py")
    hand_in(course, "other_name", classes.solved(course), "My work (1).ipynb")
    for name in ("first.ipynb", "second.ipynb"):
        text = classes.solved(course, lambda source, name=name: f"{source}\n# {name}")
        hand_in(course, "two_names", text, name)
    hand_in(course, "nothing", None)
    with Gradebook(classes.url(course)) as gradebook:
        gradebook.add_student("absent", first_name="Ab", last_name="Sent")
    return course
