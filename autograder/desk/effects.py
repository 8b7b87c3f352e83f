"""What a call did beside answering: arguments changed, random numbers drawn, text printed."""

import ctypes
import io
import random

import numpy as np

KEPT = 8 << 10  # bytes of printed text that are kept
MERSENNE = 624 * 4 + 4  # bytes of a Mersenne Twister's state


class Printed(io.RawIOBase):
    """Where a student's prints go: the first bytes are kept, the rest is counted."""

    def __init__(self) -> None:
        self.kept, self.more = bytearray(), 0

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        """Nothing: what a student's code closes, or drops, goes on being printed to."""

    def write(self, data: bytes) -> int:
        fits = KEPT - len(self.kept)
        self.kept += data[:fits] if fits > 0 else b""
        self.more += max(len(data) - max(fits, 0), 0)
        return len(data)

    def take(self) -> str:
        """What was printed since the last call."""
        if not self.kept:
            return ""
        text = bytes(self.kept).decode("utf-8", "replace")
        if self.more:
            text += f"… {self.more / 1e6:.1f} MB more" if self.more > 1e5 else f"… {self.more} bytes more"
        self.kept, self.more = bytearray(), 0
        return text


def text_stream(raw: Printed) -> io.TextIOWrapper:
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", write_through=True)


def fingerprint(value: object) -> object:
    """Something that differs once the argument has been changed in place."""
    if type(value) is np.ndarray:
        return value.shape, value.dtype.str, value.tobytes()
    return [fingerprint(part) for part in value] if type(value) in (list, tuple) else value


def generators() -> tuple[bytes, bytes]:
    """The two global generators' state, from memory: asking for it politely takes far longer."""
    own = id(random._inst) + object.__basicsize__
    return ctypes.string_at(_numpys(), MERSENNE), ctypes.string_at(own, MERSENNE)


def set_generator(state: bytes) -> None:
    """Puts NumPy's global generator where `generators` found it; a normal number that it kept back stays."""
    ctypes.memmove(_numpys(), state, MERSENNE)


def _numpys() -> int:
    return np.random.mtrand._rand._bit_generator.ctypes.state_address
