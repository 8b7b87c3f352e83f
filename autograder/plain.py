"""The kit's values as plain JSON data, and back: one codec for every type of the model."""

import functools
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction

DERIVED = ("earned", "verdict")  # worked out from the rest: written for readers, never read back
FACTS = (property, functools.cached_property)


def number(value: Fraction | None) -> int | float | None:
    """A fraction as a plain number, for JSON and for people."""
    if value is None:
        return None
    return value.numerator if value.denominator == 1 else float(value)


def to_json(value: object) -> object:
    """Plain JSON data of any value of this module, its derived facts included."""
    if is_dataclass(value):
        derived = [name for name in DERIVED if isinstance(getattr(type(value), name, None), FACTS)]
        return {name: to_json(getattr(value, name)) for name in [f.name for f in fields(value)] + derived}
    if isinstance(value, Fraction):
        return number(value)
    if isinstance(value, Mapping):
        return {key: to_json(item) for key, item in value.items()}
    return [to_json(item) for item in value] if isinstance(value, tuple) else value


def from_json(kind: typing.Any, data: typing.Any) -> typing.Any:
    """The inverse of `to_json`. KeyError, TypeError, ValueError or AttributeError: `data` is no `kind`."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is types.UnionType:
        return None if data is None else from_json(inner[0], data)
    if origin is tuple:
        return tuple(from_json(inner[0], item) for item in data)
    if origin is Mapping:
        return {key: from_json(inner[1], item) for key, item in data.items()}
    if is_dataclass(kind):
        return kind(**{name: from_json(inner, data[name]) for name, inner in _fields(kind)})
    return Fraction(str(data)) if kind is Fraction else kind(data)


@functools.cache
def _fields(kind: type) -> tuple[tuple[str, typing.Any], ...]:
    """The names and types of a dataclass's fields; working them out takes longer than reading a value."""
    hints = typing.get_type_hints(kind)
    return tuple((field.name, hints[field.name]) for field in fields(kind))
