"""Runs one public example on a student's function, and sees all that it does besides returning a value.

Values and side effects go in and out; no words for people are made here but the few that name the effect.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import sys
import warnings
from dataclasses import dataclass, field

import numpy as np

from . import faults
from .agree import Difference, compare
from .exercise import Example, Step
from .guard import SECONDS, TimeUp, limited
from .report import Finding
from .stream import watched_stream
from .words import Pair, printable

PRINTED = 400  # characters of what was printed


@dataclass
class Witness:
    """Stands in for the student's function, and remembers what the calls did."""

    function: object
    step: Step
    printed: io.StringIO = field(default_factory=io.StringIO)
    calls: int = 0
    inside: bool = False  # the call did not come back
    result: object = None
    changed: str = ""  # name of an argument that the function wrote into
    reseeded: bool = False

    def __call__(self, *args, **kwargs):
        before = [np.copy(value) if isinstance(value, np.ndarray) else value for value in args]
        self.calls += 1
        self.result, self.inside = None, True
        quiet = contextlib.redirect_stdout(self.printed)
        with quiet, np.errstate(all="ignore"), warnings.catch_warnings(), watched_stream() as moved:
            warnings.simplefilter("ignore")  # a warning costs nothing, and Validate counts all of stderr
            self.result = self.function(*args, **kwargs)
        self.inside, self.reseeded = False, self.reseeded or bool(moved)
        self._look_for_changes(args, before)
        return self.result

    def _look_for_changes(self, args, before) -> None:
        for index, (value, old) in enumerate(zip(args, before)):
            if isinstance(value, np.ndarray) and not np.array_equal(
                value, old, equal_nan=value.dtype.kind in "fc"
            ):
                names = self.step.parameters
                self.changed = names[index] if index < len(names) else f"argument {index + 1}"


def try_example(function, step: Step, example: Example, *, seconds: float = SECONDS, stuck=None) -> Finding:
    """What one example finds. Never raises over anything the student's code does, but KeyboardInterrupt."""
    witness = Witness(function, step)
    seen = {"source": example.source, "expected": example.expected, "example": example.number}
    stdin, sys.stdin = sys.stdin, io.StringIO()  # input() must not wait for a person
    try:
        got = limited(lambda: _evaluated(example.source, step.name, witness), seconds, stuck=stuck)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit and TimeUp are the student's too
        return _raised(error, witness, seen)
    finally:
        sys.stdin = stdin
    return _judged(got, example, witness, seen)


def _evaluated(source: str, name: str, witness: Witness):
    namespace = {"np": np, name: witness}
    *before, last = ast.parse(source).body
    exec(compile(ast.Module(before, []), "<example>", "exec"), namespace)
    return eval(compile(ast.Expression(last.value), "<example>", "eval"), namespace)


def _raised(error: BaseException, witness: Witness, seen: dict) -> Finding:
    printed = _printed(witness)
    if isinstance(error, NotImplementedError):
        stub = faults.origin(error)
        if stub not in witness.step.needs:
            return Finding(False, **seen, unwritten=True, printed=printed)
        fault = Pair(f"It calls {stub}, which is not written yet.", f"它调用了 {stub}，而 {stub} 还没有写。")
        return Finding(False, **seen, fault=(fault,), printed=printed)
    if isinstance(error, TimeUp) or witness.inside:
        told = faults.explain(error, witness.step)
        endless = isinstance(error, TimeUp)
        return Finding(False, **seen, fault=told.sentences, code=told.code, printed=printed, endless=endless)
    # The example itself could not go on with what came back.
    if (several := _several(witness)) is not None:
        return Finding(False, **seen, fault=(several,), printed=printed)
    difference = Difference("type", witness.result, seen["expected"])
    return Finding(
        False, **seen, fault=_unusable(witness, error), got=witness.result, returned=True, printed=printed,
        difference=difference,
    )  # fmt: skip


def _unusable(witness: Witness, error: BaseException) -> tuple[Pair, ...]:
    """Why an example that takes the result apart could not."""
    result = witness.result
    if result is None:
        return _returned_nothing(witness)
    what = f"array {result.shape}" if isinstance(result, np.ndarray) else type(result).__name__
    reason = printable(str(error), 120)
    return (
        Pair(
            f"The example cannot use what came back ({what}): {reason}",
            f"示例无法使用返回值（{what}）：{reason}",
        ),
    )


def _several(witness: Witness) -> Pair | None:
    """Where a step has several results, and something else than a tuple of them came back."""
    axes, result = witness.step.return_axes, witness.result
    wanted = len(axes) if axes and isinstance(axes[0], tuple) else 0
    if not wanted or result is None or (isinstance(result, tuple) and len(result) == wanted):
        return None
    said = Difference("type", result, (None,) * wanted)
    return Pair(said.sentence("en", hidden=True), said.sentence("zh", hidden=True))


def _returned_nothing(witness: Witness) -> tuple[Pair, ...]:
    if witness.printed.getvalue().strip():
        return (
            Pair(
                "Your function printed a value and returned None: write `return` in place of print(...).",
                "函数打印了一个值，却返回 None：请用 `return` 代替 print(...)。",
            ),
        )
    return (Pair("None came back: is the `return` missing?", "返回了 None：是不是漏了 `return`？"),)


def _judged(got, example: Example, witness: Witness, seen: dict) -> Finding:
    seen |= {"got": got, "returned": True, "printed": _printed(witness)}
    difference = compare(got, example.expected, axes=_axes(example, witness.step))
    if (several := _several(witness)) is not None:
        return Finding(False, **seen, fault=(several,))
    if witness.result is None and witness.calls:
        return Finding(False, **seen, difference=difference, fault=_returned_nothing(witness))
    if difference is not None:
        fault = Pair(difference.sentence("en", hidden=False), difference.sentence("zh", hidden=False))
        return Finding(False, **seen, difference=difference, fault=(fault,))
    return Finding(not effects(witness), **seen, fault=effects(witness))


def effects(witness: Witness) -> tuple[Pair, ...]:
    """What the function did to the world, where it promised not to."""
    found = []
    if witness.changed:
        name = witness.changed
        found.append(
            Pair(
                f"Right values, but your function changed its argument {name}: make a new array "
                f"(no `{name} *= …`, no `{name}[…] = …`).",
                f"值对，但函数修改了参数 {name}：请生成新数组（不要写 `{name} *= …` 和 `{name}[…] = …`）。",
            )
        )
    if witness.reseeded:
        found.append(
            Pair(
                "Right values, but it moved NumPy's global random generator: nothing is random here.",
                "值是对的，但函数动用了 NumPy 的全局随机数生成器：这一步不需要随机数。",
            )
        )
    return tuple(found)


def _axes(example: Example, step: Step) -> tuple:
    """The axes' names, where the example's value is the step's own result."""
    last = ast.parse(example.source).body[-1].value
    direct = isinstance(last, ast.Call) and isinstance(last.func, ast.Name) and last.func.id == step.name
    return step.return_axes if direct else ()


def _printed(witness: Witness) -> str:
    return witness.printed.getvalue()[:PRINTED].strip()


def accepts(function, step: Step) -> bool:
    """Whether the function can be called with the step's arguments, by position."""
    try:
        inspect.signature(function).bind(*step.parameters)
    except TypeError:
        return False
    except ValueError:  # no signature to be had: the call will tell
        return True
    return True
