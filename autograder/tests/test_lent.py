"""A function passed to a step stays with the proctor: asked for one call, within bounds, by that call."""

import numpy as np
import pytest

from autograder.desk import cases, wire
from autograder.grade.answers import Limits, LostError, Refused
from autograder.grade.client import Outcome, Zygote
from autograder.grade.lent import ASKS, LENGTH, NUMBERS, Lent, handed
from autograder.grade.local import LocalDesk
from autograder.grade.questions import Questions
from autograder.tests.walls import INNER, OUTER, QUICK, X, ask, cells


def doubled(x, times=2):
    return x * times


def secretive(x):
    raise ValueError("the answer is 42, in /hidden/suite.py")


def joined(*arrays):
    return sum(arrays)


@pytest.fixture(scope="module", params=[*OUTER[:1], *INNER[:1], "none"])
def warm(request):
    with Zygote(QUICK, request.param) as zygote:
        yield zygote


# a function that behaves


def test_a_function_answers_from_the_proctor_s_side(warm):
    source = "def f(g, x): return g(x), g(x, times=3), g(times=x, x=2)"
    with warm.open(cells(source)) as desk:
        assert all(map(np.array_equal, ask(desk, "f", doubled, X).value, (2 * X, 3 * X, 2 * X)))
        assert all(map(np.array_equal, ask(desk, "f", g=doubled, x=X).value, (2 * X, 3 * X, 2 * X)))


def test_each_call_of_a_table_has_its_own_function(warm):
    table = [((doubled, 3), {}), ((joined, 3), {}), ((abs, -3), {})]
    with warm.open(cells("def f(g, x): return g(x)")) as desk:
        assert [answer.value for answer in desk.many("f", table)] == [6, 3, 3]
        assert [answer.value for answer in desk.many("f", tuple(table))] == [6, 3, 3]


def test_it_is_the_same_at_a_desk_and_in_this_process(warm):
    source = "def f(g, x):\n    try: return g(x)\n    except Exception as error: return type(error).__name__"
    names: dict = {}
    exec(source, names)
    table = [
        ((doubled, X), {}),
        ((secretive, X), {}),
        ((joined, np.zeros(NUMBERS + 1)), {}),
        ((joined, "a"), {}),
    ]
    with warm.open(cells(source)) as desk:
        here, there = LocalDesk({"f": names["f"]}).many("f", table), desk.many("f", table)
    assert [one.outcome for one in there] == [Outcome.returned] * len(table)
    assert [str(one.value) for one in here] == [str(one.value) for one in there]


def test_two_functions_in_one_call_are_refused():
    with pytest.raises(TypeError):
        cases.lots([((doubled, joined), {})])


# its bounds


