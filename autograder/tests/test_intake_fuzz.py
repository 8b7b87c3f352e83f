"""Whatever bytes or values come in, intake gives a status and a reason."""

import json

from hypothesis import given
from hypothesis import strategies as st

from autograder.tests.handed_in import NAME, WORK, calm, is_whole, taken


@calm
@given(st.binary(max_size=300), st.sampled_from([f"{NAME}.ipynb", f"{NAME}.py"]))
def test_any_bytes_give_a_status_and_a_reason(tmp_path, data, name):
    is_whole(taken(tmp_path, data, name))


@calm
@given(st.data())
def test_a_notebook_with_damaged_bytes_gives_a_status_and_a_reason(tmp_path, data):
    good = bytearray(json.dumps(WORK.notebook("softmax"), ensure_ascii=data.draw(st.booleans())).encode())
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(good) - 1))
        good[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
    is_whole(taken(tmp_path, bytes(good)))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@calm
@given(st.data())
def test_a_notebook_with_any_value_anywhere_gives_a_status_and_a_reason(tmp_path, data):
    notebook = WORK.notebook("softmax")
    for _ in range(data.draw(st.integers(1, 4))):
        places = [(notebook, key) for key in notebook]
        if isinstance(notebook.get("cells"), list):
            for cell in (cell for cell in notebook["cells"] if isinstance(cell, dict)):
                places += [(cell, key) for key in cell]
                if isinstance(marks := cell.get("metadata"), dict):
                    places += [(marks, key) for key in marks]
                    inner = marks.get("nbgrader")
                    places += [(inner, key) for key in inner] if isinstance(inner, dict) else []
        where, key = data.draw(st.sampled_from(places))
        where[key] = data.draw(json_values)
    is_whole(taken(tmp_path, notebook))
