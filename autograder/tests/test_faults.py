"""What a student's code raises or forgets is explained, with its line, in both languages."""

import time

import pytest

from autograder.selfcheck.report import FAILS
from autograder.tests.reports import report, told

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
        "Q (n_queries=3, d_k=4) @ K (n_keys=3, d_k=4)",
        "Q (n_queries=3, d_k=4) @ K (n_keys=3, d_k=4)",
    ),
    "shapes of a sum": (
        "scaled_scores",
        "def scaled_scores(Q, K):\n    s = Q @ K.T\n    return s + Q",
        "s (3, 3) + Q (n_queries=3, d_k=4)",
        "s (3, 3) + Q (n_queries=3, d_k=4)",
    ),
    "the first of several products": (
        "project_qkv",
        "def project_qkv(x, W_Q, W_K, W_V):\n    return W_Q @ x, W_K @ x, W_V @ x",
        "W_Q (d_model=2, d_k=4) @ x (seq_len=3, d_model=2)",
        "W_Q (d_model=2, d_k=4) @ x (seq_len=3, d_model=2)",
    ),
    "shapes of a choice": (
        "apply_mask",
        "def apply_mask(scores, mask):\n    return np.where(mask[..., :1, :2], scores, -np.inf)",
        "…): these shapes",
        "…)：这两个形状",
    ),
    "a helper gets the wrong shape": (
        "scaled_scores",
        "def product(A, B):\n    return A @ B\ndef scaled_scores(Q, K):\n    return product(Q, K)",
        "In product, line 2: shapes that do not fit together. ▸ A (3, 4) @ B (3, 4)",
        "scaled_scores 在第 4 行调用了 product",
    ),
    "a misspelt name with other capitals": (
        "project_qkv",
        "def project_qkv(x, W_Q, W_K, W_V):\n    return x @ Wq, x @ W_K, x @ W_V",
        "mean W_Q?",
        "W_Q？",
    ),
    "numpy's name alone": (
        "apply_mask",
        "def apply_mask(scores, mask):\n    return np.where(mask, scores, -inf)",
        "mean np.inf?",
        "np.inf？",
    ),
    "the length of an axis": (
        "scaled_scores",
        "def scaled_scores(Q, K):\n    return Q @ K.swapaxes(-1, -2) / np.sqrt(d_k)",
        "d_k = Q.shape[-1]",
        "d_k = Q.shape[-1]",
    ),
    "math not imported": (
        "softmax",
        "def softmax(s, axis=-1):\n    return math.exp(s)",
        "math is not imported",
        "没有导入 math",
    ),
    "math on an array": (
        "softmax",
        "import math\ndef softmax(s, axis=-1):\n    return math.exp(s)",
        "take arrays",
        "才接受数组",
    ),
    "a shape in two arguments": (
        "causal_mask",
        "def causal_mask(n):\n    return np.ones(n, n)",
        "parentheses of its own",
        "自己的括号",
    ),
    "another library's keyword": (
        "softmax",
        "def softmax(s, axis=-1):\n    return s.sum(axis, keepdim=True)",
        "calls it keepdims",
        "叫 keepdims",
    ),
    "a boolean index": (
        "apply_mask",
        "def apply_mask(scores, mask):\n    s = scores + 0.0\n    s[~mask] = -np.inf\n    return s",
        "np.where(mask, a, b)",
        "np.where(mask, a, b)",
    ),
    "stacked results": (
        "project_qkv",
        "def project_qkv(x, W_Q, W_K, W_V):\n    return np.stack([x @ W_Q, x @ W_K, x @ W_V])",
        "return a, b, c",
        "合成一个数组",
    ),
    "a division that is missing": (
        "scaled_scores",
        "def scaled_scores(Q, K):\n    return Q @ K.swapaxes(-1, -2)",
        "is a division missing",
        "漏了除法",
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
    "a partial that raises": (
        "softmax",
        "import functools\ndef f(k, s, axis):\n    return undefined_name\n"
        "softmax = functools.partial(f, 1, axis=-1)",
        "return undefined_name",
        "undefined_name 没有定义",
    ),
    "a callable object": (
        "softmax",
        "class S:\n    def __call__(self, s, axis=-1):\n        return s.nothing\nsoftmax = S()",
        "return s.nothing",
        "第 3 行",
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
