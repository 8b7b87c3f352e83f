"""The experiments released with why_it_works: what they show, and what they do with wrong functions."""

import sys

import numpy as np
import pytest
from matplotlib import pyplot

from autograder.author.build import released
from autograder.grade.client import Zygote
from autograder.intake.take import take
from autograder.tests.handout_numbers import dot_products
from autograder.tests.handout_numbers_why import (
    EXERCISE,
    FUNCTIONS,
    attended,
    attention,
    experiment,
    experiments,
    sentence,
    sizes,
    softmax,
    starts,
)
from autograder.tests.submissions import Work, code

backward, xavier = FUNCTIONS["attention_backward"], FUNCTIONS["xavier_uniform"]


@pytest.fixture(autouse=True)
def no_window(monkeypatch):
    """Figures are drawn and kept, not shown."""
    pyplot.switch_backend("agg")
    monkeypatch.setattr(pyplot, "show", lambda: None)
    yield
    pyplot.close("all")


# --- what they show ---


def test_numerical_gradients_are_those_of_the_formula_and_change_nothing():
    a, b = np.arange(6.0).reshape(2, 3), np.array([[2.0, -1.0, 0.5]])
    found = experiments.numerical_gradients(lambda a, b: float((a**2 * b).sum()), [a, b])
    assert np.allclose(found[0], 2 * a * b)
    assert np.allclose(found[1], (a**2).sum(axis=0))
    assert np.array_equal(a, np.arange(6.0).reshape(2, 3))


def test_right_gradients_are_near_and_each_wrong_one_is_far(capsys):
    assert experiments.compare_gradients(attention, backward) < 1e-8
    for place in range(3):

        def slipped(*args, place=place):
            return [2 * part if i == place else part for i, part in enumerate(backward(*args))]

        assert experiments.compare_gradients(attention, slipped) > 0.01
    for odd in ((0, 0, 0), backward(*np.ones((3, 2, 2)), None, np.ones((2, 2)))[:2]):
        assert experiments.compare_gradients(attention, lambda *args, odd=odd: odd) == np.inf


def test_with_both_matrices_zero_nothing_moves_them_and_with_one_training_escapes():
    both, one, usual = starts()
    assert both[1:3] == [0, 0] and both[3] > 1
    assert one[2] == 0 and one[1] > 1
    assert both[-2] > 10 * one[-2] and both[-2] > 10 * usual[-2]
    assert both[-1] == pytest.approx(1 / 3)


def test_the_leaking_model_has_the_better_loss_and_writes_worse():
    (honest, right, *_), (leaking, wrong, *letters) = experiment()
    bound = np.log(8) / 2
    assert leaking < 0.1 < bound < honest < 1.1 * bound
    assert right == 1 > 0.3 > wrong
    assert letters[-1] > 0.8 > max(letters[:-1])
    assert (sentence(True), sentence(False)[-1]) == ("gbdbef", "f")


def test_the_leaking_model_looks_one_ahead_and_the_honest_one_where_the_letter_came_from():
    """As the mark scheme says: also that the last position could not look ahead."""
    ahead, honest = attended(False), attended(True)
    assert (np.diag(ahead, 1) > 0.7).all()
    assert ahead[11, 6] > 0.4  # where its letter came from
    assert (np.diag(honest[6:, 1:]) > 0.95).all()
    assert (honest[:6, 0] > 0.95).all()  # at ^, where nothing can be known


def test_without_the_scale_half_of_the_rows_let_a_thousandth_through_and_the_mean_hides_it():
    wild, calm = (sizes(softmax(dot_products(512, 10) / scale)) for scale in (1, np.sqrt(512)))
    assert np.median(calm) > 1000 * np.median(wild)
    assert wild.mean() > 200 * np.median(wild)


def test_nothing_is_trained_with_wrong_gradients(capsys):
    experiments.train_both(attention, lambda *args: [-part for part in backward(*args)], xavier)
    told = capsys.readouterr().out
    assert "Not trained" in told and "没有训练" in told and "with the mask" not in told


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_handout_runs_every_experiment(language):
    told = EXERCISE.prose[language]
    for name in (*RUNS, "compare_gradients"):
        assert f"experiments.{name}(" in told


# --- with matplotlib and without it ---

RUNS = {
    "zero_start": lambda: experiments.zero_start(FUNCTIONS["self_attention"], xavier, steps=20),
    "saturation_table": lambda: experiments.saturation_table(FUNCTIONS["saturation"], n_rows=20),
    "train_both": lambda: experiments.train_both(attention, backward, xavier, steps=20),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_plot_has_a_line_for_each_row_of_the_table_and_its_axes_are_named(name, capsys):
    RUNS[name]()
    (axis,) = pyplot.gcf().axes
    assert len(axis.lines) == (2 if name == "saturation_table" else 3)
    assert axis.get_xlabel() and axis.get_ylabel() and axis.get_legend()
    assert "matplotlib" not in capsys.readouterr().out


@pytest.mark.parametrize("name", RUNS)
def test_without_matplotlib_the_table_is_the_same_and_it_is_said(name, capsys, monkeypatch):
    RUNS[name]()
    table = capsys.readouterr().out
    pyplot.close("all")
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as where it is not installed
    RUNS[name]()
    assert (
        capsys.readouterr().out
        == table + "(no plot: matplotlib is not installed; 没有图：未安装 matplotlib)\n"
    )
    assert not pyplot.get_fignums()


# --- when it is graded ---


def test_at_the_desk_every_cell_loads_and_the_experiments_do_nothing(tmp_path):
    release = released(EXERCISE, ["en", "zh"])
    work = Work(tmp_path, EXERCISE, release)
    notebook = work.notebook()
    notebook["cells"].append(code("assert not hasattr(experiments.train_both, '__code__')"))
    work.write(notebook)
    submission = take(tmp_path, EXERCISE, release)
    assert any("train_both(attention_under" in cell.source for cell in submission.cells)
    with Zygote(walls="none") as zygote, zygote.open(submission.cells) as desk:
        assert [report for report in desk.loaded if report.outcome != "ok"] == []
        assert {step.name for step in EXERCISE.steps} <= desk.defined
