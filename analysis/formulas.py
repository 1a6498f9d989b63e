"""Formulas of statistics as data, for programs that compute with them in another language.

    tree("sqrt(completion) * K / qg")    # ["/", ["*", ["sqrt", "completion"], "K"], "qg"]

A formula is an expression of Python with numbers, names, ``+ - * / **``, comparisons, ``and``, ``or`` and the functions of
:data:`FUNCTIONS`.  Its tree has numbers, names, and lists of an operator or function and its operands.  What it gives is
a number, or not defined: a name without a value, a division by 0, or any result that is not finite.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

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
_COMPUTED: Final[dict[str, Callable[..., Any]]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "**": np.power,
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal,
    "and": lambda *parts: np.all(parts, axis=0), "or": lambda *parts: np.any(parts, axis=0),
    "sqrt": np.sqrt, "log": np.log, "abs": np.abs, "round": lambda part: np.floor(part + 0.5),
    "min": np.minimum, "max": np.maximum,
}  # fmt: skip

_TRUTHS: Final = {"<", "<=", ">", ">=", "==", "!=", "and", "or"}


class BadFormula(ValueError):
    """A text that is no formula: ``reason`` is ``long``, ``deep``, ``syntax``, ``name`` or ``part``; ``part`` says what."""

    def __init__(self, reason: str, part: str = "") -> None:
        super().__init__(reason, part)
        self.reason, self.part = reason, part


def tree(formula: str, names: frozenset[str] | None = None) -> Tree:
    """``formula`` as a tree.

    ``names``: the names that it may use; None: any.
    Raises ``BadFormula`` if it is none, or uses other names, or is too long or too deep.
    """
    if len(formula) > MAX_CHARACTERS:
        raise BadFormula("long")
    try:
        parsed = ast.parse(formula.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadFormula("syntax") from error
    return _tree(parsed.body, names, MAX_DEPTH)


def value_of(of: Tree, values: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """Evaluate a tree for whole arrays, one of a shape for each name; NaN where it is not defined."""
    if isinstance(of, str):
        return values[of]
    if not isinstance(of, list):
        return np.asarray(of)
    operator = str(of[0])
    found: NDArray[np.float64] = _COMPUTED[operator](*[value_of(part, values) for part in of[1:]])
    return found if operator in _TRUTHS else found + 0 * found  # NaN in place of what is not finite


def names_in(formula: str) -> Iterator[str]:
    """Yield the names in a formula in their order; "" has none."""
    nodes = ast.walk(ast.parse(formula))
    names = (node for node in nodes if isinstance(node, ast.Name) and node.id not in FUNCTIONS)
    yield from (name.id for name in sorted(names, key=lambda name: name.col_offset))


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
