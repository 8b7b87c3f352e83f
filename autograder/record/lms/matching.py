"""Which student of the roster a bulk download means: by the LMS's id, else by a name that only one has."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from autograder.record.lms.names import Sender

NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Person:
    """What the gradebook knows of one student."""

    student: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_id: str = ""


class Roster:
    """Finds students. `told`: what a person has decided, from a sender's name or id to a student."""

    def __init__(self, people: Iterable[Person], told: Mapping[str, str] | None = None):
        self._told = dict(told or {})
        self._ids: dict[str, list[Person]] = defaultdict(list)
        self._names: dict[str, list[Person]] = defaultdict(list)
        for person in people:
            for one in {person.lms_id, person.student} - {""}:
                self._ids[one].append(person)
            for name in _names(person):
                self._names[name].append(person)

    def find(self, sender: Sender) -> str | None:
        """The student, or None where there is none or more than one."""
        for key in (sender.user_id, sender.name, sender.label):
            if key in self._told:
                return self._told[key]
        known = self._ids[sender.user_id] if sender.user_id else []
        if len(known) == 1:
            return known[0].student
        named = self._names[plain(sender.name)]
        # Who has another id in this LMS is another person of the same name.
        fitting = [one for one in named if not (sender.user_id and one.lms_id.isdigit())]
        return fitting[0].student if len(fitting) == 1 else None


def plain(name: str) -> str:
    """A name as both systems can be compared: word characters alone, in one case."""
    return NOT_WORD.sub("", name).casefold()


def _names(person: Person) -> set[str]:
    first, last = person.first_name, person.last_name
    return {plain(name) for name in (first + last, last + first, person.student)} - {""}
