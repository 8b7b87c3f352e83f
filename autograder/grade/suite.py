"""The hidden suite of an exercise: collected with pytest once in a process, run for each submission after that.

Collecting, fixtures, parameters, marks and asserts are pytest's own; a run then only calls the functions, since
hooks and reports for each test would cost more than the test. A fixture is therefore a value, made once: a suite
must not change one, nor an array that it has passed to a step. The rehearsal with the reference sees to that, and
finds each test that the reference itself does not pass: such a test is our fault and costs no student anything.
"""

import contextlib
import hashlib
import inspect
import io
import os
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.grade.answers import DeskFault
from autograder.grade.local import LocalDesk
from autograder.grade.remote import Asked, Remote, Room, fingerprint, merge

UNUSED = "terminal capture cacheprovider faulthandler warnings logging unraisableexception threadexception"
UNUSED += " stepwise doctest junitxml pastebin debugging setuponly setupplan recwarn monkeypatch tmpdir"
MARKERS = (
    "clause(id): the clause of the handout's contract that announces the test",
    "safety: a lazy answer passes",
)


class SuiteError(Exception):
    """A hidden suite cannot be used; the message names the test, what is wrong and what to do."""


@dataclass
class Test:
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


@dataclass(frozen=True)
class Played:
    """What one test raised, if anything, with what it asked."""

    test: Test
    raised: BaseException | None
    asked: tuple[Asked, ...] = field(repr=False)


@dataclass(frozen=True)
class Reference:
    """The right functions, each answer worked out once; what they give is the caller's to change."""

    functions: Mapping[str, Callable[..., Any]]
    known: dict[Any, Any] = field(default_factory=dict, repr=False)

    def remembering(self, name: str) -> Callable[..., Any]:
        """The function of that name, which remembers its answers."""

        def remembered(*args: Any, **kwargs: Any) -> Any:
            key = name, fingerprint(args), fingerprint(kwargs)
            if key not in self.known:
                with np.errstate(all="ignore"):
                    self.known[key] = self.functions[name](*args, **kwargs)
            return _own(self.known[key])

        remembered.__name__ = name
        return remembered


def _own(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_own(item) for item in value)
    return value.copy() if isinstance(value, np.ndarray) else value