TOO_MUCH = {
    "a long array": "g(np.zeros(5000))",
    "a long axis": "g(np.zeros(65))",
    "many arrays": "g(*[np.zeros(3)] * 9)",
    "arrays that spread": "g(*[np.zeros((64, *[1] * axes)) for axes in (2, 3, 4, 5)])",
    "megabytes": "g(np.zeros(1 << 20))",
    "a list": "g([1.0])",
    "text": "g('abc')",
    "complex numbers": "g(np.zeros(3, complex))",
    "a function": "g(g)",
    "a class": "g(int)",
    "an array of objects": "g(np.array([None]))",
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_what_it_does_not_take_is_the_student_s_exception(warm, what):
    source = f"import numpy as np\ndef f(g): return {TOO_MUCH[what]}\ndef h(g): return g(np.ones(2))"
    with warm.open(cells(source)) as desk:
        answer = ask(desk, "f", joined)
        assert answer.outcome is Outcome.raised and answer.error.name in ("MemoryError", "TypeError")
        assert ask(desk, "h", joined).value.tolist() == [1, 1]


def test_its_own_words_are_not_told(warm):
    with warm.open(cells("def f(g, x): return g(x)")) as desk:
        error = ask(desk, "f", secretive, X).error
    assert error.name == "ValueError" and error.text == "it cannot take arrays of shape (2, 3)"


@pytest.mark.parametrize("name", ["self", "function", "args", "kwargs", "x y", ""])
def test_nor_are_ours_whatever_a_keyword_is_called(warm, name):
    with warm.open(cells(f"def f(g, x): return g(x, **{{{name!r}: 1}})")) as desk:
        error = ask(desk, "f", doubled, X).error
    assert error.name == "TypeError" and error.text == "it cannot take arrays of shape (2, 3)"


def test_it_answers_so_many_times_in_a_call_and_then_raises():
    source = """
def f(g):
    count = 0
    try:
        while True: count += g(1)
    except RuntimeError: return count
"""
    with Zygote(Limits()) as zygote, zygote.open(cells(source)) as desk:
        assert [answer.value for answer in desk.many("f", [((abs,), {})] * 2)] == [ASKS, ASKS]


def test_a_flood_of_questions_ends_in_the_student_s_own_limit(warm):
    source = """
def f(g):
    while True:
        try: g(1)
        except Exception: pass
def h(): return 1
"""
    with warm.open(cells(source)) as desk:
        assert ask(desk, "f", abs).outcome is Outcome.timed_out
        assert ask(desk, "h").value == 1


# after the call, and from elsewhere


def test_it_is_gone_when_the_call_is_over(warm):
    source = """
kept = []
def f(g):
    kept.append(g)
    return kept[0](1)
"""
    with warm.open(cells(source)) as desk:
        first, second = desk.many("f", [((doubled,), {})] * 2)
        third = ask(desk, "f", doubled)
    assert first.value == 2
    assert [second.error.name, third.error.name] == ["RuntimeError", "RuntimeError"]


FORGED = """
import gc, json, os, struct
def send(**fields):
    desk = next(o for o in gc.get_objects() if type(o).__name__ == "Desk")
    header = {{"k": "ask", "i": desk._request, "n": 1, "name": "", "v": {{"t": [{{"t": [1]}}, []]}}, "a": []}}
    text = json.dumps(header | fields).encode()
    os.write(3, struct.pack("<4sII", b"DSK1", len(text), 0) + text)
def f(g, x):
    {what}
    return 1
def h(x):
    send()
    return 1
def fine(g, x): return g(x)
"""


@pytest.mark.parametrize(
    "what",
    [
        "send(i=desk_request - 1)".replace("desk_request", "0"),
        "send(i=2**60)",
        "send(i=True)",
        "send(n='one')",
        "send(name='doubled')",
        "send(name=None)",
        "send(name=['']) ",
        "send(v=None)",
        "send(v={'t': [{'t': [1]}, [1]]})",
        "send(a=[['<f8', [10**9], '']])",
    ],
)
def test_a_forged_question_ends_the_desk_and_nothing_else(warm, what):
    with warm.open(cells(FORGED.format(what=what))) as desk:
        assert ask(desk, "f", doubled, 1).outcome is Outcome.died
        assert ask(desk, "fine", doubled, 3).value == 6


def test_a_question_in_a_call_that_was_passed_no_function_ends_the_desk(warm):
    with warm.open(cells(FORGED.format(what="pass"))) as desk:
        assert ask(desk, "fine", doubled, 3).value == 6
        assert ask(desk, "h", 1).outcome is Outcome.died
        assert ask(desk, "fine", doubled, 3).value == 6


def test_a_thread_that_asks_later_gets_no_answer(warm):
    source = """
import threading, time
def f(g):
    def later():
        while True:
            try: g(1)
            except RuntimeError: return
    threading.Thread(target=later, daemon=True).start()
    return 1
def h(): return 2
def fine(g): return g(-1)
"""
    with warm.open(cells(source)) as desk:
        ask(desk, "f", abs)
        assert {answer.value for answer in desk.many("h", [((), {})] * 3)} <= {2, None}  # it may end the desk
        assert ask(desk, "fine", abs).value == 1


# the account, without a desk


def question(number, *args):
    data, table, buffers = wire.encode((args, []))
    header = {"k": "ask", "i": number, "n": 1, "name": "", "v": data, "a": table}
    return header, b"".join(buffers)


def test_only_the_call_under_way_has_its_function():
    questions = Questions({}, 10, 1.0)
    questions.expect(100, [((doubled,), {}), ((3,), {})])
    assert b"told" in questions.answer(*question(100, 4))
    for number in (99, 101, 102, 10**15):
        with pytest.raises(LostError):
            questions.answer(*question(number, 4))


def test_an_account_is_kept_for_each_call():
    lent = Lent(abs)
    for _ in range(ASKS):
        lent(-1)
    for _ in range(ASKS):
        with pytest.raises(Refused):
            lent(-1)
    with pytest.raises(LostError):
        lent(-1)


def test_what_fits_is_taken():
    widest = np.zeros((NUMBERS // LENGTH, LENGTH))
    assert Lent(joined)(widest, widest).shape == widest.shape
    assert handed(X) is X and handed(3) == 3
