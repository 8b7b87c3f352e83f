"""check: the public examples of a released exercise, what a student sees of them, and what Validate sees."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

from autograder.layout import PACKAGE
from autograder.selfcheck import notebook
from autograder.selfcheck.check import NotYet, examine
from autograder.selfcheck.exercise import BrokenRelease, decoded, load
from autograder.selfcheck.guard import TimeUp, limited
from autograder.selfcheck.report import FAILS, MISSING, PASSES, UNWRITTEN
from autograder.tests.released import REFERENCE, python, release


@pytest.fixture(scope="module")
def exercise(tmp_path_factory):
    return load(release(tmp_path_factory.mktemp("released")) / "selfcheck")


@pytest.fixture
def reference():
    namespace = {}
    exec(REFERENCE, namespace)
    return namespace


def write(source, namespace=None):
    """The functions that a student's source defines, with lines that tracebacks can show."""
    import linecache

    name = f"<cell {abs(hash(source))}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace = {"np": np} if namespace is None else namespace
    exec(compile(source, name, "exec"), namespace)
    return namespace


def report(exercise, source, step="softmax", **others):
    namespace = write(source, {"np": np, **others})
    return examine(namespace.get(step), exercise.step(step), exercise, namespace)


def told(found, language="en"):
    return "\n".join(notebook.lines([found], language))


def test_the_reference_passes_every_step(exercise, reference):
    for step in exercise.steps:
        found = examine(reference[step.name], step, exercise, reference)
        assert found.state == PASSES, told(found)
        assert f"{len(step.examples)} of {len(step.examples)} public examples pass" in told(found)


def test_a_pass_never_comforts_falsely(exercise, reference):
    for step, language in ((s, tongue) for s in exercise.steps for tongue in ("en", "zh")):
        text = told(examine(reference[step.name], step, exercise, reference), language)
        assert ("Hidden checks will also try" if language == "en" else "隐藏测试还会") in text
        assert not re.search(r"all (tests|checks) pass|全部通过", text, re.I)


def test_a_stub_is_not_written_yet(exercise):
    for step in exercise.steps:
        found = report(exercise, step.stub, step.name)
        assert found.state == UNWRITTEN
        assert "not written yet" in told(found)
        assert "还没有写" in told(found, "zh")


def test_a_function_that_is_not_there_is_missing(exercise):
    found = report(exercise, "")
    assert found.state == MISSING
    assert "softmax" in told(found)


def test_a_wrong_result_shows_expected_got_and_the_worst_place(exercise):
    found = report(
        exercise, "def softmax(s, axis=-1):\n    e = np.exp(s)\n    return e / e.sum(axis=0, keepdims=True)"
    )
    text = told(found)
    assert found.state == FAILS
    assert "expected" in text
    assert "got" in text
    assert ">" in text
    assert "furthest off is at [" in text
    assert "section `softmax`" in text


def test_overflow_is_told_as_nan(exercise):
    source = "def softmax(s, axis=-1):\n    e = np.exp(s)\n    return e / e.sum(axis=axis, keepdims=True)"
    assert "nan, where a finite number is expected" in told(report(exercise, source))