class Suite:
    """The hidden tests of every step, ready to be run against any desk."""

    def __init__(
        self, folder: Path, steps: Sequence[str], functions: Mapping[str, Callable[..., Any]], seed: bytes
    ):
        self.reference, self._room, self._seed = Reference(functions), Room(), seed
        self._known = {name: self.reference.remembering(name) for name in functions}
        self._remotes = {step: Remote(step, self._room, self._known[step]) for step in steps}
        files = [folder / f"test_{step}.py" for step in steps]
        if lacking := [file.name for file in files if not file.is_file()]:
            raise SuiteError(
                f"{folder} has no {', '.join(lacking)}.\nEvery step needs hidden tests: write it."
            )
        self.tests = tuple(self._collect(files))
        self.seconds = 0.0
        for test in self.tests:
            self._rehearse(test)

    def of(self, step: str) -> tuple[Test, ...]:
        """The tests of one step, in the order of its file."""
        return tuple(test for test in self.tests if test.step == step)

    def expected(self, asked: Asked) -> Any:
        """What the reference answers there."""
        return self._known[asked.step](*asked.args, **asked.kwargs)

    def run(self, step: str, desk: Any) -> list[Played]:
        """Every test of the step against a desk; its foreseen calls cross in one exchange."""
        tests = [test for test in self.of(step) if test.broken is None]
        foreseen = [line for test in tests for line in test.script if line.step == step]
        answers = desk.many(step, [(line.args, line.kwargs) for line in foreseen]) if foreseen else []
        moved = merge(answer.effects for answer in answers).generator  # seen once for a whole table
        lines = iter([
            replace(line, answer=replace(answer, effects=replace(answer.effects, generator=moved)))
            for line, answer in zip(foreseen, answers, strict=True)
        ])  # fmt: skip
        return [self._play(test, desk, lines) for test in self.of(step)]

    def _play(self, test: Test, desk: Any, lines: Iterator[Asked]) -> Played:
        if test.broken is not None:
            return Played(test, None, ())
        script = _script(test, lines)
        self._room.enter(desk, script)
        raised = self._call(test)
        rest = script[len(self._room.asked) :]
        return Played(test, raised, (*self._room.asked, *(line for line in rest if line.answer is not None)))

    def _call(self, test: Test) -> BaseException | None:
        if test.rng is not None:
            test.rng.bit_generator.state = test.state
        try:
            with np.errstate(all="ignore"):
                test.body(**test.values)
        except (DeskFault, KeyboardInterrupt):
            raise
        except (Exception, pytest.fail.Exception, pytest.skip.Exception) as raised:
            return raised
        return None

    def _rehearse(self, test: Test) -> None:
        """Runs a test with the reference, to know what it asks and that it is sound."""
        before = fingerprint(test.values)
        self._room.enter(LocalDesk(self.reference.functions))
        test.broken = self._call(test)
        test.script = tuple(self._room.asked)
        spoilt = [line.step for line in test.script if fingerprint(line.call) != line.key]
        if spoilt or fingerprint(test.values) != before:
            what = f"an array after passing it to {spoilt[0]}" if spoilt else "the value of a fixture"
            raise SuiteError(f"{test.name} changes {what}.\nA suite must not: let it make a copy first.")

    def _collect(self, files: Sequence[Path]) -> list[Test]:
        harvest = _Harvest(self._fixtures())
        arguments = [
            "-c",
            os.devnull,
            f"--rootdir={files[0].parent}",
            "--noconftest",
            "--import-mode=importlib",
        ]
        arguments += [part for name in UNUSED.split() for part in ("-p", f"no:{name}")]
        output = io.StringIO()
        with _environment(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTEST_ADDOPTS="", PYTEST_PLUGINS=""):
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
                code = pytest.main([*arguments, *map(str, files)], plugins=[harvest, harvest.fixtures])
        if code != pytest.ExitCode.OK or harvest.problems:
            problems = "\n".join(harvest.problems) or output.getvalue()
            raise SuiteError(f"{files[0].parent} could not be collected:\n{problems}")
        return harvest.tests

    def _fixtures(self) -> types.ModuleType:
        plugin = types.ModuleType("attn_fixtures")
        for name, remote in self._remotes.items():
            setattr(plugin, name, pytest.fixture(name=name, scope="session")(_giving(remote)))
        functions = types.SimpleNamespace(**self._known)
        plugin.reference = pytest.fixture(name="reference", scope="session")(_giving(functions))

        @pytest.fixture
        def rng(request: pytest.FixtureRequest) -> np.random.Generator:
            return np.random.default_rng(_number(self._seed, _identity(request.node)))

        plugin.rng = rng
        return plugin


class _Harvest:
    """A pytest plugin that makes each test's fixtures and takes the test home instead of running it."""

    def __init__(self, fixtures: types.ModuleType):
        self.fixtures, self.tests, self.problems = fixtures, [], []

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
                self.tests.append(_harvested(item))
            except Exception as raised:  # a fixture of the suite is broken: named, and the suite refused
                self.problems.append(f"{item.name}: {type(raised).__name__}: {raised}")
            item.config.hook.pytest_runtest_teardown(item=item, nextitem=following)
        return True


def _harvested(item: pytest.Function) -> Test:
    names = inspect.signature(item.obj).parameters
    rng = item.funcargs.get("rng")
    values = {name: item.funcargs[name] for name in names}
    state = rng.bit_generator.state if rng is not None else None
    function = getattr(item, "originalname", item.name)
    return Test(item.path.stem.removeprefix("test_"), function, item.name, item.obj, values, rng, state)


def _script(test: Test, lines: Iterator[Asked]) -> tuple[Asked, ...]:
    """The foreseen lines with this desk's answers; those about other steps are asked when their turn comes."""
    return tuple(
        next(lines) if line.step == test.step else replace(line, answer=None) for line in test.script
    )


def _identity(item: pytest.Item) -> str:
    return f"{item.path.name}::{item.name}"


def _number(seed: bytes, text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), key=seed[:64], digest_size=16).digest(), "big")


def _giving(value: Any) -> Callable[[], Any]:
    return lambda: value


@contextlib.contextmanager
def _environment(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
