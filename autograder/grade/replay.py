"""A call as a few lines of NumPy: for the teacher, who can run them without any code of the student's."""

import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.grade.remote import Asked

ENTRIES = 64  # of an array that are written out where not all is wanted


def named(function: Callable[..., Any], line: Asked) -> dict[str, Any]:
    """The arguments of a call by their names in the reference's signature; those of `*masks` are numbered."""
    signature = inspect.signature(function)
    many = next((p.name for p in signature.parameters.values() if p.kind is p.VAR_POSITIONAL), None)
    try:
        found = dict(signature.bind(*line.args, **line.kwargs).arguments)
    except TypeError:
        return {f"argument_{index}": value for index, value in enumerate(line.args)} | line.kwargs
    return found | {f"{many}_{index}": value for index, value in enumerate(found.pop(many, ()))}


def shapes_of(arguments: dict[str, Any]) -> list[str]:
    """Arrays by name and shape: Q (2, 5, 3)."""
    return [f"{name} {value.shape}" for name, value in arguments.items() if isinstance(value, np.ndarray)]


def call_text(function: Callable[..., Any], line: Asked, *, whole: bool = False) -> str:
    """A call as a few lines of NumPy. Not `whole`: numbers are rounded, and large arrays only described."""
    arguments = named(function, line)
    lines = [f"{name} = {array_text(value, whole)}" for name, value in arguments.items() if _long(value)]
    locked = [name for name, value in arguments.items() if isinstance(value, np.ndarray) and _locked(value)]
    lines += [f"{name}.flags.writeable = False" for name in locked]
    named_elsewhere = [value for value in arguments.values() if hasattr(value, "__name__")]
    lines = [f"from {value.__module__} import {value.__name__}" for value in named_elsewhere] + lines
    short = [
        name if _long(value) else f"{name}={_code(value)}" if position else _code(value)
        for position, (name, value) in enumerate(arguments.items())
    ]
    return "\n".join([*lines, f"{line.step}({', '.join(short)})"])


def _code(value: Any) -> str:
    return getattr(value, "__name__", repr(value))


def _long(value: Any) -> bool:
    return isinstance(value, np.ndarray | list | tuple)


def _locked(array: np.ndarray) -> bool:
    return not array.flags.writeable


def array_text(value: Any, whole: bool) -> str:
    """Python that makes the value, or nearly so."""
    if not isinstance(value, np.ndarray):
        return repr(value)
    if value.size > ENTRIES and not whole:
        return f"...  # {value.dtype} {value.shape}"
    shown = value
    if value.dtype.kind == "f" and not whole:
        shown = np.array([float(f"{x:.5g}") for x in value.ravel().tolist()]).reshape(value.shape)
    text = re.sub(r"\s+", " ", repr(shown.tolist())).replace("nan", "np.nan").replace("inf", "np.inf")
    dtype = "bool" if value.dtype.kind == "b" else f"np.{value.dtype.name}"
    return f"np.array({text}, dtype={dtype})"
