"""How one submission is marked: aspects, follow-through, excuses."""

from fractions import Fraction

import pytest

from autograder.grade.answers import Answer, Outcome
from autograder.grade.local import LocalDesk
from autograder.grade.sitting import Sitting
from autograder.grade.wording import Narrator
from autograder.layout import KIT, Course
from autograder.model import Verdict
from autograder.tests.courses import edit, make_course
from autograder.tests.grading import REFERENCE, changed, lost, marks, opened, submission


@pytest.fixture(scope="module")
def proctor():
    with opened(Course(KIT), "self_attention") as ready:
        yield ready


@pytest.fixture
def reference():
    return REFERENCE


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


# endless loops


class Watched:
    """The reference at a desk, but for one function that never ends; notes what is called."""

    loaded = ()

    def __init__(self, functions, endless, called):
        self.defined, self._desk = frozenset(functions), LocalDesk(functions)
        self._endless, self._called = endless, called

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass

    def many(self, name, cases):
        self._called.append(name)
        if name == self._endless:
            return [Answer(Outcome.timed_out)] + [Answer(Outcome.skipped)] * (len(cases) - 1)
        return self._desk.many(name, cases)


@pytest.mark.parametrize("endless", ["project_qkv", "causal_mask", "softmax", "weighted_sum"])
def test_a_helper_that_never_ended_is_not_called_again(proctor, endless):
    functions, here, there, asked = proctor.suite.reference.functions, [], [], []

    def another(stand_ins):
        asked.append(set(stand_ins))
        return Watched(functions, "", there)

    sitting = Sitting(proctor.known, Watched(functions, endless, here), Narrator(proctor.suite, ()), another)
    results = {step.name: sitting.grade(step) for step in proctor.exercise.steps}
    assert results[endless].verdict is Verdict.timed_out and results[endless].earned == 0
    assert lost(results) == {endless: Verdict.timed_out}
    assert here.count(endless) == 1 and "self_attention" not in here
    assert set(there) == {"self_attention"} and asked == [{endless}]
