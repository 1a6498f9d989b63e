"""An example of each operation: its request, and what the site answered.

`make examples` asks a site of tests and writes them; `tests/config/api/schema/test_examples.py` asks again and compares.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("examples.json")


@cache
def examples() -> dict[str, dict[str, Any]]:
    """Return the ``parameters``, the ``body``, the ``status`` and the ``answer`` of the example, by operation."""
    found: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def add_examples(schema: dict[str, Any]) -> None:
    for methods in schema["paths"].values():
        for operation in methods.values():
            if (example := examples().get(operation["operationId"])) is not None:
                _add(operation, example)


def _add(operation: dict[str, Any], example: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", ()):
        if parameter["name"] in example["parameters"]:
            parameter["example"] = example["parameters"][parameter["name"]]
    if "body" in example:
        operation["requestBody"]["content"][example["body_type"]]["example"] = example["body"]
    if "answer" in example:
        content = operation["responses"][str(example["status"])]["content"]
        content[example["answer_type"]]["example"] = example["answer"]
