"""Which content a submission's recorded marks were given for, in a table of ours inside the gradebook.

There it is written in the same transaction as the marks, so that neither can stand without the other, and
goes wherever the gradebook goes. nbgrader neither reads nor changes a table that is not its own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from sqlalchemy import Column, MetaData, String, Table, delete, insert, inspect, select
from sqlalchemy.schema import CreateTable

from autograder.model import Gradesheet

TABLE = Table(
    "attn_recorded",
    MetaData(),
    Column("submission_id", String(32), primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("exercise_version", String(64), nullable=False),
    Column("seed", String(64), nullable=False),
    Column("grader", String(64), nullable=False),
)
MANY = 500  # ids in one question


@dataclass(frozen=True)
class Content:
    """The work, and what judged it."""

    digest: str
    exercise_version: str
    seed: str
    grader: str

    @classmethod
    def of(cls, sheet: Gradesheet) -> Self:
        return cls(sheet.digest, sheet.exercise_version, sheet.seed, sheet.grader)


def known(session: Any, submissions: Iterable[str]) -> dict[str, Content]:
    """By the submission's id; those that were recorded by no kit of this kind are left out."""
    if not inspect(session.connection()).has_table(TABLE.name):
        return {}
    ids, found = list(submissions), {}
    for start in range(0, len(ids), MANY):
        chosen = TABLE.c.submission_id.in_(ids[start : start + MANY])
        for key, *facts in session.execute(select(TABLE).where(chosen)):
            found[key] = Content(*facts)
    return found


def note(session: Any, contents: Mapping[str, Content]) -> None:
    """Adds them to the transaction that writes the marks."""
    if not contents:
        return
    session.execute(CreateTable(TABLE, if_not_exists=True))
    ids = list(contents)
    for start in range(0, len(ids), MANY):
        session.execute(delete(TABLE).where(TABLE.c.submission_id.in_(ids[start : start + MANY])))
    session.execute(insert(TABLE), [{"submission_id": key} | asdict(one) for key, one in contents.items()])
