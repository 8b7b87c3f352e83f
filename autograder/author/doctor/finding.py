"""What the doctor says: one finding for each law, and more where it is broken."""

from dataclasses import dataclass

from autograder.model import Sentence


@dataclass(frozen=True)
class Finding:
    """A law of one exercise, and whether it holds. A warning is for a person to judge; it breaks nothing."""

    exercise: str
    law: Sentence
    ok: bool
    detail: str = ""  # what holds, or the file and what differs
    cure: str = ""  # the command or the edit that mends it
    warning: bool = False


@dataclass(frozen=True)
class Fault:
    """One thing in which a law is broken."""

    detail: str
    cure: str
    warning: bool = False
