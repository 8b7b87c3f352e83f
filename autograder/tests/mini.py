"""The texts of a small exercise of two steps and a question, for tests of the author's side."""

CONFIG = """\
from autograder.settings import plug_in

c = get_config()
plug_in(c)
c.CourseDirectory.course_id = "mini"
c.Attn.languages = {languages}
"""
TOML = """\
# The order is the order of teaching.
minutes = 10

[title]
en = "Two steps"
zh = "两步"

[[step]]
name = "double"
points = 2

[[step]]
name = "quadruple"
points = 3  # the harder one

[step.weights]
test_is_linear = 2

[[question]]
name = "why_twice"
points = 4
"""
REFERENCE = '''\
"""Two steps: the reference."""

import numpy as np


def double(x):
    """Double every entry.

    A row:

    >>> double(np.array([1.0, 2.0]))
    array([2., 4.])

    A batch:

    >>> x = np.array([[1, 2], [3, 4]])
    >>> y = double(x)
    >>> y
    array([[2, 4],
           [6, 8]])
    """
    ### BEGIN SOLUTION
    return x + x
    ### END SOLUTION


def quadruple(x, times=2):
    """Double twice.

    >>> quadruple(np.array([[1.0], [np.inf]]))
    array([[ 4.],
           [inf]])
    """
    ### BEGIN SOLUTION
    for _ in range(times):
        x = double(x)
    return x
    ### END SOLUTION
'''
ENGLISH = """\
# Two steps

Doubling, by hand.

<!-- cell -->

A second cell, with a formula: $$2x = x + x$$

```python cell
numbers = np.array([1.0, 2.0])
```

## `double` — twice as much

The idea is $$y = 2x$$

### Contract

- `x` `(..., n)`: any numbers.
- Returns `y` `(..., n)`, **twice** $\\sqrt{4}$ times `x` over 2. <!-- clause: values -->
- The argument is left alone. <!-- clause: untouched -->

### Hints

<details><summary>Hint 1: words</summary>

Add it to itself.

</details>

<!-- stub -->

Now predict: what is `double` of nothing?

## `quadruple` — four times as much

### Contract

- `x` `(..., n)`: any numbers. <!-- clause: values -->

## Question `why_twice` — why?

Why is two enough?

<!-- mark scheme -->

- 4 points: because it is.

## The end

That was all.
"""
CHINESE = """\
# 两步

手算翻倍。

<!-- cell -->

第二个单元，带公式：$$2x = x + x$$

```python cell
numbers = np.array([1.0, 2.0])
```

## `double`——两倍

想法：$$y = 2x$$

### 约定

- `x` `(..., n)`：任意数。
- 返回 `y` `(..., n)`，是 `x` 的**两倍**。<!-- clause: values -->
- 不修改参数。<!-- clause: untouched -->

### 提示

<details><summary>提示 1：思路</summary>

自己加自己。

</details>

<!-- stub -->

先预测：空数组的 `double` 是什么？

## `quadruple`——四倍

### 约定

- `x` `(..., n)`：任意数。<!-- clause: values -->

## 问题 `why_twice`——为什么？

为什么两次就够？

<!-- mark scheme -->

- 4 分：因为如此。

## 结束

完。
"""
SUITE_DOUBLE = '''\
"""double."""

import numpy as np
import pytest

from autograder.selfcheck import agree


@pytest.mark.clause("values")
def test_doubles_each_entry(double, reference, rng):
    """Every entry is doubled.

    每个数都翻倍。
    """
    x = rng.normal(size=(2, 3))
    agree(double(x), reference.double(x))


@pytest.mark.clause("untouched")
@pytest.mark.safety
def test_leaves_its_argument_alone(double, rng):
    """The argument is not changed.

    不修改参数。
    """
    double(rng.normal(size=3))
    assert not double.effects.arguments
'''
SUITE_QUADRUPLE = '''\
"""quadruple."""

import pytest

from autograder.selfcheck import agree


@pytest.mark.clause("values")
def test_is_four_times_x(quadruple, reference, rng):
    """Every entry is four times as large.

    每个数都变为四倍。
    """
    x = rng.normal(size=(2, 3))
    agree(quadruple(x), reference.quadruple(x))


@pytest.mark.clause("values")
@pytest.mark.safety
def test_is_linear(quadruple, rng):
    """The answer for
    a sum is the sum of the answers.

    和的答案等于答案的和。
    """
    x, y = rng.normal(size=(2, 5))
    agree(quadruple(x + y), quadruple(x) + quadruple(y))
'''
MISTAKES = '''\
"""What is known to go wrong."""

from autograder.suites import mistake


@mistake("double", en="You squared; doubling adds.", zh="你求了平方；翻倍是相加。")
def squares(correct, x):
    return x * x
'''
