"""How one submission is marked: aspects, follow-through, excuses, and whose fault it is."""

from fractions import Fraction

import numpy as np
import pytest

from autograder.author.exercise import load_exercise
from autograder.grade.answers import Answer, Effects, Error, Limits, Outcome, Refused
from autograder.grade.collect import SuiteError
from autograder.grade.local import LocalDesk
from autograder.grade.proctor import Proctor
from autograder.grade.sitting import Sitting
from autograder.grade.standins import CELLS, StandIns, bound
from autograder.grade.wording import Narrator
from autograder.layout import KIT, Course
from autograder.model import Cell, Status, Submission, Verdict
from autograder.tests.courses import edit, make_course

SEED = bytes(range(32))
QUICK = Limits(call_seconds=0.5, step_seconds=1.0)


def opened(course, name, walls="none"):
    exercise = load_exercise(course, name)
    return Proctor(exercise, course.suite(name), course.solution(name), SEED, QUICK, walls)


@pytest.fixture(scope="module")
def proctor():
    with opened(Course(KIT), "self_attention") as ready:
        yield ready


@pytest.fixture(scope="module")
def reference():
    return (KIT / "solutions" / "self_attention.py").read_text(encoding="utf-8")


def submission(*sources):
    cells = tuple(Cell(source, number) for number, source in enumerate(sources))
    return Submission("s1", "self_attention", Status.graded, cells=cells)


def changed(source, *pairs):
    for old, new in pairs:
        assert source.count(old) == 1, f"{old!r} is there {source.count(old)} times"
        source = source.replace(old, new)
    return source


def marks(proctor, *sources):
    return {result.name: result for result in proctor.grade(submission(*sources))}


def lost(results):
    return {name: result.verdict for name, result in results.items() if result.earned != result.points}


def texts(result):
    for aspect in result.aspects:
        if aspect.rung is not None:
            yield from (aspect.rung.en, aspect.rung.zh)


# marks


def test_the_reference_earns_all(proctor, reference):
    assert lost(marks(proctor, reference)) == {}


def test_nothing_written_earns_nothing(proctor):
    for source in (
        "",
        "import numpy as np\n",
        "def softmax(scores, axis=-1):\n    raise NotImplementedError\n",
    ):
        results = marks(proctor, source)
        assert {result.verdict for result in results.values()} == {Verdict.unwritten}
        assert sum(result.earned for result in results.values()) == 0


LAZY = {
    "hands the input back": "return {first}",
    "zeros": "return np.zeros(np.shape({first}))",
    "ones": "return np.ones(np.shape({first}))",
    "nothing": "return None",
    "passes": "pass",
    "a mean": "return np.full(np.shape({first}), np.mean({first}))",
    "the global generator": "return np.random.rand(*np.shape({first}))",
}


@pytest.mark.parametrize("lazy", LAZY)
def test_a_lazy_answer_earns_nothing(proctor, lazy):
    signatures = {"project_qkv": "x, W_Q, W_K, W_V", "scaled_scores": "Q, K", "causal_mask": "n"}
    signatures |= {"apply_mask": "scores, mask", "softmax": "scores, axis=-1", "weighted_sum": "weights, V"}
    signatures |= {"self_attention": "x, W_Q, W_K, W_V, causal=False"}
    source = "import numpy as np\n"
    for name, arguments in signatures.items():
        body = LAZY[lazy].format(first=arguments.split(",")[0])
        source += f"def {name}({arguments}):\n    {body}\n"
    assert sum(result.earned for result in marks(proctor, source).values()) == 0


def test_a_wrong_step_costs_nothing_in_the_steps_that_use_it(proctor, reference):
    for step, old, new in (
        ("scaled_scores", "/ np.sqrt(d_k)", "/ d_k"),
        ("causal_mask", "np.tril(", "np.triu("),
        ("softmax", "np.exp(shifted)", "np.exp(-shifted)"),
        ("weighted_sum", "return weights @ V", "return 2 * (weights @ V)"),
    ):
        assert set(lost(marks(proctor, changed(reference, (old, new))))) == {step}


def test_a_convention_kept_throughout_costs_nothing_in_the_composed_step(proctor, reference):
    results = marks(
        proctor,
        changed(
            reference,
            ("np.tril(np.ones((n, n), dtype=bool))", "~np.tril(np.ones((n, n), dtype=bool))"),
            ("np.where(mask, scores, -np.inf)", "np.where(mask, -np.inf, scores)"),
        ),
    )
    assert set(lost(results)) == {"causal_mask", "apply_mask"}


