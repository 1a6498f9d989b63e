"""The last hand on the OpenAPI schema: descriptions, and an example for each operation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from config.api.examples import add_examples
from config.api.field_words import PATH_PARAMETERS, PROPERTIES

_METHODS: Final = frozenset({"get", "post", "put", "patch", "delete"})

Schema = dict[str, Any]


def operations(schema: Schema) -> Iterator[tuple[str, Schema]]:
    for path, methods in schema["paths"].items():
        yield from ((path, one) for method, one in methods.items() if method in _METHODS)


def complete(result: Schema, generator: object, request: object, public: bool) -> Schema:
    """Complete the schema; a hook of drf-spectacular, after the one that names enumerations."""
    for _path, operation in operations(result):
        _close_bodies(operation, result["components"]["schemas"])
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "path" and parameter["name"] in PATH_PARAMETERS:
                parameter.setdefault("description", PATH_PARAMETERS[parameter["name"]])
    for component in result["components"]["schemas"].values():
        _describe(component)
    add_examples(result)
    return result


def _close_bodies(operation: Schema, components: Schema) -> None:
    """Say of the bodies of an operation that they take no other properties: unknown fields are refused."""
    for content in operation.get("requestBody", {}).get("content", {}).values():
        name = content["schema"].get("$ref", "").rpartition("/")[2]
        body = components.get(name, content["schema"])
        if "properties" in body:
            body["additionalProperties"] = False


def _describe(component: Schema) -> None:
    """Give properties without a description the one of their name."""
    for name, values in component.get("properties", {}).items():
        if "description" in values or name not in PROPERTIES:
            continue
        if "$ref" in values:  # nothing may stand beside a reference in OpenAPI 3.0
            values["allOf"] = [{"$ref": values.pop("$ref")}]
        values["description"] = PROPERTIES[name]
