"""Docstrings begin with a verb or a noun, not with a riddle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.effort import rest_long

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("analysis", "config", "players", "replays", "tests")
WRONG = frozenset({"What", "Who", "Whom", "Whose", "Which", "Where", "How", "Why", "Of", "That", "By", "As"})
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def first_words(source: str) -> Iterator[tuple[str, int, bool]]:
    """The first word of each docstring, its line, and whether it is that of a function or method that is no property."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)):
            continue
        text = ast.get_docstring(node)
        if text:
            is_property = isinstance(node, FUNCTIONS) and any(
                "property" in ast.unparse(one) for one in node.decorator_list
            )
            line = getattr(node, "lineno", 1)
            yield text.split()[0].strip('`",.:;'), line, isinstance(node, FUNCTIONS) and not is_property


def is_wrong(word: str, of_function: bool) -> bool:
    return word in WRONG or (of_function and word == "Whether")


@pytest.mark.parametrize("package", rest_long(*PACKAGES, usual=4))
def test_no_docstring_begins_with_a_riddle(package: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {word}"
        for path in sorted((ROOT / package).rglob("*.py"))
        if "migrations" not in path.parts
        for word, line, of_function in first_words(path.read_text(encoding="utf-8"))
        if is_wrong(word, of_function)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ('def f():\n    """What it does."""', True), ('class A:\n    """Who plays."""', True), ('"""How it works."""', True),
        ('def f():\n    """Whether it is so."""', True), ('def f():\n    """Return whether it is so."""', False),
        ('class A:\n    @property\n    def f(self):\n        """Whether it is so."""', False), ("def f(): pass", False),
    ],
)  # fmt: skip
def test_a_riddle_is_found(source: str, wrong: bool) -> None:
    assert any(is_wrong(word, of_function) for word, _line, of_function in first_words(source)) is wrong
