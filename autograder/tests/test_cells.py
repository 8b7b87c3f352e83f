"""What notebooks hold beside plain Python is taken as it was meant."""

import pytest

from autograder.grade.client import Zygote
from autograder.tests.walls import QUICK, ask, cells, one


@pytest.fixture(scope="module")
def walled():
    with Zygote(QUICK) as warm:
        yield warm


NOTEBOOK = {
    "line_magic": "%matplotlib inline\ndef f(): return 1",
    "shell": "!pip install numpy\ndef f(): return 1",
    "shell_in_a_block": "if True:\n    !ls\n    x = 1\ndef f(): return x",
    "assigned_shell": "files = !ls\ndef f(): return 1",
    "assigned_magic": "t = %timeit -o 1\ndef f(): return 1",
    "timed_line": "%time x = 1\ndef f(): return x",
    "timed_cell": "%%time\ndef f(): return 1",
    "help": "len?\n?len\ndef f(): return 1",
    "percent_in_a_text": '%pylab\ndef f():\n    """\n    %d\n    """\n    return len(f.__doc__.split())',
    "ipython": "get_ipython().run_line_magic('matplotlib', 'inline')\ndef f():\n    display(1)\n    return 1",
    "unused_import": """import matplotlib.pyplot as plt
plt.rcParams['x'] = 3
fig, (a, b) = plt.subplots(1, 2)
for line in a.plot([1]): line.set(color='red')
with plt.style.context('x'): plt.show()
def f(): return 1""",
    "from_import": "from torch import nn, no_grad\nfrom scipy.special import softmax as s\ndef f(): return 1",
    "decorated": "import numba\n@numba.njit\ndef f(): return 1",
    "decorated_with_options": "import numba\n@numba.njit(parallel=True)\ndef f(): return 1",
    "subclassed": "import torch.nn as nn\nclass Net(nn.Module):\n    pass\ndef f(): return 1",
    "provided_for": "try:\n    import scipy\n    n = 2\nexcept ImportError:\n    n = 1\ndef f(): return n",
    "self_check": "from selfcheck import check, hint\ndef f(): return 1\ncheck(f)\nhint(f)",
    "check_in_a_call": "from selfcheck import check\ndef f():\n    check(f)\n    return 1",
    "future": "from __future__ import annotations\ndef f(x: Nowhere = 0): return 1",
    "dataclass": "import dataclasses\n@dataclasses.dataclass\nclass P: x: 'int' = 1\ndef f(): return P().x",
    "byte_order_mark": "\ufeffdef f(): return 1",
    "main_guard": "def f(): return 1\nif __name__ == '__main__':\n    f = None\n    input()",
}


@pytest.mark.parametrize("source", NOTEBOOK.values(), ids=NOTEBOOK)
def test_what_notebooks_hold_is_taken_as_meant(walled, source):
    with walled.open(one(source)) as desk:
        assert desk.loaded[0].outcome == "ok", desk.loaded
        assert ask(desk, "f").value == 1


def test_a_future_import_holds_for_later_cells(walled):
    with walled.open(cells("from __future__ import annotations", "def f(x: Nowhere = 1): return x")) as desk:
        assert ask(desk, "f").value == 1


@pytest.mark.parametrize(
    "source", ["%%bash\nls -l", "%%html\n<b>", "!ls\n%cd x", "%%writefile x.py\ndef f(): return 1"]
)
def test_a_cell_that_is_no_python_does_nothing(walled, source):
    with walled.open(one(source)) as desk:
        assert desk.loaded[0].outcome == "ok"
        assert not desk.defined


@pytest.mark.parametrize(
    "source",
    [
        "import scipy.special\ndef f(): return scipy.special.softmax([1])",
        "from scipy.special import softmax\ndef f(): return softmax([1])",
        "def f():\n    import scipy\n    return 1",
        "import torch\nx = torch.ones(3)\ndef f(): return x + 1",
    ],
)
def test_what_is_not_numpy_raises_inside_a_call(walled, source):
    with walled.open(one(source)) as desk:
        error = ask(desk, "f").error
    assert error.name == "ModuleNotFoundError"
    assert "not available" in error.text


@pytest.mark.parametrize("module", ["statistics", "sqlite3", "xml.dom.minidom", "numpy.polynomial.chebyshev"])
def test_the_standard_library_and_numpy_can_be_imported(walled, module):
    with walled.open(one(f"import {module}\ndef f(): return 1")) as desk:
        assert ask(desk, "f").value == 1
