"""Collects a hidden suite with pytest, so that fixtures, parameters, marks and asserts are pytest's own.

Each test is taken home as a function with the values of its fixtures; nothing is run here. No
configuration, no conftest and no plugin that happens to lie about is read, and it works inside another
run of pytest too.
"""

import contextlib
import hashlib
import inspect
import io
import os
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.grade.remote import Asked
from autograder.model import KitError

UNUSED = "terminal capture cacheprovider faulthandler warnings logging unraisableexception threadexception"
UNUSED += " stepwise doctest junitxml pastebin debugging setuponly setupplan recwarn monkeypatch tmpdir"
MARKERS = (
    "clause(id): the clause of the handout's contract that announces the test",
    "safety: a lazy answer passes",
)


class SuiteError(KitError):
    """A hidden suite cannot be used; the message names the test, what is wrong and what to do."""


@dataclass
class Check:
    """One collected test: a function with the values of its fixtures."""

    step: str
    function: str
    name: str  # with its parameters
    body: Callable[..., Any]
    values: dict[str, Any]
    rng: np.random.Generator | None
    state: Any = None  # of the generator, once the fixtures have drawn from it
    script: tuple[Asked, ...] = ()  # what it asks, as the rehearsal saw it
    broken: BaseException | None = None  # what it raises although the reference answers


def collect(files: Sequence[Path], values: Mapping[str, Any], seed: bytes) -> list[Check]:
    """The tests in these files. `values`: what the fixtures of these names give. Raises SuiteError."""
    harvest, output = _Harvest(), io.StringIO()
    arguments = ["-c", os.devnull, f"--rootdir={files[0].parent}", "--noconftest", "--import-mode=importlib"]
    arguments += [part for name in UNUSED.split() for part in ("-p", f"no:{name}")]
    with (
        _environment(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTEST_ADDOPTS="", PYTEST_PLUGINS=""),
        _fresh_modules(files),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(output),
    ):
        code = pytest.main([*arguments, *map(str, files)], plugins=[harvest, _fixtures(values, seed)])
    if code != pytest.ExitCode.OK or harvest.problems:
        problems = "\n".join(harvest.problems) or output.getvalue()
        raise SuiteError(f"{files[0].parent} could not be collected:\n{problems}")
    return harvest.checks


def _fixtures(values: Mapping[str, Any], seed: bytes) -> types.ModuleType:
    plugin = types.ModuleType("attn_fixtures")
    for name, value in values.items():
        setattr(plugin, name, pytest.fixture(name=name, scope="session")(_giving(value)))

    @pytest.fixture
    def rng(request: pytest.FixtureRequest) -> np.random.Generator:
        return np.random.default_rng(_number(seed, f"{request.node.path.name}::{request.node.name}"))

    plugin.rng = rng
    return plugin


class _Harvest:
    """A pytest plugin that makes each test's fixtures and takes the test home instead of running it."""

    def __init__(self) -> None:
        self.checks: list[Check] = []
        self.problems: list[str] = []

    def pytest_configure(self, config: pytest.Config) -> None:
        for marker in MARKERS:
            config.addinivalue_line("markers", marker)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.problems.append(str(report.longrepr))

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for item, following in zip(session.items, [*session.items[1:], None], strict=True):
            try:
                item.config.hook.pytest_runtest_setup(item=item)
                self.checks.append(_harvested(item))
            except (
                Exception,
                pytest.fail.Exception,
                pytest.skip.Exception,
            ) as raised:  # a fixture of the suite is broken: named, and the suite refused
                self.problems.append(f"{item.name}: {type(raised).__name__}: {raised}")
            item.config.hook.pytest_runtest_teardown(item=item, nextitem=following)
        return True


def _harvested(item: pytest.Function) -> Check:
    names = inspect.signature(item.obj).parameters
    rng = item.funcargs.get("rng")
    values = {name: item.funcargs[name] for name in names}
    state = rng.bit_generator.state if rng is not None else None
    function = getattr(item, "originalname", item.name)
    return Check(item.path.stem.removeprefix("test_"), function, item.name, item.obj, values, rng, state)


def _number(seed: bytes, text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), key=seed[:64], digest_size=16).digest(), "big")


def _giving(value: Any) -> Callable[[], Any]:
    return lambda: value


@contextlib.contextmanager
def _fresh_modules(files: Sequence[Path]) -> Iterator[None]:
    """Two exercises may have a test file of the same name, and a file may be mended: no module is kept."""
    names = {file.stem for file in files}
    kept = {name: sys.modules.pop(name) for name in names & set(sys.modules)}
    try:
        yield
    finally:
        own = {str(file) for file in files}
        for name, module in list(sys.modules.items()):
            if getattr(module, "__file__", None) in own:
                del sys.modules[name]
        sys.modules.update(kept)


@contextlib.contextmanager
def _environment(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