def test_a_helper_that_was_never_written_costs_nothing_in_the_composed_step(proctor, reference):
    without = changed(reference, ("def softmax(", "def another("))
    assert lost(marks(proctor, without)) == {"softmax": Verdict.unwritten}


def test_everything_in_one_function_is_as_good(proctor, reference):
    inline = (
        "import numpy as np\n"
        "def self_attention(x, W_Q, W_K, W_V, causal=False):\n"
        "    q, k, v = x @ W_Q, x @ W_K, x @ W_V\n"
        "    s = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5\n"
        "    if causal:\n"
        "        s = np.where(np.tri(s.shape[-1], dtype=bool), s, -np.inf)\n"
        "    e = np.exp(s - s.max(-1, keepdims=True))\n"
        "    w = e / e.sum(-1, keepdims=True)\n"
        "    return w @ v, w\n"
    )
    results = marks(proctor, inline)
    assert results["self_attention"].earned == results["self_attention"].points
    assert sum(result.earned for result in results.values()) == results["self_attention"].points


def test_the_last_definition_counts(proctor, reference):
    wrong = "def softmax(scores, axis=-1):\n    return scores\n"
    assert lost(marks(proctor, wrong, reference)) == {}
    assert set(lost(marks(proctor, reference, wrong))) == {"softmax"}


# whose fault it is


def test_a_cell_that_does_not_compile_is_named_with_its_line(proctor, reference):
    results = marks(
        proctor, reference.replace("def softmax(", "def another("), "\ndef softmax(scores:\n    pass\n"
    )
    assert lost(results) == {"softmax": Verdict.raised}
    rung = results["softmax"].aspects[0].rung
    assert "SyntaxError at line 2 of cell 1" in rung.en
    assert "SyntaxError" in rung.zh


def test_an_endless_loop_costs_its_own_step_alone(proctor, reference):
    results = marks(proctor, changed(reference, ("return weights @ V", "while True: pass")))
    assert lost(results) == {"weighted_sum": Verdict.timed_out}
    verdicts = [aspect.verdict for aspect in results["weighted_sum"].aspects]
    assert verdicts[0] is Verdict.timed_out
    assert set(verdicts[1:]) <= {Verdict.skipped, Verdict.timed_out}


def test_a_call_that_ends_the_process_costs_its_own_step_alone(proctor, reference):
    ends = changed(reference, ("return weights @ V", "import os; os._exit(0)"))
    assert lost(marks(proctor, ends)) == {"weighted_sum": Verdict.raised}


def test_an_exception_is_told_by_kind_place_and_shapes_without_its_text(proctor, reference):
    results = marks(proctor, changed(reference, ("np.swapaxes(K, -1, -2) / np", "K / np")))
    rungs = list(texts(results["scaled_scores"]))
    assert any(
        "ValueError" in text and "matmul" in text and "Q (" in text and "K (" in text for text in rungs
    )
    secret = 'raise ValueError(f"matmul: {scores.tolist()}")'
    results = marks(proctor, changed(reference, ("exponentials = np.exp(shifted)", secret)))
    assert not any("[" in text.replace("[0.", "[") for text in texts(results["softmax"]))


def test_a_misspelt_name_is_told(proctor, reference):
    results = marks(proctor, changed(reference, ("return weights @ V", "return wieghts @ V")))
    assert all("wieghts" in text for text in texts(results["weighted_sum"]))


def test_a_name_that_is_not_in_the_students_source_is_not_told(proctor, reference):
    leaks = "raise NameError(\"name '\" + 'x' * int(V.size) + \"' is not defined\")"
    results = marks(proctor, changed(reference, ("return weights @ V", leaks)))
    assert not any("xx" in text for text in texts(results["weighted_sum"]))


def test_a_changed_argument_is_told_by_name(proctor, reference):
    spoils = ("shifted = scores - np", "scores *= 1; scores += 1; shifted = scores - np")
    results = marks(proctor, changed(reference, spoils))
    assert any("read-only" in text for text in texts(results["softmax"]))


def test_a_changed_argument_is_told_by_its_name(tmp_path):
    with opened(make_course(tmp_path), "two_steps") as proctor:
        double, _ = proctor.grade(submission("def double(x):\n    x += x\n    return x\n"))
    assert list(texts(double)) == ["The call changed x.", "这次调用修改了 x。"]


