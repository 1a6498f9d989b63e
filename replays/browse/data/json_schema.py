"""The JSON schema of the rows of a dump, made from the serializers that write them and from the registry."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry
from drf_spectacular.settings import spectacular_settings

from analysis.statistics import STORED, Statistic
from players.web.api import PublicView
from replays.browse.data.dumped_rows import Kind

Schema: TypeAlias = dict[str, Any]

STATISTICS: Final = "statistics"
#: Properties of a schema that are OpenAPI's and not those of JSON schemas.
_OPENAPI: Final = frozenset({"readOnly", "example", "x-spec-enum-id"})


def schema_of(kinds: Iterable[Kind]) -> Schema:
    """The schema of each kind under ``$defs``, with those of the objects inside."""
    with _json_types():
        openapi = AutoSchema()
        openapi.registry, openapi.view = ComponentRegistry(), PublicView()
        openapi.method, openapi.path = "GET", "/"
        openapi.view.request = None  # type: ignore[assignment]  # of no request
        names = {kind.name: openapi.resolve_serializer(kind.serializer(), "response").name for kind in kinds}
        parts = openapi.registry.build({})["schemas"]
    definitions = _plain(json.loads(json.dumps(parts, default=str).replace("#/components/schemas/", "#/$defs/")))
    for kind, name in names.items():
        definitions[kind] = definitions.pop(name)
        _describe_statistics(definitions[kind]["properties"])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions}


def properties_of(schema: Schema, kind: Kind) -> dict[str, Schema]:
    """The properties of a row, each with the schema that it refers to in place of the reference."""
    return {name: _resolved(schema, one) for name, one in schema["$defs"][kind.name]["properties"].items()}


def _resolved(schema: Schema, given: Schema) -> Schema:
    for one in (given, *given.get("oneOf", ()), *given.get("allOf", ())):
        if reference := one.get("$ref"):
            found: Schema = schema["$defs"][reference.rpartition("/")[2]]
            return found
    return given


@contextmanager
def _json_types() -> Iterator[None]:
    """Let types that may be null be written as JSON schemas do, and OpenAPI from 3.1 on."""
    spectacular_settings.apply_patches({"OAS_VERSION": "3.1.0"})  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        spectacular_settings.clear_patches()  # type: ignore[no-untyped-call]


def _plain(found: Any) -> Any:
    if isinstance(found, dict):
        return {name: _plain(value) for name, value in found.items() if name not in _OPENAPI}
    return [_plain(value) for value in found] if isinstance(found, list) else found


def _describe_statistics(properties: dict[str, Schema]) -> None:
    """Name every statistic of a replay, which the API describes as a map."""
    if STATISTICS in properties:
        by_name = {name: _statistic(row) for row in STORED for name in (row.public, *row.aliases)}
        properties[STATISTICS] = {
            "type": "object", "properties": by_name, "required": list(by_name), "additionalProperties": False,
        }  # fmt: skip


def _statistic(row: Statistic) -> Schema:
    return {"type": ["integer" if row.integer else "number", "null"], "description": row.label}
