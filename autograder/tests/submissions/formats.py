"""The same right work, as every editor and every way of carrying it saves it."""

from autograder.tests.submissions import ESSAY, Work, code, sample, text


def _without_ids(notebook: dict, minor: int) -> dict:
    for cell in notebook["cells"]:
        cell.pop("id", None)
    return notebook | {"nbformat_minor": minor}


def _as_lines(notebook: dict) -> dict:
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
    return notebook


def _unmarked(work: Work) -> list[dict]:
    """The solved cells as they arrive when they are pasted: sources alone, new ids."""
    cells = [cell for cell in work.notebook()["cells"] if not cell["source"].startswith("check(")]
    return [
        {k: v for k, v in cell.items() if k != "id"} | {"metadata": {}, "id": f"new-{n}"}
        for n, cell in enumerate(cells)
    ]


@sample()
def saves_with_jupyterlab(work: Work) -> None:
    """Sources as lists of lines, outputs, execution counts, collapsed and trusted marks."""
    notebook = _as_lines(work.notebook())
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            cell["execution_count"] = number
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["42\n", "43"]}]
            cell["metadata"] |= {"trusted": True, "collapsed": True, "jupyter": {"source_hidden": False}}
    work.write(notebook, indent=1)


@sample()
def saves_with_classic_notebook(work: Work) -> None:
    """nbformat 4.4, no cell ids, other kernel and language metadata."""
    notebook = _without_ids(_as_lines(work.notebook()), 4)
    notebook["metadata"] = {"kernelspec": {"display_name": "Python [conda env:base]", "name": "conda-base"}}
    notebook["metadata"]["toc"] = {"number_sections": True}
    work.write(notebook)


@sample()
def saves_with_vs_code(work: Work) -> None:
    """VS Code's language marks and compact JSON."""
    notebook = work.notebook()
    for cell in notebook["cells"]:
        cell["metadata"]["vscode"] = {"languageId": "python"}
    notebook["metadata"] = {"language_info": {"name": "python", "version": "3.12.1"}, "orig_nbformat": 4}
    work.write(notebook, indent=None)


@sample()
def saves_with_colab(work: Work) -> None:
    """Colab's own ids in the metadata, escaped Chinese, nbformat 4.0, an accelerator."""
    notebook = _without_ids(_as_lines(work.notebook()), 0)
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"] |= {"id": f"aBc{number}", "colab": {"base_uri": "https://localhost:8080/"}}
    notebook["metadata"] |= {"colab": {"provenance": []}, "accelerator": "GPU"}
    work.write(notebook, ensure_ascii=True, indent=2)


@sample()
def saves_as_odd_minor_version(work: Work) -> None:
    """A minor version that does not exist yet."""
    work.write(work.notebook() | {"nbformat_minor": 99})


@sample(warns="old format")
def saves_as_format_3(work: Work) -> None:
    """Worksheets, `input` for source, `prompt_number`."""
    cells = []
    for cell in work.notebook()["cells"]:
        one = {"cell_type": cell["cell_type"], "metadata": cell["metadata"]}
        key = "input" if cell["cell_type"] == "code" else "source"
        cells.append(
            one | {key: cell["source"].splitlines(keepends=True), "language": "python", "outputs": []}
        )
    work.write(
        {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}
    )


@sample()
def saves_without_metadata(work: Work) -> None:
    """No notebook metadata, no cell outputs, no counts."""
    cells = [{k: cell[k] for k in ("cell_type", "source", "metadata")} for cell in work.notebook()["cells"]]
    work.write({"cells": cells})


@sample()
def keeps_outputs_and_widgets(work: Work) -> None:
    """Pictures, HTML, widgets and errors left in the outputs, a megabyte of them."""
    notebook = work.notebook()
    outputs = [
        {"output_type": "display_data", "metadata": {}, "data": {"image/png": "iVBORw0KGgo=" * 100_000}},
        {
            "output_type": "execute_result",
            "execution_count": 1,
            "metadata": {},
            "data": {"text/html": "<b>9</b>"},
        },
        {"output_type": "error", "ename": "NameError", "evalue": "np", "traceback": ["\u001b[31mNameError"]},
    ]
    work.cell(notebook, "softmax")["outputs"] = outputs
    notebook["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
    work.write(notebook)


@sample()
def saves_with_crlf(work: Work) -> None:
    """Windows line ends, in the file and within the sources."""
    notebook = work.notebook()
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].replace("\n", "\r\n")
    path = work.write(notebook)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


@sample(warns="byte order mark")
def saves_with_bom(work: Work) -> None:
    """UTF-8 with a byte order mark."""
    path = work.write(work.notebook())
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())


@sample(warns="UTF-16")
def saves_as_utf16(work: Work) -> None:
    """UTF-16, as an old editor saves "Unicode"."""
    path = work.write(work.notebook())
    path.write_bytes(path.read_text(encoding="utf-8").encode("utf-16"))


@sample(warns="lost nbgrader's marks")
def pastes_into_a_new_notebook(work: Work) -> None:
    """Every cell pasted into a new notebook: no metadata, other ids, no checks; the essay is found."""
    work.write(work.notebook() | {"cells": _unmarked(work)})


@sample(warns="lost nbgrader's marks")
def pastes_everything_into_one_cell(work: Work) -> None:
    """All functions in one cell of a new notebook, the essay below it."""
    body = "import numpy as np\n\n\n" + "\n\n\n".join(work.solution(step) for step in work.steps)
    work.write(work.notebook() | {"cells": [code(body), text(ESSAY)]})


@sample(warns="lost nbgrader's marks", softmax="raised", essay=False)
def pastes_everything_with_one_syntax_error(work: Work) -> None:
    """The same with one function that Python cannot read: it costs that function alone."""
    sources = {step: work.solution(step) for step in work.steps}
    sources["softmax"] = "def softmax(scores, axis=-1):\n    return np.exp(scores\n"
    work.write(work.notebook() | {"cells": [code("import numpy as np\n\n" + "\n\n".join(sources.values()))]})


@sample(warns="by hand")
def answers_in_a_new_cell(work: Work) -> None:
    """The essay typed into a new Markdown cell; its own cell is as it was handed out."""
    notebook = work.notebook(*work.steps)
    notebook["cells"].insert(work.index(notebook, work.question), text(ESSAY))
    work.write(notebook)


@sample(warns="by hand")
def answers_below_the_question(work: Work) -> None:
    """The essay typed into the question's own cell, which this editor did not lock."""
    notebook = work.notebook(*work.steps)
    notebook["cells"][work.index(notebook, work.question) - 1]["source"] += "\n\n" + ESSAY
    work.write(notebook)


@sample(warns="do not count")
def answers_in_a_code_cell(work: Work) -> None:
    """The answer's cell turned into a code cell: it is still the answer, and not run."""
    notebook = work.notebook()
    work.cell(notebook, work.question).update(cell_type="code", outputs=[], execution_count=None)
    work.write(notebook)