def test_a_hidden_check_tells_no_number_of_its_own(proctor, reference):
    results = marks(proctor, changed(reference, ("np.exp(shifted)", "np.exp(-shifted)")))
    aspects = [aspect for aspect in results["softmax"].aspects if aspect.verdict is Verdict.failed]
    assert aspects
    for aspect in aspects:
        assert "np.array" in aspect.detail or "..." in aspect.detail
        assert "." not in aspect.rung.en.removesuffix(".").replace("e.g.", "")  # no decimal fraction


ODD = {
    "None": None,
    "text": "softmax",
    "a number": 1.0,
    "not a number": float("nan"),
    "a truth": True,
    "an int": 7,
    "an empty tuple": (),
    "a tuple": (1.0, 2.0),
    "three things": (np.zeros(3), None, "x"),
    "nested": [[1, 2], [3, [4]]],
    "nothing in it": np.zeros((0,)),
    "empty rows": np.zeros((5, 0)),
    "a scalar array": np.array(3.0),
    "all nan": np.full((2, 5, 6), np.nan),
    "truths": np.ones((5, 6), bool),
    "bytes": np.ones((2, 5, 6), np.uint8),
    "half": np.ones((5, 6), np.float16),
    "complex": np.ones((5, 6), complex),
    "many axes": np.ones((1,) * 12),
    "a column": np.ones((4000, 1)),
    "large": np.ones((2000, 300)),
    "a pair of odd arrays": (np.ones((3, 1)), np.zeros(())),
}


@pytest.mark.parametrize("odd", ODD)
def test_nothing_that_a_desk_answers_is_ever_our_fault(proctor, odd):
    for effects in (Effects(), Effects((0, 99, -3, "nonsense"), generator=True, printed="x")):
        check(proctor, Answer(Outcome.returned, ODD[odd], effects=effects))


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.returned])
def test_nothing_that_becomes_of_a_call_is_ever_our_fault(proctor, outcome):
    for error in (None, Error("ValueError", "matmul: {x} \\d ((", 10**5, 99), Error("Exception", "")):
        check(proctor, Answer(outcome, error=error))


def check(proctor, answer):
    class Desk:
        defined = frozenset(step.name for step in proctor.exercise.steps)
        loaded = ()

        def many(self, name, cases):
            return [answer] * len(cases)

    sitting = Sitting(proctor.known, Desk(), Narrator(proctor.suite, ()))
    for step in proctor.exercise.steps:
        result = sitting.grade(step)
        assert result.verdict not in (Verdict.grader_fault, Verdict.passed)
        assert result.earned == 0


def test_a_test_that_the_reference_fails_is_our_fault_and_costs_nothing(tmp_path):
    course = make_course(tmp_path)
    edit(tmp_path / "suites/two_steps/test_double.py", "agree(double(x)", "agree(1 + double(x)")
    right = "def double(x):\n    return x + x\ndef quadruple(x):\n    return 4 * x\n"
    for source in (right, right.replace("4", "5"), "def double(x): return 'no'\n"):
        with opened(course, "two_steps") as proctor:
            double, quadruple = proctor.grade(submission(source))
        assert (double.verdict, double.earned) == (Verdict.grader_fault, None)
        assert "reference itself" in double.aspects[0].detail
        assert quadruple.verdict is not Verdict.grader_fault


def test_a_suite_whose_tests_are_not_the_promised_ones_is_refused(tmp_path):
    course = make_course(tmp_path)
    file = tmp_path / "suites/two_steps/test_double.py"
    file.write_text(
        file.read_text(encoding="utf-8") + "\n\ntest_again = test_doubles_each_entry\n", encoding="utf-8"
    )
    with pytest.raises(SuiteError, match="test_again"):
        opened(course, "two_steps")


def test_weights_and_all_or_nothing_are_kept(tmp_path):
    course = make_course(tmp_path)
    half = "import numpy as np\ndef double(x):\n    x += x\n    return x\n"
    half += "def quadruple(x):\n    return np.abs(4 * x)\n"
    with opened(course, "two_steps") as proctor:
        double, _ = proctor.grade(submission(half))
    assert double.earned == Fraction(1)
    edit(
        tmp_path / "assignments/two_steps/exercise.toml",
        "points = 2\n",
        "points = 2\nall_or_nothing = true\n",
    )
    with opened(course, "two_steps") as proctor:
        double, _ = proctor.grade(submission(half))
    assert double.earned == 0


