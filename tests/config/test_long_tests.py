"""Long tests run in ``make test-full`` alone; each names a test of the same feature that ``make test`` runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def marks_of(path: Path) -> Iterator[tuple[str, str | None]]:
    """Names of the tests of a file, with what ``long`` says is beside each, None for those of ``make test``."""
    tree = ast.parse(path.read_text())
    whole = next(filter(None, map(beside_of, assigned(tree, "pytestmark"))), None)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            own = next(filter(None, map(beside_of, node.decorator_list)), None)
            yield f"{path.relative_to(ROOT)}::{node.name}", own or whole


def assigned(tree: ast.Module, name: str) -> Iterator[ast.expr]:
    """The calls within what a module assigns to ``name``."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == name for to in node.targets):
            yield from (part for part in ast.walk(node.value) if isinstance(part, ast.Call))


def beside_of(mark: ast.expr) -> str | None:
    """``beside`` of ``pytest.mark.long(beside="…")``; None for another mark."""
    if not isinstance(mark, ast.Call) or ast.unparse(mark.func) != "pytest.mark.long":
        return None
    (keyword,) = mark.keywords
    assert keyword.arg == "beside"
    return str(ast.literal_eval(keyword.value))


def test_each_long_test_names_one_that_is_always_run() -> None:
    beside = dict(pair for path in (ROOT / "tests").rglob("test_*.py") for pair in marks_of(path))
    long = {name: other for name, other in beside.items() if other}
    assert len(beside) > 3000
    assert len(long) > 50
    assert {name: other for name, other in long.items() if beside.get(other, "missing")} == {}
