"""Right work under other names, in other places, or beside other files."""

import io
import zipfile

from autograder.tests.submissions import Work, sample


@sample(warns="Taken from")
def names_the_file_as_a_copy(work: Work) -> None:
    """As a browser names a second download."""
    work.write(work.notebook(), f"{work.exercise.name} (1).ipynb")


@sample(warns="Taken from")
def names_the_file_with_a_number(work: Work) -> None:
    """As a file manager numbers a copy, in capitals."""
    work.write(work.notebook(), f"{work.exercise.name.title()}-1.IPYNB")


@sample(warns="Taken from")
def names_the_file_in_chinese(work: Work) -> None:
    """副本."""
    work.write(work.notebook(), f"{work.exercise.name} - 副本.ipynb")


@sample(warns="Taken from")
def names_the_file_otherwise(work: Work) -> None:
    """A long name of the student's own, with spaces, in Chinese."""
    work.write(work.notebook(), "第三次作业 自注意力 王小明 最后最后最后一版 " + "长" * 40 + ".ipynb")


@sample(warns="Taken from")
def saves_with_a_text_ending(work: Work) -> None:
    """A mail program appended .txt."""
    work.write(work.notebook(), f"{work.exercise.name}.ipynb.txt")


@sample(warns="Taken from")
def nests_the_folder(work: Work) -> None:
    """The whole folder handed in within itself, beside what macOS leaves."""
    work.write(work.notebook(), f"{work.exercise.name}/{work.exercise.name}.ipynb")
    work.put(f"__MACOSX/{work.exercise.name}/._{work.exercise.name}.ipynb", b"\0\5\x16\7")
    work.put(".DS_Store", b"\0\0\0\1Bud1")


@sample(warns="Taken from")
def works_in_the_copy(work: Work) -> None:
    """JupyterLab's duplicate is solved, the notebook itself is as it was handed out."""
    work.write(work.notebook(all_steps=False))
    work.write(work.notebook(), f"{work.exercise.name}-Copy1.ipynb")


@sample(warns="not graded")
def keeps_older_versions(work: Work) -> None:
    """The notebook is solved; older notebooks and other files lie beside it."""
    work.write(work.notebook())
    work.write(work.notebook("softmax"), f"{work.exercise.name}_old.ipynb")
    work.write(work.notebook("softmax"), "scratch.ipynb")
    work.put("notes.docx", b"PK\3\4")


@sample()
def keeps_what_was_released(work: Work) -> None:
    """Everything that was handed out is handed in again, with checkpoints and caches."""
    work.write(work.notebook())
    work.put(f"{work.exercise.name}.py", work.release.module)
    work.put("handout.en.md", "# Self-attention\n")
    work.put("figure.svg", "<svg/>")
    work.put("selfcheck/check.py", "def check(*functions): pass\n")
    work.put("timestamp.txt", "2026-01-01 00:00:00.000000 UTC")
    work.write(work.notebook(all_steps=False), f".ipynb_checkpoints/{work.exercise.name}-checkpoint.ipynb")
    work.put("__pycache__/self_attention.cpython-311.pyc", b"\xa7\r\r\n")


@sample()
def writes_a_bad_timestamp(work: Work) -> None:
    """timestamp.txt holds no time."""
    work.write(work.notebook())
    work.put("timestamp.txt", "tomorrow, I promise")


@sample(warns="counts", essay=False)
def writes_the_script_beside_an_untouched_notebook(work: Work) -> None:
    """The file that differs from the release counts."""
    work.write(work.notebook(all_steps=False))
    work.put(f"{work.exercise.name}.py", work.script())


@sample(warns="answers are from")
def writes_the_script_and_answers_in_the_notebook(work: Work) -> None:
    """Code in the script, the essay in the notebook: both count."""
    notebook = work.notebook(all_steps=False)
    work.cell(notebook, work.question)["source"] = work.notebook()["cells"][
        work.index(notebook, work.question)
    ]["source"]
    work.write(notebook)
    work.put(f"{work.exercise.name}.py", work.script())


@sample(warns="the notebook counts", essay=False, **dict.fromkeys(("softmax", "weighted_sum"), "unwritten"))
def writes_both(work: Work) -> None:
    """Both differ from the release: the notebook counts."""
    rest = [step for step in work.steps if step not in ("softmax", "weighted_sum")]
    work.write(work.notebook(*rest))
    work.put(f"{work.exercise.name}.py", work.script())


@sample(status="misnamed", warns="Several files")
def hands_in_two_under_other_names(work: Work) -> None:
    """Two different solved notebooks, neither with the right name."""
    work.write(work.notebook(), "final.ipynb")
    work.write(work.notebook("softmax"), "really final.ipynb")


@sample(status="misnamed", warns="homework.zip")
def hands_in_an_archive(work: Work) -> None:
    """The notebook within a zip file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(f"{work.exercise.name}.ipynb", "{}")
    work.put("homework.zip", buffer.getvalue())


@sample(status="misnamed", warns="linear_regression.ipynb")
def hands_in_another_exercise(work: Work) -> None:
    """A notebook of another course."""
    notebook = work.notebook() | {"cells": []}
    notebook["cells"] = [{"cell_type": "code", "metadata": {}, "source": "def fit(x, y):\n    return x\n"}]
    work.write(notebook, "linear_regression.ipynb")


@sample(status="missing", warns="Nothing was submitted")
def hands_in_nothing(work: Work) -> None:
    """An empty folder but for the collector's timestamp."""
    work.put("timestamp.txt", "2026-01-01 00:00:00.000000 UTC")


@sample(status="unreadable", warns="JSON")
def hands_in_broken_json(work: Work) -> None:
    """An upload that broke off half way."""
    path = work.write(work.notebook())
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


@sample(status="unreadable", warns="zip archive")
def names_an_archive_as_a_notebook(work: Work) -> None:
    """A zip file whose name ends in .ipynb."""
    work.put(f"{work.exercise.name}.ipynb", b"PK\3\4" + bytes(500))


@sample(status="unreadable", warns="web page")
def saves_the_web_page(work: Work) -> None:
    """The page around the notebook, saved from a browser."""
    work.put(f"{work.exercise.name}.ipynb", "<!DOCTYPE html>\n<html><body>Sign in</body></html>")


@sample(status="unreadable", warns="empty file")
def uploads_an_empty_file(work: Work) -> None:
    """Nothing arrived."""
    work.put(f"{work.exercise.name}.ipynb", b"")


@sample(status="unreadable", warns="conflict marks")
def merges_with_conflicts(work: Work) -> None:
    """Git's conflict marks left in the notebook."""
    path = work.write(work.notebook())
    path.write_text("<<<<<<< HEAD\n" + path.read_text(encoding="utf-8"), encoding="utf-8")


@sample(warns="not a notebook", essay=False)
def breaks_the_notebook_and_writes_the_script(work: Work) -> None:
    """The notebook cannot be read, the script is whole."""
    work.put(f"{work.exercise.name}.ipynb", "{")
    work.put(f"{work.exercise.name}.py", work.script())
