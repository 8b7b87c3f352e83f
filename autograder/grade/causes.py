"""What Python's and NumPy's own exceptions mean, in words for a student.

An exception's text comes from a desk, so a hidden input could be in it: it only chooses one of the
sentences here, and of the numbers in it only sizes that the call's own arguments have are told.
"""

import re
from typing import Any

import numpy as np

from autograder.grade.replay import shapes_of
from autograder.model import Sentence

CAUSES = (  # how the message begins, or what is in it -> what it means
    (r"(output array|destination) is read-only", "it writes into its argument", "写入了传入的参数"),
    (
        r"cannot convert float (infinity|NaN) to integer",
        "an array of whole numbers cannot hold an infinity or nan",
        "整数数组存不下无穷大或 nan",
    ),
    (
        r"Cannot cast ufunc",
        "floats are to be written into an array of whole numbers in place",
        "想把浮点数就地写进整数数组",
    ),
    (r"ufunc '(invert|bitwise_\w+)' not supported", "~, & and | need truth values", "~、& 和 | 要用布尔值"),
    (
        r"it answers \d+ times",
        "the function that it was passed is asked too often",
        "传入的函数被调用得太多次",
    ),
    (
        r"numbers an array and|grow too large together|more than it takes at once",
        "the function that it was passed is asked with too many numbers, or too long an axis",
        "传给那个函数的数组太大，或某个轴太长",
    ),
    (
        r"during the call that it was passed to",
        "a function that was passed to another call is used",
        "用了传给另一次调用的函数",
    ),
    (
        r"truth value of an array",
        "an `if`, `and`, `or` was given a whole array",
        "`if`、`and`、`or` 用在了整个数组上",
    ),
    (
        r"values to unpack|cannot unpack",
        "a result is unpacked into the wrong number of names",
        "解包时变量的个数不对",
    ),
    (
        r"arrays used as indices|only integer",
        "something other than whole numbers is used as an index",
        "下标不是整数",
    ),
    (
        r"'NoneType' object|NoneType",
        "None is used as a value: is a `return` missing?",
        "把 None 当作值来用：是不是漏了 `return`？",
    ),
    (
        r"positional argument|unexpected keyword argument|multiple values for argument",
        "a function is called with other arguments than it takes",
        "调用函数时给的参数与它的定义不符",
    ),
    (
        r"[Bb]oolean index did not match|too many indices",
        "an index has not the shape of the array that it is used on",
        "下标的形状和被取下标的数组不一致",
    ),
    (
        r"is not a number, an array or a tuple|cannot be handed over",
        "what comes back is neither numbers nor arrays of them",
        "返回的既不是数，也不是数组",
    ),
    (
        r"unhashable",
        "an array is a key: nothing can be looked up by an array",
        "数组不能作字典的键，也不能缓存",
    ),
    (r"can't start new thread", "there are no more threads here", "这里不能再开线程"),
    (r"is not callable", "something that is no function is called", "调用了不是函数的东西"),
    (r"is out of bounds", "there is no such axis or index", "没有这个轴或下标"),
    (r"maximum recursion depth", "the function calls itself without end", "函数无止境地调用自己"),
    (
        r"No module named|can't be imported|cannot be imported",
        "only NumPy and Python's own modules are there",
        "只能用 NumPy 和 Python 自带的模块",
    ),
)
OPERATIONS = (  # how NumPy begins the message -> what the shapes did not fit
    (r"matmul\b", "matmul (@)"),
    (r"(dot\b|shapes \(.*not aligned)", "dot"),
    (r"(einsum|einstein sum|operand has (more|fewer) dimensions)", "einsum"),
    (r"(operands|input operand|could not broadcast|shape mismatch|non-broadcastable)", "broadcasting"),
    (r"cannot reshape", "reshape"),
    (r"axes don't match", "transpose"),
    (r"(all (the )?input|need at least one array)", "concatenation"),
)
SHAPE, SIZES = re.compile(r"\((\d+(?:,\s?\d+)*),?\)"), re.compile(r"size (\d+) is different from (\d+)")


def cause(text: str, arguments: dict[str, Any]) -> Sentence | None:
    """Why such an exception is raised, for a call with these arguments; None where the text tells nothing."""
    for pattern, en, zh in CAUSES:
        if re.search(pattern, text):
            return Sentence(en, zh)
    body = re.sub(r"^\w+Error: ", "", text)
    operation = next((name for start, name in OPERATIONS if re.match(start, body, re.IGNORECASE)), None)
    return None if operation is None else _misfit(operation, body, arguments)


def _misfit(operation: str, text: str, arguments: dict[str, Any]) -> Sentence:
    shapes, met = shapes_of(arguments), _met(text, arguments)
    if operation.startswith("matmul") and len(shapes) == 2:
        return Sentence(*(f"{shapes[0]} @ {shapes[1]}{tail}" for tail in (met.en, met.zh)))
    en, zh = f"{operation} does not fit{met.en}", f"{operation} 的形状不匹配{met.zh}"
    if not shapes:
        return Sentence(en, zh)
    return Sentence(f"{en}, in a call with {', '.join(shapes)}", f"{zh}，调用参数是 {'、'.join(shapes)}")


def _met(text: str, arguments: dict[str, Any]) -> Sentence:
    """The shapes or sizes that NumPy names, where each size is one that the arguments have anyway."""
    sizes = {1} | {size for value in arguments.values() for size in np.shape(value)}
    shapes = [tuple(map(int, part.split(","))) for part in SHAPE.findall(text)[:2]]
    if len(shapes) == 2 and sizes.issuperset(size for shape in shapes for size in shape):
        return Sentence(f": {shapes[0]} meets {shapes[1]}", f"：{shapes[0]} 遇到 {shapes[1]}")
    differing = SIZES.search(text)
    if differing and sizes.issuperset(map(int, differing.groups())):
        return Sentence(
            ": {} is not {}".format(*differing.groups()), "：{} 不等于 {}".format(*differing.groups())
        )
    return Sentence("", "")
