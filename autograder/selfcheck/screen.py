"""A terminal: its width, its colours if it has any, and whatever its encoding can show."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from .text import Line, prose
from .words import Pair, encodable, speakable

COLOURS = {"head": "1", "good": "32", "bad": "31", "dim": "2", "code": "36"}
WIDEST, NARROWEST = 96, 20


@dataclass(frozen=True)
class Screen:
    """Where lines go."""

    stream: object
    language: str
    width: int
    colour: bool
    encoding: str

    @classmethod
    def of(cls, stream, language: str) -> Screen:
        """The stream as it is: Chinese needs an encoding that has it."""
        encoding = getattr(stream, "encoding", None) or "utf-8"
        language = speakable(language, encoding)
        terminal = hasattr(stream, "isatty") and stream.isatty()
        colour = terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        if terminal and os.name == "nt":
            os.system("")  # switches the Windows console to escape sequences
        columns = shutil.get_terminal_size((80, 24)).columns
        return cls(stream, language, min(max(columns, NARROWEST), WIDEST), colour, encoding)

    def text(self, text: str, style: str = "") -> None:
        text = encodable(text, self.encoding)
        if self.colour and style in COLOURS and text:
            text = f"\x1b[{COLOURS[style]}m{text}\x1b[0m"
        try:
            self.stream.write(text + "\n")
            self.stream.flush()
        except BrokenPipeError:  # `| head` has read enough
            sys.stdout = None
            raise SystemExit(1) from None

    def lines(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self.text(line.text, line.style)

    def say(self, pair: Pair, style: str = "") -> None:
        self.lines(prose(pair.say(self.language), self.width, style))

    def clear(self) -> None:
        """A fresh screen on a terminal, a ruled line elsewhere."""
        if self.colour or (hasattr(self.stream, "isatty") and self.stream.isatty()):
            self.stream.write("\x1b[2J\x1b[3J\x1b[H")
            self.stream.flush()
        else:
            self.text("-" * min(self.width, 60))

    def stuck(self) -> None:
        """Code that hangs where Python cannot stop it: the whole program has to end."""
        self.say(
            Pair(
                "Stopped: your code hangs in a call that nothing can interrupt (sleep, a huge array?).",
                "已中止：代码卡在一个无法打断的调用里（sleep、太大的数组？）。",
            ),
            "bad",
        )
        os._exit(1)
