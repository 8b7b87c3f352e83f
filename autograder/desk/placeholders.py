"""Stand-ins for what is not installed at a desk: harmless while cells load, an error inside a graded call.

`import matplotlib.pyplot as plt` above a function, with plots below it, must cost nothing; a softmax that
SciPy computes must.
"""

import dis
import importlib.abc
import importlib.machinery
import sys
import types

ALWAYS_INERT = ("selfcheck", "get_ipython", "display", "IPython", "ipywidgets")
UNPACK = dis.opmap["UNPACK_SEQUENCE"]


class State:
    """Whether a graded call is under way; one for the desk."""

    grading = False


def _fail(path: str) -> None:
    name = path.split(".")[0]
    raise ModuleNotFoundError(
        f"{name} is not available while grading: NumPy and Python's standard library are", name=name
    )


class Placeholder:
    """Answers whatever is asked of it, and does nothing."""

    def __init__(self, path: str) -> None:
        object.__setattr__(self, "_path", path)

    def _touch(self) -> None:
        path = object.__getattribute__(self, "_path")
        if State.grading and path.split(".")[0] not in ALWAYS_INERT:
            _fail(path)

    def __getattr__(self, name: str) -> object:
        if (name.startswith("__") and name.endswith("__")) or name.startswith(("_repr_", "_ipython_")):
            raise AttributeError(name)
        self._touch()
        return Placeholder(f"{self._path}.{name}")

    def __call__(self, *args: object, **kwargs: object) -> object:
        self._touch()
        if len(args) == 1 and not kwargs and isinstance(args[0], (types.FunctionType, type)):
            return args[0]  # used as a decorator: what it decorates stays
        return Placeholder(f"{self._path}()")

    def __iter__(self) -> object:
        self._touch()
        return iter([Placeholder(f"{self._path}[]") for _ in range(_wanted(sys._getframe(1)))])

    def __mro_entries__(self, bases: object) -> tuple:
        return ()

    def __setattr__(self, name: str, value: object) -> None:
        self._touch()

    __delattr__ = __setitem__ = __delitem__ = lambda self, *args: self._touch()

    def __exit__(self, *args: object) -> bool:
        return False

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return f"<{self._path}: not available>"

    def __contains__(self, item: object) -> bool:
        return False

    def __index__(self) -> int:
        self._touch()
        return 0

    def __float__(self) -> float:
        self._touch()
        return 0.0

    __int__ = __index__
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __lt__(self, other: object) -> bool:
        self._touch()
        return False

    __le__ = __gt__ = __ge__ = __lt__


def _same(self: Placeholder, *args: object) -> object:
    self._touch()
    return self


for _name in [
    "getitem",
    "enter",
    "add",
    "radd",
    "sub",
    "rsub",
    "mul",
    "rmul",
    "truediv",
    "rtruediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "rmatmul",
    "neg",
    "pos",
    "abs",
]:
    setattr(Placeholder, f"__{_name}__", _same)


def _wanted(frame: types.FrameType) -> int:
    """How many values `fig, axes = plt.subplots()` waits for; a loop gets none."""
    code, at = frame.f_code.co_code, frame.f_lasti
    return code[at + 1] if 0 <= at < len(code) - 1 and code[at] == UNPACK else 0


class InertModule(types.ModuleType):
    """The module that an import of something unavailable gives."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__ = []
        self.__all__ = []

    def __getattr__(self, name: str) -> object:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return getattr(Placeholder(self.__name__), name)

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("__") or isinstance(value, InertModule):
            super().__setattr__(name, value)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The last of the finders: it is asked for what no other one has found."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        top = name.partition(".")[0]
        if top == "numpy" or top in sys.stdlib_module_names:
            return None
        if State.grading and top not in ALWAYS_INERT:
            _fail(top)
        if top not in ALWAYS_INERT and _is_guarded(sys._getframe(1)):
            _fail(top)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return InertModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass


GUARDED: set[tuple[str, int]] = set()  # (cell's file name, line) of imports whose failure the student catches


def _is_guarded(frame: types.FrameType | None) -> bool:
    while frame is not None and not frame.f_code.co_filename.startswith("<cell "):
        frame = frame.f_back
    return frame is not None and (frame.f_code.co_filename, frame.f_lineno) in GUARDED
