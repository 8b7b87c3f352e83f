"""Functions of our own (the reference, mistakes, correct variants), run in this process with a desk's
manners.

For trusted code alone: it stands in for a desk where the grading itself is rehearsed or tested, and where
diagnosis imitates a mistake. A student's code never comes here.
"""

import copy
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from autograder.desk import wire
from autograder.desk.effects import generators, set_generator
from autograder.desk.errors import describe
from autograder.grade.answers import Answer, Effects, Outcome, read_error
from autograder.grade.lent import handed
from autograder.grade.remote import fingerprint


class LocalDesk:
    """Answers as a desk does: on copies of the arguments, each call by itself, with its effects."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]]):
        self._functions = dict(functions)
        self.defined = frozenset(self._functions)
        self.loaded = ()

    def many(self, name: str, cases: Sequence[tuple[tuple[Any, ...], dict[str, Any]]]) -> list[Answer]:
        """One answer for each case of positional and keyword arguments."""
        if name not in self._functions:
            return [Answer(Outcome.missing) for _ in cases]
        with np.errstate(all="ignore"), warnings.catch_warnings(), _own_generator():
            warnings.simplefilter("ignore")
            return [answer(self._functions[name], args, kwargs) for args, kwargs in cases]


@contextmanager
def _own_generator() -> Iterator[None]:
    """NumPy's global generator as in a new process, the same each time; afterwards it is as it was."""
    before = generators()[0]
    set_generator(_fresh_generator())
    try:
        yield
    finally:
        if generators()[0] != _fresh_generator():
            np.random.seed(0)  # forgets the second number of a pair of normal ones, too
        set_generator(before)


@cache
def _fresh_generator() -> bytes:
    before = np.random.get_state()
    np.random.seed(0)
    np.random.random()  # on from where a seed puts it, so that seeding always shows
    state = generators()[0]
    np.random.set_state(before)
    return state


def answer(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Answer:
    """What one call gives, raises and changes."""
    args, kwargs = fresh(args), {name: fresh(value) for name, value in kwargs.items()}
    named = {**dict(enumerate(args)), **kwargs}
    before = {name: fingerprint(value) for name, value in named.items()}
    generator = generators()[0]
    value, error = None, None
    try:
        value = plain(function(*args, **kwargs))
    except Exception as raised:  # whatever a mistake raises is its answer
        error = read_error(describe(raised))
    changed = tuple(name for name, item in named.items() if fingerprint(item) != before[name])
    outcome = Outcome.raised if error else Outcome.returned
    return Answer(outcome, value, error, Effects(changed, generators()[0] != generator))


def fresh(value: Any) -> Any:
    """A copy that the function under test may spoil, writable or not as the original is.

    A generator or a function arrives as it would at a desk.
    """
    if isinstance(value, np.ndarray):
        twin = copy.deepcopy(value) if value.flags.contiguous else np.repeat(value, 2, axis=-1)[..., ::2]
        twin.flags.writeable = value.flags.writeable
        return twin
    return type(value)(map(fresh, value)) if isinstance(value, tuple | list) else handed(value)


def plain(value: Any) -> Any:
    """The value as it would cross to the proctor. Raises TypeError for what may not."""
    data, table, buffers = wire.encode(value)
    return wire.decode({"v": data, "a": table}, b"".join(buffers))
