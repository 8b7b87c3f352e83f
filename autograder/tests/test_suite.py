"""Hidden suites: collected once, rehearsed with the reference, run against any desk."""

import textwrap

import numpy as np
import pytest

from autograder.grade import suite as suites
from autograder.grade.answers import Answer, Effects, Outcome
from autograder.grade.collect import SuiteError
from autograder.grade.local import LocalDesk
from autograder.grade.remote import StudentFaultError
from autograder.grade.suite import Suite

SEED = bytes(range(32))


def double(x):
    return x + x


def halve(x):
    return x / 2


FUNCTIONS = {"double": double, "halve": halve}


def write(folder, **sources):
    """Suite files in a folder: double="..." is the body of test_double.py below its imports."""
    imports = "import numpy as np\nimport pytest\nfrom autograder.selfcheck import agree\n"
    imports += "from autograder.suites import call\n"
    for step, source in sources.items():
        (folder / f"test_{step}.py").write_text(imports + textwrap.dedent(source), encoding="utf-8")
    return folder


def suite(folder, seed=SEED, **sources):
    return Suite(write(folder, **sources), list(sources), FUNCTIONS, seed)


class Counting(LocalDesk):
    """A desk that notes what crosses to it."""

    def __init__(self, functions):
        super().__init__(functions)
        self.tables = []

    def many(self, name, cases):
        self.tables.append((name, len(cases)))
        return super().many(name, cases)


PLAIN = """
    @pytest.fixture(params=[(3,), (2, 3), (1, 2, 3)], ids=str)
    def x(request, rng):
        return rng.normal(size=request.param)

    def test_doubles(double, reference, x):
        agree(double(x), reference.double(x))

    def test_doubles_a_table(double, reference, rng):
        cases = [(rng.normal(size=4),), call(x=rng.normal(size=2))]
        for got, expected in double.beside(reference.double, cases):
            agree(got, expected)

    def test_is_linear(double, rng):
        x, y = rng.normal(size=(2, 5))
        agree(double(x + y), double(x) + double(y))
"""


def test_the_reference_passes_and_its_calls_cross_in_one_exchange(tmp_path):
    desk = Counting(FUNCTIONS)
    played = suite(tmp_path, double=PLAIN).run("double", desk)
    assert [one.raised for one in played] == [None] * 5
    assert desk.tables == [("double", 3 + 2 + 3)]


def test_a_parameter_makes_a_test_of_its_own_under_the_functions_name(tmp_path):
    names = [(test.function, test.name) for test in suite(tmp_path, double=PLAIN).tests]
    assert names[1] == ("test_doubles", "test_doubles[(2, 3)]")


def test_each_wrong_answer_fails_its_own_tests(tmp_path):
    played = suite(tmp_path, double=PLAIN).run("double", LocalDesk({"double": lambda x: x * x}))
    assert [one.raised is None for one in played] == [False] * 5
    played = suite(tmp_path, double=PLAIN).run("double", LocalDesk({"double": lambda x: 3 * x}))
    assert [one.raised is None for one in played] == [False] * 4 + [True]


def test_a_run_leaves_nothing_behind_for_the_next(tmp_path):
    ready = suite(tmp_path, double=PLAIN)
    first = [line.key for one in ready.run("double", LocalDesk(FUNCTIONS)) for line in one.asked]
    ready.run("double", LocalDesk({"double": lambda x: "no"}))
    again = [line.key for one in ready.run("double", LocalDesk(FUNCTIONS)) for line in one.asked]
    assert first == again


def test_remembered_answers_never_grow_beyond_their_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(suites, "MOST", 4000)
    ready = suite(tmp_path, double="def test_any(double):\n    double(1.0)\n")
    kept = ready._outcomes.setdefault("double::test_any", {})
    for number in range(50):
        ready.run("double", LocalDesk({"double": lambda x, n=number: np.full(100, float(n))}))
        assert sum(script[0].answer.value.nbytes for _, script in kept.values()) <= 4000
    assert kept


def test_the_seed_decides_the_inputs(tmp_path):
    def inputs(seed):
        return [line.key for test in suite(tmp_path, seed, double=PLAIN).tests for line in test.script]

    assert inputs(SEED) == inputs(SEED)
    assert not set(inputs(SEED)) & set(inputs(bytes(32)))


def test_a_call_that_depends_on_an_answer_is_asked_there_and_then(tmp_path):
    source = """
        def test_twice(double):
            x = np.ones(3)
            assert double(double(x))[0] == 4
            assert double(np.zeros(2))[0] == 0
    """
    desk = Counting({"double": lambda x: 3 * x})
    played = suite(tmp_path, double=source).run("double", desk)
    assert desk.tables == [("double", 3), ("double", 1)]
    assert [line.answer.value[0] for line in played[0].asked] == [3, 9, 0]
    assert isinstance(played[0].raised, AssertionError)