# What a student wrote, and what must be said about it in English and in Chinese.
FAULTS = {
    "None": ("softmax", "def softmax(s, axis=-1):\n    s - 1", "`return`", "漏了 `return`"),
    "printed": ("softmax", "def softmax(s, axis=-1):\n    print(s)", "in place of print", "代替 print"),
    "list": ("softmax", "def softmax(s, axis=-1):\n    return s.tolist()", "np.array(...)", "np.array(...)"),
    "not a mask": (
        "causal_mask",
        "def causal_mask(n):\n    return np.tril(np.ones((n, n)))",
        "dtype bool",
        "bool",
    ),
    "changes its argument": (
        "weighted_sum",
        "def weighted_sum(weights, V):\n    out = weights @ V\n    V += 1\n    return out",
        "changed its argument V",
        "修改了参数 V",
    ),
    "seeds": (
        "weighted_sum",
        "def weighted_sum(weights, V):\n    np.random.seed(0)\n    return weights @ V",
        "global random generator",
        "全局随机数",
    ),
    "misspelt argument": (
        "softmax",
        "def softmax(scores, axis=-1):\n    return score",
        "mean scores?",
        "scores？",
    ),
    "numpy not imported": (
        "softmax",
        "def softmax(s, axis=-1):\n    return numpy.exp(s)",
        "import numpy",
        "import numpy",
    ),
    "misspelt in numpy": ("softmax", "def softmax(s, axis=-1):\n    return np.epx(s)", "mean exp?", "exp？"),
    "undefined": ("softmax", "def softmax(s, axis=-1):\n    return qqqqqqq", "top to bottom", "从上到下"),
    "shapes": (
        "scaled_scores",
        "def scaled_scores(Q, K):\n    return Q @ K / np.sqrt(Q.shape[-1])",
        "Q (3, 4) @ K (3, 4)",
        "Q (3, 4) @ K (3, 4)",
    ),
    "shapes of a sum": (
        "scaled_scores",
        "def scaled_scores(Q, K):\n    s = Q @ K.T\n    return s + Q",
        "s (3, 3) + Q (3, 4)",
        "s (3, 3) + Q (3, 4)",
    ),
    "integer buffer": (
        "scaled_scores",
        "def scaled_scores(Q, K):\n    s = Q @ np.swapaxes(K, -1, -2)\n    s /= 2.0\n    return s",
        "does not fit into an integer array",
        "放不进整数数组",
    ),
    "truth of an array": (
        "apply_mask",
        "def apply_mask(s, mask):\n    if mask: return s",
        "np.where",
        "np.where",
    ),
    "axis": ("softmax", "def softmax(s, axis=-1):\n    return s.max(axis=1)", "from the end", "从末尾"),
    "signature": ("softmax", "def softmax(s):\n    return s", "signature must stay", "签名要保持不变"),
    "exit": ("softmax", "def softmax(s, axis=-1):\n    exit()", "exit() was called", "调用了 exit()"),
    "unbound": (
        "softmax",
        "def softmax(s, axis=-1):\n    if axis == 7:\n        e = 1\n    return e",
        "only on another path",
        "别的分支",
    ),
    "forgot a helper's return": (
        "softmax",
        "def h(s):\n    s + 1\ndef softmax(s, axis=-1):\n    e = h(s)\n    return e / e.sum()",
        "e is None here",
        "e 是 None",
    ),
    "another package": (
        "softmax",
        "def softmax(s, axis=-1):\n    import no_such\n    return s",
        "Only NumPy",
        "只有 NumPy",
    ),
    "recursion": ("softmax", "def softmax(s, axis=-1):\n    return softmax(s)", "without an end", "没有尽头"),
    "a tuple too many": ("softmax", "def softmax(s, axis=-1):\n    return s,", "comma too many", "多了逗号"),
    "one result for three": (
        "project_qkv",
        "def project_qkv(x, a, b, c):\n    return x @ a",
        "a tuple of 3",
        "3 个成员的元组",
    ),
    "input": ("softmax", "def softmax(s, axis=-1):\n    return input()", "EOFError", "EOFError"),
    "an exception that cannot be shown": (
        "softmax",
        "class E(Exception):\n    def __str__(self): raise self\ndef softmax(s, axis=-1):\n    raise E",
        "raised E",
        "抛出了 E",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_errors_teach_in_both_languages(exercise, fault):
    step, source, english, chinese = FAULTS[fault]
    found = report(exercise, source, step)
    assert found.state == FAILS
    assert english in " ".join(told(found).split())
    assert chinese in "".join(line.strip() for line in told(found, "zh").split("\n"))
    assert "Traceback" not in told(found)


def test_an_error_names_the_students_line(exercise):
    text = told(report(exercise, "def softmax(s, axis=-1):\n    a = 1\n    return s @ bbb"))
    assert "line 3" in text
    assert "return s @ bbb" in text


def test_an_endless_loop_is_stopped_and_its_line_named(exercise):
    begun = time.monotonic()
    text = told(report(exercise, "def softmax(s, axis=-1):\n    while True:\n        axis = 0"))
    assert time.monotonic() - begun < 30
    assert "did not come to an end" in text
    assert "line 2" in text or "line 3" in text
    assert "0 of 4" in text


def test_an_earlier_step_is_to_be_mended_first(exercise, reference):
    reference["softmax"] = write("def softmax(s, axis=-1):\n    return s")["softmax"]
    found = examine(reference["self_attention"], exercise.step("self_attention"), exercise, reference)
    assert found.state == FAILS
    assert "Mend softmax first" in told(found)
    assert "请先改好 softmax" in told(found, "zh")


def test_a_stub_that_is_called_is_named(exercise, reference):
    write(exercise.step("causal_mask").stub, reference)
    found = examine(reference["self_attention"], exercise.step("self_attention"), exercise, reference)
    assert found.state == FAILS
    assert "causal_mask, which is not written yet" in told(found)


def test_printing_beside_returning_is_shown_and_costs_nothing(exercise):
    source = REFERENCE.replace("return weights @ V", "print('looking'); return weights @ V")
    assert report(exercise, source, "weighted_sum").state == PASSES
    wrong = report(exercise, "def softmax(s, axis=-1):\n    print('here', s.shape)\n    return s")
    assert "here (2,)" in told(wrong)


def test_warnings_cost_nothing(exercise):
    source = "import warnings\n" + REFERENCE.replace(
        "return weights @ V", "warnings.warn('x'); return weights @ V"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert report(exercise, source, "weighted_sum").state == PASSES


@pytest.mark.parametrize(
    "returned", ["3", "'text'", "[[1], [2, 3]]", "np", "softmax", "object()", "{}", "np.ma.array([1])"]
)
@pytest.mark.parametrize("step", ["softmax", "project_qkv", "self_attention"])
def test_whatever_comes_back_is_only_a_finding(exercise, step, returned):
    source = f"def softmax(*a, **k): return 1\ndef {step}(*a, **k): return {returned}"
    found = report(exercise, source, step)
    assert found.state == FAILS
    assert told(found, "zh")


def test_the_guard_leaves_nothing_behind():
    def slow():
        end = time.monotonic() + 0.02
        while time.monotonic() < end:
            pass

    stopped = 0
    for _ in range(20):
        try:
            limited(slow, 0.02)
        except TimeUp:
            stopped += 1
    for _ in range(1000):  # nothing may come in late
        pass
    with pytest.raises(TimeUp):
        limited(lambda: [None for _ in iter(int, 1)], 0.05)
    assert stopped <= 20


def test_a_loop_that_swallows_exceptions_is_stopped_too():
    def stubborn():
        swallowed = 0
        while swallowed < 5:
            try:
                while True:
                    pass
            except BaseException:
                swallowed += 1
        return swallowed

    with pytest.raises(TimeUp):
        while True:  # five are swallowed; the call then returns, and a later one does not
            assert limited(stubborn, 0.05) == 5
            limited(lambda: [None for _ in iter(int, 1)], 0.05)


def test_infinities_travel_as_words():
    value = decoded(
        {"tuple": [{"array": [["-inf", 1.0], ["nan", "inf"]], "dtype": "float64"}, {"value": "inf"}]}
    )
    assert np.array_equal(value[0], [[-np.inf, 1.0], [np.nan, np.inf]], equal_nan=True)
    assert value[1] == np.inf


@pytest.mark.parametrize("content", [None, "", "{}", "[]", '{"exercise": 1}', "\x00"])
def test_a_broken_release_says_what_to_do(tmp_path, content):
    if content is not None:
        (tmp_path / "exercise.json").write_text(content, encoding="utf-8")
    with pytest.raises(BrokenRelease) as caught:
        load(tmp_path)
    assert "Fetch the assignment again" in caught.value.pair.en


# In a process of its own: what a student types, and what comes out.

WRONG = "import numpy as np\nfrom selfcheck import check\ndef softmax(s, axis=-1):\n    return s\n"


def test_check_prints_where_there_is_no_notebook(tmp_path):
    done = python(
        release(tmp_path), "-c", WRONG + "check(softmax)\ncheck('softmax', lang='zh')\nprint('goes on')"
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "0 of 4 public examples pass" in done.stdout
    assert "4 个公开示例通过了 0 个" in done.stdout
    assert done.stdout.endswith("goes on\n")


def test_check_without_a_release_beside_it_says_so(tmp_path):
    release(tmp_path)
    (tmp_path / "selfcheck" / "exercise.json").unlink()
    done = python(tmp_path, "-c", WRONG + "check(softmax)")
    assert done.returncode == 0
    assert "Fetch the assignment again" in done.stdout


def test_an_unknown_function_is_no_step(tmp_path):
    done = python(release(tmp_path), "-c", WRONG + "check(print)\ncheck('soft')\ncheck(3)")
    assert done.returncode == 0
    assert done.stdout.count("The steps are: project_qkv") == 3


@pytest.mark.parametrize("variable", ["NBGRADER_EXECUTION", "NBGRADER_VALIDATING"])
def test_a_failing_check_raises_in_validate_alone(tmp_path, variable):
    release(tmp_path)
    value = {"NBGRADER_EXECUTION": "validate", "NBGRADER_VALIDATING": "1"}[variable]
    done = python(tmp_path, "-c", WRONG + "check(softmax)", **{variable: value})
    assert "NotYet: ✗ softmax: 0 of 4 public examples pass" in done.stderr
    assert python(tmp_path, "-c", WRONG + "check(softmax)", NBGRADER_EXECUTION="autograde").returncode == 0


def test_what_validate_shows_is_our_lines_and_no_traceback():
    error = NotYet(["softmax: not written yet", "  more"])
    assert error._render_traceback_() == ["softmax: not written yet", "  more"]
    assert str(error) == "softmax: not written yet"


def test_what_was_done_is_remembered_and_may_be_lost(tmp_path):
    release(tmp_path)
    show = "from selfcheck import progress\nprogress()"
    python(tmp_path, "-c", REFERENCE + "\nfrom selfcheck import check\ncheck(softmax)")
    assert "✓ softmax" in python(tmp_path, "-c", show).stdout
    for content in ("", "{", '{"steps": 3}', '{"steps": {"softmax": "x"}, "hints": {}}'):
        (tmp_path / ".selfcheck.json").write_text(content, encoding="utf-8")
        done = python(tmp_path, "-c", show)
        assert done.returncode == 0, done.stderr
        assert "○ softmax" in done.stdout


PYTHONS = os.environ.get("SELFCHECK_PYTHONS", "").split(os.pathsep)
NAMES = ("python3.9", "python3.10", "python3.12", "python3.13", "python3.14")


def has_numpy(executable):
    try:
        done = subprocess.run(
            [executable, "-c", "import numpy"], capture_output=True, timeout=60, check=False, cwd="/"
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


OTHERS = [found for name in (*PYTHONS, *NAMES) if name and (found := shutil.which(name)) and has_numpy(found)]


@pytest.mark.parametrize("executable", [sys.executable, *OTHERS])
def test_it_runs_under_every_python_on_this_machine_that_has_numpy(tmp_path, executable):
    release(tmp_path)
    code = REFERENCE + "\nfrom selfcheck import check\ncheck()\nsoftmax = print\ncheck(softmax)"
    done = python(tmp_path, "-c", code, executable=executable)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("public examples pass") == 7


@pytest.mark.parametrize("file", sorted((PACKAGE / "selfcheck").glob("*.py")), ids=lambda file: file.name)
def test_every_module_is_python_3_9(file):
    tree = ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 9))
    assert ast.get_docstring(tree)
    assert not [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and "autograder" in (node.module or "")
    ]


def test_the_released_folder_needs_nothing_of_the_kit(tmp_path):
    files = sorted(path.name for path in (release(tmp_path) / "selfcheck").glob("*"))
    assert "exercise.json" in files
    assert not [name for name in files if "suite" in name or "mistake" in name]
    data = json.loads((Path(tmp_path) / "selfcheck" / "exercise.json").read_text(encoding="utf-8"))
    assert data["version"] == 1
