"""Honest accidents within a notebook: each costs what it deserves, which is mostly nothing."""

import copy

from autograder.tests.submissions import Work, code, sample


@sample(warns="more than one cell")
def duplicates_a_solution_cell(work: Work) -> None:
    """A solution cell copied, metadata and all; the copy is the finished one."""
    notebook = work.notebook()
    twin = copy.deepcopy(work.cell(notebook, "softmax"))
    twin["id"] = "twin"
    work.cell(notebook, "softmax")["source"] = "def softmax(scores, axis=-1):\n    return scores\n"
    notebook["cells"].insert(work.index(notebook, "softmax") + 1, twin)
    work.write(notebook)


@sample(warns="Deleted cells")
def deletes_check_cells(work: Work) -> None:
    """Every check cell gone."""
    notebook = work.notebook()
    notebook["cells"] = [cell for cell in notebook["cells"] if not cell["source"].startswith("check(")]
    work.write(notebook)


@sample(warns="do not count")
def tags_check_cells_skip_execution(work: Work) -> None:
    """Check cells tagged so that nothing would run them."""
    notebook = work.notebook()
    for step in work.steps:
        work.cell(notebook, f"check_{step}")["metadata"]["tags"] = ["skip-execution"]
    work.write(notebook)


@sample(warns="do not count")
def edits_metadata(work: Work) -> None:
    """Points, locks, schema and checksums changed in the cells' metadata."""
    notebook = work.notebook()
    for step in work.steps:
        marks = work.cell(notebook, f"check_{step}")["metadata"]["nbgrader"]
        marks |= {"points": 99, "schema_version": 1, "checksum": "0", "locked": False, "solution": True}
    work.write(notebook)


@sample(warns="do not count")
def retypes_cells(work: Work) -> None:
    """A solution cell turned into Markdown, a check cell into raw text, by a slip of the keyboard."""
    notebook = work.notebook()
    for name, kind in (("softmax", "markdown"), ("check_softmax", "raw")):
        cell = work.cell(notebook, name)
        cell["cell_type"] = kind
        del cell["outputs"], cell["execution_count"]
    work.write(notebook)


@sample(status="empty", warns="no cells")
def has_no_cells(work: Work) -> None:
    """All cells deleted."""
    work.write(work.notebook() | {"cells": []})


@sample()
def keeps_a_helper_in_an_extra_cell(work: Work) -> None:
    """A helper function in a cell of its own above the step that calls it."""
    notebook = work.notebook()
    work.insert(notebook, "weighted_sum", "def product(a, b):\n    return np.matmul(a, b)\n")
    work.cell(notebook, "weighted_sum")["source"] = (
        "def weighted_sum(weights, V):\n    return product(weights, V)\n"
    )
    work.write(notebook)


@sample(warns="Not in their own cells")
def spreads_a_step_over_two_cells(work: Work) -> None:
    """The solution cell holds the first half as a helper, the function itself stands in a new cell below."""
    notebook = work.notebook()
    work.insert(
        notebook,
        "scaled_scores",
        "def scaled_scores(Q, K):\n    return raw_scores(Q, K) / np.sqrt(Q.shape[-1])\n",
        after=True,
    )
    work.cell(notebook, "scaled_scores")["source"] = (
        "def raw_scores(Q, K):\n    return Q @ np.swapaxes(K, -1, -2)\n"
    )
    work.write(notebook)


@sample(warns="more than once")
def redefines_a_step_later(work: Work) -> None:
    """A wrong softmax in its cell, a right one at the end: the last one counts, as in a fresh run."""
    notebook = work.notebook()
    work.cell(notebook, "softmax")["source"] = "def softmax(scores, axis=-1):\n    return scores * 0\n"
    notebook["cells"].append(code(work.solution("softmax")))
    work.write(notebook)


@sample(warns="check cell", softmax=None)
def writes_into_the_check_cell(work: Work) -> None:
    """softmax written below its check: it runs, and is graded like any other."""
    notebook = work.notebook()
    work.cell(notebook, "softmax")["source"] = ""
    work.cell(notebook, "check_softmax")["source"] = (
        "def softmax(scores, axis=-1):\n    return scores / scores.sum(axis=axis, keepdims=True)\n\n"
        "check(softmax)\n"
    )
    work.write(notebook)


