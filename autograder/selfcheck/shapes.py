"""Says which arrays met when an operation failed over their shapes: "Q (2, 5, 3) @ K (2, 6, 3)".

Looks at the student's line and at the variables there; evaluates again only what cannot change anything.
"""

from __future__ import annotations

import ast

import numpy as np

from .words import Pair, printable

OPERATORS = {ast.MatMult: "@", ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
APPLY = {
    ast.MatMult: np.matmul, ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide,
    ast.Pow: np.power,
}  # fmt: skip
VIEWS = {"swapaxes", "transpose", "reshape", "squeeze", "T", "mT", "max", "min", "sum", "mean", "astype"}
VIEWS |= {"exp", "sqrt", "expand_dims", "where", "tril", "ones", "arange", "shape"}
MET = "▸ "
PRODUCTS = {"matmul": "@", "dot": "@", "einsum": "einsum"}


def shapes_that_met(frame, text: str, error: BaseException) -> Pair | None:
    """The operands of the operation in the line `text` that cannot be done; None if that is not the fault."""
    tree = _parsed(text)
    if tree is None:
        return None
    scope = {**frame.f_globals, **frame.f_locals}
    for node in _operations(tree):
        met = _operands(node)
        arrays = [_value(operand, scope) for operand in met]
        if len(met) == 2 and all(isinstance(a, (np.ndarray, np.generic)) for a in arrays):
            symbol = _symbol(node)
            if symbol and _fails(node, arrays):
                return _told(met, arrays, symbol)
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
    """Innermost first."""
    found = [node for node in ast.walk(tree) if isinstance(node, (ast.BinOp, ast.Call, ast.AugAssign))]
    return reversed(found)


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
            np.dot(*arrays) if node.func.attr == "dot" else np.matmul(*arrays)
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


def _told(met, arrays, symbol: str) -> Pair:
    left, right = (
        f"{printable(ast.unparse(operand), 40)} {np.shape(array)}" for operand, array in zip(met, arrays)
    )
    line = f"{MET}{left} {symbol} {right}"
    if symbol == "@":
        return Pair(
            f"{line}: the last axis on the left must be as long as the last but one on the right.",
            f"{line}：左边最后一个轴要和右边倒数第二个轴一样长。",
        )
    return Pair(
        f"{line}: these shapes do not fit together, axis by axis from the end.",
        f"{line}：这两个形状从末尾逐轴对不上。",
    )
