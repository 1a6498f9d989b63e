"""Formulas of statistics as data, for programs that compute with them in another language.

    tree("sqrt(completion) * K / qg")    # ["/", ["*", ["sqrt", "completion"], "K"], "qg"]

A formula is an expression of Python with numbers, names, ``+ - * / **``, comparisons, ``and``, ``or`` and the functions of
:data:`FUNCTIONS`.  Its tree has numbers, names, and lists of an operator or function and its operands.  What it gives is
a number, or not defined: a name without a value, a division by 0, or any result that is not finite.
"""

from __future__ import annotations

import ast
import math
from typing import Final, TypeAlias

Tree: TypeAlias = "float | str | list[Tree]"

MAX_CHARACTERS: Final = 200
MAX_DEPTH: Final = 20
#: Functions and how many operands each has; ``log`` is the natural logarithm.
FUNCTIONS: Final = {"sqrt": 1, "log": 1, "abs": 1, "round": 1, "min": 2, "max": 2}
_OPERATORS: Final[dict[type[ast.AST], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.And: "and", ast.Or: "or",
}  # fmt: skip


class BadFormula(ValueError):
    """A text that is no formula: ``reason`` is ``long``, ``deep``, ``syntax``, ``name`` or ``part``; ``part`` says what."""

    def __init__(self, reason: str, part: str = "") -> None:
        super().__init__(reason, part)
        self.reason, self.part = reason, part


def tree(formula: str, names: frozenset[str] | None = None) -> Tree:
    """``formula`` as a tree.

    Parameters
    ----------
    formula : str
    names : the names that it may use; None: any

    Raises
    ------
    BadFormula
        if it is none, or uses other names, or is too long or too deep.
    """
    if len(formula) > MAX_CHARACTERS:
        raise BadFormula("long")
    try:
        parsed = ast.parse(formula.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadFormula("syntax") from error
    return _tree(parsed.body, names, MAX_DEPTH)


def _tree(node: ast.expr, names: frozenset[str] | None, depth: int) -> Tree:
    if depth == 0:
        raise BadFormula("deep")

    def part(of: ast.expr) -> Tree:
        return _tree(of, names, depth - 1)

    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool) and _is_moderate(number):
            return float(number)
        case ast.Name(id=name):
            if names is not None and name not in names:
                raise BadFormula("name", name)
            return name
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ["-", 0.0, part(operand)]
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            return [_OPERATORS[type(operator)], part(left), part(right)]
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in _OPERATORS:
            return [_OPERATORS[type(operator)], part(left), part(right)]
        case ast.BoolOp(op=operator, values=values):
            return [_OPERATORS[type(operator)], *map(part, values)]
        case ast.Call(func=ast.Name(id=function), args=operands, keywords=[]) if FUNCTIONS.get(function) == len(
            operands
        ):
            return [function, *map(part, operands)]
    raise BadFormula("part", ast.unparse(node))


def _is_moderate(number: float) -> bool:
    """Return whether a number is finite and at most 1e300 in size, so that others can read it from JSON."""
    return abs(number) <= 1e300 and math.isfinite(float(number))
