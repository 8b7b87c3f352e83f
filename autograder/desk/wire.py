"""The wire between proctor and desk: frames, and the plain values that they may carry.

A frame is a magic word, two lengths, a JSON header and raw little-endian buffers. Whatever the other side
sends gives a plain value or a WireError, nothing else: no type, shape or size is believed unchecked.
"""

import json
import math
import struct

import numpy as np

MAGIC, LENGTHS = b"DSK1", struct.Struct("<4sII")  # magic, bytes of the header, bytes of the body
MAX_HEADER, MAX_BODY = 64 << 10, 64 << 20
MAX_DEPTH, MAX_NODES, MAX_ARRAYS, MAX_DIMENSIONS, MAX_TEXT = 8, 4096, 64, 16, 16 << 10
NUMBERS = ["|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8", "<c8", "<c16"]
DTYPES = {code: np.dtype(code) for code in NUMBERS}
SHORTENED = {"g": np.dtype("<f8"), "G": np.dtype("<c16")}  # no two machines agree on what a longer one is
SPELLED = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False)


class WireError(ValueError):
    """What arrived is not a frame that the other side could honestly have sent."""


def pack(header: dict, body: bytes = b"") -> bytes:
    """One frame. Raises TypeError where it would be larger than a frame may be."""
    return frame(ENCODER.encode(header).encode(), body)


def frame(text: bytes, body: bytes) -> bytes:
    """One frame, its header as text. Raises TypeError where it would be larger than a frame may be."""
    if len(text) > MAX_HEADER or len(body) > MAX_BODY:
        raise TypeError("the value is too large to hand over")
    return LENGTHS.pack(MAGIC, len(text), len(body)) + text + body


def pack_value(header: dict, value: object, *, layouts: bool = False) -> bytes:
    """A frame that carries a value. `layouts`: whether arrays keep their order and their write lock."""
    plain, table, buffers = encode(value, layouts=layouts)
    return pack(header | {"v": plain, "a": table}, b"".join(buffers))


class Reader:
    """Cuts the bytes that arrive into frames."""

    def __init__(self) -> None:
        self._bytes, self._at = bytearray(), 0  # what has arrived, and how much of it is read

    def feed(self, data: bytes) -> None:
        del self._bytes[: self._at]
        self._at = 0
        self._bytes += data

    @property
    def empty(self) -> bool:
        return self._at == len(self._bytes)

    def next(self) -> tuple[dict, bytes] | None:
        """The next whole frame, or None where more bytes must come. Raises WireError."""
        return (found := self.cut()) and (header(found[0]), found[1])

    def cut(self) -> tuple[bytes, bytes] | None:
        """The same, its header as text."""
        start = self._at + LENGTHS.size
        if len(self._bytes) < start:
            return None
        magic, head, body = LENGTHS.unpack_from(self._bytes, self._at)
        if magic != MAGIC or head > MAX_HEADER or body > MAX_BODY:
            raise WireError("not a frame")
        middle, end = start + head, start + head + body
        if len(self._bytes) < end:
            return None
        self._at = end
        return bytes(self._bytes[start:middle]), bytes(self._bytes[middle:end])


def _refuse(literal: str) -> None:
    raise WireError(f"{literal} is no number here")


DECODER = json.JSONDecoder(parse_constant=_refuse)


