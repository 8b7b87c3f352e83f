"""What a submission earns, and whose fault it is when something goes wrong."""

import pytest

from autograder.grade.collect import SuiteError
from autograder.grade.local import LocalDesk
from autograder.grade.sitting import Sitting
from autograder.grade.wording import Narrator
from autograder.layout import KIT, Course
from autograder.model import Verdict
from autograder.tests.courses import edit, make_course
from autograder.tests.grading import REFERENCE, changed, lost, marks, opened, submission


@pytest.fixture(scope="module")
def proctor():
    with opened(Course(KIT), "self_attention") as ready:
        yield ready


@pytest.fixture
def reference():
    return REFERENCE


# whose fault it is


def test_a_cell_that_does_not_compile_is_named_with_its_line(proctor, reference):
    results = marks(
        proctor, reference.replace("def softmax(", "def another("), "\ndef softmax(scores:\n    pass\n"
    )
    assert lost(results) == {"softmax": Verdict.raised}
    rung = results["softmax"].aspects[0].rung
    assert "SyntaxError at line 2 of cell 1" in rung.en
    assert "SyntaxError" in rung.zh


def test_an_endless_loop_costs_its_own_step_alone(proctor, reference):
    results = marks(proctor, changed(reference, ("return weights @ V", "while True: pass")))
    assert lost(results) == {"weighted_sum": Verdict.timed_out}
    verdicts = [aspect.verdict for aspect in results["weighted_sum"].aspects]
    assert verdicts[0] is Verdict.timed_out
    assert set(verdicts[1:]) <= {Verdict.skipped, Verdict.timed_out}


def test_a_call_that_ends_the_process_costs_its_own_step_alone(proctor, reference):
    ends = changed(reference, ("return weights @ V", "import os; os._exit(0)"))
    assert lost(marks(proctor, ends)) == {"weighted_sum": Verdict.raised}


def test_a_test_that_the_reference_fails_is_our_fault_and_costs_nothing(tmp_path):
    course = make_course(tmp_path)
    edit(tmp_path / "suites/two_steps/test_double.py", "agree(double(x)", "agree(1 + double(x)")
    right = "def double(x):\n    return x + x\ndef quadruple(x):\n    return 4 * x\n"
    for source in (right, right.replace("4", "5"), "def double(x): return 'no'\n"):
        with opened(course, "two_steps") as proctor:
            double, quadruple = proctor.grade(submission(source))
        assert (double.verdict, double.earned) == (Verdict.grader_fault, None)
        assert "reference itself" in double.aspects[0].detail
        assert quadruple.verdict is not Verdict.grader_fault


def test_a_suite_whose_tests_are_not_the_promised_ones_is_refused(tmp_path):
    course = make_course(tmp_path)
    file = tmp_path / "suites/two_steps/test_double.py"
    file.write_text(
        file.read_text(encoding="utf-8") + "\n\ntest_again = test_doubles_each_entry\n", encoding="utf-8"
    )
    with pytest.raises(SuiteError, match="test_again"):
        opened(course, "two_steps")


# economy


def test_a_right_submission_needs_few_exchanges(proctor):
    class Counting(LocalDesk):
        tables = 0

        def many(self, name, cases):
            self.tables += 1
            return super().many(name, cases)

    desk = Counting(proctor.suite.reference.functions)
    sitting = Sitting(proctor.known, desk, Narrator(proctor.suite, ()))
    for step in proctor.exercise.steps:
        assert sitting.grade(step).verdict is Verdict.passed
    assert desk.tables <= 40


def test_the_same_submission_gives_the_same_results(proctor, reference):
    wrong = changed(reference, ("np.exp(shifted)", "np.exp(-shifted)"), ("/ np.sqrt(d_k)", "/ d_k"))
    with opened(Course(KIT), "self_attention") as another:
        again = another.grade(submission(wrong))
    assert proctor.grade(submission(wrong)) == again
