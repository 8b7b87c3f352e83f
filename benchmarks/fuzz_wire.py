"""Mutates frames of the wire at random; each must give a WireError or plain values, and nothing else.

    python benchmarks/fuzz_wire.py [COUNT] [SEED]

The tests do the same with some thousands of frames that hypothesis thinks of; this is the long run.
"""

import random
import sys
import time
from collections import Counter

import numpy as np

from autograder.desk import wire
from autograder.grade import answers

PLAIN = (type(None), bool, int, float, str, list, tuple, np.ndarray)
WORDS = [
    b"NaN",
    b"1e999",
    b"-1",
    b"[",
    b"]",
    b"{}",
    b"\\ud800",
    b"true",
    b'"t"',
    b'"a"',
    b'"s"',
    b'"f"',
    b"9" * 30,
]


def seeds() -> list[bytes]:
    """Honest frames of every kind."""
    values = [None, True, 7, 2.5, float("nan"), "text", (1, [2.0, ("x",)]), [[1.0, 2.0]] * 3]
    values += [
        np.arange(6.0).reshape(2, 3),
        np.ones((2, 2), bool),
        np.float32(2),
        np.zeros((0, 3)),
        np.int8(1),
    ]
    head = {"k": "answer", "i": 7, "o": "returned", "c": [0, "x"], "p": "printed"}
    frames = [wire.pack_value(head, value) for value in [*values, tuple(values)]]
    frames += [wire.pack({**head, "o": word, "e": ["ValueError", "text", 3, 1]}) for word in answers.OUTCOMES]
    return [*frames, wire.pack({"k": "cell", "i": 7, "c": 0, "o": "ok"}), frames[0] + frames[5]]


def mutated(frame: bytes, chance: random.Random) -> bytes:
    """A frame with odd bytes in it; every other time its lengths are put right afterwards."""
    if chance.random() < 0.5:
        return spoiled(frame, chance)
    magic, length, _ = wire.LENGTHS.unpack_from(frame)
    header, body = frame[wire.LENGTHS.size :][:length], frame[wire.LENGTHS.size + length :]
    header, body = spoiled(header, chance), spoiled(body, chance) if chance.random() < 0.3 else body
    return wire.LENGTHS.pack(magic, len(header), len(body)) + header + body


def spoiled(data: bytes, chance: random.Random) -> bytes:
    data = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data) or 1)
        match chance.randrange(6):
            case 0:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[at : at + chance.randint(1, 8)]
            case 2:
                data[at:at] = chance.choice(WORDS)
            case 3:
                data[at : at + 4] = chance.randbytes(4)
            case 4:
                data += data[at:]
            case 5:  # another digit, where there is one
                data[at : at + 1] = data[at : at + 1].translate(
                    bytes((byte + 1) % 256 for byte in range(256))
                )
    return bytes(data)


def outcome(data: bytes) -> str:
    """What the proctor makes of these bytes."""
    reader = wire.Reader()
    reader.feed(data)
    try:
        frame = reader.next()
        if frame is None:
            return "unfinished"
        value = wire.decode(*frame)
    except wire.WireError:
        return "refused"
    assert type(value) in PLAIN or isinstance(value, np.generic), type(value)
    for read in (
        lambda: answers.read_answer(*frame, 7, 2.0),
        lambda: answers.read_loaded(frame[0], 7, 0, 1, 2.0),
    ):
        try:
            read()
        except ValueError:
            continue
    return "a plain value"


def main() -> None:
    count, seed = (int(word) for word in (sys.argv[1:] + ["300000", "1"][len(sys.argv) - 1 :]))
    chance, honest, start = random.Random(seed), seeds(), time.perf_counter()
    found = Counter(outcome(mutated(chance.choice(honest), chance)) for _ in range(count))
    print(f"{count} frames in {time.perf_counter() - start:.0f} s: {dict(found)}")


if __name__ == "__main__":
    main()
