"""Hostile folders and notebooks: none gains a mark, reaches another file, or stops a batch."""

import json
import os

from autograder.tests.submissions import Work, code, sample, text

ALL = (
    "project_qkv",
    "scaled_scores",
    "causal_mask",
    "apply_mask",
    "softmax",
    "weighted_sum",
    "self_attention",
)
UNWRITTEN = dict.fromkeys(ALL, "unwritten")


@sample(**UNWRITTEN, essay=False)
def empties_later_cells(work: Work) -> None:
    """An input transformer that would turn every later cell into nothing."""
    notebook = work.notebook(all_steps=False)
    work.insert(
        notebook,
        "project_qkv",
        "ip = get_ipython()\nip.input_transformers_cleanup.append(lambda lines: ['1\\n'])\n",
    )
    work.write(notebook)


@sample(warns="do not count", **UNWRITTEN, essay=False)
def writes_its_own_scores(work: Work) -> None:
    """Check cells that give nan, -1 and 99, with outputs kept from a run that never was."""
    notebook = work.notebook(all_steps=False)
    for step, score in zip(work.steps, ("float('nan')", "-1", "99", "20", "1e9", "None", "4"), strict=True):
        cell = work.cell(notebook, f"check_{step}")
        cell["source"] = score
        data = {"text/plain": score, "text/html": "<script>alert(1)</script>"}
        cell["outputs"] = [
            {"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": 1}
        ]
        cell["metadata"]["nbgrader"] |= {"points": 1000, "locked": False}
    work.write(notebook)


@sample(warns="more than one", **UNWRITTEN, essay=False)
def duplicates_check_cells(work: Work) -> None:
    """Ten copies of a check cell, with other types, schemas and checksums."""
    notebook = work.notebook(all_steps=False)
    for n in range(10):
        marks = work.cell(notebook, "check_softmax")["metadata"]["nbgrader"] | {
            "schema_version": n,
            "points": n,
        }
        notebook["cells"].append(code("4.0", nbgrader=marks) | {"id": f"c{n}"})
    work.write(notebook)


@sample(warns="numpy.py")
def brings_its_own_numpy(work: Work) -> None:
    """Modules beside the notebook that would be imported from its folder."""
    work.write(work.notebook())
    for name in ("numpy.py", "conftest.py", "sitecustomize.py", "selfcheck.py", "numpy/__init__.py"):
        work.put(name, "raise SystemExit('imported')\n")


@sample(essay=True)
def answers_with_a_script(work: Work) -> None:
    """Markdown that would act in the teacher's browser."""
    notebook = work.notebook()
    work.cell(notebook, work.question)["source"] = (
        "Because.\n\n<script>fetch('/formgrader')</script><img src=x onerror=alert(1)>\n\n"
        "[here](javascript:alert(1)) [there](&#106;avascript:alert(1))\n\n[x]: javascript:alert(2)\n"
    )
    work.write(notebook)


@sample(**UNWRITTEN, essay=False)
def kept_outputs_are_huge(work: Work) -> None:
    """Outputs of 6 MB, in many lines."""
    notebook = work.notebook(all_steps=False)
    lines = ["0.12345678, 0.23456789, 0.34567890, 0.45678901\n"] * 120_000
    notebook["cells"].append(
        code("print(1)") | {"outputs": [{"output_type": "stream", "name": "stdout", "text": lines}]}
    )
    work.write(notebook)


@sample(status="unreadable", warns="too large")
def brings_a_huge_file(work: Work) -> None:
    """A notebook of a gigabyte (of nothing)."""
    path = work.put(f"{work.exercise.name}.ipynb", b"")
    os.truncate(path, 1 << 30)


@sample(status="unreadable", warns="too large")
def brings_countless_values(work: Work) -> None:
    """Few bytes that would become gigabytes of objects."""
    work.put(f"{work.exercise.name}.ipynb", '{"cells": [], "x": [' + "[]," * 1_700_000 + "[]]}")


@sample(status="unreadable", warns="JSON")
def nests_without_end(work: Work) -> None:
    """Lists in lists, a million deep."""
    work.put(f"{work.exercise.name}.ipynb", '{"cells": ' + "[" * 1_000_000)


