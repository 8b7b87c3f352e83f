"""A source is cut at its top level and nowhere else, and no line is lost."""

from hypothesis import given
from hypothesis import strategies as st

from autograder.intake.pieces import defined, split
from autograder.tests.handed_in import NAME, WORK, calm, taken


@calm
@given(
    st.lists(st.sampled_from(['"""', "'''", '"', "'", "(", ")", "\\", "#", "\n", "def softmax(x):", "  x"]))
)
def test_pieces_never_lose_or_move_a_line(parts):
    source = "def causal_mask(n):\n    pass\n" + "".join(parts) + "\ndef apply_mask(s, m):\n    pass\n"
    lines = source.split("\n")
    for piece in split(source, WORK.steps):
        own = piece.source.split("\n")
        assert lines[piece.line - 1 : piece.line - 1 + len(own)] == own
        lines[piece.line - 1 : piece.line - 1 + len(own)] = [""] * len(own)
    assert not "".join(lines).strip()


SCRIPT = '''\
"""A script.

def softmax(in, a, docstring):
"""
import numpy as np


# about the mask
@np.vectorize
def causal_mask(n):
    text = """
def apply_mask(neither, is, this):
    """
    return (n +
1)
W = [
1]
def softmax(
    x,
):
    return x


print(softmax(1))
def apply_mask(s, m): return s
'''


def test_a_script_is_cut_at_its_definitions_and_nowhere_else():
    found = split(SCRIPT, WORK.steps)
    assert [piece.line for piece in found] == [1, 8, 16, 18, 24, 25]
    assert [defined(piece.source, WORK.steps) for piece in found][3:] == [["softmax"], [], ["apply_mask"]]


def test_a_text_that_never_ends_costs_only_its_own_function():
    source = 'def softmax(x):\n    """Never closed\n\n\ndef causal_mask(n):\n    """Mask."""\n    return n\n'
    assert [defined(piece.source, WORK.steps) for piece in split(source, WORK.steps)] == [
        ["softmax"],
        ["causal_mask"],
    ]


def test_a_piece_knows_its_line_in_a_script(tmp_path):
    submission = taken(tmp_path, SCRIPT.encode(), f"{NAME}.py")
    assert [(cell.number, cell.line) for cell in submission.cells] == [
        (0, line) for line in (1, 8, 16, 18, 24, 25)
    ]
