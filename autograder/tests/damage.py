"""What happens to notebooks on their way, each change by the name of what is wrong."""

import json

from autograder.tests.classes import graded_as


def marked(notebook):
    return [cell for cell in notebook["cells"] if "nbgrader" in cell["metadata"]]


def checks(notebook):
    return [cell for cell in notebook["cells"] if graded_as(cell).startswith("check_")]


def each(cells, change):
    """Applies a change to the cells of a notebook, and gives the notebook."""

    def damage(notebook):
        for cell in cells(notebook):
            change(cell)
        return notebook

    return damage


def metadata(**values):
    return lambda cell: cell["metadata"]["nbgrader"].update(values)


def without(cells):
    def damage(notebook):
        gone = cells(notebook)
        notebook["cells"] = [cell for cell in notebook["cells"] if cell not in gone]
        return notebook

    return damage


def twice(notebook):
    notebook["cells"] += json.loads(json.dumps(notebook["cells"]))
    return notebook


def output(text):
    result = {
        "output_type": "execute_result",
        "data": {"text/plain": text},
        "metadata": {},
        "execution_count": 1,
    }
    return lambda cell: cell.update(outputs=[result])


def shown(html):
    data = {"output_type": "display_data", "data": {"text/html": html, "application/javascript": html}}
    return lambda cell: cell.update(outputs=[data | {"metadata": {}}])


def printed(text, stream="stdout"):
    return lambda cell: cell.update(outputs=[{"output_type": "stream", "name": stream, "text": text}])


def as_markdown(cell):
    cell["cell_type"] = "markdown"
    for key in ("outputs", "execution_count"):
        cell.pop(key, None)


DAMAGE = {
    "untouched": lambda notebook: notebook,
    "cells_twice": twice,
    "checks_deleted": without(checks),
    "marks_deleted": each(marked, lambda cell: cell["metadata"].clear()),
    "skip_execution": each(checks, lambda cell: cell["metadata"].update(tags=["skip-execution"])),
    "checks_as_markdown": each(checks, as_markdown),
    "points_999": each(checks, metadata(points=999)),
    "points_negative": each(checks, metadata(points=-1)),
    "points_no_number": each(checks, metadata(points="many")),
    "checksums_edited": each(marked, metadata(checksum="0")),
    "one_id_for_all": each(checks, metadata(grade_id="check_softmax")),
    "unknown_ids": each(checks, metadata(grade_id="mine")),
    "ids_empty": each(checks, metadata(grade_id="")),
    "schema_0": each(marked, metadata(schema_version=0)),
    "schema_1": each(marked, metadata(schema_version=1)),
    "schema_99": each(marked, metadata(schema_version=99)),
    "schema_no_number": each(marked, metadata(schema_version="three")),
    "unlocked": each(marked, metadata(locked=False)),
    "ungraded": each(checks, metadata(grade=False)),
    "all_solutions": each(marked, metadata(solution=True)),
    "a_task": each(checks, metadata(task=True)),
    "claims_99": each(checks, output("99")),
    "claims_nan": each(checks, output("nan")),
    "claims_minus_1": each(checks, output("-1")),
    "warned": each(checks, printed("RuntimeWarning: divide by zero", "stderr")),
    "printed_a_lot": each(checks, printed("x" * 200_000)),
    "scripts_shown": each(checks, shown("<script>alert('hostile')</script>")),
}