def test_a_test_may_call_other_steps_too(tmp_path):
    source = """
        def test_undoes(double, halve):
            x = np.arange(3.0)
            agree(double(halve(x)), x)
            agree(double(x), x + x)
    """
    desk = Counting(FUNCTIONS)
    played = suite(tmp_path, double=source, halve="def test_none(halve): halve(1.0)").run("double", desk)
    assert played[0].raised is None
    assert desk.tables == [("double", 2), ("halve", 1)]


def test_effects_are_those_of_the_last_exchange(tmp_path):
    source = """
        def test_untouched(double):
            double(np.ones(2))
            assert double.effects.arguments == ()
        def test_table(double):
            double.many([(np.ones(2),), (np.zeros(2),), (np.full(2, 2.0),)])
            assert not double.effects.arguments and not double.effects.generator
    """

    def spoils_twos(x):
        if x[0] == 2:
            x += 1
            np.random.rand()
        return double(x)

    played = suite(tmp_path, double=source).run("double", LocalDesk({"double": spoils_twos}))
    assert [one.raised is None for one in played] == [True, False]
    assert played[1].asked[2].answer.effects == Effects((0,), generator=True)


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.returned])
def test_an_answer_that_is_no_value_raises_in_the_test_that_wants_one(tmp_path, outcome):
    class Silent:
        def many(self, name, cases):
            return [Answer(outcome)] * len(cases)

    for one in suite(tmp_path, double=PLAIN).run("double", Silent()):
        assert isinstance(one.raised, StudentFaultError)
        assert one.raised.answer.outcome is outcome


def test_an_answer_far_too_large_never_reaches_the_test(tmp_path):
    huge = LocalDesk({"double": lambda x: np.zeros((5000, 1))})
    for one in suite(tmp_path, double=PLAIN).run("double", huge):
        assert isinstance(one.raised, StudentFaultError)
        assert one.raised.answer.outcome is Outcome.returned


def test_a_test_that_the_reference_fails_is_marked_as_broken_and_never_run(tmp_path):
    source = """
        def test_wrong(double):
            assert double(1.0) == 3.0
        def test_crashes(double):
            double(1.0).nothing
        def test_fails(double):
            pytest.fail("so it says")
        def test_skips(double):
            pytest.skip("not today")
        def test_right(double):
            assert double(1.0) == 2.0
    """
    ready = suite(tmp_path, double=source)
    assert [test.broken is None for test in ready.tests] == [False] * 4 + [True]
    played = ready.run("double", LocalDesk({"double": lambda x: "anything"}))
    assert [one.raised is None for one in played] == [True] * 4 + [False]


REFUSED = {
    "changes an array after passing": "def test_a(double):\n    x = np.ones(2)\n    double(x)\n    x += 1\n",
    "changes the value of a fixture": (
        "@pytest.fixture\ndef x(): return np.ones(2)\n"
        "def test_a(double, x):\n    x += 1\n    double(x.copy())\n"
    ),
    "could not be collected": "def test_a(double:\n",
    "test_a: ZeroDivisionError": "@pytest.fixture\ndef bad(): 1 / 0\ndef test_a(double, bad): pass\n",
    "no_such_fixture": "def test_a(double, no_such_fixture): pass\n",
    "unknown_import": "import unknown_import\ndef test_a(double): pass\n",
}


@pytest.mark.parametrize("words", REFUSED)
def test_a_suite_that_cannot_be_used_is_refused_by_name(tmp_path, words):
    with pytest.raises(SuiteError, match=words):
        suite(tmp_path, double=REFUSED[words])


def test_every_step_needs_a_file_of_tests(tmp_path):
    with pytest.raises(SuiteError, match=r"test_halve\.py"):
        Suite(write(tmp_path, double=PLAIN), ["double", "halve"], FUNCTIONS, SEED)


def test_nothing_that_lies_beside_a_suite_is_loaded(tmp_path, monkeypatch):
    (tmp_path / "conftest.py").write_text("raise SystemExit('conftest was loaded')", encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTEST_ADDOPTS", "--deselect=test_double.py")
    monkeypatch.setenv("PYTEST_PLUGINS", "no_such_plugin")
    assert len(suite(tmp_path, double=PLAIN).tests) == 5


def test_a_plain_assert_tells_its_numbers(tmp_path):
    source = "def test_a(double):\n    got = double(2.0)\n    assert got == 4.0\n"
    played = suite(tmp_path, double=source).run("double", LocalDesk({"double": lambda x: 5.0}))
    assert "5.0 == 4.0" in str(played[0].raised)


def test_expected_values_are_the_callers_to_change(tmp_path):
    source = """
        def test_a(double, reference):
            x = np.ones(2)
            reference.double(x)[...] = 0
            agree(double(x), reference.double(x))
    """
    assert suite(tmp_path, double=source).run("double", LocalDesk(FUNCTIONS))[0].raised is None
