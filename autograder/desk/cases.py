"""A table of calls on its way to a desk, and the short way back of what most answers are.

A desk may trust the proctor, so the table comes in Python's own marshal format. Never the other way round:
what a desk answers is a frame of the wire, and read as one.
"""

import marshal
from collections.abc import Callable, Iterable

import numpy as np

from . import wire
from .arguments import Seed

Case = tuple[tuple, dict]
ARRAY = ...  # begins a tuple that stands for an array or a scalar of NumPy's; a short one for a generator
FUNCTION = (ARRAY,)  # stands for a function, which stays with the proctor and is asked there
LOT = 8 << 20  # bytes of arrays after which a table goes on in another frame
SHORT = 64 << 10  # bytes of an answer that goes the short way
PLAIN = {1: '{"a":0}', 2: '{"t":[{"a":0},{"a":1}]}'}  # an array, a pair of them


def lots(cases: Iterable[Case]) -> list[tuple[int, bytes]]:
    """The table in as many bodies as it needs, each with the number of its cases. Raises TypeError."""
    found, lot, size = [], [], 0
    for args, kwargs in cases:
        case = tuple(map(argument, args)), {name: argument(value) for name, value in kwargs.items()}
        if (*case[0], *case[1].values()).count(FUNCTION) > 1:
            raise TypeError("a call may be passed one function")
        more = sum(map(_size, (*case[0], *case[1].values())))
        if lot and size + more > LOT:
            found.append((len(lot), marshal.dumps(lot)))
            lot, size = [], 0
        lot.append(case)
        size += more
    return [*found, (len(lot), marshal.dumps(lot))] if lot else found


def argument(value: object) -> object:
    """An argument as marshal takes it: a value, a generator as its seed, a function as a mere mark."""
    if type(value) is Seed:
        return (ARRAY, value.number)
    return FUNCTION if callable(value) else frozen(value)


def frozen(value: object) -> object:
    """The value as marshal takes it. Raises TypeError for what may not cross."""
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind is tuple or kind is list:
        return kind(map(frozen, value))
    if issubclass(kind, np.ndarray | np.generic):
        _, ((code, shape, flags),), (data,) = wire.encode(value, layouts=True)
        return (ARRAY, code, tuple(shape), flags if issubclass(kind, np.ndarray) else None, data)
    raise TypeError(f"a value of type {kind.__name__} is not a number, an array or a tuple of these")


def _size(value: object) -> int:
    return len(value[-1]) if _is_array(value) else 100


def _is_array(value: object) -> bool:
    return type(value) is tuple and len(value) == 5 and value[0] is ARRAY


def opened(body: bytes) -> list[Case]:
    """The frozen cases of one body."""
    return marshal.loads(body)


def handed(value: object, lent: Callable[[], Callable]) -> object:
    """An argument as the student's function gets it; `lent` makes what stands for the proctor's function."""
    if type(value) is tuple and len(value) < 3 and value[:1] == FUNCTION:
        return Seed(value[1]).generator() if len(value) == 2 else lent()
    return thawed(value)


def thawed(value: object) -> object:
    """A fresh value, owned by whoever gets it."""
    if _is_array(value):
        _, code, shape, flags, data = value
        if flags is None:
            return np.frombuffer(data, code)[0]
        return wire.array(data, wire.DTYPES[code], shape, flags)
    kind = type(value)
    return kind(map(thawed, value)) if kind is tuple or kind is list else value


def changed(was: object, now: object) -> bool:
    """Whether the value that was made from `was` is another one by now."""
    if _is_array(was):
        _, code, shape, flags, data = was
        return flags is not None and (
            now.shape != shape or now.dtype != wire.DTYPES[code] or now.tobytes() != data
        )
    if type(was) is list or (type(was) is tuple and was[:1] != FUNCTION):
        return len(now) != len(was) or any(map(changed_part, was, now))
    return False


def changed_part(was: object, now: object) -> bool:
    """The same of a part, which may have been replaced."""
    kind = np.ndarray if _is_array(was) and was[3] is not None else type(was)
    if _is_array(was) and was[3] is None:
        return type(now) is not np.dtype(was[1]).type or now.tobytes() != was[4]
    if type(now) is not kind:
        return True
    if kind in (np.ndarray, tuple, list):
        return changed(was, now)
    return now is not was and now != was and not (now != now and was != was)  # nan is still nan


def answer(number: int, value: object) -> bytes:
    """The frame of a call's value and nothing else: what `pack_value` makes, sooner for an array or two."""
    arrays = value if type(value) is tuple and len(value) == 2 else (value,)
    table, data = [], b""
    for array in arrays:
        if type(array) is not np.ndarray or (code := array.dtype.str) not in wire.DTYPES:
            break
        if not 0 < array.nbytes < SHORT or array.ndim > wire.MAX_DIMENSIONS:
            break
        table.append(f'["{code}",{[*array.shape]},""]')
        data += array.tobytes()
    else:
        text = (
            f'{{"k":"answer","i":{number},"o":"returned","v":{PLAIN[len(arrays)]},"a":[{",".join(table)}]}}'
        )
        return wire.frame(text.encode(), data)
    return wire.pack_value({"k": "answer", "i": number, "o": "returned"}, value)