@sample(status="unreadable", warns="JSON")
def writes_a_number_of_many_digits(work: Work) -> None:
    """A number whose reading takes ages."""
    work.put(f"{work.exercise.name}.ipynb", '{"cells": [], "nbformat": ' + "9" * 1_000_000 + "}")


@sample(warns="damaged cells")
def fills_in_the_wrong_types(work: Work) -> None:
    """Good cells among cells of every wrong shape, NaN, keys given twice, unpaired surrogates."""
    notebook = work.notebook()
    wrong = [None, 7, [], "cell", {}, {"cell_type": []}, {"cell_type": "code", "source": {"a": 1}}]
    wrong.append({"cell_type": "code", "source": ["a = 1\n", 5, None], "metadata": {"nbgrader": [1]}})
    wrong.append({"cell_type": "code", "source": "", "metadata": {"nbgrader": {"grade_id": ["softmax"]}}})
    wrong.append({"cell_type": "code", "source": "s = '\ud800'", "metadata": {"tags": 5}, "id": ["x"]})
    wrong.append({"cell_type": "markdown", "source": "", "attachments": {"a": {"image/png": 5}}})
    notebook["cells"] += wrong
    body = json.dumps(notebook)
    work.put(f"{work.exercise.name}.ipynb", '{"cells": 1, "x": NaN, "y": -Infinity,' + body[1:])


@sample(status="unreadable", warns="link")
def links_to_another_file(work: Work) -> None:
    """A symbolic link to somebody else's notebook."""
    (work.folder / f"{work.exercise.name}.ipynb").symlink_to(work.outside)


@sample(status="unreadable", warns="hard link")
def links_hard_to_another_file(work: Work) -> None:
    """A second name of somebody else's notebook."""
    os.link(work.outside, work.folder / f"{work.exercise.name}.ipynb")


@sample(status="misnamed", warns="self_attention")
def links_to_a_folder(work: Work) -> None:
    """A link to a folder in which a solved notebook lies."""
    inner = work.outside.parent / "elsewhere"
    inner.mkdir(exist_ok=True)
    (inner / f"{work.exercise.name}.ipynb").write_bytes(work.outside.read_bytes())
    (work.folder / work.exercise.name).symlink_to(inner)


@sample(status="unreadable", warns="link")
def is_itself_a_link(work: Work) -> None:
    """The whole folder is a link to another one."""
    inner = work.outside.parent / "elsewhere"
    inner.mkdir(exist_ok=True)
    (inner / f"{work.exercise.name}.ipynb").write_bytes(work.outside.read_bytes())
    work.folder.rmdir()
    work.folder.symlink_to(inner)


@sample(status="unreadable", warns="pipe")
def hands_in_a_pipe(work: Work) -> None:
    """A pipe on which a reader would wait for ever."""
    os.mkfifo(work.folder / f"{work.exercise.name}.ipynb")


@sample(status="missing")
def hands_in_a_folder_as_a_notebook(work: Work) -> None:
    """A folder that is named as the notebook."""
    (work.folder / f"{work.exercise.name}.ipynb").mkdir()


@sample(warns="not graded")
def hands_in_a_thousand_files(work: Work) -> None:
    """The notebook among a thousand others."""
    work.write(work.notebook())
    for number in range(1000):
        work.put(f"{number}.ipynb", "{}")


@sample(warns="not graded")
def hands_in_names_that_mislead(work: Work) -> None:
    """Names with line ends, marks that turn text round, leading dashes, escapes, bytes that are no text."""
    work.write(work.notebook())
    for name in ("-rf", "a\nb.ipynb", "\u202eypni.ipynb", "\x1b[31mred.py", "..\\..\\x.ipynb", "$(id).ipynb"):
        work.put(name, "x = 1\n")
    (work.folder / os.fsdecode(b"\xff\xfe.py")).write_bytes(b"x = 1\n")


@sample(warns="by hand", **UNWRITTEN, essay=True)
def claims_to_be_another(work: Work) -> None:
    """Another student's name and points in the notebook's own metadata."""
    notebook = work.notebook(all_steps=False)
    notebook["metadata"] |= {"student": "ada_byron", "score": 24, "nbgrader": {"student_id": "ada_byron"}}
    notebook["cells"].append(text("Student: ada_byron, 24/24"))
    work.write(notebook)
