"""Definitions of the product that neither its code names, nor its templates, scripts and units.

A name that only tests use is dead, too.  ``make check`` lists what is left.
"""

import ast
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path

from vulture import Vulture

from tests.dead_code_exceptions import EXCEPTIONS

PRODUCT = ("config", "players", "replays", "analysis", "manage.py")
#: Functions with these are called by place.
DECORATORS = ["@*receiver", "@shared_task", "@admin.*", "@register", "@*.connect"]
_NAME = re.compile(r"[A-Za-z_]\w+")
_QUERIES = {"filter", "exclude", "get", "Q"}


def dead_definitions() -> list[str]:
    finder = Vulture(ignore_decorators=DECORATORS)
    finder.scavenge(PRODUCT, exclude=["*/migrations/*"])
    finder.used_names |= {*_names_in_texts(), *chain.from_iterable(map(_names_beside_code, _sources()))}
    # Not by vulture, which would compare each name of the product with each exception.
    return [
        item.get_report()
        for item in finder.get_unused_code(min_confidence=60)
        if not any(fnmatchcase(item.name, pattern) for pattern in EXCEPTIONS)
    ]


def _names_in_texts() -> Iterator[str]:
    texts = (file for kind in ("html", "js", "csv", "sh", "service") for file in Path().glob(f"[a-z]*/**/*.{kind}"))
    for file in chain(texts, [Path("compose.yaml")]):
        if not file.is_relative_to("tests"):
            yield from _NAME.findall(file.read_text(encoding="utf-8"))


def _names_beside_code(file: Path) -> Iterator[str]:
    """Yield the names in strings without spaces (dotted paths, lookups), in queries, and serializer fields with their methods."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            for name in _NAME.findall(node.value):
                yield from (name, *name.split("__"))
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in _QUERIES:
            yield from (word.arg.split("__")[0] for word in node.keywords if word.arg)
        elif isinstance(node, ast.Assign) and getattr(_module_of_call(node.value), "id", "") == "serializers":
            field = ast.unparse(node.targets[0])
            yield from (field, f"get_{field}")


def _module_of_call(value: ast.expr) -> ast.expr | None:
    return value.func.value if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else None


def _sources() -> Iterator[Path]:
    for name in PRODUCT:
        for file in [Path(name)] if name.endswith(".py") else Path(name).rglob("*.py"):
            if "migrations" not in file.parts:
                yield file


if __name__ == "__main__":
    dead = dead_definitions()
    print("\n".join(dead))
    sys.exit(bool(dead))
