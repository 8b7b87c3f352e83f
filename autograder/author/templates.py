"""The texts that a new exercise and a new step begin with. NAME stands for the step's name."""


def named(template: str, step: str) -> str:
    return template.replace("NAME", step)


TOML = """\
# Steps in the order in which they are taught and graded. What a step needs is read off the reference.
minutes = 30  # TODO: how long it takes

[title]
en = "TODO: title"
zh = "TODO：标题"
"""

STEP = """\
[[step]]
name = "NAME"
points = 2
"""

QUESTION = """\
[[question]]
name = "NAME"
points = 2
"""

REFERENCE = '''\
"""TODO: what this exercise builds: the reference."""

import numpy as np
'''

FUNCTION = '''\
def NAME(x):
    """TODO: say in one line what it does.

    TODO: three examples whose values nothing lazy gives: by hand, not square, and in a batch.

    >>> NAME(np.array([[1.0, 2.0, 3.0]]))
    array([[2., 3., 4.]])
    """
    ### BEGIN SOLUTION
    return x + 1.0  # TODO: the reference
    ### END SOLUTION
'''

HANDOUT = {
    "en": """\
# TODO: title

TODO: what you will build, what you need for it, and how long it takes.
""",
    "zh": """\
# TODO：标题

TODO：要做什么、需要什么基础、大约要多久。
""",
}

SECTION = {
    "en": """\
## `NAME` — TODO: what it gives

TODO: the idea in a few short sentences, then the formula, then numbers worked by hand.

$$y = x + 1$$

### Contract

- `x` `(..., n)`: TODO: what it is.
- Returns `y` `(..., n)`: TODO: what it is. <!-- clause: values -->
- Any number of batch dimensions may stand in front, also none. <!-- clause: batch -->
- The same arguments give the same answer on every call. <!-- clause: repeatable -->
- No argument is changed, and NumPy's global generator is left alone. <!-- clause: untouched -->

### Hints

<details><summary>Hint 1: a nudge</summary>

TODO: a question that leads there.

</details>
<details><summary>Hint 2: where to look</summary>

TODO: the function or the idea that helps.

</details>
<details><summary>Hint 3: nearly the answer</summary>

TODO: the steps in words.

</details>
""",
    "zh": """\
## `NAME`——TODO：它给出什么

TODO：用几句短话讲清想法，然后是公式，再是手算的数字。

$$y = x + 1$$

### 约定

- `x` `(..., n)`：TODO：它是什么。
- 返回 `y` `(..., n)`：TODO：它是什么。<!-- clause: values -->
- 前面可以有任意多个批次维度，也可以没有。<!-- clause: batch -->
- 参数相同，每次调用的结果都相同。<!-- clause: repeatable -->
- 不修改任何参数，也不动 NumPy 的全局随机数生成器。<!-- clause: untouched -->

### 提示

<details><summary>提示 1：点一下</summary>

TODO：一个引路的问题。

</details>
<details><summary>提示 2：往哪里看</summary>

TODO：有用的函数或想法。

</details>
<details><summary>提示 3：差不多是答案</summary>

TODO：用话说出各步。

</details>
""",
}

ASKED = {
    "en": """\
## Question `NAME` — TODO: what it asks

TODO: what to predict, what to measure, what to explain.

<!-- mark scheme -->

TODO: what earns full marks, and what half.
""",
    "zh": """\
## 问题 `NAME`——TODO：它问什么

TODO：预测什么、测量什么、解释什么。

<!-- mark scheme -->

TODO：怎样得满分，怎样得一半。
""",
}

SUITE = '''\
"""NAME: TODO: what must hold, and how the aspects share the step.

Three aspects share the step equally.
"""

import pytest

from autograder.selfcheck import agree

AXES = ("n",)  # names of the last axes of what the step returns


def inputs(rng, *batch, n=5):
    """TODO: inputs on which a wrong answer shows: no two sizes equal, none 1 or 4."""
    return (rng.normal(size=(*batch, 3, n)),)


@pytest.mark.clause("values")
def test_gives_the_right_values(NAME, reference, rng):
    """TODO: the fact, in one sentence.

    TODO：同一件事，用一句话说。
    """
    cases = [inputs(rng), inputs(rng, n=7)]
    for got, expected in NAME.beside(reference.NAME, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("batch")
def test_treats_each_item_of_a_batch_alone(NAME, reference, rng):
    """Any number of leading batch dimensions gives each item its own answer.

    前面有任意多个批次维度时，每一项都得到自己的结果。
    """
    cases = [inputs(rng, 2), inputs(rng, 2, 6)]
    for got, expected in NAME.beside(reference.NAME, cases):
        agree(got, expected, axes=AXES)


@pytest.mark.clause("untouched")
@pytest.mark.safety  # a lazy answer passes this, so alone it earns nothing
def test_leaves_everything_as_it_was(NAME, rng):
    """A call changes neither its arguments nor NumPy's global generator.

    调用既不改动参数，也不动 NumPy 的全局随机数生成器。
    """
    NAME(*inputs(rng))
    assert not NAME.effects.arguments
    assert not NAME.effects.generator
'''

MISTAKES = '''\
"""What students do wrong in NAME, each as a change to the right function where it can be."""

from autograder.suites import mistake


@mistake(
    "NAME",
    en="TODO: say what was done and where to look, never the code.",
    zh="TODO：说出做了什么、该看哪里，不要给出代码。",
)
def todo_say_what_goes_wrong(correct, x):
    return correct(x) + 1.0  # TODO: a change to the right function
'''