def header(text: bytes) -> dict:
    """What a frame's header says. Raises WireError."""
    try:
        found = DECODER.decode(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise WireError("not a header") from error
    if type(found) is not dict:
        raise WireError("not a header")
    return found


def encode(value: object, *, layouts: bool = False) -> tuple[object, list, list[bytes]]:
    """Plain JSON data, a table of arrays and their buffers. Raises TypeError for what may not cross.

    Types are judged exactly, so that no method of a subclass is ever called; subclasses of ndarray become
    their base data.
    """
    sender = _Sender(layouts)
    return sender.plain(value, 0), sender.table, sender.buffers


class _Sender:
    def __init__(self, layouts: bool) -> None:
        self.layouts, self.nodes, self.bytes = layouts, 0, 0
        self.table: list = []
        self.buffers: list[bytes] = []

    def plain(self, value: object, depth: int) -> object:
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise TypeError("the value is nested too deeply or has too many parts")
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is int or kind is str:
            return _bounded(value)
        if kind is float:
            return value if math.isfinite(value) else {"f": repr(value)}
        if issubclass(kind, (list, tuple)):
            base = list if issubclass(kind, list) else tuple
            parts = [self.plain(part, depth + 1) for part in base.__iter__(value)]
            return parts if base is list else {"t": parts}
        if issubclass(kind, np.ndarray):
            return {"a": self._array(np.ndarray.view(value, np.ndarray))}
        if issubclass(kind, np.generic) and type.__getattribute__(kind, "__module__") == "numpy":
            return {"s": self._array(np.asarray(value))}
        name = type.__getattribute__(kind, "__name__")[:80]  # a hostile type is not asked for its name
        raise TypeError(f"a value of type {name} is not a number, an array or a tuple of these")

    def _array(self, array: np.ndarray) -> int:
        little = SHORTENED.get(array.dtype.char) or array.dtype.newbyteorder("<")
        if little.str not in DTYPES or array.ndim > MAX_DIMENSIONS or len(self.table) >= MAX_ARRAYS:
            raise TypeError(f"an array of dtype {array.dtype.name[:40]} cannot be handed over")
        self.bytes += array.size * little.itemsize
        if self.bytes > MAX_BODY or max(array.shape, default=0) > MAX_BODY:
            raise TypeError(f"an array of shape {array.shape} is too large to hand over")
        flags = _layout(array) if self.layouts else ""
        with np.errstate(over="ignore"):
            self.buffers.append(array.astype(little, copy=False).tobytes())
        self.table.append([little.str, list(array.shape), flags])
        return len(self.table) - 1


def _bounded(value: int | str) -> int | str:
    if (type(value) is int and not -(2**63) <= value < 2**63) or (
        type(value) is str and len(value) > MAX_TEXT
    ):
        raise TypeError("the number or text is too long to hand over")
    return value


def _layout(array: np.ndarray) -> str:
    """r: read-only; f: Fortran's order; n: not contiguous at all."""
    order = "" if array.flags.c_contiguous else "f" if array.flags.f_contiguous else "n"
    return order + ("" if array.flags.writeable else "r")


def decode(header: dict, body: bytes, *, layouts: bool = False) -> object:
    """The value of a frame made by `pack_value`: fresh, owned, plain. Raises WireError."""
    return _Receiver(_arrays(header.get("a"), body, layouts)).value(header.get("v"), 0)


class _Receiver:
    def __init__(self, arrays: list[np.ndarray]) -> None:
        self.arrays, self.nodes = arrays, 0

    def value(self, plain: object, depth: int) -> object:
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise WireError("too deep or too many")
        if plain is None or type(plain) is bool:
            return plain
        if type(plain) is float and math.isfinite(plain):
            return plain
        if type(plain) in (int, str):
            return self._scalar(plain)
        if type(plain) is list:
            return [self.value(part, depth + 1) for part in plain]
        if type(plain) is dict and len(plain) == 1:
            return self._tagged(*next(iter(plain.items())), depth)
        raise WireError("not a value")

    def _scalar(self, plain: int | str) -> int | str:
        try:
            if type(plain) is str:
                plain.encode("utf-8")  # a lone surrogate could not be written to any file
            return _bounded(plain)
        except (TypeError, UnicodeError) as error:
            raise WireError("not a value") from error

    def _tagged(self, tag: str, inner: object, depth: int) -> object:
        if tag == "t" and type(inner) is list:
            return tuple(self.value(part, depth + 1) for part in inner)
        if tag == "f" and type(inner) is str and inner in SPELLED:
            return SPELLED[inner]
        if tag in ("a", "s") and type(inner) is int and 0 <= inner < len(self.arrays):
            array = self.arrays[inner]
            if tag == "a":
                return array
            if array.ndim == 0:
                return array[()]
        raise WireError("not a value")


def _arrays(table: object, body: bytes, layouts: bool) -> list[np.ndarray]:
    if type(table) is not list or len(table) > MAX_ARRAYS:
        raise WireError("not a table of arrays")
    entries, total = [], 0
    for entry in table:
        dtype, shape, flags = _entry(entry, layouts)
        size = dtype.itemsize * math.prod(shape)
        entries.append((dtype, shape, flags, total, size))
        total += size
    if total != len(body):
        raise WireError("the arrays do not fill the body")
    return [array(body[start : start + size], *what) for *what, start, size in entries]


def _entry(entry: object, layouts: bool) -> tuple[np.dtype, tuple[int, ...], str]:
    if type(entry) is not list or len(entry) != 3:
        raise WireError("not an array")
    code, shape, flags = entry
    if type(code) is not str or code not in DTYPES or type(shape) is not list or type(flags) is not str:
        raise WireError("not an array")
    if len(shape) > MAX_DIMENSIONS or not all(type(n) is int and 0 <= n <= MAX_BODY for n in shape):
        raise WireError("not a shape")
    if math.prod(max(n, 1) for n in shape) * DTYPES[code].itemsize > MAX_BODY or (flags and not layouts):
        raise WireError("not a shape")
    return DTYPES[code], tuple(shape), flags


def array(data: bytes, dtype: np.dtype, shape: tuple[int, ...], flags: str) -> np.ndarray:
    """A fresh array. Raises WireError."""
    if dtype.kind == "b" and data.translate(None, b"\0\1"):
        raise WireError("a truth value that is neither 0 nor 1")
    made = np.frombuffer(data, dtype).reshape(shape).copy()
    if "f" in flags:
        made = np.asfortranarray(made)
    if "n" in flags and made.ndim:
        spread = np.zeros((*shape[:-1], 2 * shape[-1]), dtype)[..., ::2]
        spread[...] = made
        made = spread
    if "r" in flags:
        made.setflags(write=False)
    return made
