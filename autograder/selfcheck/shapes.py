"""Says which arrays met when an operation failed over their shapes: "Q (2, 5, 3) @ K (2, 6, 3)".

Looks at the student's line and at the variables there; evaluates again only what cannot change anything.
"""

from __future__ import annotations

import ast

import numpy as np

from .difference import named_shape
from .words import Pair, printable

OPERATORS = {ast.MatMult: "@", ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
APPLY = {
    ast.MatMult: np.matmul, ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide,
    ast.Pow: np.power,
}  # fmt: skip
VIEWS = {"swapaxes", "transpose", "reshape", "squeeze", "T", "mT", "max", "min", "sum", "mean", "astype"}
VIEWS |= {"exp", "sqrt", "expand_dims", "where", "tril", "ones", "arange", "shape"}
MET = "▸ "
WHERE = "where"
PRODUCTS = {"matmul": "@", "dot": "@", "where": WHERE}


def shapes_that_met(frame, text: str, axes: dict) -> Pair | None:
    """The operands of the operation in the line `text` that cannot be done; None if that is not the fault.

    axes: the names of a variable's last axes, where the contract gives them.
    """
    tree = _parsed(text)
    if tree is None:
        return None
    scope = {**frame.f_globals, **frame.f_locals}
    for node in _operations(tree):
        met = _operands(node)
        arrays = [_value(operand, scope) for operand in met]
        if _symbol(node) == WHERE:  # a scalar among its three fits anything
            several = [index for index, array in enumerate(arrays) if np.ndim(array)][:2]
            met, arrays = [met[index] for index in several], [arrays[index] for index in several]
        if len(met) == 2 and all(isinstance(a, (np.ndarray, np.generic)) for a in arrays):
            symbol = _symbol(node)
            if symbol and _fails(node, arrays):
                return _told(met, arrays, symbol, axes)
    return None


def _parsed(text: str):
    """The line as a tree; the head of an `if`, `for` or `with` loses its colon."""
    for attempt in (text, f"{text} 0", f"{text}\n 0", f"if 1:\n 0\n{text} 0", f"({text}"):
        try:
            return ast.parse(attempt)
        except SyntaxError:
            continue
    return None


def _operations(tree):
    """In the order in which they are done: from left to right, operands before what they go into."""
    for child in ast.iter_child_nodes(tree):
        yield from _operations(child)
    if isinstance(tree, (ast.BinOp, ast.Call, ast.AugAssign)):
        yield tree


def _operands(node) -> list:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    name = getattr(node.func, "attr", "")
    if name == "dot" and len(node.args) == 1:
        return [node.func.value, node.args[0]]
    return list(node.args) if name in PRODUCTS else []


def _symbol(node) -> str:
    if isinstance(node, ast.Call):
        return PRODUCTS.get(getattr(node.func, "attr", ""), "")
    return OPERATORS.get(type(node.op), "")


def _fails(node, arrays) -> bool:
    try:
        if isinstance(node, ast.Call):
            {"dot": np.dot, WHERE: np.broadcast_arrays}.get(node.func.attr, np.matmul)(*arrays)
        else:
            with np.errstate(all="ignore"):
                APPLY[type(node.op)](*arrays)
    except Exception:
        return True
    return False


def _value(node, scope: dict):
    """The value of an expression that only looks, or None."""
    if not all(_only_looks(part) for part in ast.walk(node)):
        return None
    try:
        expression = ast.fix_missing_locations(ast.Expression(_loaded(node)))
        with np.errstate(all="ignore"):
            return eval(compile(expression, "<shapes>", "eval"), {"__builtins__": {}, **scope})
    except Exception:
        return None


def _loaded(node):
    return ast.Name(node.id, ast.Load()) if isinstance(node, ast.Name) else node


def _only_looks(part) -> bool:
    if isinstance(part, ast.Call):
        return getattr(part.func, "attr", "") in VIEWS
    if isinstance(part, ast.Attribute):
        return not part.attr.startswith("_")
    harmless = (ast.expr_context, ast.operator, ast.unaryop, ast.keyword, ast.Slice, ast.Index)
    kinds = (ast.Name, ast.Constant, ast.Tuple, ast.Subscript, ast.BinOp, ast.UnaryOp)
    return isinstance(part, harmless + kinds)


def _told(met, arrays, symbol: str, axes: dict) -> Pair:
    left, right = (_operand(operand, array, axes) for operand, array in zip(met, arrays))
    line = f"{MET}where({left}, {right}, …)" if symbol == WHERE else f"{MET}{left} {symbol} {right}"
    if symbol == "@":
        return Pair(
            f"{line}: the last axis on the left must be as long as the last but one on the right.",
            f"{line}：左边最后一个轴要和右边倒数第二个轴一样长。",
        )
    return Pair(
        f"{line}: these shapes do not fit together, axis by axis from the end.",
        f"{line}：这两个形状从末尾逐轴对不上。",
    )


def _operand(operand, array, axes: dict) -> str:
    """Q (n_queries=3, d_k=4)."""
    names = tuple(axes.get(operand.id, ())) if isinstance(operand, ast.Name) else ()
    return f"{printable(ast.unparse(operand), 40)} {named_shape(np.shape(array), names)}"
