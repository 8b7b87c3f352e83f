"""Students whose files are in order: right, half done, or wrong in an ordinary way."""

from autograder.tests.submissions import ESSAY, Work, sample


@sample()
def solves_everything(work: Work) -> None:
    """Every step right, the question answered."""
    work.write(work.notebook())


@sample()
def solves_everything_in_chinese(work: Work) -> None:
    """The same with Chinese names and comments."""
    notebook = work.notebook()
    work.cell(notebook, "softmax")["source"] = (
        "def softmax(scores, axis=-1):\n"
        "    # 先减去每行的最大值，指数才不会溢出\n"
        "    最大值 = np.max(scores, axis=axis, keepdims=True)\n"
        "    指数 = np.exp(scores - np.where(np.isfinite(最大值), 最大值, 0.0))\n"
        "    总和 = 指数.sum(axis=axis, keepdims=True)\n"
        "    return 指数 / np.where(总和 > 0, 总和, 1.0)\n"
    )
    work.cell(notebook, work.question)["source"] = "除以 √d_k，分数的方差才是 1。\n\n" + ESSAY
    work.write(notebook)


@sample(softmax="unwritten", weighted_sum="unwritten", self_attention="unwritten", essay=False)
def solves_the_first_half(work: Work) -> None:
    """Four steps written, three stubs left."""
    work.write(work.notebook("project_qkv", "scaled_scores", "causal_mask", "apply_mask"))


@sample(status="empty", warns="Nothing was written")
def changes_nothing(work: Work) -> None:
    """The notebook as it was handed out."""
    work.write(work.notebook(all_steps=False))


@sample(
    essay=True,
    **dict.fromkeys(
        (
            "project_qkv",
            "scaled_scores",
            "causal_mask",
            "apply_mask",
            "softmax",
            "weighted_sum",
            "self_attention",
        ),
        "unwritten",
    ),
)
def answers_the_question_alone(work: Work) -> None:
    """No code, but an answer that a person must grade."""
    notebook = work.notebook(all_steps=False)
    work.cell(notebook, work.question)["source"] = ESSAY
    work.write(notebook)


def _with(work: Work, **sources: str) -> None:
    notebook = work.notebook()
    for step, source in sources.items():
        work.cell(notebook, step)["source"] = source
    work.write(notebook)


@sample(scaled_scores="failed")
def forgets_scaling(work: Work) -> None:
    """Q Kᵀ without the division; nothing else is wrong."""
    _with(work, scaled_scores="def scaled_scores(Q, K):\n    return Q @ np.swapaxes(K, -1, -2)\n")


@sample(scaled_scores="failed")
def divides_by_d_k(work: Work) -> None:
    """Divided by d_k, not by its root."""
    _with(
        work,
        scaled_scores="def scaled_scores(Q, K):\n    return Q @ np.swapaxes(K, -1, -2) / Q.shape[-1]\n",
    )


@sample(softmax=None)
def sums_over_queries(work: Work) -> None:
    """Softmax always over the last axis but one."""
    _with(
        work,
        softmax="def softmax(scores, axis=-1):\n"
        "    e = np.exp(scores - scores.max(axis=-2, keepdims=True))\n"
        "    return e / e.sum(axis=-2, keepdims=True)\n",
    )


@sample(apply_mask="failed")
def inverts_the_mask(work: Work) -> None:
    """True taken for forbidden."""
    _with(
        work,
        apply_mask="def apply_mask(scores, mask):\n    return np.where(mask, -np.inf, scores)\n",
    )


@sample()
def warns_on_the_way(work: Work) -> None:
    """A right answer that divides by zero on the way, prints, and writes to stderr."""
    notebook = work.notebook()
    noise = (
        "    import sys\n    print('computing'); print('careful', file=sys.stderr)\n    np.log(np.zeros(1))\n"
    )
    source = work.solution("weighted_sum").split("\n")
    work.cell(notebook, "weighted_sum")["source"] = "\n".join([*source[:-1], noise + source[-1]])
    work.write(notebook)
