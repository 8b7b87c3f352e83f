"""What a step may be passed besides plain values: a generator, which travels as its seed, and a function.

The function stays with the proctor: for the length of one call the student's code may ask it.
"""

from dataclasses import dataclass

import numpy as np

LENT = ""  # the name in questions that go to the function; a step's is never empty


@dataclass(frozen=True)
class Seed:
    """Stands for a generator among the arguments of a call: whoever is called gets one that begins there."""

    number: int

    def generator(self) -> np.random.Generator:
        return np.random.default_rng(self.number)

    def __repr__(self) -> str:
        return f"np.random.default_rng({self.number})"