# excuses


def test_a_repeated_mistake_is_named_and_not_charged_again(tmp_path):
    course = make_course(tmp_path)
    inline = "def double(x):\n    return x * x\ndef quadruple(x):\n    y = x * x\n    return y * y\n"
    with opened(course, "two_steps") as proctor:
        double, quadruple = proctor.grade(submission(inline))
    assert double.earned == 0
    assert [(d.mistake, d.charged) for d in double.diagnosis] == [("squares", True)]
    assert [(d.mistake, d.charged) for d in quadruple.diagnosis] == [("squares", False)]
    assert quadruple.earned == quadruple.points
    assert all(aspect.excused and aspect.verdict is Verdict.failed for aspect in quadruple.aspects)


def test_a_mistake_made_in_the_composed_step_alone_is_charged_there(tmp_path):
    course = make_course(tmp_path)
    inline = "def double(x):\n    return x + x\ndef quadruple(x):\n    y = x * x\n    return y * y\n"
    with opened(course, "two_steps") as proctor:
        double, quadruple = proctor.grade(submission(inline))
    assert double.earned == double.points
    assert [(d.mistake, d.charged) for d in quadruple.diagnosis] == [("squares", True)]
    assert quadruple.earned == 0


# the reference's answers to a desk


def test_a_desk_is_answered_for_the_needed_steps_alone(proctor):
    functions = proctor.suite.reference.functions
    stand_ins = StandIns(functions, ("softmax",))
    assert list(stand_ins) == ["softmax"]
    assert "causal_mask" not in stand_ins
    given = np.arange(6.0).reshape(2, 3)
    assert np.array_equal(stand_ins["softmax"](given, axis=0), functions["softmax"](given, axis=0))


HOSTILE = {
    "a huge count": ("causal_mask", (10**9,)),
    "a count below zero": ("causal_mask", (-(10**6),)),
    "long rows": ("scaled_scores", (np.zeros((10**6, 1)), np.zeros((10**6, 1)))),
    "batches that multiply": ("scaled_scores", (np.zeros((1, 3000, 9, 2)), np.zeros((3000, 1, 9, 2)))),
    "text": ("softmax", ("a",)),
    "a list": ("softmax", ([1.0],)),
    "complex numbers": ("softmax", (np.zeros(3, complex),)),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_question_is_refused_before_anything_is_computed(proctor, case):
    name, args = HOSTILE[case]
    asked = []
    stand_ins = StandIns({name: lambda *args: asked.append(args)}, (name,))
    with pytest.raises(Refused):
        stand_ins[name](*args)
    assert not asked


def test_a_desk_may_not_ask_for_ever():
    stand_ins = StandIns({"softmax": lambda x: x}, ("softmax",))
    with pytest.raises(Refused):
        for _ in range(10**5):
            stand_ins["softmax"](np.zeros((64, 512)))


def test_no_answer_is_larger_than_its_bound(proctor):
    functions, seen = proctor.suite.reference.functions, 0
    for test in proctor.suite.tests:
        for line in test.script:
            value = functions[line.step](*line.args, **line.kwargs)
            sizes = [np.size(part) for part in value] if isinstance(value, tuple) else [np.size(value)]
            limit = bound([*line.args, *line.kwargs.values()])
            assert max(sizes) <= limit <= CELLS
            seen += 1
    assert seen > 100


# economy


def test_a_right_submission_needs_few_exchanges(proctor):
    class Counting(LocalDesk):
        tables = 0

        def many(self, name, cases):
            self.tables += 1
            return super().many(name, cases)

    desk = Counting(proctor.suite.reference.functions)
    sitting = Sitting(proctor.known, desk, Narrator(proctor.suite, ()))
    for step in proctor.exercise.steps:
        assert sitting.grade(step).verdict is Verdict.passed
    assert desk.tables <= 40


def test_the_same_submission_gives_the_same_results(proctor, reference):
    wrong = changed(reference, ("np.exp(shifted)", "np.exp(-shifted)"), ("/ np.sqrt(d_k)", "/ d_k"))
    with opened(Course(KIT), "self_attention") as another:
        again = another.grade(submission(wrong))
    assert proctor.grade(submission(wrong)) == again
