"""Students of the later exercises, for `make demo`: right, half done, wrong, and one who wrote nothing."""

from collections.abc import Callable, Mapping

from autograder.model import Status, Verdict
from autograder.tests.submissions import Sample, Work
from autograder.tests.submissions.good import changes_nothing

ESSAYS = {
    "multi_head_attention": (
        "1 head: rank 32, 4 heads: rank 16, two heads differ by about 0.48. The width is divided, not the "
        "sentence.\n头越多，每个头越窄；一共还是 16384 个数。"
    ),
    "why_it_works": (
        "0.03 is below 1.04, and six of the twelve letters nobody can know: it must have seen them.\n"
        "没有掩码的模型照抄下一个位置；写的时候那个位置还不存在。"
    ),
}


def solves_everything(work: Work) -> None:
    """Every step right, the question answered."""
    _with(work)


def solves_the_first_half(work: Work) -> None:
    """Half of the steps written, the other stubs left."""
    work.write(work.notebook(*work.steps[: len(work.steps) // 2]))


def _with(work: Work, **sources: str) -> None:
    notebook = work.notebook()
    work.cell(notebook, work.question)["source"] = ESSAYS[work.exercise.name]
    for step, source in sources.items():
        work.cell(notebook, step)["source"] = source
    work.write(notebook)


def _changed(work: Work, step: str, right: str, wrong: str) -> None:
    """All right but for one expression of one step."""
    source = work.solution(step)
    assert source.count(right) == 1, f"{step} holds {right!r} {source.count(right)} times"
    _with(work, **{step: source.replace(right, wrong)})


def reshapes_without_turning(work: Work) -> None:
    """The heads cut by a reshape alone."""
    source = (
        "def split_heads(x, n_heads):\n"
        "    *batch, seq_len, width = x.shape\n"
        "    if width % n_heads:\n"
        "        raise ValueError('n_heads does not divide the width')\n"
        "    return x.reshape(*batch, n_heads, seq_len, width // n_heads)\n"
    )
    _with(work, split_heads=source)


def masks_the_real_tokens(work: Work) -> None:
    """True taken for filling."""
    source = (
        "def padding_mask(lengths, seq_len):\n"
        "    return np.arange(seq_len) >= np.reshape(lengths, (-1, 1, 1))\n"
    )
    _with(work, padding_mask=source)


def forgets_the_root_on_the_way_back(work: Work) -> None:
    """Gradients of the dot products taken for those of the scaled scores."""
    _changed(work, "attention_backward", " / np.sqrt(Q.shape[-1])", "")


def changes_the_last_token_alone(work: Work) -> None:
    """A detector that looks for one leak, to the last token."""
    source = (
        "def finds_leak(attention_fn, rng):\n"
        "    def output(Q, K, V):\n"
        "        result = attention_fn(Q, K, V)\n"
        "        return result[0] if isinstance(result, tuple) else result\n\n"
        "    Q, K, V = (rng.standard_normal((2, 3, 8, width)) for width in (4, 4, 5))\n"
        "    before = output(Q, K, V)[..., :-1, :]\n"
        "    for array in (Q, K, V):\n"
        "        array[..., -1, :] += 1\n"
        "    return bool(np.abs(output(Q, K, V)[..., :-1, :] - before).max() > 1e-9)\n"
    )
    _with(work, finds_leak=source)


def _samples(half: tuple[str, ...], **wrong: tuple[Callable[[Work], None], str]) -> Mapping:
    unwritten = dict.fromkeys(half, Verdict.unwritten)
    return {
        "ada_byron": Sample("solves_everything", solves_everything),
        "emma_larsen": Sample("solves_the_first_half", solves_the_first_half, steps=unwritten, essay=False),
        "song_an": Sample("changes_nothing", changes_nothing, Status.empty),
    } | {
        student: Sample(make.__name__, make, steps={step: Verdict.failed})
        for student, (make, step) in wrong.items()
    }


LATER: dict[str, Mapping[str, Sample]] = {
    "multi_head_attention": _samples(
        ("padding_mask", "combine_masks", "multi_head_attention"),
        david_okafor=(reshapes_without_turning, "split_heads"),
        fang_zihan=(masks_the_real_tokens, "padding_mask"),
    ),
    "why_it_works": _samples(
        ("saturation", "temperature_softmax", "finds_leak"),
        david_okafor=(forgets_the_root_on_the_way_back, "attention_backward"),
        fang_zihan=(changes_the_last_token_alone, "finds_leak"),
    ),
}
