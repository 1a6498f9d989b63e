"""Schemas of answers as JSON Schema, which knows no ``nullable``."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft7Validator


def problems_of(answer: object, schema: dict[str, Any], components: dict[str, Any]) -> list[str]:
    """Return where ``answer`` does not fit ``schema``; fields that the schema does not name do not fit either."""
    whole = {**as_json_schema(schema), "components": {"schemas": as_json_schema(components)}}
    errors = Draft7Validator(whole).iter_errors(answer)
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in errors]


def as_json_schema(value: Any) -> Any:
    if isinstance(value, list):
        return [as_json_schema(one) for one in value]
    if not isinstance(value, dict):
        return value
    made = {name: as_json_schema(one) for name, one in value.items() if name not in ("nullable", "example")}
    if "properties" in value and "additionalProperties" not in value:
        made["additionalProperties"] = False
    if value.get("nullable") is True:
        return {"anyOf": [made, {"type": "null"}]}
    return made
