"""Functions that the proctor answers for: stand-ins for helpers of a step, and one that a call was passed."""

from collections.abc import Callable

from . import arguments, channel, errors, wire

LATE = "the function is there during the call that it was passed to, not later"


class Asker:
    """Asks the proctor and waits for the answer. `now`: gives the number of the request under way, if any."""

    def __init__(self, line: channel.Channel, now: Callable[[], int | None]) -> None:
        self._line, self._now, self._asked = line, now, 0

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
        self._asked += 1
        header = {"k": "ask", "i": request, "n": self._asked, "name": name}
        self._line.send(wire.pack_value(header, (args, list(kwargs.items()))))
        header, body = self._line.answer(self._asked)
        if header["k"] == "refused":
            kind = next((kind for kind in errors.ORDINARY if kind.__name__ == header["e"][0]), ValueError)
            raise kind(header["e"][1])
        return wire.decode(header, body, layouts=True)  # what is lent may be read-only
