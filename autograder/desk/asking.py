"""Functions that the proctor answers for: stand-ins for helpers of a step, and one that a call was passed."""

import hashlib
import marshal
from collections.abc import Callable

from . import arguments, channel, errors, wire

LATE = "the function is there during the call that it was passed to, not later"


class Asker:
    """Asks the proctor and waits for the answer. `now`: gives the number of the request under way, if any."""

    def __init__(self, line: channel.Channel, now: Callable[[], int | None]) -> None:
        self._line, self._now, self._asked = line, now, 0
        self._known: dict[bytes, bytes] = {}

    def know(self, body: bytes) -> None:
        """Answers, sealed, to questions that need not be asked; a desk may trust the proctor."""
        self._known = marshal.loads(body)

    def stand_in(self, name: str) -> Callable:
        def ask(*args: object, **kwargs: object) -> object:
            return self._ask(self._now(), name, args, kwargs)

        ask.__name__ = ask.__qualname__ = name
        return ask

    def lent(self) -> Callable:
        """What stands for the proctor's function, for as long as the present call takes."""
        request = self._now()

        def function(*args: object, **kwargs: object) -> object:
            if self._now() != request:
                raise RuntimeError(LATE)
            return self._ask(request, arguments.LENT, args, kwargs)

        return function

    def _ask(self, request: int | None, name: str, args: tuple, kwargs: dict) -> object:
        if self._known and (answer := self._known.get(number_of(what := question(name, args, kwargs)))):
            return _answer(sealed(what, answer))
        self._asked += 1
        header = {"k": "ask", "i": request, "n": self._asked, "name": name}
        self._line.send(wire.pack_value(header, (args, list(kwargs.items()))))
        header, body = self._line.answer(self._asked)
        if header["k"] == "refused":
            kind = next((kind for kind in errors.ORDINARY if kind.__name__ == header["e"][0]), ValueError)
            raise kind(header["e"][1])
        return wire.decode(header, body, layouts=True)  # what is lent may be read-only


def question(name: str, args: tuple, kwargs: dict) -> bytes:
    """What a question is known by: who is asked, and for what, to the byte. Raises TypeError."""
    return wire.pack_value({"name": name}, (args, list(kwargs.items())))


def number_of(what: bytes) -> bytes:
    """Under which a question's answer is found; it tells nothing of either."""
    return hashlib.sha256(what).digest()


def sealed(what: bytes, answer: bytes) -> bytes:
    """The answer sealed with its question, or opened again: who cannot ask must not read it in memory."""
    stream = hashlib.shake_256(what).digest(len(answer))
    return (int.from_bytes(answer, "little") ^ int.from_bytes(stream, "little")).to_bytes(
        len(answer), "little"
    )


def _answer(frame: bytes) -> object:
    reader = wire.Reader()
    reader.feed(frame)
    return wire.decode(*reader.next())
