"""Intake: the rules for cells, answers and files, beside those that the samples show."""

import json
import os
import re
import socket
from pathlib import Path

import pytest

from autograder.intake.canonical import canonical
from autograder.intake.folder import MAX_FILE, read_file
from autograder.intake.mends import shown
from autograder.intake.reading import read
from autograder.intake.take import take
from autograder.layout import KIT
from autograder.model import Status
from autograder.tests.handed_in import EXERCISE, NAME, RELEASE, WORK, cells, is_whole, sources, taken
from autograder.tests.submissions import ESSAY, SAMPLES, Work, text


@pytest.mark.parametrize("name", [name for name in SAMPLES if "huge" not in name and "countless" not in name])
def test_taking_twice_gives_the_same(name, tmp_path):
    folder = tmp_path / "submitted" / "someone" / NAME
    SAMPLES[name].write(folder, EXERCISE, RELEASE)
    first = take(folder, EXERCISE, RELEASE, "someone")
    is_whole(first)
    assert take(folder, EXERCISE, RELEASE, "someone") == first


@pytest.mark.parametrize(
    "call", ["check(softmax)", "check(softmax);", "# try\ncheck( softmax, causal_mask )  # ok"]
)
def test_a_check_call_alone_is_not_run(tmp_path, call):
    assert sources(taken(tmp_path, cells("x = 1", call))) == ["x = 1"]


def test_a_stub_left_above_its_function_is_no_definition_and_one_below_it_is(tmp_path):
    written = "\n\ndef softmax(scores, axis=-1):\n    return scores\n"
    said = {}
    for name, module in (("above", RELEASE.module + written), ("below", written + RELEASE.module)):
        file = tmp_path / name / f"{NAME}.py"
        file.parent.mkdir()
        file.write_text("import numpy as np\n" + module, encoding="utf-8")
        warnings = [warning.en for warning in take(file, EXERCISE, RELEASE).warnings]
        said[name] = any("Defined more than once" in warning for warning in warnings)
    assert said == {"above": False, "below": True}


def test_code_beside_a_check_call_is_run(tmp_path):
    assert sources(taken(tmp_path, cells("check(softmax)\nx = 1"))) == ["check(softmax)\nx = 1"]


def test_a_cell_indented_as_a_whole_runs_as_in_a_notebook(tmp_path):
    assert sources(taken(tmp_path, cells("    x = 1\n    if x:\n        y = 2"))) == [
        "x = 1\nif x:\n    y = 2"
    ]


def test_lines_without_line_ends_are_put_together_by_lines(tmp_path):
    notebook = cells("")
    notebook["cells"][0]["source"] = ["def softmax(x):", "    return x"]
    assert sources(taken(tmp_path, notebook)) == ["def softmax(x):\n    return x"]


def test_given_code_comes_back_only_where_it_is_missed(tmp_path):
    assert len(taken(tmp_path, cells("def softmax(x):\n    return np.exp(x)")).cells) == 2
    for binding in ("import numpy as np", "from numpy import *", "np = __import__('numpy')", "%pylab inline"):
        assert len(taken(tmp_path, cells(binding, "def softmax(x):\n    return np.exp(x)")).cells) == 2
    assert len(taken(tmp_path, cells("def softmax(x):\n    return x")).cells) == 1


def test_numbers_are_those_of_all_cells_from_one(tmp_path):
    notebook = WORK.notebook()
    numbers = {cell.place: cell.number for cell in taken(tmp_path, notebook).cells}
    assert numbers["softmax"] == WORK.index(notebook, "softmax") + 1


def test_a_picture_pasted_into_an_answer_goes_with_it(tmp_path):
    notebook = WORK.notebook()
    cell = WORK.cell(notebook, "why_scale")
    cell["source"], cell["attachments"] = "![it](attachment:a.png)", {"a.png": {"image/png": "aGVsbG8="}}
    assert taken(tmp_path, notebook).answers == {"why_scale": "![it](data:image/png;base64,aGVsbG8=)"}


@pytest.mark.parametrize("picture", ["aGk=" * 1_000_000, "<script>", 5])
def test_a_picture_that_cannot_go_along_is_told(tmp_path, picture):
    notebook = WORK.notebook()
    cell = WORK.cell(notebook, "why_scale")
    cell["source"], cell["attachments"] = "![it](attachment:a.png)", {"a.png": {"image/png": picture}}
    submission = taken(tmp_path, notebook)
    assert submission.answers == {"why_scale": "![it](attachment:a.png)"}
    assert "picture" in submission.warnings[0].en


def test_an_answer_goes_on_in_the_cells_below_it(tmp_path):
    notebook = WORK.notebook()
    notebook["cells"].insert(WORK.index(notebook, "why_scale") + 1, text("And so on."))
    submission = taken(tmp_path, notebook)
    assert submission.answers == {"why_scale": f"{ESSAY}\n\nAnd so on."}
    assert "by hand" in submission.warnings[0].en


def test_a_stub_formatted_anew_or_of_an_older_release_is_not_written(tmp_path):
    notebook = WORK.notebook(all_steps=False)
    cell = WORK.cell(notebook, "softmax")
    cell["source"] = "\n\n" + cell["source"].replace("\n    #", "\n\n\n     #") + "\n\n"
    assert taken(tmp_path, notebook).status is Status.empty
    older = RELEASE.module.replace("    - ", "    * ")
    assert older != RELEASE.module
    assert taken(tmp_path, older.encode(), f"{NAME}.py").status is Status.empty