@sample()
def calls_exit(work: Work) -> None:
    """`exit()` in a cell in the middle, left over from trying."""
    notebook = work.notebook()
    work.insert(notebook, "softmax", "exit()\n")
    work.insert(notebook, "weighted_sum", "import sys\nsys.exit(0)\n")
    work.write(notebook)


@sample(weighted_sum="timed_out")
def loops_forever_in_a_step(work: Work) -> None:
    """An endless loop in one function."""
    notebook = work.notebook()
    work.cell(notebook, "weighted_sum")["source"] = (
        "def weighted_sum(weights, V):\n    while True:\n        V = V + 0\n    return weights @ V\n"
    )
    work.write(notebook)


@sample()
def loops_forever_in_a_cell(work: Work) -> None:
    """An endless loop in a cell of the student's own: the cells after it still count."""
    notebook = work.notebook()
    work.insert(notebook, "softmax", "while True:\n    pass\n")
    work.write(notebook)


@sample()
def kills_the_process_in_a_cell(work: Work) -> None:
    """A cell that ends the process; what other cells define still counts."""
    notebook = work.notebook()
    work.insert(notebook, "softmax", "import os\nos._exit(1)\n")
    work.write(notebook)


@sample(softmax=None)
def writes_a_syntax_error(work: Work) -> None:
    """One cell that Python cannot read; the others are graded."""
    notebook = work.notebook()
    work.cell(notebook, "softmax")["source"] = (
        "def softmax(scores, axis=-1):\n    e = np.exp(scores - scores.max()\n    return e / e.sum()\n"
    )
    work.write(notebook)


@sample()
def plots_with_matplotlib(work: Work) -> None:
    """Plots of the weights, and settings of the plots above a function."""
    notebook = work.notebook()
    cell = work.cell(notebook, "softmax")
    cell["source"] = (
        "import matplotlib.pyplot as plt\nplt.rcParams['figure.figsize'] = (4, 3)\n\n\n" + cell["source"]
    )
    notebook["cells"].append(
        code(
            "fig, axes = plt.subplots(1, 2)\naxes[0].imshow(softmax(np.eye(3)))\n"
            "for axis in axes.flat:\n    axis.set_title('w')\nplt.show()\n"
        )
    )
    work.write(notebook)


@sample()
def checks_before_writing(work: Work) -> None:
    """A check of a function that is written only further down."""
    notebook = work.notebook()
    work.insert(notebook, "project_qkv", "check(self_attention)\nprint(softmax(np.eye(2)))\n")
    work.write(notebook)


@sample()
def uses_magics(work: Work) -> None:
    """Magics, shell commands and help."""
    notebook = work.notebook()
    work.insert(notebook, "project_qkv", "%matplotlib inline\n!pip install numpy\n%load_ext autoreload\n")
    work.insert(notebook, "softmax", "np.exp?\n")
    work.insert(notebook, "weighted_sum", "%%bash\necho hello\n")
    cell = work.cell(notebook, "softmax")
    cell["source"] = "%%time\n" + cell["source"]
    cell = work.cell(notebook, "causal_mask")
    cell["source"] += "\n%timeit causal_mask(3)\nfiles = !ls\n"
    work.write(notebook)


@sample(warns="handed out and is missing")
def deletes_the_setup_cell(work: Work) -> None:
    """The cell with `import numpy as np` is gone."""
    notebook = work.notebook()
    notebook["cells"] = [cell for cell in notebook["cells"] if "import numpy" not in cell["source"]]
    work.write(notebook)


@sample()
def moves_a_cell_up(work: Work) -> None:
    """weighted_sum stands before softmax."""
    notebook = work.notebook()
    cell = notebook["cells"].pop(work.index(notebook, "weighted_sum"))
    notebook["cells"].insert(work.index(notebook, "causal_mask"), cell)
    work.write(notebook)


@sample()
def edits_the_prose(work: Work) -> None:
    """Notes typed into the handout's own cells."""
    notebook = work.notebook()
    notebook["cells"][0]["source"] += "\n\nMy note: read this twice."
    work.write(notebook)