def test_an_emptied_answer_is_not_what_was_handed_out(tmp_path):
    notebook = WORK.notebook()
    WORK.cell(notebook, "why_scale")["source"] = " "
    whole = canonical(taken(tmp_path, notebook), RELEASE)
    assert WORK.cell(whole, "why_scale")["source"] == ""


def test_a_file_that_is_not_there_is_missing(tmp_path):
    for path in (tmp_path / "nothing.ipynb", tmp_path / "no" / "folder" / "x.py"):
        assert take(path, EXERCISE, RELEASE).status is Status.missing
    assert take(tmp_path / "a" / NAME, EXERCISE, RELEASE, "a").status is Status.missing


def test_a_single_file_may_have_any_name_and_a_second_hard_link(tmp_path):
    path = WORK.__class__(tmp_path, EXERCISE, RELEASE).write(WORK.notebook(), "任意 名字.ipynb")
    os.link(path, tmp_path / "backup.ipynb")
    submission = take(path, EXERCISE, RELEASE)
    assert (submission.status, submission.warnings, submission.file) == (Status.graded, (), str(path))


def test_a_single_file_that_is_a_link_is_not_followed(tmp_path):
    path = Work(tmp_path, EXERCISE, RELEASE).write(WORK.notebook(), "x.ipynb")
    (tmp_path / "y.ipynb").symlink_to(path)
    assert take(tmp_path / "y.ipynb", EXERCISE, RELEASE).status is Status.unreadable


def test_a_students_folder_that_is_a_link_is_not_followed(tmp_path):
    Work(tmp_path / "real" / NAME, EXERCISE, RELEASE).write(WORK.notebook())
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    assert take(tmp_path / "linked" / NAME, EXERCISE, RELEASE, "linked").status is Status.unreadable
    assert take(tmp_path / "linked" / NAME, EXERCISE, RELEASE).status is Status.graded  # a teacher's own link


def test_a_file_in_a_students_linked_folder_is_not_read(tmp_path):
    Work(tmp_path / "real", EXERCISE, RELEASE).write(WORK.notebook(), NAME)
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    assert take(tmp_path / "linked" / NAME, EXERCISE, RELEASE, "linked").status is Status.unreadable
    assert take(tmp_path / "real" / NAME, EXERCISE, RELEASE, "real").status is Status.graded


def test_a_file_is_never_read_beyond_its_limit(tmp_path):
    path = tmp_path / "x.ipynb"
    path.touch()
    os.truncate(path, MAX_FILE + 1)
    assert read_file(path).problem is not None
    assert read_file(path).data == b""


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"[1, 2]", "no list of cells"),
        (b'{"cells": 5, "worksheets": "x"}', "no list of cells"),
        (b'{"worksheets": [5, {"cells": 5}], "cells"', "damaged at line 1"),
        (json.dumps({"cells": [{}] * 2001}).encode(), "more than 2000 cells"),
        (json.dumps({"cells": [{"source": "x" * 4_000_001}]}).encode(), "more than 4000000 characters"),
        (b'\n\n{"cells": [}', "damaged at line 3"),
        (b"\x89PNG\r\n", "a picture"),
        (b"%PDF-1.7", "a PDF file"),
        (bytes(100), "a binary file"),
        (b" \n", "an empty file"),
    ],
)
def test_what_cannot_be_read_says_why(data, why):
    assert why in read("x.ipynb", data).problem.en


def test_a_device_and_a_socket_are_not_opened(tmp_path, monkeypatch):
    assert "a device" in take(Path(os.devnull), EXERCISE, RELEASE).reason.en
    with socket.socket(socket.AF_UNIX) as listener:
        monkeypatch.chdir(tmp_path)  # a socket's path may not be long
        listener.bind("x.ipynb")
        assert "a socket" in take(tmp_path / "x.ipynb", EXERCISE, RELEASE).reason.en


def test_a_file_that_may_not_be_read_says_so(tmp_path):
    path = Work(tmp_path, EXERCISE, RELEASE).write(WORK.notebook())
    path.chmod(0)
    submission = take(path, EXERCISE, RELEASE)
    allowed = os.access(path, os.R_OK)  # the system's administrator may read everything
    assert submission.status is (Status.graded if allowed else Status.unreadable)
    assert allowed or "may not read" in submission.reason.en


@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_values_are_counted_before_they_are_made(codec):
    values = '"\\\\","",' * 1_600_000
    assert "too large" in read("x.ipynb", f'{{"cells": [{values}""]}}'.encode(codec)).problem.en
    assert not read("x.ipynb", ('{"cells": [], "x": "' + "[,{" * 2_000_000 + '"}').encode(codec)).problem


def test_a_script_is_measured_before_it_is_read():
    assert "too large" in read("x.py", b"x = 1\n" * 200_000).problem.en


def test_names_are_shown_in_one_short_line():
    hostile = "\x1b[2J\u202ea\nb" + "x" * 500 + os.fsdecode(b"\xff")
    assert shown(hostile).isprintable()
    assert len(shown(hostile)) < 100
    assert shown("第 3 次（副本）.ipynb") == "第 3 次（副本）.ipynb"


@pytest.mark.parametrize(
    "codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030"]
)
def test_a_notebook_in_any_usual_encoding_is_the_same(codec):
    words = json.dumps(cells("# 注意力权重\nx = 1"), ensure_ascii=False)
    assert [cell.source for cell in read("x.ipynb", words.encode(codec)).cells] == ["# 注意力权重\nx = 1"]


def test_every_sample_is_a_row_of_the_documented_rules():
    rules = (KIT / "docs" / "intake.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)`", rules))
    assert not set(SAMPLES) - named, "docs/intake.md: add a row for each"
